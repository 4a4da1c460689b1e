"""What a view says a stop or a name brings is what the rules do, whatever the others answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan.core import batch
from registan.core.bits import bits
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine
from registan.core.registry import find
from registan.core.views import view_of
from registan.games.souk.state import COUNT, NAMES, STOP, WAIT

SOUK = find("souk")
BOX = find_box(SOUK)


def moments(players: int, phase: int, n: int, seed: int) -> Any:
    """Return random moments in which that is asked."""
    states = batch.sample(SOUK, BOX, batch.blank(SOUK, 12 * n, players), seed)
    return states[(states["phase"] == phase) & (states["over"] == 0) & (states["waiting"] != 0)][:n]


def answered(engine: Engine, world: Any, seat: int, action: int, rng: np.random.Generator) -> Any:
    """Let a seat act, and then all others who are asked, at random, until their answers are opened."""
    after = world.copy()
    engine.act(after, seat, action)
    while after["phase"][0] == NAMES and after["sealed"][0][seat]:
        other = int(after["waiting"][0]).bit_length() - 1
        engine.act(after, other, int(rng.choice(engine.legal(after, other))))
    return after


def points_without_riches(engine: Engine, states: Any, seat: int) -> int:
    return int(engine.scores(states)[0, seat, 2:].sum())


@pytest.mark.parametrize("players", range(3, 6))
def test_m7_m12_to_m14_m19_to_m22_naming_brings_what_views_say(players: int) -> None:
    engine, rng = Engine(SOUK, BOX, compiled=True), np.random.default_rng(7)
    sure = 0
    for number, s in enumerate(moments(players, NAMES, 20 if INTERPRET else 60, seed=74)):
        for seat in (other for other in range(players) if int(s.waiting) >> other & 1):
            world = np.array([s])
            engine.hide(world, seat)
            batch.guess(BOX, world, seat, number)
            view, actions = view_of(engine, s.tobytes(), seat), engine.legal(np.array([s]), seat)
            for action, move, entry in zip(actions, view["legal"], view["brings"]):
                if "dispute" in entry["open"]:
                    assert seat != s.doyen  # M12
                    continue
                after = answered(engine, world, seat, action, rng)
                carried_out(engine, world, after, seat, move, entry)
                sure += 1
    assert sure > (2 if INTERPRET else 50)


def carried_out(engine: Engine, world: Any, after: Any, seat: int, move: Any, entry: dict[str, Any]) -> None:
    """Compare what was said with what happened."""
    before, now = world[0], after[0]
    change = points_without_riches(engine, after, seat) - points_without_riches(engine, world, seat)
    assert change == entry.get("points", 0)  # M19 to M22
    gets = {item: n for n, item in entry.get("gets", ())}
    assert bits(int(now.goods[seat])) - bits(int(before.goods[seat])) == gets.get("goods", 0)
    assert int(now.held[seat].sum()) - int(before.held[seat].sum()) == gets.get("camel", 0)
    assert entry.get("fine", False) == (before.money[seat] < before.price)  # M14
    if "fine" not in entry:
        assert entry["item"] == move["item"]
        gain = sum(then - past for past, then in entry["parts"].values())
        assert "roomless" in entry or gain == entry.get("points", 0)
    if int(before.stopped) == 1 << seat:  # nobody else pays anything
        paid = {other: n for other, n, _ in entry.get("others", ())}
        paid[seat] = -sum(n for n, _ in entry.get("pays", ()))
        for other in range(before.players):
            assert int(now.money[other]) - int(before.money[other]) == paid.get(other, 0)
        if entry.get("ends"):
            engine.chance(after)
            assert now.over  # M17


@pytest.mark.parametrize("players", range(3, 6))
def test_m6_a_stop_says_what_each_name_would_bring(players: int) -> None:
    engine = Engine(SOUK, BOX, compiled=True)
    for s in moments(players, COUNT, 4 if INTERPRET else 40, seed=75):
        seat = int(s.waiting).bit_length() - 1
        view = view_of(engine, s.tobytes(), seat)
        stop = view["brings"][view["legal"].index({"do": "stop"})]
        world = np.array([s])
        world["waiting"] = 1 << seat  # the others have answered: they wait
        world["sealed"][0][:players] = 1 + WAIT
        world["sealed"][0][seat] = 0
        engine.act(world, seat, STOP)
        named = view_of(engine, world.tobytes(), seat)["brings"]
        if "fine" in stop:
            assert all(entry["pays" if "pays" in stop else "fine"] == stop["pays" if "pays" in stop else "fine"]
                       for entry in named)  # fmt: skip
            continue
        assert [entry["item"] for entry in stop["items"]] == [entry["item"] for entry in named]
        for at_stop, at_name in zip(stop["items"], named):
            assert {**at_stop, "open": None} == {**at_name, "open": None}
            assert ("dispute" in at_stop["open"]) == (seat != s.doyen)
            assert at_name["open"] == ["riches"]


@pytest.mark.parametrize("players", range(3, 6))
def test_m19_to_m22_ones_own_goods_and_camels_are_shown_with_their_worth(players: int) -> None:
    engine = Engine(SOUK, BOX, compiled=True)
    for s in batch.sample(SOUK, BOX, batch.blank(SOUK, 4 if INTERPRET else 40, players), 76):
        for seat in range(players):
            worth = view_of(engine, s.tobytes(), seat)["worth"]
            if s.over:
                assert worth is None
                continue
            buffer = int((s.held[seat] * np.arange(10)).sum())
            assert (worth["capacity"], worth["carried"]) == (buffer, min(buffer, bits(int(s.goods[seat]))))
            total = worth["presents"] + worth["harmony"] + worth["empty"]
            assert total == points_without_riches(engine, np.array([s]), seat)
