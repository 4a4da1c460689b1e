"""The bot that plays what looks best at a glance (`bot.weigh` of a game), without looking ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.core import chance as dice
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import Ints, Record


@compiled
def looks_best(boxes: Record, states: Record, seat: int, rng: Ints, actions: Ints, worth: Ints, notices: float) -> int:
    """Return the action that looks best, of all or of as many as somebody notices, by chance; 0 for all."""
    box, s = boxes[0], states[0]
    n = rules.legal(box, s, seat, actions) if notices > 0.0 else 0
    if n <= notices:
        return rules.best(box, s, seat, rng, actions, worth)
    most = int(notices)
    if float(dice.draw(rng)) < (notices - most) * 4294967296.0:
        most += 1
    kept = 0
    for i in range(n):
        if int(dice.below(rng, n - i)) < most - kept:
            actions[kept] = actions[i]
            kept += 1
    rules.weigh(box, s, seat, actions, kept, worth)
    chosen = 0
    for i in range(1, kept):
        if worth[i] > worth[chosen]:
            chosen = i
    return int(actions[chosen])


class GreedyBot:
    """Plays what looks best at a glance, of all its moves or of those it notices."""

    def __init__(self, name: str = "greedy", notices: float = 0.0) -> None:
        self.name, self.notices = name, notices

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return the action that seems best."""
        actions = engine.actions()
        return int(engine.run(looks_best, hidden, seat, rng, actions, np.zeros(len(actions)), float(self.notices)))
