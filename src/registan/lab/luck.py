"""How much of a result is luck. Each deal is played again with the bots moved on by one seat.

This separates what a seat and its cards are worth, whoever plays them, from what the player is worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from registan.core.game import Ints
from registan.lab.estimates import Estimate, bootstrap


@dataclass(frozen=True)
class Luck:
    """Shares of the variance of scores, each taken from the average of its table."""

    deal: Estimate
    """What the deal gave to the seat."""
    seat: Estimate
    """The seat itself: who begins, who sits where."""
    bot: Estimate
    """Who plays."""
    course: Estimate
    """Everything else: later draws, and how well the moves of the others happen to fit."""

    def written(self) -> dict[str, dict[str, float]]:
        """Return it as plain numbers."""
        return {name: share.written() for name, share in vars(self).items()}


def luck_share(scores: Ints, bots: Ints, count: int, times: int = 300) -> Luck:
    """Return where differences in score come from: `scores[deal, rotation, seat]`, `bots[deal, rotation, seat]`.

    In every deal each bot of the line-up sits in each seat once, so that averages separate the effects of seat and
    bot. What a seat of one deal still has in common over all rotations comes from the deal.
    """
    margin = scores - scores.mean(axis=2, keepdims=True)
    deals, players, _ = scores.shape
    # Sums by deal: resampling deals is then a matter of weights.
    by_seat = margin.sum(axis=1)
    square = (margin**2).sum(axis=(1, 2))
    by_bot = np.stack([(margin * (bots == b)).sum(axis=(1, 2)) for b in range(count)], axis=1)
    seats_of = np.stack([(bots == b).sum(axis=(1, 2)) for b in range(count)], axis=1)

    def shares(weights: Ints) -> Ints:
        n = weights.sum(axis=1)
        seat = weights @ by_seat / (n * players)[:, None]
        bot = (weights @ by_bot) / np.maximum(weights @ seats_of, 1)
        # Variance between the cells (deal, seat) and within them, after seat and bot are taken out.
        cell = weights @ ((by_seat / players) ** 2) / n[:, None]
        between = (cell - seat**2).mean(axis=1) * n / np.maximum(n - 1, 1)
        by_bots = (weights @ seats_of * bot**2).sum(axis=1) / (n * players**2)
        total = weights @ square / (n * players**2)
        within = (total - cell.mean(axis=1) - by_bots) * players / (players - 1)
        deal = np.maximum(0, between - within / players)
        by_seats = np.maximum(0, (seat**2).mean(axis=1) - between / n)
        effects = np.stack([deal, by_seats, by_bots, np.maximum(0, within)], axis=1)
        return np.asarray(effects / np.maximum(effects.sum(axis=1, keepdims=True), 1e-12))

    return Luck(*bootstrap(shares, deals, times))
