"""How much of a result is luck: the same deal is played again with the bots moved on by a seat.

What a seat and its cards are worth, whoever plays them, can so be told from what the player is worth.
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
    """All that comes later: later draws, and how the moves of the others happen to fit."""

    def written(self) -> dict[str, dict[str, float]]:
        """Return it as plain numbers."""
        return {name: part.written() for name, part in vars(self).items()}


def luck_share(scores: Ints, bots: Ints, count: int, times: int = 300) -> Luck:
    """Return where differences in score come from: `scores[deal, rotation, seat]`, `bots[deal, rotation, seat]`.

    In every deal each place of the line-up has had each seat once, so that the effects of seat and bot can simply be
    averaged out. What the seats of one deal still have in common over all rotations is the deal's.
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
        parts = np.stack([deal, by_seats, by_bots, np.maximum(0, within)], axis=1)
        return np.asarray(parts / np.maximum(parts.sum(axis=1, keepdims=True), 1e-12))

    return Luck(*bootstrap(shares, deals, times))
