"""The protocol of a bot."""

from __future__ import annotations

from typing import Any, Protocol

from registan.core.engine import Engine
from registan.core.game import Ints


class Bot(Protocol):
    """Chooses actions from what a seat may see. All randomness comes from `rng`, so a choice can be repeated."""

    name: str

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return a legal action of the seat; `hidden` is the state as the seat knows it, an array of one."""
        ...
