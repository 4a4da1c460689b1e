"""Whether a net's chances come true: how often positions are won of which it expects a win with some probability."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from registan.core.compiled import jit
from registan.core.game import Ints
from registan.lab.train import fit as fitting
from registan.lab.train.play import Samples
from registan.lab.train.run import Training, joined, play

BINS = 10


@dataclass(frozen=True)
class Bin:
    """Positions with about the same chance of winning: what the net expects on average, and what was won."""

    predicted: float
    won: float
    positions: int


def calibration(training: Training, rounds: int = 1) -> list[Bin]:
    """Return what the net of the search expects in games that it has not learned from, and how these end."""
    fresh = replace(training, seed=training.seed + 1)
    parts = []
    for i in range(rounds):
        tasks = replace(fresh, rounds=i).tasks()
        parts += [play(task)[0] for task in tasks if task.players == training.settings.players]
    samples = joined(parts)
    quiet = np.flatnonzero(np.diff(samples.choices) == 0)
    return binned(expected(training.value, samples, quiet), samples.targets[quiet, 0])


def expected(fit: fitting.Fit, samples: Samples, which: Ints) -> Ints:
    """Return the chance to win that a net expects in some of the samples."""
    said = fit._replace(weights=fit.average)
    sums, hidden = np.zeros(int(fit.sizes[1]), np.float32), np.zeros(int(fit.sizes[2]), np.float32)
    forwards = jit(fitting.forwards)
    return np.array([forwards(said, samples, k, sums, hidden)[0] for k in which.tolist()])


def binned(predicted: Ints, won: Ints) -> list[Bin]:
    """Return predictions and outcomes in bins of equal width, without empty ones."""
    place = np.minimum((predicted * BINS).astype(int), BINS - 1)
    return [
        Bin(float(predicted[place == b].mean()), float(won[place == b].mean()), int((place == b).sum()))
        for b in range(BINS)
        if (place == b).any()
    ]
