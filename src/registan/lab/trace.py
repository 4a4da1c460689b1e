"""The course of games, decision by decision: who chose what out of how many, and who was ahead afterwards.

The decisions of all games stand one after the other in flat arrays; `starts` says where each game begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.core import chance as dice
from registan.core import rules
from registan.core.batch import in_threads
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import SEATS, Game, Ints, Record
from registan.core.match import Match
from registan.lab.compiled_bots import kinds_of
from registan.lab.run import Run


@dataclass
class Trace:
    """What happened in games, one entry per decision."""

    starts: Ints
    """Where the decisions of each game begin."""
    seats: Ints
    actions: Ints
    choices: Ints
    """How many moves were legal."""
    offered: Ints
    """The kinds of moves among them, as bits (`kinds` of the game's `lab.py`)."""
    leaders: Ints
    """Who would have won after the decision, as bits."""
    points: Ints  # [decision, seat], after the decision

    @property
    def lengths(self) -> Ints:
        """How many decisions each game has."""
        return np.diff(np.append(self.starts, len(self.seats)))

    @property
    def games(self) -> Ints:
        """The game of each decision, from 0."""
        return np.repeat(np.arange(len(self.starts)), self.lengths)


def blank_trace(lengths: Ints) -> Trace:
    """Return a trace for games of that many decisions."""
    n = int(lengths.sum())
    starts = np.cumsum(lengths) - lengths
    whole, small = np.zeros((3, n), np.int32), np.zeros((3, n), np.int16)
    return Trace(starts, small[0], whole[0], whole[1], whole[2], small[1], np.zeros((n, SEATS), np.int32))


def joined_traces(traces: list[Trace]) -> Trace:
    """Return several traces as one."""
    before = np.cumsum([0, *(len(trace.seats) for trace in traces)])
    starts = np.concatenate([trace.starts + at for trace, at in zip(traces, before)])
    rest = ("seats", "actions", "choices", "offered", "leaders", "points")
    return Trace(starts, *(np.concatenate([getattr(trace, name) for trace in traces]) for name in rest))


def kind_names(game: Game) -> tuple[str, ...]:
    """Return the names of the kinds of moves, as the game's `lab.py` tells them apart; empty if it does not."""
    return tuple(getattr(game.part("lab"), "KINDS", ()))


def kind_table(game: Game, players: int) -> Ints:
    """Return the kind of every action by its number; all are 0 if the game does not tell them apart."""
    actions = np.arange(game.rules.actions(players))
    tell = getattr(game.part("lab"), "kinds", None)
    return np.zeros(len(actions), np.uint8) if tell is None else np.asarray(tell(actions), np.uint8)


@compiled
def _trace(
    boxes: Record, states: Record, bots: Ints, seed: int, numbers: Ints, table: Ints, most: int, parts: Ints,
    starts: Ints, seats: Ints, actions: Ints, choices: Ints, offered: Ints, leaders: Ints, points: Ints, stops: Ints,
    moments: Record, before: Record,
) -> None:  # fmt: skip
    """Play every game of an array to its end and note its decisions from `starts[i]` on.

    `moments[i]` becomes the state before decision `stops[i]`, if there is one; `before`, unless it is empty, holds the
    states before all decisions.
    """
    box = boxes[0]
    rng = np.zeros(4, np.uint64)
    legal = np.zeros(most, np.int32)
    worth = np.zeros(most, np.float64)
    for i in range(len(states)):
        s = states[i]
        dice.seed(s.rng, seed, 2 * int(numbers[i]))
        dice.seed(rng, seed, 2 * int(numbers[i]) + 1)
        rules.setup(box, s)
        k = int(starts[i])
        while s.over == 0:
            if k - starts[i] == stops[i]:
                moments[i] = s
            if len(before) > 0:
                before[k] = s
            seat = rules.next_seat(s)
            choices[k] = rules.legal(box, s, seat, legal)
            for c in range(choices[k]):
                offered[k] |= 1 << int(table[legal[c]])
            if bots[i, seat] == 0:
                action = rules.pick(box, s, seat, rng, legal)
            else:
                action = rules.best(box, s, seat, rng, legal, worth)
            rules.apply(box, s, seat, action)
            seats[k] = seat
            actions[k] = action
            parts[:] = 0
            rules.scores(box, s, parts)
            points[k] = parts[:, 0]
            leaders[k] = rules.winners(box, s)
            k += 1


def trace_games(
    run: Run, states: Any, lengths: Ints, threads: int = 1, stops: Ints | None = None, before: Any = None
) -> tuple[Trace, Any]:
    """Play the games of a run again, whose lengths are known, and note every decision.

    Return the trace, and the states before the decisions `stops`, one per game. The states before all decisions are
    written into the array `before`, if there is one.
    """
    found = blank_trace(lengths)
    before = states[:0] if before is None else before
    n = len(states)
    moments, at = states.copy(), np.full(n, -1) if stops is None else stops
    bots, numbers = kinds_of([run.names] * n), np.array(run.numbers)
    table = kind_table(run.game, run.players)
    engine = Engine(run.game, run.box, compiled=True)

    def play(start: int, stop: int) -> None:
        here = slice(start, stop)
        parts = np.zeros((SEATS, len(run.game.rules.SCORES)), np.int64)
        engine.run(
            _trace, states[here], bots[here], run.seed, numbers[here], table, run.game.rules.MOST, parts,
            found.starts[here], found.seats, found.actions, found.choices, found.offered, found.leaders, found.points,
            at[here], moments[here], before,
        )  # fmt: skip

    in_threads(min(threads, n), n, play)
    return found, moments


class Tracer:
    """Notes the decisions of one game that is played move by move."""

    def __init__(self, run: Run) -> None:
        self._table = kind_table(run.game, run.players)
        self._rows: list[tuple[int, int, int, int, int, list[int]]] = []
        self._open: tuple[int, int, int, int] | None = None

    def before(self, match: Match, seat: int, action: int) -> None:
        """Note a decision before it is carried out."""
        legal = match.actions(seat)
        offered = int(np.bitwise_or.reduce(1 << self._table[legal].astype(np.int64)))
        self._open = seat, action, len(legal), offered

    def after(self, match: Match) -> None:
        """Note what came of the open decision, if there is one."""
        if self._open is not None:
            leaders = int(match.engine.winners(match._states)[0])
            points = match.engine.scores(match._states)[0, :, 0].tolist()
            self._rows.append((*self._open, leaders, points))
            self._open = None

    def trace(self) -> Trace:
        """Return the trace of the game."""
        found = blank_trace(np.array([len(self._rows)]))
        for k, row in enumerate(self._rows):
            found.seats[k], found.actions[k], found.choices[k], found.offered[k], found.leaders[k] = row[:5]
            found.points[k] = row[5]
        return found
