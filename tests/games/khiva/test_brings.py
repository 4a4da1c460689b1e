"""What a view says a move brings is what the rules do, whatever the hidden cards and piles are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan.core import batch
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine
from registan.core.registry import find
from registan.core.views import view_of
from registan.games.khiva.moves import carpet_names, place
from registan.games.khiva.state import CHOOSE, MOVE, TAKE
from tests.games.khiva.table import deal

KHIVA = find("khiva")
BOX = find_box(KHIVA)


def moments(players: int, n: int, seed: int) -> Any:
    """Return random moments in which a camel moves or something is taken."""
    states = batch.sample(KHIVA, BOX, batch.blank(KHIVA, 4 * n, players), seed)
    return states[(states["phase"] != CHOOSE) & (states["over"] == 0)][:n]


def without_later_camels(states: Any) -> None:
    """Let no camel come after the active one: the gems that K4 gives for it do not come from a move."""
    for s in states:
        s.plays[s.turn] &= (1 << 5 * (int(s.camel) + 1)) - 1


@pytest.mark.parametrize("players", range(2, 6))
def test_k5_to_k9_moves_bring_what_views_say(players: int) -> None:
    engine = Engine(KHIVA, BOX, compiled=True)
    for number, s in enumerate(moments(players, 12 if INTERPRET else 120, seed=73)):
        seat = int(s.waiting).bit_length() - 1
        view, actions = view_of(engine, s.tobytes(), seat), engine.legal(np.array([s]), seat)
        for world_number in range(2):
            world = np.array([s])
            engine.hide(world, seat)
            batch.guess(BOX, world, seat, 2 * number + world_number)
            without_later_camels(world)
            for action, entry in zip(actions, view["brings"]):
                carried_out(engine, world, seat, action, entry or {})


def carried_out(engine: Engine, world: Any, seat: int, action: int, entry: dict[str, Any]) -> None:
    """Carry a move out in a world that might be, and compare."""
    after, before = world.copy(), world[0]
    engine.act(after, seat, action)
    now, camel = after[0], int(before.camel)
    gets, pays = ({item: n for n, item in entry.get(way, ())} for way in ("gets", "pays"))
    if before.phase == MOVE:
        assert place(now, camel) == entry["place"]  # K6, K7
    assert int(now.gems[seat]) - int(before.gems[seat]) == gets.get("gem", 0) - pays.get("gem", 0)
    assert int(now.won[seat].sum()) - int(before.won[seat].sum()) == gets.get("teapot", 0)
    delivered = int(now.delivered[seat]) ^ int(before.delivered[seat])
    assert carpet_names(BOX.unpacked.carpets, delivered) == entry.get("delivers", [])
    assert delivered.bit_count() == gets.get("delivery", 0)
    carpets = int(now.undelivered[seat]) & ~int(before.undelivered[seat])
    assert carpets.bit_count() == gets.get("carpet", 0)
    if carpets:
        assert carpet_names(BOX.unpacked.carpets, carpets)[0][0] == entry["carpet"]  # K1: its colour was seen
    assert (int(now.salt[seat]) ^ int(before.salt[seat])).bit_count() == gets.get("salt", 0)
    points = engine.scores(after)[0, seat, 0] - engine.scores(np.array([before]))[0, seat, 0]
    assert points == entry.get("points", 0)
    if now.phase == TAKE:  # K8
        offered = [{5: "salt", 6: "carpet"}[found] for found in engine.legal(after, seat) if found != 7]
        assert offered == entry.get("open", [])
        gone = 0 in (now.teapots_left, now.carpets_left, now.salt_left)
        assert entry.get("ends", False) == gone
    else:
        assert "open" not in entry
        assert entry.get("ends", False) == bool(now.over)  # K14


def test_k6_cards_in_hand_say_what_they_would_bring() -> None:
    match = deal("white-1 blue-2 green-3 pink-4 black-5", "", "", carpets="blue-3")
    reach = match.view(0)["reach"]
    assert reach["white-1"]["place"] == [0, 1]
    assert reach["white-1"]["gets"] == [[1, "gem"]]
    assert reach["blue-2"] == {"gets": [[1, "carpet"]], "open": ["others"], "carpet": "blue", "place": [0, 2]}
    assert reach["pink-4"]["open"] == ["others", "carpet"]
    assert reach["black-5"]["place"] is None
    assert reach["black-5"]["points"] == match.view(0)["camels"]["black"]["teapot"]
    assert match.view()["reach"] is None
    assert match.view(0)["brings"] == [None] * 20
