"""Intervals: what they promise, and what they do where there is little to go by."""

from __future__ import annotations

import numpy as np
import pytest

from registan.lab.estimates import bootstrap, mean, ratio, share, student


@pytest.mark.parametrize(
    ("freedom", "exact"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (30, 2.042), (999, 1.962)]
)
def test_student_has_the_values_of_the_tables(freedom: int, exact: float) -> None:
    assert student(freedom) == pytest.approx(exact, rel=0.012)


def test_intervals_hold_the_truth_in_95_of_100_experiments() -> None:
    """Games of a deal hang together: four of five are won or lost together with the first."""
    rng = np.random.default_rng(1)
    held = np.zeros(3)
    times = 600
    for _ in range(times):
        luck = rng.random((40, 1)) < 0.3
        games = np.where(rng.random((40, 4)) < 0.8, luck, rng.random((40, 4)) < 0.3)
        points = rng.normal(10, 3, 12)
        found = [
            (share(games.sum(axis=1), np.full(40, 4)), 0.3),
            (mean(points), 10.0),
            (ratio(games.sum(axis=1), np.full(40, 4)), 0.3),
        ]
        held += [f.low <= truth <= f.high for f, truth in found]
    assert (held / times > 0.92).all()
    assert (held / times < 0.985).all()


def test_dependent_games_have_a_wider_interval_than_independent_ones() -> None:
    together = np.array([4.0, 0.0] * 10)
    balanced = np.array([2.0, 2.0] * 10)
    wide, narrow = (share(x, np.full(20, 4)) for x in (together, balanced))
    assert wide.value == narrow.value == 0.5
    assert wide.high - wide.low > 0.35


@pytest.mark.parametrize("always", [0.0, 1.0])
def test_a_share_of_nothing_or_all_is_not_certain(always: float) -> None:
    found = share(np.full(20, always))
    assert found.value == always
    assert 0 <= found.low <= found.high <= 1
    assert 0.1 < found.high - found.low < 0.25


def test_one_cluster_says_nothing() -> None:
    assert (share(np.ones(1)).low, share(np.ones(1)).high) == (0, 1)
    assert mean(np.ones(1)).high == float("inf")
    assert np.isnan(ratio(np.zeros(3), np.zeros(3)).value)
    found = bootstrap(lambda weights: weights.sum(axis=1)[:, None], 1)[0]
    assert not found.bounded
    assert found.written() == {"value": 1.0, "low": None, "high": None}


def test_the_bootstrap_agrees_with_the_formula() -> None:
    values = np.random.default_rng(2).normal(5, 2, 400)
    found = bootstrap(lambda weights: (weights @ values / weights.sum(axis=1))[:, None], 400)[0]
    formula = mean(values)
    assert found.value == pytest.approx(formula.value)
    assert found.low == pytest.approx(formula.low, abs=0.03)
    assert found.high == pytest.approx(formula.high, abs=0.03)
