"""What a bot is."""

from __future__ import annotations

from typing import Protocol

from registan.core.game import Box, Game, Ints, Record


class Bot(Protocol):
    """Given what a seat may see, it names an action. It draws only from `words`, so that it can be asked again."""

    name: str

    def choose(self, game: Game, box: Box, hidden: Record, seat: int, words: Ints) -> int:
        """Return a legal action for the seat in a state hidden for that seat."""
        ...
