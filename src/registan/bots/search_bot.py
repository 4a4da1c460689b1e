"""The bot that searches: for how long, on how many threads, and what it thinks of each action."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.bots.search import EDGE, NOTED, TUNING, find_edge, mix, simulate
from registan.core import chance
from registan.core.box import blank
from registan.core.engine import Engine
from registan.core.game import SEATS, Game, Ints, Record

CHUNK = 64
"""How many simulations run between two looks at the clock."""
EDGES = 1 << 18
KEPT = NOTED
"""The column that counts how often an action had been tried before the seat was asked."""
CLEAR, ENOUGH = 4.0, 100
"""A choice is clear if it is this many standard errors better than the others, all tried this often."""


@dataclass(frozen=True)
class Opinion:
    """What the search thinks of an action: how often it was tried, its chance of winning and its expected margin.

    `sure` is half the 95 % interval of the chance of winning; None if there was only one action.
    """

    action: int
    visits: int
    wins: float
    margin: float
    sure: float | None


@dataclass(frozen=True)
class Tuning:
    """The parameters of the search for a game; docs/bots.md has the measurements."""

    explore: float = 1.0
    sharpness: float = 2.0
    unknown: float = 0.05
    greedy: float = 1.0
    margin: float = 0.3
    scale: float = 30.0

    def record(self) -> Record:
        """Return the parameters as a record for compiled code."""
        found = blank(TUNING)
        for name, value in vars(self).items():
            setattr(found, name, value)
        return found


def tuning_of(game: Game) -> Tuning:
    """Return the tuning for a game, from its `bot.py`."""
    return Tuning(**getattr(game.part("bot"), "TUNING", {}))


@dataclass(frozen=True)
class Thought:
    """A position in the trees of a search: what the seat sees, and the node of every seat."""

    engine: Engine
    hidden: Any
    seat: int
    nodes: Ints

    @staticmethod
    def begun(engine: Engine, hidden: Any, seat: int) -> Thought:
        """Return the root of new trees."""
        return Thought(engine, hidden, seat, np.arange(1, SEATS + 1, dtype=np.uint64))

    def after(self, action: int) -> Thought:
        """Return the position after the seat has acted, if it is asked again before it learns anything."""
        engine, then, nodes = self.engine, self.hidden.copy(), self.nodes.copy()
        rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, action, self.seat)
        engine.guess(then, self.seat, rng)
        for other in range(int(then["players"][0])):
            learnt = engine.seen(then, other, self.seat, action)
            nodes[other] = mix(nodes[other], learnt + 1 + (self.seat << 58))
        engine.act(then, self.seat, action)
        engine.hide(then, self.seat)
        return Thought(engine, then, self.seat, nodes)

    def same(self, other: Thought) -> bool:
        """Whether the seat knows the same in both positions."""
        here, there = self.engine, other.engine
        known = self.seat == other.seat and here.game is there.game and here.box is there.box
        return known and self.hidden.tobytes() == other.hidden.tobytes()


class SearchBot:
    """Searches for a number of simulations or for a time, whichever ends first.

    With a time limit, a seat that is asked twice in a row keeps its trees. With a number of simulations it does not, so
    that its choice is reproducible.
    """

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
        self._expected: Thought | None = None

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return the action tried most."""
        now = Thought.begun(engine, hidden, seat)
        if self._expected is not None and self._expected.same(now):
            now = self._expected
        opinions = self._think(now, rng)
        grown = now is self._expected or len(opinions) > 1
        self._expected = now.after(opinions[0].action) if grown and self.simulations is None else None
        return opinions[0].action

    def think(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> list[Opinion]:
        """Return an opinion of every legal action, the most tried first."""
        self._expected = None
        return self._think(Thought.begun(engine, hidden, seat), rng)

    def _think(self, now: Thought, rng: Ints) -> list[Opinion]:
        actions = now.engine.legal(now.hidden, now.seat)
        count = len(actions)
        if count == 1:
            return [Opinion(actions[0], 0, 0.0, 0.0, None)]
        start = time.monotonic()
        with ThreadPoolExecutor(self.threads) as pool:
            seeds = [int(chance.draw(rng)) for _ in range(self.threads)]
            roots = list(pool.map(lambda i: self._grow(now, actions, seeds[i], i, start), range(self.threads)))
        root = np.sum(roots, axis=0)[:count]
        tried = np.maximum(root[:, 0], 1)
        wins = root[:, 2] / tried
        # Simulations of a move are nearly independent; the Agresti-Coull interval also holds for few of them.
        rounded = (root[:, 2] + 2) / (tried + 4)
        sure = 1.96 * np.sqrt(rounded * (1 - rounded) / (tried + 4))
        opinions = [
            Opinion(
                actions[i],
                int(root[i, 0] + root[i, KEPT]),
                float(wins[i]),
                float(root[i, 3] / tried[i]),
                float(sure[i]),
            )
            for i in range(count)
        ]
        return sorted(opinions, key=lambda o: -o.visits)

    def _grow(self, now: Thought, actions: list[int], number: int, thread: int, start: float) -> Ints:
        """Grow a tree until time or simulations run out, or the choice can no longer change."""
        while len(self._edges) <= thread:
            self._edges.append(np.zeros(EDGES, EDGE))
        edges, game = self._edges[thread], now.engine.game
        # An interpreted search would take minutes, so compiling pays at once.
        engine = Engine(game, now.engine.box, compiled=True)
        root = np.zeros((game.rules.MOST, NOTED + 1))
        if now is self._expected:
            places = [find_edge(edges, now.nodes[now.seat], action) for action in actions]
            root[: len(actions), KEPT] = [edges[place]["visits"] if place >= 0 else 0 for place in places]
        else:
            edges.fill(0)
        rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, number, thread)
        worlds = np.zeros(1, game.rules.STATE)
        tune = (self.tuning or tuning_of(game)).record()
        done = 0
        while True:
            n = CHUNK if self.simulations is None else min(CHUNK, self.simulations - done)
            if n <= 0 or (self.seconds is not None and time.monotonic() - start > self.seconds):
                return root
            most, parts = game.rules.MOST, len(game.rules.SCORES)
            engine.run(simulate, now.hidden, now.seat, worlds, edges, rng, tune, n, most, parts, now.nodes, root)
            done += n
            if self._clear(root[: len(actions)], done, time.monotonic() - start):
                return root

    def _clear(self, root: Ints, done: int, took: float) -> bool:
        """Whether the second choice cannot catch up in the time left, or is clearly worse."""
        left = [np.inf]
        if self.simulations is not None:
            left.append(self.simulations - done)
        if self.seconds is not None:
            left.append(done * (self.seconds - took) / max(took, 1e-6))
        second, first = np.partition(root[:, 0] + root[:, KEPT], -2)[-2:]
        return bool(first - second > min(left)) or without_doubt(root)


def without_doubt(root: Ints) -> bool:
    """Whether the most tried action is better than all others by far more than chance explains."""
    visits = root[:, 0]
    if np.min(visits) < ENOUGH:
        return False
    means = root[:, 1] / visits
    errors = np.maximum(0.0, root[:, 4] / visits - means**2) / visits  # squared; rounding may go below 0
    top = int(np.argmax(visits))
    behind = means[top] - means
    behind[top] = np.inf
    return bool(np.all(behind > CLEAR * np.sqrt(errors + errors[top])))
