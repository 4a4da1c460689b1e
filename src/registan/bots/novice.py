"""The beginner: plays what looks good, but not always what looks best, and never looks ahead."""

from __future__ import annotations

import numpy as np

from registan.bots.greedy import weigh
from registan.core import chance as dice
from registan.core import generic
from registan.core.compiled import compiled
from registan.core.engine import in_use
from registan.core.game import Box, Game, Ints, Record


@compiled
def something_good(
    box: Record, s: Record, seat: int, words: Ints, room: Ints, worth: Ints, carelessness: float, blunder: float
) -> int:
    """Return an action with a chance that falls by e for each `carelessness` points it looks worse than the best.

    What looks worse by more than `blunder` points is never played: a beginner errs, but is not silly.
    """
    n = generic.legal(box, s, seat, room)
    if n == 1:
        return int(room[0])
    weigh(box, s, seat, room, n, worth)
    top = -1e9
    for i in range(n):
        top = max(top, float(worth[i]))
    total = 0.0
    for i in range(n):
        worse = top - float(worth[i])
        worth[i] = np.exp(-worse / carelessness) if worse <= blunder else 0.0
        total += worth[i]
    left = total * float(dice.draw(words)) / 4294967296.0
    for i in range(n):
        left -= worth[i]
        if left < 0.0:
            return int(room[i])
    return int(room[n - 1])


CARELESS = {"khiva": (4.0, 6.0), "souk": (0.4, 1.5), "samarkand": (1.5, 4.0)}
"""Carelessness and blunder by game, in points: in the souk these are few, and waiting is asked at every price."""


class NoviceBot:
    """Plays what looks good, not always what looks best."""

    name = "novice"

    def choose(self, game: Game, box: Box, hidden: Record, seat: int, words: Ints) -> int:
        """Return an action that looks good."""
        most = game.rules.MOST
        room, worth = np.zeros(most, np.int32), np.zeros(most)
        run = in_use(game, something_good)
        return int(run(box.record, hidden, seat, words, room, worth, *CARELESS[game.key]))
