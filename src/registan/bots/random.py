"""The bot that plays at random."""

from __future__ import annotations

from typing import Any

from registan.core.engine import Engine
from registan.core.game import Ints


class RandomBot:
    """Plays a legal action at random, as the game's `pick` does."""

    name = "random"

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return a legal action at random."""
        return engine.pick(hidden, seat, rng)
