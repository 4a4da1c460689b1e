"""Ratings for several players: what a game changes, and that strength is found."""

from __future__ import annotations

import random
from math import pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registan.tables.ratings import DRIFT, SCALE, Rating, rated, shared

RATINGS = st.builds(Rating, st.floats(800, 2400), st.floats(30, 250))
GAMES = st.lists(st.tuples(RATINGS, st.integers(1, 5)), min_size=2, max_size=5)


def test_two_new_players_worked_out_by_hand() -> None:
    """Equal weights: the winner's share is a half, so the gradient is a half and the curvature a quarter."""
    first, second = rated([Rating(), Rating()], [1, 2], [False, False])
    c2 = SCALE**2 + 3 * 250.0**2 / pi**2
    variance = 1 / (1 / 250.0**2 + 0.25 / c2)
    assert first.mean - 1500 == pytest.approx(variance * 0.5 / c2**0.5)
    assert 1500 - second.mean == pytest.approx(variance * 0.5 / c2**0.5)
    assert first.spread == second.spread == pytest.approx(variance**0.5)


@settings(max_examples=200)
@given(GAMES)
def test_the_order_of_seats_does_not_matter(game: list[tuple[Rating, int]]) -> None:
    turned = game[1:] + game[:1]
    here = rated([r for r, _ in game], [p for _, p in game], [True] * len(game))
    there = rated([r for r, _ in turned], [p for _, p in turned], [True] * len(game))
    for one, other in zip(here[1:] + here[:1], there):
        assert tuple(one) == pytest.approx(tuple(other))


@settings(max_examples=200)
@given(GAMES)
def test_the_best_place_never_costs_and_the_worst_never_gains(game: list[tuple[Rating, int]]) -> None:
    before, places = [r for r, _ in game], [p for _, p in game]
    after = rated(before, places, [True] * len(game))
    for old, new, place in zip(before, after, places):
        if places.count(place) == 1:
            assert place > min(places) or new.mean >= old.mean
            assert place < max(places) or new.mean <= old.mean
        assert new.spread <= (old.spread**2 + DRIFT**2) ** 0.5


def test_a_bot_in_several_seats_has_one_rating() -> None:
    assert shared([Rating(1400, 100), Rating(1600, 100)]) == Rating(1500, 100)


def test_strength_is_found_from_places() -> None:
    """Players of known strength, four at a table: after some hundred games the ratings are close to it."""
    dice, true = random.Random(5), [1300.0, 1400.0, 1500.0, 1600.0, 1700.0, 1500.0]
    known = [Rating() for _ in true]
    for _ in range(1500):
        table = dice.sample(range(len(true)), 4)
        # Plackett-Luce: the order of exponential times with the strengths as rates.
        times = {i: dice.expovariate(10 ** (true[i] / 400)) for i in table}
        order = sorted(table, key=times.__getitem__)
        places = [1 + order.index(i) for i in table]
        for i, rating in zip(table, rated([known[i] for i in table], places, [False] * 4)):
            known[i] = rating
    for rating, strength in zip(known, true):
        assert rating.mean - sum(r.mean for r in known) / 6 == pytest.approx(strength - 1500, abs=60)
        assert rating.spread < 60
