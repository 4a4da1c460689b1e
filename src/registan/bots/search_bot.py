"""The bot that searches: for how long, on how many threads, and what it thinks of each action."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.bots.eyes import eye_of, plain_eye
from registan.bots.halving import halve, sight
from registan.bots.learned import preferences_of
from registan.bots.net import Net, Scratch
from registan.bots.search import EDGE, NOTED, REPLIES, REPLY, TUNING, find_edge, mix, simulate
from registan.core import chance
from registan.core.box import blank
from registan.core.engine import Engine
from registan.core.game import SEATS, Game, Ints, Record

CHUNK = 64
"""How many simulations run between two looks at the clock."""
EDGES = 1 << 18
FEWEST, ROOM = 1 << 10, 16
"""The least edges, and how many there are for each simulation if these are counted: most need two or three."""
KEPT = NOTED
"""The column that counts how often an action had been tried before the seat was asked."""
CLEAR, ENOUGH = 4.0, 100
"""A choice is clear if it is this many standard errors better than the others, all tried this often."""
ANY = np.zeros(0, np.int64)
"""In the place of the actions that are left, where the search chooses among all of them."""


@dataclass(frozen=True)
class Outlook:
    """How simulations ended: `sums[seat, part]` is a sum and a sum of squares. Part 0 is the win, part 1 the total."""

    n: int
    sums: Ints

    def __add__(self, other: Outlook) -> Outlook:
        return Outlook(self.n + other.n, self.sums + other.sums)

    @property
    def means(self) -> Ints:
        """The expected share of the win, then the expected parts of the score, by seat."""
        return np.asarray(self.sums[..., 0] / max(self.n, 1))

    @property
    def errors(self) -> Ints:
        """The squared standard errors of the means; a few simulations that ended alike are not taken for certainty."""
        n = max(self.n, 1)
        spread = np.maximum(0.0, self.sums[..., 1] / n - self.means**2)
        return np.asarray((spread * n + 0.5) / (n + 2) / n)


class Reply(NamedTuple):
    """What another seat did next in some simulations; `world` is one of the states in which it did."""

    seat: int
    action: int
    times: int
    world: Any


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
    outlook: Outlook | None = field(default=None, compare=False, repr=False)
    """How its simulations ended; None unless the search was asked to explain itself, and without a choice."""
    replies: tuple[Reply, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Tuning:
    """The parameters of the search for a game; docs/search.md has the measurements."""

    explore: float = 1.0
    sharpness: float = 2.0
    unknown: float = 0.05
    greedy: float = 1.0
    heat: float = 0.0
    margin: float = 0.3
    scale: float = 30.0
    soft: float = 0.0
    open_hands: float = 0.0
    trust: float = 0.0
    paired: bool = False
    """Whether the first simulations of all actions have the same luck, the second ones the same again, and so on."""
    tuned: float = 0.0
    """How much the eye that looks at moves is the one tuned by self-play (`bots.eyes`)."""
    candidates: int = 0
    """If not 0, only so many actions are tried, those that look best; the worse ones drop out, the rest go on alike."""
    prior: float = 8.0
    """How many simulations of a candidate its first look is worth."""
    hunch: float = 0.0
    """If not 0, the net that chooses says which candidates look best: this much reward for each e-fold of its odds."""

    def record(self) -> Record:
        """Return the parameters as a record for compiled code."""
        found = blank(TUNING)
        for name in TUNING.names or ():
            if name != "luck":
                setattr(found, name, getattr(self, name))
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


@dataclass
class Grown:
    """What a thread of the search has found; `outcomes` and `replies` are empty unless it is to explain itself."""

    root: Ints
    outcomes: Ints
    replies: Any
    worlds: Any
    best: int = -1
    """The last candidate that is left; -1 if the action tried most is the best."""

    @staticmethod
    def blank(engine: Engine, rows: int, explain: bool) -> Grown:
        """Return the arrays for so many actions, with nothing in them."""
        rules = engine.game.rules
        noted = rows if explain else 0
        replies = REPLIES if explain else 0
        return Grown(
            np.zeros((rules.MOST, NOTED + 1)),
            np.zeros((noted, SEATS, 1 + len(rules.SCORES), 2)),
            np.zeros(replies, REPLY),
            np.zeros(1 + replies, rules.STATE),
        )


def edges_for(simulations: int | None) -> int:
    """Return how many edges to have room for: clearing more than are needed takes longer than a short search."""
    return EDGES if simulations is None else max(FEWEST, min(EDGES, 1 << (ROOM * simulations).bit_length()))


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
        self.clock: Callable[[], float] = time.monotonic
        """What `seconds` are measured by; arenas measure processor time, of which every bot then gets the same."""
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
        """Return an opinion of every legal action, the most tried first, with what it is based on."""
        self._expected = None
        return self._think(Thought.begun(engine, hidden, seat), rng, explain=True)

    def _think(self, now: Thought, rng: Ints, explain: bool = False) -> list[Opinion]:
        actions = now.engine.legal(now.hidden, now.seat)
        count = len(actions)
        if count == 1:
            return [Opinion(actions[0], 0, 0.0, 0.0, None)]
        start = self.clock()
        seeds = [int(chance.draw(rng)) for _ in range(self.threads)]
        if self.threads == 1:  # in the calling thread, whose processor time is then that of the search
            found = [self._grow(now, actions, seeds[0], 0, start, explain)]
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                grow = partial(self._grow, now, actions, start=start, explain=explain)
                found = list(pool.map(grow, seeds, range(self.threads)))
        root = np.sum([grown.root for grown in found], axis=0)[:count]
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
        if explain:
            opinions = [replace(o, **basis(found, i, int(root[i, 0]))) for i, o in enumerate(opinions)]
        best = max((grown.best for grown in found), key=lambda i: wins[i] if i >= 0 else -1.0)
        return sorted(opinions, key=lambda o: (best < 0 or o.action != actions[best], -o.visits))

    def _grow(
        self, now: Thought, actions: list[int], number: int, thread: int, start: float, explain: bool = False
    ) -> Grown:
        """Grow a tree until time or simulations run out, or the choice can no longer change."""
        while len(self._edges) <= thread:
            self._edges.append(np.zeros(edges_for(self.simulations), EDGE))
        edges, game = self._edges[thread], now.engine.game
        # An interpreted search would take minutes, so compiling pays at once.
        engine = Engine(game, now.engine.box, compiled=True)
        grown = Grown.blank(engine, len(actions), explain)
        root = grown.root
        if now is self._expected:
            places = [find_edge(edges, now.nodes[now.seat], action) for action in actions]
            root[: len(actions), KEPT] = [edges[place]["visits"] if place >= 0 else 0 for place in places]
        else:
            edges.fill(0)
        rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, number, thread)
        tuning = self.tuning or tuning_of(game)
        tune, eye = tuning.record(), eye_of(game, tuning.tuned)
        if tuning.paired:
            tune.luck = 1 + number
        net = nets.load(game, int(now.hidden[0]["players"])) if tune.trust > 0 and not explain else None
        if net is None:
            tune.trust = 0.0
        judge = asked(net or nets.NONE)
        if tuning.candidates > 0 and not explain:
            run = partial(run_simulations, engine, now, edges, rng, tune, grown=grown, judge=judge, eye=eye)
            if now is self._expected:
                root[: len(actions), 1] = [edges[place]["value"] if place >= 0 else 0.0 for place in places]
                root[:, 0], root[:, KEPT] = root[:, KEPT], 0.0
                root[:, 4] = root[:, 1]  # no square of a reward is more than the reward
            chooser = policies.load(game, int(now.hidden[0]["players"])) if tuning.hunch else None
            if chooser is None:
                first = sight(engine, now.hidden, now.seat, actions, eye, tuning.soft)
            else:
                first = tuning.hunch * preferences_of(engine, chooser, now.hidden, now.seat, len(actions))
            share = partial(self._share, start=start)
            count, prior = tuning.candidates, tuning.prior
            grown.best = halve(root, first, count, prior, self.simulations, share, without_doubt, run)
            return grown
        done = 0
        while True:
            n = CHUNK if self.simulations is None else min(CHUNK, self.simulations - done)
            late = self.seconds is not None and self.clock() - start > self.seconds
            if n <= 0 or (late and done > 0):
                return grown
            run_simulations(engine, now, edges, rng, tune, n, grown, judge=judge, eye=eye)
            done += n
            if self._clear(root[: len(actions)], done, self.clock() - start):
                return grown

    def _share(self, done: int, start: float) -> float:
        """Return which share of the time or of the simulations is over."""
        shares = [0.0]
        if self.simulations is not None:
            shares.append(done / self.simulations)
        if self.seconds is not None:
            shares.append((self.clock() - start) / self.seconds)
        return max(shares)

    def _clear(self, root: Ints, done: int, took: float) -> bool:
        """Whether the second choice cannot catch up in the time left, or is clearly worse."""
        left = [np.inf]
        if self.simulations is not None:
            left.append(self.simulations - done)
        if self.seconds is not None:
            left.append(done * (self.seconds - took) / max(took, 1e-6))
        second, first = np.partition(root[:, 0] + root[:, KEPT], -2)[-2:]
        return bool(first - second > min(left)) or without_doubt(root)


def asked(net: Net) -> tuple[Net, Scratch]:
    """Return a net with room to think, to be asked for what it expects."""
    return net, nets.scratch(net)


NOBODY = asked(nets.NONE)
"""In the place of a net where every simulation is played to the end."""


def run_simulations(
    engine: Engine,
    now: Thought,
    edges: Any,
    rng: Ints,
    tune: Record,
    n: int,
    grown: Grown,
    only: int = -1,
    left: Ints = ANY,
    judge: tuple[Net, Scratch] | None = None,
    eye: Any = None,
) -> None:
    """Run n simulations from a position and add what they found; with `only` or `left`, of these actions.

    A net is asked only if the tuning trusts it. The eye is the plain one by default.
    """
    if judge is None and tune.trust > 0:
        raise ValueError("the tuning trusts a net, and there is none")
    most, parts = engine.game.rules.MOST, len(engine.game.rules.SCORES)
    search = (grown.worlds, edges, rng, tune, n, most, parts, now.nodes, grown.root)
    eye = plain_eye(engine.game) if eye is None else eye
    told = (only, left, grown.outcomes, grown.replies, *(judge or NOBODY), eye)
    engine.run(simulate, now.hidden, now.seat, *search, *told)


def basis(found: list[Grown], i: int, n: int) -> dict[str, Any]:
    """Return what an opinion of the action with index i is based on."""
    sums = np.sum([grown.outcomes[i] for grown in found], axis=0)
    replies: dict[tuple[int, int], Reply] = {}
    for grown in found:
        for place in np.flatnonzero((grown.replies["root"] == i) & (grown.replies["count"] > 0)):
            seat, action, count = (int(grown.replies[name][place]) for name in ("seat", "action", "count"))
            before = replies.get((seat, action))
            count += before.times if before else 0
            replies[seat, action] = Reply(seat, action, count, grown.worlds[1 + place])
    return {"outlook": Outlook(n, sums), "replies": tuple(replies.values())}


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
