"""The loop of a training run: rounds of self-play and learning, and from time to time a comparison by the arena."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from registan.bots.bot import Bot
from registan.bots.greedy import GreedyBot
from registan.bots.learned import LearnedBot
from registan.core.game import Box, Game
from registan.lab.arena import Arena, Played, play_arena
from registan.lab.estimates import Estimate
from registan.lab.run import Run
from registan.lab.standings import standings
from registan.lab.train import checkpoint
from registan.lab.train.curve import Point
from registan.lab.train.play import Samples
from registan.lab.train.run import Task, Training, play
from registan.lab.workers import HERE, in_order, place, run_tasks

COMPARISONS = 20
"""How often a run is compared and saved."""


@dataclass(frozen=True)
class Limit:
    """How long to learn. A number of rounds gives the same net every time; minutes do not."""

    minutes: float | None = None
    rounds: int | None = None

    def done(self, training: Training) -> float:
        """Return the share of the run that is over."""
        if self.rounds is not None:
            return training.rounds / self.rounds
        return training.seconds / (60.0 * (self.minutes or 1.0))


@dataclass(frozen=True)
class Crew:
    """Who does the work."""

    workers: int = 1
    on: str = HERE

    def play(self, tasks: list[Task]) -> list[tuple[Samples, int]]:
        """Play the tasks of a round; the results are in their order."""
        if self.on != HERE:
            return list(in_order(run_tasks(play, tasks, self.workers, self.on)))
        if self.workers == 1:
            return [play(task) for task in tasks]
        with ThreadPoolExecutor(self.workers) as pool:  # compiled code holds no lock
            return list(pool.map(play, tasks))


def train(
    training: Training, folder: Path, limit: Limit, crew: Crew, games: int, each: Callable[[float], None]
) -> Iterator[Point]:
    """Learn until the limit, and yield what comparisons find; `each` is told the share done after every round.

    After every comparison, and at the end, everything is on disk.
    """
    with place(crew.workers, crew.on):
        while (done := limit.done(training)) < 1.0:
            began = time.perf_counter()
            training.learn(crew.play(training.tasks()), done, crew.workers)
            training.seconds += time.perf_counter() - began
            after = limit.done(training)
            each(min(1.0, after))
            if int(after * COMPARISONS) > int(done * COMPARISONS) or after >= 1.0:
                yield compared(training, folder, crew, games)


def compared(training: Training, folder: Path, crew: Crew, games: int) -> Point:
    """Save a run, and let the arena compare its net with greedy bots and with the net before."""
    before = sorted(folder.glob("weights-*.npz"))[-1:]
    now = folder / f"weights-{training.rounds:06}.npz"
    checkpoint.save_weights(now, training)
    training.remember()
    checkpoint.save(folder, training)
    players = training.settings.players
    mine = LearnedBot(f"learned:{now}", str(now))
    rivals: list[Bot] = [GreedyBot(), *(LearnedBot(f"learned:{file}", str(file)) for file in before if file != now)]
    found = [wins(training.game, training.box, players, [mine, rival], games, training.seed, crew) for rival in rivals]
    return Point(
        training.rounds,
        training.seconds / 60,
        training.games,
        training.samples,
        training.error,
        found[0],
        found[1] if len(found) > 1 else None,
    )


def wins(game: Game, box: Box, players: int, bots: list[Bot], games: int, seed: int, crew: Crew) -> Estimate:
    """Return how often the first bot wins against as many of the second as there are other seats."""
    arena = Arena(Run(game, box, players, {}, bots, games, seed))
    played: list[Played] = []
    for some in play_arena(arena, set(), crew.workers):
        played += some
    result = standings(arena, played)
    assert result is not None, "an arena plays whole deals"
    return result.bots[0].wins


def settled(training: Training, players: int | None) -> Training:
    """Return a run that plays mostly with that many players."""
    if players is not None:
        training.settings = replace(training.settings, players=players)
    return training
