"""What a bot is."""

from __future__ import annotations

from typing import Any, Protocol

from registan.core.engine import Engine
from registan.core.game import Ints


class Bot(Protocol):
    """Given what a seat may see, it names an action. It draws only from `rng`, so that it can be asked again."""

    name: str

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return a legal action for the seat in a state that is hidden for that seat, an array of one."""
        ...
