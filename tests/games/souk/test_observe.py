"""The souk: observations are the same from every chair, and say what is on the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import registan
from registan.core import batch, rules
from registan.core.box import find_box
from registan.core.observation import layout_of
from registan.games.souk import GAME
from registan.games.souk.state import CARDS

BOX = find_box(GAME)


def look(s: Any, seat: int, players: int) -> Any:
    out = np.zeros(layout_of(GAME, players).size, np.float32)
    rules.register(GAME)
    rules.look(BOX.record, s, seat, np.zeros(1, s.dtype), out)
    return out


def turned_goods(goods: int, players: int) -> int:
    """Return a set of goods in which the players' stalls have moved on by one; the bank's stays."""
    stalls = [goods >> (CARDS * stall) & (1 << CARDS) - 1 for stall in range(5)]
    stalls[:players] = [stalls[players - 1], *stalls[: players - 1]]
    return sum(cards << (CARDS * stall) for stall, cards in enumerate(stalls))


def turned(s: Any, players: int) -> Any:
    """Return a state in which everybody has moved on by one chair."""
    t = np.frombuffer(bytearray(s.tobytes()), s.dtype)[0]
    for name in ("left", "money", "sealed", "kind", "for_sale", "held"):
        t[name][:players] = np.roll(s[name][:players], 1, axis=0)
    moved = [turned_goods(int(goods), players) for goods in s.goods[:players]]
    t.goods[:players] = [moved[-1], *moved[:-1]]
    for name in ("waiting", "stopped"):
        t[name] = sum(1 << (seat + 1) % players for seat in range(players) if int(s[name]) >> seat & 1)
    t.doyen = (int(s.doyen) + 1) % players
    return t


@pytest.mark.parametrize("players", GAME.players)
def test_observations_are_the_same_from_every_chair(players: int) -> None:
    for s in batch.sample(GAME, BOX, batch.blank(GAME, 12, players), seed=41):
        for seat in range(players):
            mine, again = look(s, seat, players), look(turned(s, players), (seat + 1) % players, players)
            assert np.allclose(mine, again, atol=1e-6)  # sums of what goods seem worth, in another order


def test_an_observation_says_what_the_view_shows() -> None:
    match, layout = registan.new("souk", 3, seed=7), layout_of(GAME, 3)
    for _ in range(9):
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    view, seen = match.view(0), look(match.state, 0, 3)
    assert round(float(layout.block(seen, "price")[0]) * 15) == view["price"]
    assert round(float(layout.block(seen, "camel")[0]) * 9) == (view["camel"] or 0)
    assert np.round(layout.block(seen, "value") * 9).tolist() == [offer["item"][1] for offer in view["for_sale"]]
    assert layout.block(seen, "doyen").argmax() == view["doyen"]
