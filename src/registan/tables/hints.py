"""Hints and the guide at a table, made from what the seat may see."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.advice.guide import foreseen, situation
from registan.advice.hint import BEST, GUIDED, advise
from registan.bots.ladder import adviser
from registan.bots.search import simulate
from registan.core.chance import WORDS, Stream
from registan.core.engine import Engine
from registan.core.game import Ints, Json
from registan.tables.match import TableMatch
from registan.tables.table import Table


@dataclass(frozen=True)
class HintQuestion:
    """The decision of a seat that wants a hint: what it may see."""

    engine: Engine
    seat: int
    hidden: Any
    rng: Ints
    most: int = BEST
    """How many moves are wanted."""

    @property
    def ready(self) -> bool:
        """Whether the search runs as machine code; otherwise it would take minutes."""
        return self.engine.ready(simulate)

    def think(self, seconds: float) -> list[Json]:
        """Return the best moves after thinking for that long; never call this in an event loop."""
        bot = adviser(self.engine.game, seconds / 2)
        return advise(bot, self.engine, self.hidden, self.seat, self.rng, self.most)


def hint_question(table: Table, seat: int) -> HintQuestion:
    """Return the decision that a seat has to make now."""
    match = table.playing
    return HintQuestion(match.engine, seat, match.for_seat(seat).hidden(seat), hint_rng(table, seat))


def hint_rng(table: Table, seat: int) -> Ints:
    """Return the random numbers of a seat's hints at this moment, which have nothing to do with those of the game."""
    rng = np.zeros(WORDS, np.uint64)
    key = hashlib.sha256(b"hints" + table.created.secret).digest()
    Stream(key).fill(rng, table.seq_of(seat) * len(table.seats) + seat)
    return rng


@dataclass(frozen=True)
class GuideQuestion:
    """The decision of a seat that wants the guide: what the position asks of it, by language, and its moves."""

    situation: dict[str, list[str]]
    moves: HintQuestion
    view: Json

    def told(self, rows: list[Json]) -> list[Json]:
        """Return moves with what the game says that each may bring and risks."""
        engine = self.moves.engine
        return [{**row, **foreseen(engine.game, engine.box, self.view, row["move"])} for row in rows]


def guide_question(match: TableMatch, seat: int, rng: Ints) -> GuideQuestion:
    """Return the decision that a seat has to make now, for the guide."""
    then = match.for_seat(seat)
    moves, view = HintQuestion(match.engine, seat, then.hidden(seat), rng, GUIDED), then.view(seat)
    return GuideQuestion(situation(match.game, match.box, view), moves, view)
