"""Records of random games, checked line by line by a second telling of the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import registan
from registan.core import chance
from registan.games.souk import rules
from registan.games.souk.state import COUNT, STOP, WAIT
from tests.compiled import compile_matches
from tests.games.souk.market import BOX
from tests.games.souk.second_opinion import SecondOpinion

pytestmark = pytest.mark.no_cover  # whole games take minutes to trace, and cover nothing that other tests do not


def game(players: int, seed: int, eager: int, **options: Any) -> Any:
    """A random game whose players stop at one price in so many: the eager ones have disputes and empty purses."""
    match = registan.new("souk", players, seed, **options)
    rng, buffer = np.zeros(4, np.uint64), np.zeros(10, np.int32)
    chance.seed(rng, seed, eager)
    while not match.over:
        seat = match.waiting[0]
        action = rules.pick(BOX.record, match.state, seat, rng, buffer)
        if match.state.phase == COUNT:
            action = STOP if chance.below(rng, eager) == 0 else WAIT
        match.play_action(seat, int(action))
    return match


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("eager", [2, 5, 12, 40])
@pytest.mark.parametrize("harmony", ["table", "example"])
def test_a_second_opinion_agrees(players: int, eager: int, harmony: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(3):
        match = game(players, seed, eager, harmony=harmony)
        SecondOpinion(match.record(legal=True, states=True)).replay()
        compile_matches(monkeypatch)
