"""The cases of the conformance suite: every registered game with every number of players."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from registan.core import batch
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.game import Box, Game
from registan.core.registry import find, keys
from registan_well import GAME as WELL
from tests.compiled import as_before, compiled_rules

__all__ = ["as_before", "compiled_rules"]

SCALE = float(os.environ.get("REGISTAN_TEST_SCALE", "1"))
"""A factor for the number of random games, for long runs."""


class Case:
    """A game with a number of players, and options that differ from the default."""

    def __init__(self, key: str, players: int, options: dict[str, Any] | None = None) -> None:
        self.game: Game = GAMES[key]
        self.box: Box = find_box(self.game)
        self.players = players
        self.slow = Engine(self.game, self.box, compiled=False)
        self.fast = Engine(self.game, self.box, compiled=True)
        self.options = options

    def states(self, n: int, seed: int = 1) -> Any:
        """Return states from random moments of random games."""
        states = batch.blank(self.game, int(n * SCALE), self.players, self.options)
        return batch.sample(self.game, self.box, states, seed)

    def moments(self, n: int, seed: int) -> Iterator[Any]:
        """Yield such states as arrays of one, which is what an engine takes."""
        states = self.states(n, seed)
        yield from (states[i : i + 1] for i in range(len(states)))


GAMES = {**{key: find(key) for key in keys()}, WELL.key: WELL}
"""Every game of ours, and the one that newcomers copy."""
CASES = [(key, players) for key, game in GAMES.items() for players in game.players]


@pytest.fixture(params=CASES, ids=[f"{key}-{players}" for key, players in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    """Every game with every number of players."""
    return Case(*request.param)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Measure coverage with the small game only, which uses every default: the others have tests of each rule."""
    if WELL.key not in item.name:
        item.add_marker(pytest.mark.no_cover)
