"""The novice of version 1: plays what looks good, but not always what looks best, and never looks ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.core import chance as dice
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import Game, Ints, Record


@compiled
def something_good(
    boxes: Record, states: Record, seat: int, rng: Ints, actions: Ints, worth: Ints, carelessness: float, blunder: float
) -> int:
    """Return an action, e times less likely for every `carelessness` points that it looks worse than the best.

    Never return one that looks worse by more than `blunder` points.
    """
    box, s = boxes[0], states[0]
    n = rules.legal(box, s, seat, actions)
    if n == 1:
        return int(actions[0])
    rules.weigh(box, s, seat, actions, n, worth)
    top = -1e9
    for i in range(n):
        top = max(top, float(worth[i]))
    total = 0.0
    for i in range(n):
        worse = top - float(worth[i])
        worth[i] = np.exp(-worse / carelessness) if worse <= blunder else 0.0
        total += worth[i]
    left = total * float(dice.draw(rng)) / 4294967296.0
    for i in range(n):
        left -= worth[i]
        if left < 0.0:
            return int(actions[i])
    return int(actions[n - 1])


CARELESS = (2.0, 5.0)
"""Default carelessness and blunder, in points; the `bot.py` of a game may set its own."""


def careless(game: Game) -> tuple[float, float]:
    """Return how careless the beginner is in a game."""
    found: tuple[float, float] = getattr(game.part("bot"), "CARELESS", CARELESS)
    return found


class NoviceBot:
    """Plays what looks good, not always what looks best."""

    name = "novice@1"

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return an action that looks good."""
        actions = engine.actions()
        worth = np.zeros(len(actions))
        return int(engine.run(something_good, hidden, seat, rng, actions, worth, *careless(engine.game)))
