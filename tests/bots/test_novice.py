"""The novice errs, but never blunders."""

from __future__ import annotations

import numpy as np
import pytest

from registan.bots.novice import NoviceBot
from registan.core import batch, chance, rules
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.registry import find, keys


@pytest.mark.parametrize("key", keys())
def test_the_novice_plays_what_looks_good_but_not_always_what_looks_best(key: str) -> None:
    game = find(key)
    box = find_box(game)
    engine = Engine(game, box, compiled=True)
    _, blunder = game.part("bot").CARELESS  # type: ignore[union-attr]
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 5, 0)
    worth = np.zeros(game.rules.MOST)
    best = errors = 0
    for s in batch.sample(game, box, batch.blank(game, 80, 3), seed=2):
        seat = int(s.waiting).bit_length() - 1
        hidden = np.array([s])
        batch.hide(box, hidden, seat)
        actions = engine.legal(hidden, seat)
        n = len(actions)
        rules.weigh(box.record, hidden[0], seat, np.array(actions), n, worth)
        action = NoviceBot().choose(engine, hidden, seat, rng)
        behind = float(np.max(worth[:n]) - worth[actions.index(action)])
        assert behind <= blunder or n == 1
        best += behind == 0
        errors += behind > 0
    assert best > 0
    assert errors > 0
