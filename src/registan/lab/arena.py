"""Bots against each other, fairly: every deal is played again with the bots moved on by a seat.

So every bot sits in every seat equally often and has had every deal from every side (duplicate play): who was lucky
with the cards is no matter. The circle in which bots sit changes from deal to deal, so that nobody always has the same
neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np

from registan.bots import find_bot
from registan.core import batch
from registan.core.errors import BadInput
from registan.core.match import Match
from registan.lab.order import Order, check_bots
from registan.lab.policies import KINDS, play_bots
from registan.lab.simulate import Results, Run, one, outcome, results
from registan.lab.workers import HERE, spread

QUICK, FAR = 500, 8
"""Games in a task: of bots at compiled speed, and of thinking bots on another machine; here they play one by one."""


@dataclass(frozen=True)
class Seating:
    """A game of an arena: its number, the deal it is played with, and the bots by seat."""

    number: int
    deal: int
    bots: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """What came of it."""

    number: int
    deal: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ending: int
    decisions: int


def line_ups(bots: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Return who sits down together, the order apart.

    As many bots as seats sit down together. With fewer, the last one named takes the seats that are left: `a,b` for 4
    is a against three b. With more, all groups that fill the table play.

    >>> line_ups(["master", "greedy"], 4)
    [('master', 'greedy', 'greedy', 'greedy')]
    >>> line_ups(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    if len(bots) <= players:
        return [(*bots, *[bots[-1]] * (players - len(bots)))]
    return list(dict.fromkeys(combinations(bots, players)))


def circles(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the ways in which bots can sit around a table, turned tables being the same.

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
    """Who meets, and how often."""

    order: Order
    bots: tuple[str, ...]
    deals: int

    @cached_property
    def line_ups(self) -> list[tuple[str, ...]]:
        """Who sits down together."""
        return line_ups(self.bots, self.order.players)

    @property
    def per_deal(self) -> int:
        """How many games are played with a deal."""
        return len(self.line_ups) * self.order.players

    @property
    def games(self) -> int:
        """How many games are played."""
        return self.deals * self.per_deal

    @property
    def names(self) -> list[str]:
        """The different bots, in the order they were named."""
        return list(dict.fromkeys(self.bots))

    def seatings(self) -> Iterator[Seating]:
        """Yield all games, deal by deal: more deals only add to them."""
        tables = [circles(line_up) for line_up in self.line_ups]
        number = 0
        for deal in range(self.deals):
            for table in tables:
                circle = table[deal % len(table)]
                for turn in range(self.order.players):
                    yield Seating(number, deal, circle[-turn:] + circle[:-turn] if turn else circle)
                    number += 1

    def head(self) -> dict[str, Any]:
        """Return what must be the same when an arena is gone on with."""
        return {"arena": self.order.describe() | {"bots": list(self.bots)}}


def make_arena(order: Order, bots: Sequence[str], games: int) -> Arena:
    """Return an arena with at least that many games: as many whole deals as it takes."""
    check_bots(list(bots))
    arena = Arena(order, tuple(bots), 0)
    if not bots:
        raise BadInput("lab.no_bots")
    return Arena(order, tuple(bots), -(-games // arena.per_deal))


@dataclass(frozen=True)
class Task:
    """Games of an arena that one worker plays."""

    order: Order
    seatings: tuple[Seating, ...]
    threads: int = 1


def play_task(task: Task) -> list[Played]:
    """Play the games of a task."""
    order, seatings = task.order, task.seatings
    game, box, options = order.find()
    if all(name in KINDS for seating in seatings for name in seating.bots):
        states = batch.blank(game, len(seatings), order.players, options)
        deals, numbers = (np.array([getattr(s, what) for s in seatings]) for what in ("deal", "number"))
        bots = [seating.bots for seating in seatings]
        decisions = play_bots(game, box, states, bots, order.seed, deals, numbers, task.threads)
        return _played(seatings, results(game, box, states, decisions))
    matches: list[Match] = []
    for seating in seatings:
        bots_here = [find_bot(name) for name in seating.bots]
        run = Run(game, box, order.players, options, bots_here, 1, order.seed)
        matches.append(one(run, seating.number, seating.deal))
    return _played(seatings, outcome(run, matches))


def _played(seatings: Sequence[Seating], came: Results) -> list[Played]:
    """Return what came of games, one by one."""
    seats = range(came.scores.shape[1])
    return [
        Played(
            seating.number,
            seating.deal,
            seating.bots,
            tuple(came.scores[i].tolist()),
            tuple(seat for seat in seats if int(came.winners[i]) >> seat & 1),
            int(came.over[i]),
            int(came.decisions[i]),
        )
        for i, seating in enumerate(seatings)
    ]


def play_arena(arena: Arena, done: set[int], workers: int = 1, on: str = HERE) -> Iterator[list[Played]]:
    """Play all games of an arena but those that are done already, and yield what comes of them as it does."""
    todo = [seating for seating in arena.seatings() if seating.number not in done]
    quick = all(name in KINDS for name in arena.bots)
    threads = 1
    if quick and on == HERE:
        threads, workers = workers, 1  # compiled games hold no lock, and threads start at once
    size = QUICK if quick else FAR if on != HERE else 1
    tasks = [Task(arena.order, tuple(todo[i : i + size]), threads) for i in range(0, len(todo), size)]
    for _, played in spread(play_task, tasks, workers, on):
        yield played
