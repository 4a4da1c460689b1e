"""Judging positions: everybody's chance to win, from what one seat knows, after its best move or the one it played.

Every judgement depends only on what the seat knows: its random numbers are derived from that.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from registan.advice.figures import Figure
from registan.bots.search import EDGE
from registan.bots.search_bot import Grown, Opinion, Thought, basis, run_simulations, tuning_of
from registan.core import chance
from registan.core.engine import Engine
from registan.core.game import Ints

EDGES, FULL = 1 << 16, 64
ROOM = 8
"""Edges for each simulation, at least: in a full table, nothing more would be learnt."""


@dataclass
class Prospect:
    """How simulations of one move (or of whatever moves, if the seat is not asked) ended; `number` identifies it."""

    number: int
    opinion: Opinion

    def chance(self, seat: int) -> Figure:
        """Return a seat's chance to win."""
        outlook = self.opinion.outlook
        assert outlook is not None
        return Figure.estimate(self.number, float(outlook.means[seat, 0]), float(outlook.errors[seat, 0]))

    def chances(self, players: int) -> list[float]:
        """Return everybody's chance to win."""
        outlook = self.opinion.outlook
        assert outlook is not None
        return [round(float(mean), 4) for mean in outlook.means[:players, 0]]


@dataclass(frozen=True)
class Decision:
    """A choice that a seat had: the best move as the search sees it, and the one it played."""

    hidden: Any
    actions: list[int]
    best: int
    played: int


class Judge:
    """Searches and simulates from what seats know; the same question is answered once.

    With open hands, seats know all hands; the order of piles and what chance will bring stay unknown.
    Judges with different salts draw different random numbers: a second opinion.
    """

    def __init__(self, engine: Engine, simulations: int, open_hands: bool = False, salt: bytes = b"") -> None:
        self.engine = Engine(engine.game, engine.box, compiled=True)
        self.simulations, self._salt = simulations, salt
        self._tune = replace(tuning_of(engine.game), open_hands=float(open_hands)).record()
        self._edges = np.zeros(max(EDGES, 1 << (ROOM * simulations).bit_length()), EDGE)
        self._best: dict[tuple[int, bytes], int] = {}
        self._prospects: dict[tuple[int, bytes, int], Prospect] = {}
        self._values: dict[tuple[int, bytes, int], Prospect] = {}
        self._full = np.ones(FULL, EDGE)  # without room for a single edge, so that no tree grows

    def best(self, hidden: Any, seat: int) -> int:
        """Return the index of the action that a search tries most."""
        key = seat, hidden.tobytes()
        if key not in self._best:
            self._best[key] = int(np.argmax(self.search(hidden, seat, self.simulations)[:, 0]))
        return self._best[key]

    def search(self, hidden: Any, seat: int, simulations: int, what: bytes = b"search") -> Ints:
        """Return what a search finds about each action: how often it was tried, and its sums (`bots.search.simulate`).

        Searches for different things (`what`) draw different random numbers.
        """
        rows = len(self.engine.legal(hidden, seat))
        return self._run(hidden, seat, -1, rows, simulations, what, explain=False).root[:rows]

    def prospect(self, hidden: Any, seat: int, only: int = -1) -> Prospect:
        """Return how the game ends after the action with that index, or after whatever the seat would do."""
        key = seat, hidden.tobytes(), only
        if key not in self._prospects:
            opinion = self._simulated(hidden, seat, only, self.simulations, b"first")
            self._prospects[key] = Prospect(len(self._prospects), opinion)
        return self._prospects[key]

    def look_again(self, hidden: Any, seat: int, only: int, simulations: int) -> None:
        """Add simulations to a prospect."""
        prospect = self.prospect(hidden, seat, only)
        # Other random numbers each time: the same simulations again would only pretend to be more.
        more = self._simulated(hidden, seat, only, simulations, b"again %d" % prospect.opinion.visits)
        first = prospect.opinion
        assert first.outlook is not None
        assert more.outlook is not None
        visits = first.visits + more.visits
        prospect.opinion = Opinion(
            first.action, visits, 0.0, 0.0, None, first.outlook + more.outlook, first.replies + more.replies
        )

    def value(self, hidden: Any, seat: int, only: int = -1) -> Prospect:
        """Return how the game ends if everybody plays on at a glance, after the action with that index if one is given.

        All such values are those of one way to play: they change by chance and by what is played, not because a search
        sees more from closer up.
        """
        key = seat, hidden.tobytes(), only
        if key not in self._values:
            opinion = self._simulated(hidden, seat, only, self.simulations, b"value")
            self._values[key] = Prospect(-1 - len(self._values), opinion)
        return self._values[key]

    def _simulated(self, hidden: Any, seat: int, only: int, simulations: int, what: bytes) -> Opinion:
        rows = max(1, len(self.engine.legal(hidden, seat)))
        grown = self._run(hidden, seat, only, rows, simulations, what)
        if only < 0:  # whatever the seat does
            grown.outcomes[0] = grown.outcomes.sum(axis=0)
            grown.replies["root"] = 0
        return Opinion(only, simulations, 0.0, 0.0, None, **basis([grown], max(only, 0), simulations))

    def _run(
        self, hidden: Any, seat: int, only: int, rows: int, simulations: int, what: bytes, explain: bool = True
    ) -> Grown:
        edges = self._full if what == b"value" else self._edges
        if edges is self._edges:
            edges.fill(0)
        grown = Grown.blank(self.engine, rows, explain)
        now = Thought.begun(self.engine, hidden, seat)
        rng = _rng(self._salt + what, hidden.tobytes(), seat, only)
        run_simulations(self.engine, now, edges, rng, self._tune, simulations, grown, only)
        return grown


def _rng(what: bytes, hidden: bytes, seat: int, only: int) -> Ints:
    digest = hashlib.sha256(b"%s %d %d " % (what, seat, only) + hidden).digest()
    rng = np.zeros(chance.WORDS, np.uint64)
    rng[:] = np.frombuffer(digest, "<u8")
    return rng
