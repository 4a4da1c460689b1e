"""Khiva: observations are the same from every chair, and say what is on the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import registan
from registan.core import batch, rules
from registan.core.box import find_box
from registan.core.observation import layout_of
from registan.games.khiva import GAME
from registan.games.khiva.state import SHOPS

BOX = find_box(GAME)


def look(s: Any, seat: int, players: int) -> Any:
    out = np.zeros(layout_of(GAME, players).size, np.float32)
    rules.register(GAME)
    rules.look(BOX.record, s, seat, np.zeros(1, s.dtype), out)
    return out


def turned(s: Any, players: int) -> Any:
    """Return a state in which everybody has moved on by one chair."""
    t = np.frombuffer(bytearray(s.tobytes()), s.dtype)[0]
    for name in ("hand", "kept", "gems", "undelivered", "delivered", "salt", "won"):
        t[name][:players] = np.roll(s[name][:players], 1, axis=0)
    for name in ("plays", "gave"):
        t[name][:, :players] = np.roll(s[name][:, :players], 1, axis=1)
    t.waiting = sum(1 << (seat + 1) % players for seat in range(players) if int(s.waiting) >> seat & 1)
    for camel, place in enumerate(s.place.tolist()):
        if place:
            path, shop = divmod(place - 1, SHOPS)
            t.place[camel] = 1 + (path + 1) % players * SHOPS + shop
    return t


@pytest.mark.parametrize("players", GAME.players)
def test_observations_are_the_same_from_every_chair(players: int) -> None:
    for s in batch.sample(GAME, BOX, batch.blank(GAME, 12, players), seed=41):
        for seat in range(players):
            assert np.array_equal(look(s, seat, players), look(turned(s, players), (seat + 1) % players, players))


def test_an_observation_says_what_the_view_shows() -> None:
    match, layout = registan.new("khiva", 3, seed=7), layout_of(GAME, 3)
    for _ in range(3):
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    seat = match.waiting[0]
    view, seen = match.view(seat), look(match.state, seat, 3)
    assert layout.block(seen, "asked")[0] == 1
    assert layout.block(seen, "phase").tolist() == [0, 1, 0]
    assert int(layout.block(seen, "hand").sum()) == len(view["hand"])
    assert np.round(layout.block(seen, "gems") * 15).tolist() == [
        view["seats"][(seat + k) % 3]["gems"] for k in range(3)
    ]
    assert np.round(layout.block(seen, "teapot") * 9).tolist() == [c["teapot"] for c in view["camels"].values()]
    assert layout.block(seen, "plays").sum() == 3


def test_with_two_players_cards_are_numbered_by_their_place_in_the_hand() -> None:
    match = registan.new("khiva", 2, seed=7)
    one = registan.Batch("khiva", 2, 1, seed=7)
    assert one.numbers == 8 + 28 * 28 < GAME.rules.actions(2)
    assert len(one.legal(0)) == len(match.actions(0)) == 28 * 15
