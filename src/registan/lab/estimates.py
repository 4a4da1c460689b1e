"""Figures with their 95 % intervals.

Neither the games of one deal nor the seats of one game are independent. So everything here is estimated from clusters
(the deals of an arena, the games of a simulation), and the interval follows from how much the clusters differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, pi, sqrt, tan
from statistics import NormalDist

import numpy as np

from registan.core.game import Ints

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A figure, and an interval that contains the true value in 95 of 100 such experiments; a single one has no end."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """Return it in another unit."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    @property
    def bounded(self) -> bool:
        """Whether the interval has ends."""
        return isfinite(self.low) and isfinite(self.high)

    def written(self, digits: int = 4) -> dict[str, float | None]:
        """Return it as plain numbers; JSON has none for what is unknown or has no end."""
        return {name: round(value, digits) if isfinite(value) else None for name, value in vars(self).items()}


def student(freedom: int, level: float = LEVEL) -> float:
    """Return the half-width of an interval of that level in standard errors (Student's t)."""
    p = (1 + level) / 2
    if freedom <= 1:
        return tan(pi * (p - 0.5))
    if freedom == 2:
        a = 2 * p - 1
        return a * sqrt(2 / (1 - a * a))
    z = NormalDist().inv_cdf(p)
    # Cornish and Fisher's expansion around the normal quantile: right to 1 % from 3 degrees of freedom on.
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def mean(clusters: Ints) -> Estimate:
    """Return the mean of one value per cluster."""
    value = float(np.mean(clusters))
    n = len(clusters)
    if n < 2:
        return Estimate(value, -inf, inf)
    reach = student(n - 1) * float(np.std(clusters, ddof=1)) / sqrt(n)
    return Estimate(value, value - reach, value + reach)


def ratio(parts: Ints, wholes: Ints) -> Estimate:
    """Return the sum of parts over the sum of wholes, one of each per cluster (linearised, as in surveys)."""
    total = float(np.sum(wholes))
    if total == 0:
        return Estimate(float("nan"), float("nan"), float("nan"))
    value = float(np.sum(parts)) / total
    n = int(np.count_nonzero(wholes))
    if n < 2:
        return Estimate(value, -inf, inf)
    rest = np.asarray(parts, float) - value * np.asarray(wholes, float)
    reach = student(n - 1) * sqrt(float(np.sum(rest**2)) * n / (n - 1)) / total
    return Estimate(value, value - reach, value + reach)


def share(parts: Ints, wholes: Ints | None = None) -> Estimate:
    """Return a share between 0 and 1 of one part and one whole per cluster, with Wilson's interval.

    Wilson's formula gets the number of independent games that would be as uncertain as these clusters. If all
    clusters agree, as a few may by chance, each counts as one game.
    """
    wholes = np.ones(len(parts)) if wholes is None else np.asarray(wholes, float)
    plain = ratio(parts, wholes)
    n = int(np.count_nonzero(wholes))
    if n < 2:
        return Estimate(plain.value, 0.0, 1.0)
    t, p = student(n - 1), min(1.0, max(0.0, plain.value))
    error = (plain.high - plain.value) / t
    size = p * (1 - p) / error**2 if error > 1e-9 and 0 < p < 1 else float(n)
    middle = (p + t * t / (2 * size)) / (1 + t * t / size)
    reach = t * sqrt(p * (1 - p) / size + t * t / (4 * size * size)) / (1 + t * t / size)
    return Estimate(plain.value, max(0.0, middle - reach), min(1.0, middle + reach))


def draws(clusters: int, times: int, seed: int = 0) -> Ints:
    """Return how often each cluster was drawn in each of many resamplings with replacement, by resampling."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=times)


def bootstrap(figures: Callable[[Ints], Ints], clusters: int, times: int = 1000) -> list[Estimate]:
    """Return figures with the intervals of the bootstrap over clusters.

    `figures` takes weights by (resampling, cluster) and returns values by (resampling, figure).
    """
    values = figures(np.ones((1, clusters)))[0]
    if clusters < 2:
        return [Estimate(float(value), -inf, inf) for value in values]
    again = figures(draws(clusters, times))
    lows, highs = np.nanquantile(again, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [Estimate(float(v), float(a), float(b)) for v, a, b in zip(values, lows, highs)]
