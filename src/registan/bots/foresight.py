"""What a game has learned, in the hands of the search: what the net expects of each action, and room to ask it more."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from registan.bots import net as nets
from registan.bots.learned import scale_of
from registan.bots.net import Net, Scratch
from registan.core.engine import Engine
from registan.core.game import Ints


@dataclass(frozen=True)
class Foresight:
    """A net for a game, room for evaluating it, and how likely it finds each action at the root to be the best."""

    net: Net
    room: Scratch
    scale: float = 1.0
    priors: Ints = field(default_factory=lambda: np.zeros(0))

    def args(self, engine: Engine) -> tuple[Any, ...]:
        """Return the last arguments of `simulate`."""
        views = np.zeros(1, engine.game.rules.STATE)
        return self.net, self.room, self.scale, views, self.priors, np.zeros((0, nets.OUTPUTS))

    def considered(self, worth: Ints, heat: float) -> Foresight:
        """Return it with an opinion of each action at the root: one that is better by `heat` is e times as likely."""
        odds = np.exp((worth - np.max(worth)) / heat)
        return replace(self, priors=odds / np.sum(odds))


def prospects(values: Ints, margin: float) -> Ints:
    """Return the chances to win and the margins of actions as one number each, as the rewards of the search are."""
    return np.asarray((1.0 - margin) * values[:, 0] + margin * (0.5 + 0.5 * values[:, 1]))


def _blank() -> Foresight:
    net = Net(np.zeros(3, np.int32), np.zeros(1, np.int32), np.zeros(0, np.float32))
    return Foresight(net, nets.scratch(net))


NONE = _blank()
"""That of a game which has learned nothing; compiled code sees that it has no weights."""


def foresight_of(engine: Engine, hidden: Any) -> Foresight:
    """Return what a game has learned about playing with that many, NONE if that is nothing."""
    net = nets.load(engine.game, int(hidden["players"][0]))
    return NONE if net is None else Foresight(net, nets.scratch(net), scale_of(engine.game))
