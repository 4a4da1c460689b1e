"""The bot that plays what looks best at a glance (`weigh` or `glance` in `bot.py` of a game), without looking ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.bots.eyes import eye_of
from registan.core import chance as dice
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import Ints, Record


@compiled
def looks_best(
    boxes: Record, states: Record, seat: int, rng: Ints, actions: Ints, worth: Ints, notices: float, eye: Any
) -> int:
    """Return the action that looks best to an eye, of all or of as many as somebody notices, by chance; 0 for all."""
    box, s = boxes[0], states[0]
    n = rules.legal(box, s, seat, actions) if notices > 0.0 else 0
    if n <= notices:
        return rules.best_to(box, s, seat, rng, actions, worth, eye)
    most = int(notices)
    if float(dice.draw(rng)) < (notices - most) * 4294967296.0:
        most += 1
    kept = 0
    for i in range(n):
        if int(dice.below(rng, n - i)) < most - kept:
            actions[kept] = actions[i]
            kept += 1
    rules.glance(box, s, seat, actions, kept, worth, eye)
    chosen = 0
    for i in range(1, kept):
        if worth[i] > worth[chosen]:
            chosen = i
    return int(actions[chosen])


class GreedyBot:
    """Plays what looks best at a glance, of all its moves or of those it notices.

    `tuned` says how much its eye is that tuned by self-play: 0 for the plain one, 1 for the tuned one.
    """

    def __init__(self, name: str = "greedy", notices: float = 0.0, tuned: float = 0.0) -> None:
        self.name, self.notices, self.tuned = name, notices, tuned

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return the action that seems best."""
        actions, eye = engine.actions(), eye_of(engine.game, self.tuned)
        worth = np.zeros(len(actions))
        return int(engine.run(looks_best, hidden, seat, rng, actions, worth, float(self.notices), eye))
