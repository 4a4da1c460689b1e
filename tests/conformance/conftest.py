"""Every game that is registered, with every number of players: what the conformance suite runs over."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from registan.core import batch
from registan.core.box import find_box
from registan.core.game import Box, Game
from registan.games import KEYS, find

SCALE = float(os.environ.get("REGISTAN_TEST_SCALE", "1"))
"""How many times more random games than usual: for a long run once in a while."""


class Case:
    """A game with a number of players, and options that differ from the default."""

    def __init__(self, key: str, players: int, options: dict[str, Any] | None = None) -> None:
        self.game: Game = find(key)
        self.box: Box = find_box(self.game)
        self.players = players
        self.options = options

    def states(self, n: int, seed: int = 1) -> Any:
        """Return states from random moments of random games."""
        states = batch.blank(self.game, int(n * SCALE), self.players, self.options)
        return batch.sample(self.game, self.box, states, seed)

    def room(self) -> Any:
        """Return room for a list of actions."""
        return np.zeros(self.game.rules.MOST, np.int32)


CASES = [(key, players) for key in KEYS for players in find(key).players]


@pytest.fixture(params=CASES, ids=[f"{key}-{players}" for key, players in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    """Every game with every number of players."""
    return Case(*request.param)
