"""Figures made of estimates: sums, each with the interval that follows from all estimates in it."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import TypeAlias

Estimates: TypeAlias = Mapping[int, tuple[float, float, float]]
"""By number: weight, mean and variance."""
WIDTH = 1.96
"""Standard errors on each side of a figure: 95 %."""


class Figure:
    """A constant plus a weighted sum of independent estimates.

    An estimate that is added in one place and subtracted in another cancels out, in the interval too.
    """

    __slots__ = ("constant", "estimates")

    def __init__(self, constant: float = 0.0, estimates: Estimates | None = None) -> None:
        self.constant = constant
        self.estimates = dict(estimates or {})

    @staticmethod
    def estimate(number: int, mean: float, variance: float) -> Figure:
        """Return an estimate; equal numbers stand for the same one."""
        return Figure(0.0, {number: (1.0, mean, variance)})

    def __add__(self, other: Figure) -> Figure:
        both = dict(self.estimates)
        for number, (weight, mean, variance) in other.estimates.items():
            before = both[number][0] if number in both else 0.0
            both[number] = before + weight, mean, variance
        return Figure(self.constant + other.constant, {k: v for k, v in both.items() if v[0]})

    def __sub__(self, other: Figure) -> Figure:
        return self + other.times(-1.0)

    def times(self, factor: float) -> Figure:
        """Return it multiplied by a number."""
        return Figure(factor * self.constant, {k: (factor * w, m, v) for k, (w, m, v) in self.estimates.items()})

    @property
    def value(self) -> float:
        """The figure itself."""
        return self.constant + sum(weight * mean for weight, mean, _ in self.estimates.values())

    @property
    def error(self) -> float:
        """Its standard error."""
        return sqrt(sum(weight * weight * variance for weight, _, variance in self.estimates.values()))

    def written(self) -> dict[str, float]:
        """Return it with its 95 % interval, as plain numbers."""
        value, reach = self.value, WIDTH * self.error
        numbers = {"value": value, "low": value - reach, "high": value + reach}
        return {name: round(number, 4) + 0.0 for name, number in numbers.items()}


def total(figures: list[Figure]) -> Figure:
    """Return the sum of figures."""
    return sum(figures, Figure())
