"""Records: written, read, replayed, and every way to tamper with one noticed at its place."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import registan
from registan.core.errors import BadRecord, IllegalMove
from registan.core.game import Json
from registan.core.match import Match
from registan.core.record import Checked, dumps, read_lines, replay
from registan.core.registry import find, keys
from registan.games.khiva import GAME
from tests.core.tampering import TAMPERED, card_not_held
from tests.games.khiva.table import random_game


@cache
def a_game(players: int = 3) -> Json:
    return random_game(players, 2).record(legal=True, states=True)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_written_can_be_read_and_replayed(players: int) -> None:
    record = a_game(players)
    [(number, read)] = read_lines(io.BytesIO(dumps(record) + b"\n"))
    assert number == 1
    assert read == record
    match = registan.replay(record)
    assert match.over
    assert match.record(legal=True, states=True) == record


def play_on(match: Match, chance: random.Random) -> None:
    while not match.over:
        seat = chance.choice(match.waiting)
        match.play_action(seat, chance.choice(match.actions(seat)))


@pytest.mark.parametrize("key", keys())
def test_records_of_every_game_replay(key: str) -> None:
    match = registan.new(key, 3, seed=4)
    play_on(match, random.Random(4))
    record = match.record(legal=True, states=True)
    assert registan.replay(record).record(legal=True, states=True) == record
    # `registan check` replays without keeping what undoing needs, and comes to the same.
    assert replay(record, find, kind=Checked).record(legal=True, states=True) == record


@pytest.mark.parametrize("kind", [Match, Checked])
def test_an_illegal_move_is_found_by_any_kind_of_match(kind: type[Match]) -> None:
    record = deepcopy(a_game())
    at = next(i for i, line in enumerate(record["moves"]) if line.get("do") == "move")
    record["moves"][at]["gems"] = 4
    with pytest.raises(BadRecord) as caught:
        replay(record, find, kind=kind)
    assert caught.value.move == at + 1


def test_who_might_have_stopped_is_checked() -> None:
    match = registan.new("souk", 3, seed=4)
    play_on(match, random.Random(4))
    record = match.record(legal=True)
    at, line = next((i, line) for i, line in enumerate(record["moves"], 1) if "may_stop" in line)
    line["may_stop"] = [*line["may_stop"], 9]
    error = fault(record)
    assert error.move == at
    assert "“may_stop” is" in error.text()


def test_other_lists_may_be_in_any_order() -> None:
    record = deepcopy(a_game())
    for line in record["moves"]:
        for part in ("hands", "teapots", "undelivered", "delivered", "salt"):
            line["state"][part] = [piece[::-1] for piece in line["state"][part]]
        line.get("legal", []).reverse()
    record["setup"]["hands"] = [hand[::-1] for hand in record["setup"]["hands"]]
    record["winners"].reverse()
    assert registan.replay(record).over


def test_a_bare_record_is_enough() -> None:
    record = deepcopy(a_game())
    for line in record["moves"]:
        line.pop("state")
        line.pop("legal", None)
    assert registan.replay({**record, "names": ["Ann"], "seed": 7}).scores() == record["scores"]


@pytest.mark.parametrize("status", ["running", "abandoned"])
def test_a_game_that_has_not_ended_is_replayed_as_far_as_it_goes(status: str) -> None:
    record = deepcopy(a_game())
    del record["moves"][5:]
    record |= {"status": status, "scores": None, "winners": None}
    assert not registan.replay(record).over
    assert len(registan.replay(record).written) == 5


def fault(record: Any, number: int | None = 4) -> BadRecord:
    with pytest.raises(BadRecord) as error:
        replay(record, find, number=number)
    assert error.value.line == number
    assert error.value.text("fr") != ""
    return error.value


@pytest.mark.parametrize(("tamper", "why"), TAMPERED, ids=[tamper.__name__ for tamper, _ in TAMPERED])
def test_tampering_is_noticed_at_its_place(tamper: Callable[[Json], int | None], why: str) -> None:
    record = deepcopy(a_game())
    at = tamper(record)
    error = fault(record)
    assert error.move == at
    assert why in error.text()
    assert error.text().startswith("line 4" if at is None else f"line 4, move {at}: ")
    assert error.text("fr").startswith("ligne 4" if at is None else f"ligne 4, coup {at}")


def test_the_broken_rule_is_told_in_both_languages() -> None:
    record = deepcopy(a_game())
    card_not_held(record)
    error = fault(record, None)
    assert isinstance(error.why, IllegalMove)
    assert error.why.rule == "K3"
    assert error.text("en").startswith("move 2: K3: All of you")
    assert error.text("fr").startswith("coup 2: K3: ")


def test_what_is_no_record_is_said_to_be_none() -> None:
    nothing: list[Any] = [[], None, "khiva", 7]
    for value in nothing:
        assert "must be an object" in fault(value).text()


def test_a_file_of_games_is_read_line_by_line() -> None:
    good = dumps({"format": "registan/1"})
    cut = dumps(a_game())[:-40]
    data = b"\n".join([good, b"", cut, b"[1, 2]", b"\xff\xfe", b"[" * 50_000, b"   ", good])
    found = list(read_lines(io.BytesIO(data)))
    assert [number for number, _ in found] == [1, 3, 4, 5, 6, 8]
    kinds = [type(record).__name__ for _, record in found]
    assert kinds == ["dict", "BadRecord", "BadRecord", "BadRecord", "BadRecord", "dict"]
    texts = [record.text() for _, record in found if isinstance(record, BadRecord)]
    assert texts[0].startswith("line 3: This is not JSON: ")
    assert texts[1] == "line 4: A record must be an object."


def test_a_record_is_one_line_of_json() -> None:
    data = dumps(a_game())
    assert b"\n" not in data
    assert json.loads(data) == a_game()


def test_a_record_of_another_box_is_replayed_with_that_box(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(GAME.boxes["khiva"].read_text("utf-8").replace('key = "khiva"', 'key = "mine"'), "utf-8")
    record = registan.new("khiva", 3, seed=1, box=mine).record()
    assert registan.replay(record, box=mine).box.key == "mine"
    assert "We have no box “mine”" in fault(record).text()
    mine.write_text(mine.read_text("utf-8") + "\n# another\n", "utf-8")
    with pytest.raises(BadRecord, match="differs from that of the record"):
        registan.replay(record, box=mine)
