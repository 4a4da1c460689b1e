"""The bot that plays by what it has learned: the action that its net prefers (`bots.policy`), without looking ahead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from registan.bots import policy as policies
from registan.bots.eyes import tuned_eye
from registan.bots.greedy import GreedyBot
from registan.bots.policy import Policy, choice, glance_of, preferences, room_for
from registan.core.engine import Engine
from registan.core.game import Game, Ints


def preferences_of(engine: Engine, policy: Policy, hidden: Any, seat: int, count: int) -> Ints:
    """Return how much each of a seat's legal actions is to be preferred."""
    game, out = engine.game, np.zeros(count)
    engine.run(preferences, hidden, seat, policy, glance_of(game), tuned_eye(game), room_for(game, policy), out)
    return out


class LearnedBot:
    """Plays by its net alone: the game's own, or that of a file; where a game has learned nothing, like `greedy`.

    `share` is how much of what it has learned it uses; the rest is what it sees at a glance.
    """

    def __init__(self, name: str = "learned", file: str = "", share: float = 1.0) -> None:
        self.name, self.file, self.share = name, file, share
        self._nets: dict[int, Policy] = {}

    def net(self, game: Game, players: int) -> Policy | None:
        """Return the net for a number of players."""
        if not self.file:
            return policies.load(game, players)
        if players not in self._nets:
            self._nets[players] = policies.make(game, players, *policies.read(Path(self.file), game))
        return self._nets[players]

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return the action that the net prefers."""
        game, players = engine.game, int(hidden[0]["players"])
        net = self.net(game, players)
        if net is None:
            return GreedyBot().choose(engine, hidden, seat, rng)
        room = room_for(game, net)
        return int(engine.run(choice, hidden, seat, net, self.share, glance_of(game), tuned_eye(game), room))
