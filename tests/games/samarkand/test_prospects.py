"""Samarkand: what cards promise after a camel or a marriage follows from what was noted of them before."""

from __future__ import annotations

import numpy as np
import pytest

from registan.core import batch
from registan.core.bits import lowest
from registan.core.box import find_box
from registan.core.game import Record
from registan.core.registry import find
from registan.games.samarkand.bot import PLAIN, Eye
from registan.games.samarkand.prospects import (
    CARD,
    FAR,
    NOW,
    Prospects,
    camels_on,
    joined,
    nearer,
    note,
    prospects,
    turns_left,
)
from registan.games.samarkand.state import FAMILIES, WORD, free

GAME = find("samarkand")
BOX = find_box(GAME).record
EVERYTHING = PLAIN._replace(foreign=0.4, load=0.05, bend=-0.5)


def noted(s: Record, cards: Prospects, card: int, tiles: int, eye: Eye) -> float:
    """What a card promises, looking at all families."""
    held = np.zeros((1, cards.held.shape[1]))
    note(BOX, s, held, 0, card, tiles, cards.reach, cards.hope, eye)
    return float(held[0, NOW])


@pytest.mark.parametrize("eye", [PLAIN, EVERYTHING], ids=["plain", "everything"])
def test_a_change_gives_what_looking_again_would(eye: Eye) -> None:
    reached = married = 0
    for s in batch.sample(GAME, find_box(GAME), batch.blank(GAME, 40, 4), seed=3):
        seat = lowest(int(s.waiting))
        tiles = int(s.tiles[seat])
        cards = prospects(BOX, s, seat, int(s.hand[seat]), turns_left(s, eye), eye)
        for k in range(cards.size):
            card = int(cards.held[k, CARD])
            for family in range(FAMILIES):
                steps = int(cards.reach[family, card])
                if not (tiles >> family) & 1:
                    promised = joined(cards.held, k, family, steps, cards.hope, eye)
                    assert promised == noted(s, cards, card, tiles | 1 << family, eye)
                    married += 1
                    continue
                for fewer in range(1, min(steps, FAR)):
                    cards.reach[family, card] = fewer
                    promised = nearer(cards.held, k, family, fewer, cards.hope, eye)
                    assert promised == noted(s, cards, card, tiles, eye)
                cards.reach[family, card] = steps
                space = int(BOX.space_of[card])
                word, bit = divmod(space, WORD)
                if steps > 0 and (free(BOX, s, family, (0, 0, 0))[word] >> bit) & 1 and camels_on(s, space) < 2:
                    before = int(s.route[family, word])
                    s.route[family, word] = before | 1 << bit
                    cards.reach[family, card] = 0
                    promised = nearer(cards.held, k, family, 0, cards.hope, eye)
                    assert promised == noted(s, cards, card, tiles, eye)
                    s.route[family, word], cards.reach[family, card] = before, steps
                    reached += 1
    assert reached > 3
    assert married > 100
