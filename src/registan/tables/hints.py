"""Hints at a table, made from what the seat may see."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.advice.hint import best_moves
from registan.bots.search import simulate
from registan.bots.search_bot import SearchBot
from registan.core.chance import WORDS, Stream
from registan.core.engine import Engine
from registan.core.game import Ints, Json
from registan.tables.table import Table


@dataclass(frozen=True)
class HintQuestion:
    """The decision of a seat that wants a hint: what it may see."""

    engine: Engine
    seat: int
    hidden: Any
    rng: Ints

    @property
    def ready(self) -> bool:
        """Whether the search runs as machine code; otherwise it would take minutes."""
        return self.engine.ready(simulate)

    def think(self, seconds: float) -> list[Json]:
        """Return the best moves after thinking for that long; never call this in an event loop."""
        opinions = SearchBot(seconds=seconds).think(self.engine, self.hidden, self.seat, self.rng)
        return best_moves(self.engine, self.hidden, self.seat, opinions)


def hint_question(table: Table, seat: int) -> HintQuestion:
    """Return the decision that a seat has to make now."""
    match = table.playing
    rng = np.zeros(WORDS, np.uint64)
    key = hashlib.sha256(b"hints" + table.created.secret).digest()
    Stream(key).fill(rng, table.seq_of(seat) * len(table.seats) + seat)
    return HintQuestion(match.engine, seat, match.for_seat(seat).hidden(seat), rng)
