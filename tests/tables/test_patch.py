"""Patches: what changed, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from registan.tables.patch import apply, diff
from registan.tables.requests import Answer, Mute, Propose, Say, Undo
from registan.tables.table import Table
from registan.tables.updates import Comparison
from registan.tables.views import Showing, Shown, show
from tests.tables.house import any_move, begin, match_of, new_table
from tests.tables.test_save import PACES, do_something

leaf = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2)
json = st.recursive(
    leaf, lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text("abc", max_size=1), x), max_leaves=12
)


@given(old=json, new=json)
def test_a_patch_makes_the_new_out_of_the_old(old: Any, new: Any) -> None:
    before = msgspec.json.encode(old)
    got = apply(old, msgspec.json.decode(msgspec.json.encode(diff(old, new))))
    assert _typed(got) == _typed(new)
    assert msgspec.json.encode(old) == before


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
def test_the_updates_of_a_whole_game_give_every_audience_its_view(game: str) -> None:
    table, _ = new_table(game, start=False)
    rng = random.Random(7)
    showing = Showing(table.copy())
    shown = {seat: showing(seat) for seat in table.audiences}
    views = {seat: plain(shown[seat]) for seat in shown}
    begin(table, 2000)
    for i in range(90):
        if table.finished:
            break
        _anything(table, rng, 3000 + i)
        # Like the house: what was shown stays as it is, and what is the same is taken over from it.
        now = table.copy()
        showing, comparison = Showing(now), Comparison()
        for seat, old in shown.items():
            new = shown[seat] = showing(seat)
            views[seat] = apply(views[seat], msgspec.json.decode(comparison.update(old, new)))
            assert _typed(views[seat]) == _typed(show(now, seat)) == _typed(plain(new))


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=5, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_so_do_those_of_a_table_with_clocks_orders_and_people_who_leave(game: str, seed: int) -> None:
    rng = random.Random(seed)
    table, _ = new_table(game, pace=PACES[game], secret=seed.to_bytes(32, "big"))
    showing = Showing(table)
    shown = {seat: showing(seat) for seat in table.audiences}
    at = 3000
    for _ in range(30):
        at += rng.choice([100, 3000, 40_000])
        table = table.copy()
        do_something(table, rng, at)
        showing, comparison = Showing(table), Comparison()
        for seat, old in shown.items():
            new = shown[seat] = showing(seat)
            updated = apply(plain(old), msgspec.json.decode(comparison.update(old, new)))
            assert _typed(updated) == _typed(show(table, seat)) == _typed(plain(new))


def plain(shown: Shown) -> Any:
    return msgspec.json.decode(msgspec.json.encode(shown.whole()))


def _anything(table: Table, rng: random.Random, at: int) -> None:
    """Let somebody move, mostly, or say something, or not want to hear it, or take a move back, or show all hands."""
    chance = rng.random()
    if chance < 0.1:
        Say(seat=0, phrase="oops").carry_out(table, "p0", at)
    elif chance < 0.15:
        Mute(seat=1, whom=0, on=rng.random() < 0.5).carry_out(table, "p1", at)
    elif chance < 0.2 and table.proposal is None and match_of(table).last_of(2) is not None:
        Undo(seat=2).carry_out(table, "p2", at)
    elif chance < 0.22 and table.proposal is None:
        Propose(seat=0, what=rng.choice(["watch hands", "watch open"])).carry_out(table, "p0", at)
    elif table.proposal is not None:
        Answer(seat=0, yes=rng.random() < 0.5).carry_out(table, "p0", at)
        if table.proposal is not None:
            Answer(seat=1, yes=True).carry_out(table, "p1", at)
        if table.proposal is not None:
            Answer(seat=2, yes=True).carry_out(table, "p2", at)
    else:
        any_move(table, rng, at)


def _typed(value: Any) -> Any:
    """True is not 1 on the wire."""
    if isinstance(value, dict):
        return {key: _typed(v) for key, v in value.items()}
    return [_typed(v) for v in value] if isinstance(value, list) else (type(value), value)


def test_what_is_the_same_is_not_sent() -> None:
    assert diff({"a": [1, 2], "b": {"c": 1}}, {"a": [1, 2], "b": {"c": 1}}) == []
    assert diff({"log": [1, 2]}, {"log": [1, 2, 3]}) == [[["log", 2], [3], "rest"]]
    assert diff({"log": [1, 2, 3]}, {"log": [1, 2]}) == [[["log", 2], [], "rest"]]
    assert diff({"a": 1}, {}) == [[["a"]]]
    assert diff({"a": 1}, {"a": True}) == [[["a"], True]]


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
def test_updates_are_small(game: str) -> None:
    table, _ = new_table(game)
    rng = random.Random(3)
    showing = Showing(table)
    shown, whole, small = showing(0), 0, 0
    for i in range(60):
        table = table.copy()
        any_move(table, rng, 3000 + i)
        showing = Showing(table)
        before, shown = shown, showing(0)
        whole += len(msgspec.json.encode(shown.whole()))
        small += len(Comparison().update(before, shown))
    assert small < whole / 4
