"""How strong players are, from the places in which they finish: Bayesian ratings for several players.

A player's strength is a normal distribution, and a game updates those of all who took part: the Plackett-Luce model of
Weng and Lin (A Bayesian Approximation Method for Online Ranking, JMLR 12, 2011, algorithm 4). The scale is Elo's:
between two players who are well known, 400 points more win ten times as often as they lose. The laboratory fits the
same model to whole arenas at once (`lab.ratings`); here games come one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

SCALE = 400.0 / log(10.0)
"""Points that multiply the odds by e."""
BETA = SCALE / sqrt(2.0)
"""How much the performance of a player varies from game to game."""
DRIFT = BETA / 50.0
"""How much a person's strength may change from game to game; bots stay the same."""
LEAST = 1e-4
"""At least this share of the variance stays, however surprising a game."""


class Rating(NamedTuple):
    """What is known about a player's strength: the mean and the standard deviation."""

    mean: float = 1500.0
    spread: float = 2.0 * BETA


def rated(before: Sequence[Rating], places: Sequence[int], people: Sequence[bool]) -> list[Rating]:
    """Return the ratings of all players of a game after it; the lowest place is the best, equal places are tied."""
    known = [Rating(r.mean, sqrt(r.spread**2 + DRIFT**2) if person else r.spread) for r, person in zip(before, people)]
    c = sqrt(sum(r.spread**2 + BETA**2 for r in known))
    weight = [exp((r.mean - 1500.0) / c) for r in known]
    left = [sum(w for w, other in zip(weight, places) if other >= place) for place in places]
    tied = [places.count(place) for place in places]
    after = []
    for i, rating in enumerate(known):
        gain = shrink = 0.0
        for q, place in enumerate(places):
            if place <= places[i]:
                share = weight[i] / left[q]
                gain += ((1.0 if q == i else 0.0) - share) / tied[q]
                shrink += share * (1.0 - share) / tied[q]
        variance = rating.spread**2
        less = variance / c**2 * (rating.spread / c) * shrink
        after.append(Rating(rating.mean + variance / c * gain, sqrt(variance * max(1.0 - less, LEAST))))
    return after


def shared(ratings: Sequence[Rating]) -> Rating:
    """Return one rating for several seats of the same bot at one table."""
    n = len(ratings)
    return Rating(sum(r.mean for r in ratings) / n, sqrt(sum(r.spread**2 for r in ratings) / n))
