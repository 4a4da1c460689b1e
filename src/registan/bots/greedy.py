"""The bot that plays what looks best at a glance (`bot.weigh` of a game), without looking ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.core import rules
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import Ints, Record


@compiled
def looks_best(boxes: Record, states: Record, seat: int, rng: Ints, actions: Ints, worth: Ints) -> int:
    """Return the action that looks best."""
    return rules.best(boxes[0], states[0], seat, rng, actions, worth)


class GreedyBot:
    """Plays what looks best at a glance."""

    name = "greedy"

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return the action that seems best."""
        actions = engine.actions()
        return int(engine.run(looks_best, hidden, seat, rng, actions, np.zeros(len(actions))))
