"""Whatever the input, people get an error message, never a traceback."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import registan
from registan.core.errors import BadBox, BadRecord, RegistanError
from registan.core.game import Json
from registan.core.match import Match
from registan.core.record import dumps, read_lines, replay
from registan.core.registry import find
from registan.games.khiva import GAME
from tests.games.khiva.table import CARDS, any_turn, deal, random_game

pytestmark = pytest.mark.no_cover  # what chance covers, another test has to cover anyway
FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])

ODD: list[Any] = [None, True, False, 0, 1, -1, 4, 10**30, 0.5, 1.0, "", "deal", "choose", "white-1", [], {}, [[]]]
odd: st.SearchStrategy[Any] = st.sampled_from(ODD)
json_values: st.SearchStrategy[Any] = st.recursive(
    odd | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("format", "game", "players", "options", "box", "status", "setup", "moves", "scores", "winners", "sealed")


@cache
def records() -> list[Json]:
    """Return records to spoil: just begun, running with all that can be written, finished."""
    running = registan.new("khiva", 2, seed=3)
    for _ in range(3):
        any_turn(running)
    begun = registan.new("khiva", 3, seed=3)
    any_turn(begun)
    return [
        begun.record(legal=True, states=True),
        running.record(states=True),
        random_game(3, 5).record(),
    ]


def spoil(value: Any, path: list[int], how: str, new: Any) -> None:
    """Walk down into a value as far as the path goes, and change what is there."""
    for step in path:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        at = keys[step % len(keys)]
        inside = value[at]
        if step is path[-1] or not isinstance(inside, dict | list):
            break
        value = inside
    if how == "remove":
        del value[at]
    elif how == "double" and isinstance(value, list):
        value.insert(at, deepcopy(value[at]))
    else:
        value[at] = new


def refused(attempt: Callable[[], object]) -> bool:
    """Whether an attempt fails; if so, it is said in both languages why."""
    try:
        attempt()
    except RegistanError as error:
        return bool(error.text("en") and error.text("fr"))
    return False


def told(record: Any) -> None:
    """Replaying either succeeds or says what is wrong."""
    refused(lambda: replay(record, find, number=1))


@FUZZ
@given(value=json_values)
@example(value={})
@example(value=[])
def test_any_json_for_a_record(value: Any) -> None:
    told(value)


@FUZZ
@given(value=st.dictionaries(st.sampled_from(FIELDS), json_values))
def test_any_values_in_the_fields_of_a_record(value: Json) -> None:
    told(value)
    told({**records()[0], **value})


@FUZZ
@given(
    which=st.integers(0, 2),
    path=st.lists(st.integers(0, 500), min_size=1, max_size=6),
    how=st.sampled_from(["remove", "double", "change"]),
    new=json_values,
)
def test_spoilt_records(which: int, path: list[int], how: str, new: Any) -> None:
    record = deepcopy(records()[which])
    spoil(record, path, how, new)
    told(record)


@FUZZ
@given(which=st.integers(0, 2), parts=st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=6)), max_size=4))
def test_spoilt_files(which: int, parts: list[tuple[int, bytes]]) -> None:
    data = dumps(records()[which])
    for at, new in parts:
        cut = at % len(data)
        data = data[:cut] + new + data[cut + len(new) :]
    for _, record in read_lines(io.BytesIO(data)):
        if isinstance(record, BadRecord):
            assert record.text("fr")
        else:
            told(record)


@FUZZ
@given(data=st.binary(max_size=200))
@example(data=b'{"a": "\\ud800"}')
@example(data=b'{"a": 1e999}')
@example(data=b"[" * 100_000)
@example(data=b'{"a":' * 100_000)
def test_any_bytes_for_a_file(data: bytes) -> None:
    for _, record in read_lines(io.BytesIO(data)):
        assert isinstance(record, dict | BadRecord)
        if isinstance(record, dict):
            told(record)


cards = st.lists(st.sampled_from(CARDS) | odd, max_size=3)
moves = st.one_of(
    json_values,
    st.fixed_dictionaries({"do": st.just("choose")}, optional={"play": cards | odd, "give": cards | odd}),
    st.fixed_dictionaries({"do": st.just("move")}, optional={"camel": st.just("white") | odd, "gems": odd}),
    st.fixed_dictionaries({"do": st.just("take")}, optional={"what": st.sampled_from(["salt", "carpet"]) | odd}),
)


def at_the_table(phase: int) -> Match:
    match = deal("white-4 white-1", "blue-1", "pink-1")
    if phase:
        for seat, card in enumerate(("white-4", "blue-1", "pink-1")):
            give = next(c for c in match.view(seat)["hand"] if c != card)
            match.play(seat, {"do": "choose", "play": [card], "give": [give]})
    if phase == 2:
        match.play(0, {"do": "move", "camel": "white", "gems": 0})
    return match


@FUZZ
@given(phase=st.integers(0, 2), seat=st.integers(-1, 4) | odd, move=moves)
def test_any_move(phase: int, seat: Any, move: Any) -> None:
    match = at_the_table(phase)
    before = match.state.tobytes(), match.record()
    if refused(lambda: match.play(seat, move)):
        assert (match.state.tobytes(), match.record()) == before
    else:
        assert match.moves_played == len(before[1]["moves"]) + 1


BOX = GAME.boxes["khiva"].read_bytes()


def boxed(data: bytes) -> None:
    with contextlib.suppress(BadBox):
        GAME.load_box(data, "my.toml")


@FUZZ
@given(data=st.binary(max_size=120) | st.text(max_size=120).map(str.encode))
def test_any_bytes_for_a_box(data: bytes) -> None:
    boxed(data)


@FUZZ
@given(
    parts=st.lists(
        st.tuples(st.integers(0, len(BOX)), st.integers(0, 8), st.sampled_from("09[]{}\"'=.-e_#\n").map(str.encode)),
        min_size=1,
        max_size=5,
    )
)
def test_spoilt_boxes(parts: list[tuple[int, int, bytes]]) -> None:
    data = BOX
    for at, length, new in parts:
        data = data[:at] + new + data[at + length :]
    boxed(data)


@FUZZ
@given(key=st.sampled_from(["key", "camels", "icons", "teapots", "carpets", "salt", "salt_price"]), value=json_values)
def test_odd_values_in_a_box(key: str, value: Any) -> None:
    lines = [line for line in BOX.decode().splitlines() if not line.startswith(f"{key} =")]
    boxed("\n".join([f"{key} = {json.dumps(value)}", *lines]).encode())
