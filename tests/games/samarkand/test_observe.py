"""Samarkand: observations are the same from every chair, and say what is on the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import registan
from registan.core import batch, rules
from registan.core.box import find_box
from registan.core.observation import layout_of
from registan.games.samarkand import GAME
from registan.games.samarkand.observe import before_far

BOX = find_box(GAME)


def look(s: Any, seat: int, players: int, size: int | None = None) -> Any:
    out = np.zeros(size or layout_of(GAME, players).size, np.float32)
    rules.register(GAME)
    rules.look(BOX.record, s, seat, np.zeros(1, s.dtype), out)
    return out


def turned(s: Any, players: int) -> Any:
    """Return a state in which everybody has moved on by one chair."""
    t = np.frombuffer(bytearray(s.tobytes()), s.dtype)[0]
    for name in ("hand", "sold", "dropped", "tiles", "twice", "dirhams", "goods", "relations", "held", "drops"):
        t[name][:players] = np.roll(s[name][:players], 1)
    for name in ("put_back", "drawn"):
        t[name][:, :players] = np.roll(s[name][:, :players], 1, axis=1)
    t.waiting = sum(1 << (seat + 1) % players for seat in range(players) if int(s.waiting) >> seat & 1)
    t.turn = (int(s.turn) + 1) % players
    return t


@pytest.mark.parametrize("players", GAME.players)
def test_observations_are_the_same_from_every_chair(players: int) -> None:
    for s in batch.sample(GAME, BOX, batch.blank(GAME, 10, players), seed=41):
        for seat in range(players):
            assert np.array_equal(look(s, seat, players), look(turned(s, players), (seat + 1) % players, players))


def test_the_map_may_be_left_out() -> None:
    layout = layout_of(GAME, 3)
    s = batch.sample(GAME, BOX, batch.blank(GAME, 1, 3), seed=42)[0]
    start = layout.at["camels"].start
    assert layout.at["camels"].stop == layout.size
    assert np.array_equal(look(s, 1, 3)[:start], look(s, 1, 3, start))


def test_an_observation_says_what_the_view_shows() -> None:
    match, layout = registan.new("samarkand", 3, seed=7), layout_of(GAME, 3)
    for _ in range(6):
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    seat = match.waiting[0]
    view, seen = match.view(seat), look(match.state, seat, 3)
    shown = [view["seats"][(seat + k) % 3] for k in range(3)]
    assert (np.flatnonzero(layout.block(seen, "hand")) + 1).tolist() == view["hand"]
    assert np.round(layout.block(seen, "dirhams") * 30).tolist() == [one["dirhams"] for one in shown]
    assert np.round(layout.block(seen, "treasury") * 12).tolist() == [f["treasury"] for f in view["families"].values()]
    assert layout.block(seen, "tiles").sum(axis=0).tolist() == [len(one["tiles"]) for one in shown]
    assert int(layout.block(seen, "camels").sum()) == sum(map(len, view["camels"].values()))


@pytest.mark.parametrize("players", GAME.players)
def test_the_block_that_is_kept_between_steps_is_where_the_layout_says(players: int) -> None:
    assert before_far(players) == layout_of(GAME, players).at["far"].start
