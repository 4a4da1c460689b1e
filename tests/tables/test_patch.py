"""Patches: what changed, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from registan.tables.patch import Known, apply, carried_over, diff
from registan.tables.views import show
from tests.tables.house import any_move, lay

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


@given(old=json, new=json, shared=json)
def test_what_has_not_changed_is_carried_over(old: Any, new: Any, shared: Any) -> None:
    before, after = {"a": old, "b": shared}, {"a": new, "b": msgspec.json.decode(msgspec.json.encode(shared))}
    got = carried_over(before, after)
    assert _typed(got) == _typed(after)
    assert got["b"] is shared or not isinstance(shared, dict | list)


@given(old=json, new=json, mine=json)
def test_what_several_share_is_compared_once_and_comes_out_the_same(old: Any, new: Any, mine: Any) -> None:
    known = Known()
    for own in (mine, [mine], None):
        before, after = {"open": old, "own": 1}, {"open": new, "own": own}
        assert diff(before, after, known) == diff(before, after)


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
    table, _ = lay(game)
    rng = random.Random(3)
    whole = small = 0
    for i in range(60):
        before = show(table, 0)
        any_move(table, rng, 3000 + i)
        after = show(table, 0)
        whole += len(msgspec.json.encode(after))
        small += len(msgspec.json.encode(diff(before, after)))
    assert small < whole / 4
