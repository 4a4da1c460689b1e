"""A training run, round by round: self-play, then learning from it. Seeded, and it can be interrupted at any round."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.bots.eyes import tuned_eye
from registan.core import batch
from registan.core.box import blank
from registan.core.compiled import jit
from registan.core.engine import Engine
from registan.core.game import SEATS, Box, Game, Ints
from registan.lab.train import fit as fitting
from registan.lab.train.play import GREEDY, PLAN, TUNED, Samples, blank_samples, play_to_learn, scale_of
from registan.lab.train.settings import Settings

MOST_GAMES = 4000
"""More games than a task has room for."""
PIECES = 2
"""In how many pieces the gradient of a batch is worked out, one on each core; the same on any number of cores."""


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
    samples: int


def play(task: Task) -> tuple[Samples, int]:
    """Play the games of a task; return what was kept of them, and how many games it was."""
    game, how = task.game, task.settings
    engine = Engine(game, task.box, compiled=True)
    # Ray sends arrays that cannot be written to, which are of another type to the compiler: copies are not.
    league = task.league.copy()
    policy = policies.make(game, task.players, task.sizes.copy(), league[0])
    value = nets.make(game, task.players, task.value_sizes.copy(), task.value.copy())
    plan = blank(PLAN)
    plan.lamda, plan.margin, plan.look = how.lamda, how.margin, how.look
    plan.glance, plan.scale = policies.glance_of(game), scale_of(game)
    samples = blank_samples(task.samples, how.inputs, how.choices, policies.traits_of(game))
    start = batch.blank(game, 1, task.players)
    n, games = engine.run(
        play_to_learn, start.copy(), start, policy, policies.room_for(game, policy), value, nets.scratch(value),
        tuned_eye(game), league, seatings(task), task.seed, task.number, plan, samples,
    )  # fmt: skip
    inputs, actions = int(samples.starts[n]), int(samples.choices[n])
    lengths = (n + 1, inputs, inputs, n + 1, actions, actions, *[n] * 6)
    return Samples(*(part[:length].copy() for part, length in zip(samples, lengths, strict=True))), games


def warm(training: Training) -> None:
    """Compile self-play, or load it from disk: there is no room for a single game, so none is played."""
    play(replace(training.tasks()[0], samples=1))


def seatings(task: Task) -> Ints:
    """Return who sits where in each game: 0 learns, other numbers are earlier nets."""
    how, n = task.settings, MOST_GAMES
    chance = np.random.default_rng([task.seed, task.number])
    kind = chance.random(n)
    rivals = chance.integers(1 if len(task.league) > 1 else 0, len(task.league), (n, SEATS))
    rivals[kind < how.alone + how.greedy + how.tuned] = TUNED
    rivals[kind < how.alone + how.greedy] = GREEDY
    learns = chance.random((n, SEATS)) < 0.1
    learns[np.arange(n), chance.integers(0, task.players, n)] = True
    found = np.where(learns, 0, rivals).astype(np.int8)
    found[kind < how.alone] = 0
    return found


def joined(parts: Sequence[Samples]) -> Samples:
    """Return the samples of several tasks as one."""

    def places(which: Callable[[Samples], Ints]) -> Ints:
        shift = np.cumsum([0, *(int(which(part)[-1]) for part in parts)])
        return np.concatenate([*(which(part)[:-1] + by for part, by in zip(parts, shift)), shift[-1:]])

    whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in Samples._fields}
    whole |= {"starts": places(lambda part: part.starts), "choices": places(lambda part: part.choices)}
    return Samples(**whole)


@dataclass
class Training:
    """Nets that are learning, and all that is needed to go on learning."""

    game: Game
    box: Box
    settings: Settings
    seed: int
    fit: fitting.Fit
    """The net that chooses."""
    value: fitting.Fit
    """The net that judges positions: what is to be expected of them, and in the search how they end."""
    past: list[Ints] = field(default_factory=list)
    rounds: int = 0
    games: int = 0
    samples: int = 0
    seconds: float = 0.0
    error: float = 0.25
    """The mean squared error of the net that judges in the last round, for the win."""
    moved: float = 0.0
    """How far the odds of what was chosen moved in the last round, on average, as a share."""

    def counts(self) -> list[int]:
        """Return the numbers of players that the next round is played with."""
        how, all_counts = self.settings, list(self.game.players)
        others = [n for n in all_counts if n != how.players]
        parts = 8
        usual = max(1, round(how.usual * parts)) if others else parts
        rest = [others[(self.rounds * (parts - usual) + i) % len(others)] for i in range(parts - usual)]
        return [how.players] * usual + rest

    def tasks(self) -> list[Task]:
        """Return the self-play of the next round."""
        how, counts = self.settings, self.counts()
        league = np.stack([self.fit.weights, *self.past])
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
                how.samples // len(counts),
            )
            for i, n in enumerate(counts)
        ]

    def learn(self, parts: list[tuple[Samples, int]], done: float, workers: int = 1) -> None:
        """Learn from the self-play of a round; `done` is the share of the run that is over."""
        samples = joined([samples for samples, _ in parts])
        decisions = np.diff(samples.choices) > 0
        start = 0
        for part, _ in parts:  # what to expect depends on the number of players, and is never quite right
            end = start + len(part.gains)
            here = start + np.flatnonzero(decisions[start:end])
            samples.gains[here] -= samples.gains[here].mean() if len(here) else 0.0
            start = end
        chance = np.random.default_rng([self.seed, self.rounds, 1])
        early = 0.5 * (1.0 + math.cos(math.pi * min(1.0, done)))
        self._learn_to_choose(samples, np.flatnonzero(decisions), chance, early, workers)
        kept = ~decisions | (chance.random(len(decisions)) < self.settings.value_share)
        self._learn_to_judge(samples, chance.permutation(np.flatnonzero(kept)), early)
        self.rounds += 1
        self.games += sum(games for _, games in parts)
        self.samples += len(decisions)

    def _learn_to_choose(
        self, samples: Samples, which: Ints, chance: np.random.Generator, early: float, workers: int
    ) -> None:
        how = self.settings
        if not len(which):
            return
        samples.gains[:] /= samples.gains[which].std() + 1e-6
        rate = how.rate_end + (how.rate - how.rate_end) * early
        variety = how.variety_end + (how.variety - how.variety_end) * early
        slopes, moved = np.zeros((PIECES, len(self.fit.weights)), np.float32), np.zeros((PIECES, 1))
        add, make_step = jit(fitting.policy_slopes), jit(fitting.policy_step)
        sizes, weights = self.fit.sizes, self.fit.weights
        with ThreadPoolExecutor(min(PIECES, workers)) as pool:
            for _ in range(how.passes):
                order = chance.permutation(which)
                for start in range(0, len(order), how.batch):
                    some = order[start : start + how.batch]
                    pieces = [
                        pool.submit(add, sizes, weights, samples, piece, how.clip, variety, slopes[i], moved[i])
                        for i, piece in enumerate(np.array_split(some, PIECES))
                    ]
                    for piece in pieces:
                        piece.result()
                    make_step(self.fit, slopes, len(some), rate, how.average)
        self.moved = float(moved.sum()) / (how.passes * len(which))

    def _learn_to_judge(self, samples: Samples, order: Ints, early: float) -> None:
        how = self.settings
        loss, slopes = np.zeros(2), np.zeros(len(self.value.weights), np.float32)
        rate = how.value_rate * (0.1 + 0.9 * early)
        args = (order, how.value_batch, rate, how.value_decay, how.value_average, slopes, loss)
        jit(fitting.fit_samples)(self.value, samples, *args)
        self.error = float(loss[0] / max(1, len(order)))

    def remember(self) -> None:
        """Keep the net as it is now to play against later; one of the older ones makes room."""
        self.past.append(self.fit.average.copy())
        if len(self.past) > self.settings.past:
            del self.past[int(np.random.default_rng([self.seed, self.rounds, 2]).integers(0, len(self.past) - 1))]


def begin(game: Game, box: Box, settings: Settings, seed: int, start: Path | None = None) -> Training:
    """Return a training run that has not begun: from nets that know nothing, or from the net of a file.

    Such a net learns in smaller steps, or it would forget first. The net that judges positions then comes from
    `value.npz` beside that file, if there is one.
    """
    value = nets.fresh(game, seed, settings.value_first, settings.value_second)
    if start is None:
        chooses = policies.fresh(game, seed, settings.first, settings.second)
    else:
        chooses = policies.read(start, game)
        settings = replace(settings, rate=0.2 * settings.rate, variety=0.3 * settings.variety)
        if (beside := start.with_name(nets.VALUE)).is_file():
            value = nets.read(beside, game)
    return Training(game, box, settings, seed, fitting.start(*chooses), fitting.start(*value))
