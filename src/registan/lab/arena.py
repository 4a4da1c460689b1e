"""Bots against each other, fairly: each deal is played again and again, with the bots moved on by one seat.

So every bot sits in every seat equally often and plays every deal from every side (duplicate play): luck with the
cards cancels out. The circle in which the bots sit changes from deal to deal, so that nobody always has the same
neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, permutations
from typing import Any

import numpy as np

from registan.core import batch
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.game import Ints, Json
from registan.lab.compiled_bots import COMPILED, play_bots
from registan.lab.net_games import play_nets
from registan.lab.run import Run
from registan.lab.simulate import Results, one, outcome, results
from registan.lab.workers import HERE, run_tasks

CHUNK, FAR = 500, 8
"""Games in a task: of compiled bots, and of thinking bots on another machine. Here, thinking bots play one by one."""


@dataclass(frozen=True)
class Seating:
    """A game of an arena: its number, the deal it is played with, and the bots by seat."""

    number: int
    deal: int
    bots: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A game of an arena and its result."""

    number: int
    deal: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ending: int
    decisions: int
    faults: tuple[Json, ...] = ()
    """What programs did wrong: `seat`, `kind` (late, crash, garbage, illegal) and `why`."""


def line_ups(bots: Sequence[str], players: int, neighbours: bool = False) -> list[tuple[str, ...]]:
    """Return the groups of bots that play together, in any order.

    If there are as many bots as seats, all of them play. If there are fewer, the last one named fills the remaining
    seats: `a,b` for 4 is a against three b. If there are more, every group that fills the table plays, or only those
    that are neighbours in the list.

    >>> line_ups(["master", "greedy"], 4)
    [('master', 'greedy', 'greedy', 'greedy')]
    >>> line_ups(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> line_ups(["a", "b", "c"], 2, neighbours=True)
    [('a', 'b'), ('b', 'c')]
    """
    if len(bots) <= players:
        return [(*bots, *[bots[-1]] * (players - len(bots)))]
    if neighbours:
        return [tuple(bots[i : i + players]) for i in range(len(bots) - players + 1)]
    return list(dict.fromkeys(combinations(bots, players)))


def circles(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the ways in which bots can sit around a table; turning the table makes no difference.

    >>> len(circles("abcd")), len(circles("abbb")), circles("aabb")
    (6, 1, [('a', 'a', 'b', 'b'), ('a', 'b', 'a', 'b')])
    """
    found: dict[tuple[str, ...], None] = {}
    for others in permutations(line_up[1:]):
        circle = (line_up[0], *others)
        if not any(circle[k:] + circle[:k] in found for k in range(len(circle))):
            found[circle] = None
    return list(found)


@dataclass(frozen=True)
class Arena:
    """Which games a run has when its bots compete: whole deals, and at least as many games as it asks for.

    If there are more bots than seats, every group that plays together has deals of its own, at least one.
    """

    run: Run
    neighbours: bool = False
    """Whether only bots meet that are neighbours in the list: the weakest and the strongest teach little."""

    def __post_init__(self) -> None:
        """Refuse a run without bots."""
        if not self.run.bots:
            raise BadInput("lab.no_bots")

    @cached_property
    def line_ups(self) -> list[tuple[str, ...]]:
        """The groups of bots that play together."""
        return line_ups(self.run.names, self.run.players, self.neighbours)

    @property
    def deals(self) -> int:
        """How many deals are played."""
        return max(-(-self.run.games // self.run.players), len(self.line_ups))

    @property
    def games(self) -> int:
        """How many games are played."""
        return self.deals * self.run.players

    @property
    def names(self) -> list[str]:
        """The different bots, in the order they were named."""
        return list(dict.fromkeys(self.run.names))

    def seatings(self) -> Iterator[Seating]:
        """Yield all games, deal by deal: a longer run only adds to them."""
        tables = [circles(line_up) for line_up in self.line_ups]
        number = 0
        for deal in range(self.deals):
            time, group = divmod(deal, len(tables))
            circle = tables[group][time % len(tables[group])]
            for turn in range(self.run.players):
                yield Seating(number, deal, circle[-turn:] + circle[:-turn] if turn else circle)
                number += 1

    def head(self) -> dict[str, Any]:
        """Return what must be the same when an arena is resumed."""
        groups = {"neighbours": True} if self.neighbours else {}
        return {"arena": self.run.describe() | {"bots": list(self.run.names)} | groups}


def play_seatings(run: Run, seatings: Sequence[Seating], threads: int = 1) -> list[Played]:
    """Play some games of an arena."""
    use_compiled(run.game)
    if all(name in COMPILED for seating in seatings for name in seating.bots):
        states, deals, numbers = _blank(run, seatings)
        names = [seating.bots for seating in seatings]
        decisions = play_bots(run.game, run.box, states, names, run.seed, deals, numbers, threads)
        return _played(seatings, results(run.game, run.box, states, decisions))
    found = run.nets
    if found is not None:
        states, deals, numbers = _blank(run, seatings)
        names = [seating.bots for seating in seatings]
        decisions = play_nets(run.game, run.box, states, names, found, run.seed, deals, numbers, threads)
        return _played(seatings, results(run.game, run.box, states, decisions))
    bots = {bot.name: bot for bot in run.bots}
    faults: list[list[Json]] = [[] for _ in seatings]
    matches = [
        one(replace(run, bots=[bots[name] for name in seating.bots]), seating.number, seating.deal, None, wrong)
        for seating, wrong in zip(seatings, faults)
    ]
    return [replace(game, faults=tuple(wrong)) for game, wrong in zip(_played(seatings, outcome(run, matches)), faults)]


def _blank(run: Run, seatings: Sequence[Seating]) -> tuple[Any, Ints, Ints]:
    """Return blank states for games, their deals and their numbers."""
    states = batch.blank(run.game, len(seatings), run.players, dict(run.options), run.first_seat)
    return states, np.array([s.deal for s in seatings]), np.array([s.number for s in seatings])


def _played(seatings: Sequence[Seating], found: Results) -> list[Played]:
    """Return games with their results, one by one."""
    seats = range(found.scores.shape[1])
    return [
        Played(
            seating.number,
            seating.deal,
            seating.bots,
            tuple(found.scores[i].tolist()),
            tuple(seat for seat in seats if int(found.winners[i]) >> seat & 1),
            int(found.over[i]),
            int(found.decisions[i]),
        )
        for i, seating in enumerate(seatings)
    ]


def play_arena(arena: Arena, done: set[int], workers: int = 1, on: str = HERE) -> Iterator[list[Played]]:
    """Play all games of an arena except those already done, and yield them as they are finished."""
    todo = [seating for seating in arena.seatings() if seating.number not in done]
    threads = 1
    size = FAR if on != HERE else 1
    if arena.run.compiled or arena.run.nets is not None:
        size = CHUNK
        if on == HERE:
            threads, workers = workers, 1  # compiled games hold no lock, and threads start at once
    tasks = [todo[i : i + size] for i in range(0, len(todo), size)]
    for _, played in run_tasks(partial(play_seatings, arena.run, threads=threads), tasks, workers, on):
        yield played
