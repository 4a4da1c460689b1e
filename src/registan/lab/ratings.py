"""How strong bots are, from the order in which they finish: the Plackett-Luce model.

The chance to finish first is a bot's strength divided by the sum of all strengths at the table; the others compete for
second place in the same way, and so on. We fit the model by maximum likelihood instead of rating game by game as
openskill does: the result does not depend on the order of the games, copies of a bot share one strength, and intervals
come from resampling deals, like all intervals here. Ratings are on the Elo scale: with two players, 400 points more
win ten times as often as they lose. The average bot has 1500.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from registan.core.game import Ints
from registan.lab.estimates import Estimate, bootstrap

AVERAGE, SCALE = 1500.0, 400.0
PRIOR = 0.5
"""Imaginary wins and losses against an average bot: a bot that wins all its games is strong, not infinitely so."""


def stages(places: Ints, bots: Ints, games: Ints, deals: int, count: int) -> tuple[Ints, Ints, Ints]:
    """Return what the fit needs to know about games: who was present, how often, and who came first.

    `places[game, seat]` are ranks from 0 (equal ones are tied), `bots[game, seat]` the numbers of the bots and
    `games[game]` the deal of a game. A stage is the filling of one place: the table `present[kind, bot]` has the kinds
    of stages by how many of each bot are still there, `times[deal, kind]` how often, `first[deal, bot]` who took it.
    Players who are tied for a place all take it among the same others (Breslow).
    """
    kinds: dict[tuple[int, ...], int] = {}
    filled: list[tuple[int, int]] = []
    first = np.zeros((deals, count))
    for place, bot, deal in zip(places.tolist(), bots.tolist(), games.tolist()):
        for seat, rank in enumerate(place):
            left = [b for b, r in zip(bot, place) if r >= rank]
            if len(left) > 1:
                kind = kinds.setdefault(tuple(left.count(b) for b in range(count)), len(kinds))
                filled.append((deal, kind))
                first[deal, bot[seat]] += 1
    times = np.zeros((deals, len(kinds)))
    for deal, kind in filled:
        times[deal, kind] += 1
    return np.array(list(kinds), float).reshape(len(kinds), count), times, first


def fit(present: Ints, times: Ints, first: Ints, rounds: int = 500) -> Ints:
    """Return ratings by (resampling, bot) from weighted stages: Hunter's minorise-maximise steps, all at once."""
    strength = np.ones(first.shape)
    for _ in range(rounds):
        expected = (times / (strength @ present.T)) @ present + 2 * PRIOR / (strength + 1)
        new = (first + PRIOR) / expected
        new /= np.exp(np.log(new).mean(axis=1, keepdims=True))
        done = np.max(np.abs(np.log(new / strength))) < 1e-6
        strength = new
        if done:
            break
    return np.asarray(AVERAGE + SCALE * np.log10(strength))


def ratings(places: Ints, bots: Ints, games: Ints, count: int, times: int = 1000) -> Sequence[Estimate]:
    """Return the rating of each bot with its interval, resampling deals."""
    deals = int(games.max()) + 1
    present, happened, first = stages(places, bots, games, deals, count)
    return bootstrap(lambda weights: fit(present, weights @ happened, weights @ first), deals, times)
