"""Ratings and luck: what went into made-up results comes out again."""

from __future__ import annotations

import numpy as np
import pytest

from registan.lab.luck import luck_share
from registan.lab.ratings import AVERAGE, ratings, stages
from registan.lab.standings import places


def made_up(strengths: list[float], deals: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return places, bots and deals of games as the model has them, every bot in every seat."""
    rng = np.random.default_rng(seed)
    n = len(strengths)
    ranks, bots, games = [], [], []
    for deal in range(deals):
        for turn in range(n):
            seated = [(seat + turn) % n for seat in range(n)]
            # Who has the shortest exponential waiting time is first: that is the model of Plackett and Luce.
            times = rng.exponential([1 / strengths[bot] for bot in seated])
            ranks.append(np.argsort(np.argsort(times)))
            bots.append(seated)
            games.append(deal)
    return np.array(ranks), np.array(bots), np.array(games)


def test_ratings_find_the_strengths_again() -> None:
    strengths = [8.0, 4.0, 2.0, 1.0]
    logs = 400 * np.log10(strengths)
    truth = AVERAGE + logs - logs.mean()
    found = ratings(*made_up(strengths, 300), 4, times=200)
    for rating, true in zip(found, truth):
        assert rating.low < true < rating.high
        assert rating.value == pytest.approx(true, abs=25)
        assert 15 < rating.high - rating.low < 80


def test_who_always_wins_is_strong_but_not_infinitely_so() -> None:
    ranks = np.array([[0, 1], [1, 0]] * 20)
    bots = np.array([[0, 1], [1, 0]] * 20)
    best, worst = ratings(ranks, bots, np.repeat(np.arange(20), 2), 2, times=50)
    assert 1700 < best.value < 3000
    assert best.value - AVERAGE == pytest.approx(AVERAGE - worst.value)


def test_copies_of_a_bot_share_a_rating_and_ties_count_for_nobody() -> None:
    ranks = np.array([[0, 0, 0]] * 6)
    bots = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 2)
    for rating in ratings(ranks, bots, np.repeat(np.arange(2), 3), 2, times=20):
        assert rating.value == pytest.approx(AVERAGE, abs=1e-3)
    present, times, first = stages(ranks, bots, np.repeat(np.arange(2), 3), 2, 2)
    assert present.tolist() == [[1, 2]]
    assert times.sum() == first.sum() == 18


def test_places_follow_winners_before_scores() -> None:
    scores = np.array([[10.0, 10, 4, 4], [3, 9, 9, 1]])
    won = np.array([[0.0, 1, 0, 0], [0, 0.5, 0.5, 0]])
    assert places(scores, won).tolist() == [[1, 0, 2, 2], [2, 0, 0, 3]]


@pytest.mark.parametrize(
    ("deal", "bot", "course"), [(0.0, 0.0, 3.0), (4.0, 0.0, 2.0), (2.0, 4.0, 2.0), (0.0, 5.0, 1.0)]
)
def test_luck_is_told_from_skill(deal: float, bot: float, course: float) -> None:
    rng = np.random.default_rng(3)
    deals, n = 400, 4
    skill = np.array([1.5, 0.5, -0.5, -1.5]) / np.sqrt(1.25) * np.sqrt(bot)
    bots = np.array([[[(seat + turn) % n for seat in range(n)] for turn in range(n)]] * deals)
    cards = rng.normal(0, np.sqrt(deal), (deals, 1, n))
    scores = 30 + cards + skill[bots] + rng.normal(0, np.sqrt(course), (deals, n, n)) + rng.normal(0, 5, (deals, n, 1))
    found = luck_share(scores, bots, n, times=100)
    # What all at a table have in common is taken out: of what is dealt and what happens, 3 parts in 4 are left.
    parts = np.array([0.75 * deal, 0.0, bot, 0.75 * course])
    for part, true in zip(vars(found).values(), parts / parts.sum()):
        assert part.value == pytest.approx(true, abs=0.04)
        assert part.low - 0.02 <= true <= part.high + 0.02
