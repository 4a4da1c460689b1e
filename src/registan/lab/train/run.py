"""A training run, round by round: self-play, then learning from it. Seeded, and it can be interrupted at any round."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from registan.bots import net as nets
from registan.bots.learned import desk
from registan.bots.net import Net
from registan.core import batch
from registan.core.box import blank
from registan.core.compiled import jit
from registan.core.engine import Engine
from registan.core.game import SEATS, Box, Game, Ints
from registan.lab.train import fit as fitting
from registan.lab.train.play import GREEDY, PLAN, QUIET, Samples, blank_samples, play_to_learn
from registan.lab.train.settings import Settings


@dataclass(frozen=True)
class Task:
    """A part of a round of self-play that any worker can do. It can be pickled."""

    game: Game
    box: Box
    settings: Settings
    players: int
    sizes: Ints
    league: Ints
    value_sizes: Ints
    value: Ints
    seed: int
    number: int
    watch: bool
    heat: float
    samples: int


def play(task: Task) -> tuple[Samples, int]:
    """Play the games of a task; return what was kept of them, and how many games it was."""
    game, how = task.game, task.settings
    engine = Engine(game, task.box, compiled=True)
    # Ray sends arrays that cannot be written to, which are of another type to the compiler: copies are not.
    sizes, league = task.sizes.copy(), task.league.copy()
    net = Net(sizes, nets.rows_of(game, task.players), league[0])
    value = Net(task.value_sizes.copy(), net.rows, task.value.copy())
    plan = blank(PLAN)
    # Games at a glance are so many that how they end is enough.
    plan.heat, plan.lamda, plan.margin = task.heat, 1.0 if task.watch else how.lamda, how.margin
    share = how.sparse if task.watch else 1.0
    plan.keep, plan.look = 0.0 if how.frozen else share * how.keep, share * how.look
    plan.stray, plan.watch = how.stray, task.watch
    samples = blank_samples(task.samples, how.inputs)
    start = batch.blank(game, 1, task.players)
    at = desk(game, net, how.guesses, how.closer)
    n, games = engine.run(
        play_to_learn, start.copy(), start, at, value, nets.scratch(value), league, seatings(task), task.seed,
        task.number, plan, samples,
    )  # fmt: skip
    end = int(samples.starts[n])
    return Samples(
        samples.starts[: n + 1].copy(),
        samples.places[:end].copy(),
        samples.inputs[:end].copy(),
        samples.targets[:n].copy(),
        samples.seats[:n].copy(),
    ), games


def warm(training: Training) -> None:
    """Compile self-play, or load it from disk: there is no room for a single game, so none is played."""
    play(replace(training.tasks(0.0)[0], samples=1))


def seatings(task: Task) -> Ints:
    """Return who sits where in each game: 0 learns, other numbers are earlier nets."""
    chance = np.random.default_rng([task.seed, task.number])
    n = 4000
    found = np.zeros((n, SEATS), np.int8)
    if task.watch:
        found[:] = GREEDY
        return found
    kind = chance.random(n)
    rivals = chance.integers(0, len(task.league), (n, SEATS))
    rivals[kind < task.settings.alone + task.settings.greedy] = GREEDY
    learns = chance.random((n, SEATS)) < 0.3
    learns[np.arange(n), chance.integers(0, task.players, n)] = True
    found = np.where(learns, 0, rivals).astype(np.int8)
    found[kind < task.settings.alone] = 0
    return found


def joined(parts: list[Samples]) -> Samples:
    """Return the samples of several tasks as one."""
    shift = np.cumsum([0, *(int(part.starts[-1]) for part in parts)])
    starts = [part.starts[:-1] + by for part, by in zip(parts, shift)]
    return Samples(
        np.concatenate([*starts, shift[-1:]]).astype(np.int64),
        *(np.concatenate([getattr(part, name) for part in parts]) for name in Samples._fields[1:]),
    )


@dataclass
class Training:
    """A net that is learning, and all that is needed to go on learning."""

    game: Game
    box: Box
    settings: Settings
    seed: int
    fit: fitting.Fit
    """The net that chooses."""
    value: fitting.Fit
    """The net that judges quiet positions for the search."""
    past: list[Ints] = field(default_factory=list)
    rounds: int = 0
    games: int = 0
    samples: int = 0
    seconds: float = 0.0
    errors: tuple[float, float] = (0.0, 0.0)
    """The mean squared errors of the last round for the win: of the net that chooses, and of the one that judges."""

    def counts(self) -> list[int]:
        """Return the numbers of players that the next round is played with."""
        how, all_counts = self.settings, list(self.game.players)
        others = [n for n in all_counts if n != how.players]
        parts = 8
        usual = max(1, round(how.usual * parts)) if others else parts
        rest = [others[(self.rounds * (parts - usual) + i) % len(others)] for i in range(parts - usual)]
        return [how.players] * usual + rest

    def tasks(self, done: float) -> list[Task]:
        """Return the self-play of the next round; `done` is the share of the run that is over."""
        how, counts = self.settings, self.counts()
        league = np.stack([self.fit.average, *self.past])
        watch = done < how.watch
        heat = how.heat * (how.heat_end / how.heat) ** done
        each = how.samples // len(counts)
        return [
            Task(
                self.game,
                replace(self.box),
                how,
                n,
                self.fit.sizes,
                league,
                self.value.sizes,
                self.value.average,
                self.seed,
                (self.rounds * len(counts) + i) * 10_000,
                watch,
                heat,
                each,
            )
            for i, n in enumerate(counts)
        ]

    def learn(self, parts: list[tuple[Samples, int]], done: float) -> None:
        """Learn from the self-play of a round."""
        samples = joined([samples for samples, _ in parts])
        stored = np.flatnonzero(np.diff(samples.starts))
        quiet = samples.seats[stored] >= QUIET
        chooses = 0.0 if self.settings.frozen else self._fit(self.fit, samples, stored[~quiet], done)
        self.errors = (chooses, self._fit(self.value, samples, stored[quiet], done))
        self.rounds += 1
        self.games += sum(games for _, games in parts)
        self.samples += len(stored)

    def _fit(self, fit: fitting.Fit, samples: Samples, which: Ints, done: float) -> float:
        """Fit a net to some of the samples; return its mean squared error for the win."""
        how = self.settings
        if not len(which):
            return 0.0
        chance = np.random.default_rng([self.seed, self.rounds, 1])
        wanted = int(how.passes * len(which))
        order = np.concatenate([chance.permutation(which) for _ in range(-(-wanted // len(which)))])[:wanted]
        rate = how.rate_end + (how.rate - how.rate_end) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, done)))
        loss, slopes = np.zeros(2), np.zeros(len(fit.weights), np.float32)
        jit(fitting.fit_samples)(fit, samples, order, how.batch, rate, how.decay, how.average, slopes, loss)
        return float(loss[0] / wanted)

    def remember(self) -> None:
        """Keep the net as it is now to play against later; the oldest but one makes room."""
        self.past.append(self.fit.average.copy())
        if len(self.past) > self.settings.past:
            del self.past[int(np.random.default_rng([self.seed, self.rounds, 2]).integers(0, len(self.past) - 1))]


def begin(game: Game, box: Box, settings: Settings, seed: int, start: Path | None = None) -> Training:
    """Return a training run that has not begun: from nets that know nothing, or from the net of a file.

    The net that judges positions then comes from `value.npz` beside that file, if there is one.
    """
    value = nets.fresh(game, seed, settings.value_first, settings.value_second)
    if start is None:
        chooses = nets.fresh(game, seed, settings.first, settings.second)
        return Training(game, box, settings, seed, fitting.start(*chooses), fitting.start(*value))
    if (beside := start.with_name(nets.VALUE)).is_file():
        value = nets.read(beside, game)
    # A net that knows the game need not watch others first; one that only judges positions does nothing else.
    settings = replace(settings, watch=1.0 if settings.frozen else 0.0)
    return Training(game, box, settings, seed, fitting.start(*nets.read(start, game)), fitting.start(*value))
