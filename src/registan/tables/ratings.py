"""How strong players are, from the places in which they finish: Bayesian ratings for several players.

A player's strength is a normal distribution, and places follow the Plackett-Luce model. A game moves the mean of each
player by the gradient of its likelihood and narrows the spread by its curvature (Weng and Lin, A Bayesian Approximation
Method for Online Ranking, JMLR 12, 2011). Their constant c grows with the number of players, and so would the distances
between ratings. Here it has the value for two well-known players, widened for what is not known about those at the
table, as Glickman does for chess. So the scale is Elo's at tables of any size: between two players, 400 points more win
ten times as often as they lose. The laboratory fits the same model to whole arenas at once (`lab.ratings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 400.0 / log(10.0)
"""Points that multiply the odds by e."""
DRIFT = SCALE / 60.0
"""How much a person's strength may change from game to game; bots stay the same."""


class Rating(NamedTuple):
    """What is known about a player's strength: the mean and the standard deviation."""

    mean: float = 1500.0
    spread: float = 250.0


def rated(before: Sequence[Rating], places: Sequence[int], people: Sequence[bool]) -> list[Rating]:
    """Return the ratings of all players of a game after it; the lowest place is the best, equal places are tied."""
    known = [Rating(r.mean, sqrt(r.spread**2 + DRIFT**2) if person else r.spread) for r, person in zip(before, people)]
    unknown = sum(r.spread**2 for r in known) / len(known)
    c = sqrt(SCALE**2 + 3.0 * unknown / pi**2)
    weight = [exp((r.mean - 1500.0) / c) for r in known]
    left = [sum(w for w, other in zip(weight, places) if other >= place) for place in places]
    tied = [places.count(place) for place in places]
    after = []
    for i, rating in enumerate(known):
        gradient = curvature = 0.0
        for q, place in enumerate(places):
            if place <= places[i]:
                share = weight[i] / left[q]
                gradient += ((1.0 if q == i else 0.0) - share) / tied[q]
                curvature += share * (1.0 - share) / tied[q]
        variance = 1.0 / (1.0 / rating.spread**2 + curvature / c**2)
        after.append(Rating(rating.mean + variance * gradient / c, sqrt(variance)))
    return after


def shared(ratings: Sequence[Rating]) -> Rating:
    """Return one rating for several seats of the same bot at one table."""
    n = len(ratings)
    return Rating(sum(r.mean for r in ratings) / n, sqrt(sum(r.spread**2 for r in ratings) / n))
