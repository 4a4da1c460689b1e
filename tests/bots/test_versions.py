"""The bots of version 1 play as they did: `version_1.json` was made with them, before any later version existed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan.bots import find_bot
from registan.core import batch, chance
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.registry import find

FILE = Path(__file__).parent / "version_1.json"
BOTS = ("novice@1", "merchant@1", "greedy", "search:40", "search:400")
PLAYERS = (3, 4)
STATES = 8


def choices(key: str, name: str) -> list[int]:
    """Return what a bot chooses in some states of random games."""
    game = find(key)
    box = find_box(game)
    engine = Engine(game, box, compiled=True)
    found = []
    for players in PLAYERS:
        states = batch.sample(game, box, batch.blank(game, STATES, players), seed=23)
        for number, s in enumerate(states):
            seat = int(s.waiting).bit_length() - 1
            hidden: Any = np.array([s])
            batch.hide(box, hidden, seat)
            rng = np.zeros(chance.WORDS, np.uint64)
            chance.seed(rng, number, players)
            found.append(find_bot(name).choose(engine, hidden, seat, rng))
    return found


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("key", ["khiva", "samarkand", "souk"])
def test_a_bot_of_version_1_plays_as_it_always_did(key: str, name: str) -> None:
    assert choices(key, name) == json.loads(FILE.read_text("utf-8"))[key][name]
