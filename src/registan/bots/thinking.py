"""The bot that searches: how long it thinks, on how many threads, and what it can say about its choice."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.bots.search import EDGE, NOTED, TUNING, simulate
from registan.core import chance
from registan.core.box import blank
from registan.core.compiled import jit
from registan.core.engine import engine
from registan.core.game import Box, Game, Ints, Record

CHUNK = 64
"""Simulations between two looks at the clock."""
EDGES = 1 << 18
CLEAR, ENOUGH = 4.0, 100
"""The choice is clear when it is so many standard errors better than every other one, each tried often enough."""


@dataclass(frozen=True)
class Opinion:
    """What the search thinks of an action: how often it was tried, its chance to win and its expected margin.

    `sure` is half of the 95 % interval of the chance to win; None where there was nothing to think about.
    """

    action: int
    visits: int
    wins: float
    margin: float
    sure: float | None


@dataclass(frozen=True)
class Tuning:
    """How the search weighs things in a game; docs/bots.md says what was measured."""

    explore: float = 1.0
    sharpness: float = 2.0
    unknown: float = 0.05
    greedy: float = 1.0
    margin: float = 0.3
    scale: float = 30.0

    def record(self) -> Record:
        """Return the numbers as compiled code reads them."""
        found = blank(TUNING)
        for name, value in vars(self).items():
            setattr(found, name, value)
        return found


TUNINGS = {"khiva": Tuning(greedy=0.9), "souk": Tuning(greedy=0.9), "samarkand": Tuning()}


class SearchBot:
    """Searches for a number of simulations, or for a time, whichever ends first."""

    def __init__(
        self,
        name: str = "search",
        simulations: int | None = None,
        seconds: float | None = 1.0,
        threads: int = 1,
        tuning: Tuning | None = None,
    ) -> None:
        self.name, self.simulations, self.seconds, self.threads = name, simulations, seconds, threads
        self.tuning = tuning
        self._edges: list[Any] = []

    def choose(self, game: Game, box: Box, hidden: Record, seat: int, words: Ints) -> int:
        """Return the action tried most."""
        return self.think(game, box, hidden, seat, words)[0].action

    def think(self, game: Game, box: Box, hidden: Record, seat: int, words: Ints) -> list[Opinion]:
        """Return an opinion of every legal action, the one tried most first."""
        room = np.zeros(game.rules.MOST, np.int32)
        count = int(engine(game).legal(box.record, hidden, seat, room))
        actions = [int(a) for a in room[:count]]
        if count == 1:
            return [Opinion(actions[0], 0, 0.0, 0.0, None)]
        start = time.monotonic()
        with ThreadPoolExecutor(self.threads) as pool:
            seeds = [int(chance.draw(words)) for _ in range(self.threads)]
            roots = list(
                pool.map(lambda i: self._grow(game, box, hidden, seat, count, seeds[i], i, start), range(self.threads))
            )
        root = np.sum(roots, axis=0)[:count]
        tried = np.maximum(root[:, 0], 1)
        wins = root[:, 2] / tried
        # Simulations of one move are as good as independent; the Agresti-Coull interval is honest for few of them too.
        rounded = (root[:, 2] + 2) / (tried + 4)
        sure = 1.96 * np.sqrt(rounded * (1 - rounded) / (tried + 4))
        opinions = [
            Opinion(actions[i], int(root[i, 0]), float(wins[i]), float(root[i, 3] / tried[i]), float(sure[i]))
            for i in range(count)
        ]
        return sorted(opinions, key=lambda o: -o.visits)

    def _grow(
        self, game: Game, box: Box, hidden: Record, seat: int, count: int, number: int, thread: int, start: float
    ) -> Ints:
        """Grow a tree until time or simulations are used up, or nothing can change any more."""
        while len(self._edges) <= thread:
            self._edges.append(np.zeros(EDGES, EDGE))
        edges = self._edges[thread]
        edges.fill(0)
        words = np.zeros(chance.WORDS, np.uint64)
        chance.seed(words, number, thread)
        worlds = np.zeros(1, game.rules.STATE)
        root = np.zeros((game.rules.MOST, NOTED))
        tune = (self.tuning or TUNINGS[game.key]).record()
        done = 0
        while True:
            most = self.simulations - done if self.simulations is not None else CHUNK
            n = min(CHUNK, most)
            if n <= 0 or (self.seconds is not None and time.monotonic() - start > self.seconds):
                return root
            parts = len(game.rules.SCORES)
            jit(simulate)(box.record, hidden, seat, worlds, edges, words, tune, n, game.rules.MOST, parts, root)
            done += n
            if self._clear(root[:count], done, time.monotonic() - start):
                return root

    def _clear(self, root: Ints, done: int, took: float) -> bool:
        """Whether the second choice cannot catch up in what is left, or is worse without doubt."""
        left = [np.inf]
        if self.simulations is not None:
            left.append(self.simulations - done)
        if self.seconds is not None:
            left.append(done * (self.seconds - took) / max(took, 1e-6))
        second, first = np.partition(root[:, 0], -2)[-2:]
        return bool(first - second > min(left)) or without_doubt(root)


def without_doubt(root: Ints) -> bool:
    """Whether what was tried most is better than everything else by far more than chance explains."""
    visits = root[:, 0]
    if np.min(visits) < ENOUGH:
        return False
    means = root[:, 1] / visits
    errors = np.maximum(0.0, root[:, 4] / visits - means**2) / visits  # squared; rounding may leave less than nothing
    top = int(np.argmax(visits))
    behind = means[top] - means
    behind[top] = np.inf
    return bool(np.all(behind > CLEAR * np.sqrt(errors + errors[top])))
