"""Studies over HTTP: records and finished tables, moment by moment, and playing on against bots."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from registan.server.limits import RATES, STUDY_BODY, STUDY_MOMENTS, Buckets, Rate
from registan.tables.patch import apply
from tests.server.place import PATIENT, Guest, Place
from tests.tables.test_study import records


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


@pytest.fixture(scope="module")
def finished(ann: Guest) -> str:
    """Return a table whose game was given up after some moves."""
    table = ann.new_table("khiva", ("random", "random"))
    for _ in range(3):
        while not (legal := ann.view(table)["view"]["legal"]):
            pass
        ann.ask(table, do="play", seat=0, move=legal[0])
    ann.ask(table, do="propose", seat=0, what="abandon")
    return table


def last_of(studied: Any) -> Any:
    """Return the last moment."""
    shown = studied["first"]
    for patch in studied["patches"]:
        shown = apply(shown, patch)
    return shown


def refused(guest: Guest, **body: Any) -> httpx.Response:
    answer = guest.http.post("/api/study", json=body)
    assert answer.status_code >= 400, answer.text
    return answer


def test_a_finished_table_is_open_to_every_view(place: Place, ann: Guest, finished: str) -> None:
    record = ann.get(f"/api/tables/{finished}/record")
    lines = len(record["moves"])
    anybody = place.guest(None)
    for seat in (None, 0, 1, 2):
        told = anybody.post("/api/study", table=finished, seat=seat, at=0, to=lines)
        assert (told["lines"], told["game"], told["players"]) == (lines, "khiva", 3)
        assert len(told["patches"]) == min(lines, STUDY_MOMENTS - 1)
        assert told["first"]["view"]["seat"] == seat
        assert told == anybody.post("/api/study", record=record, seat=seat, at=0, to=lines)
    assert told["points"] == ann.get(f"/api/tables/{finished}/points")[: len(told["points"])]
    mine = ann.get(f"/api/tables/{finished}/moments/{len(told['read'])}", seat=0)
    assert last_of(anybody.post("/api/study", table=finished, seat=0, at=lines))["view"] == mine


def test_nothing_of_a_running_table_is_told(place: Place, ann: Guest) -> None:
    table = ann.new_table("khiva", ("random", "random"))
    for guest in (ann, place.guest(None)):
        plays: list[dict[str, Any]] = [{}, {"moves": []}, {"moves": [], "bots": "random"}]
        for more in plays:
            answer = refused(guest, table=table, seat=0, **more)
            assert (answer.status_code, answer.json()["error"]) == (422, "error.house.not_over")
    assert refused(ann, table="nowhere").status_code == 404


def test_looking_back_in_a_running_game_shows_the_own_view_only(place: Place, ann: Guest) -> None:
    bo = place.guest("Bo")
    table = ann.new_table("samarkand", ("",), watch="none")
    bo.sit(table)
    ann.start(table)
    players = (ann, bo)
    for _ in range(6):
        view = ann.view(table)["view"]
        mover = view["waiting"][0]
        move = players[mover].view(table, mover)["view"]["legal"][0]
        players[mover].ask(table, do="play", seat=mover, move=move)
    for seat, guest in enumerate(players):
        log = guest.view(table, seat)["log"]
        told = guest.get(f"/api/tables/{table}/moments", seat=seat, at=0, to=len(log))
        assert (told["lines"], told["read"], told["points"]) == (len(log), list(range(1, len(log) + 1)), [])
        assert last_of(told)["log"] == log
        hands = [guest.get(f"/api/tables/{table}/moments/{line}", seat=seat) for line in range(len(log) + 1)]
        shown = told["first"]
        for line, patch in enumerate([[], *told["patches"]]):
            shown = apply(shown, patch)
            assert shown["view"] == hands[line]
        other = guest.http.get(f"/api/tables/{table}/moments", params={"seat": 1 - seat})
        assert (other.status_code, other.json()["error"]) == (403, "error.house.not_your_seat")
        assert guest.http.get(f"/api/tables/{table}/moments").status_code == 403
    assert place.guest(None).http.get(f"/api/tables/{table}/moments", params={"seat": 0}).status_code == 403


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_a_branch_goes_on_with_bots_until_the_seat_is_asked(ann: Guest, game: str) -> None:
    record = records(game)[-1]
    at, rng = len(record["moves"]) // 2, random.Random(3)
    body: dict[str, Any] = {"record": record, "at": at, "seat": 1, "bots": "greedy", "seed": 5}
    told = ann.post("/api/study", moves=[], **body)
    assert told["at"] <= at
    for _ in range(3):
        shown = last_of(told)
        assert shown["status"] == "over" or 1 in shown["view"]["waiting"]
        if shown["status"] == "over":
            break
        told = ann.post("/api/study", moves=[*told["moves"], {"seat": 1, **rng.choice(shown["view"]["legal"])}], **body)
    again = ann.post("/api/study", moves=told["moves"], **body)
    assert again == told
    rebuilt = ann.post("/api/study", **{**body, "moves": told["moves"], "bots": None})
    assert rebuilt == told, "without bots the same moves lead to the same position"
    assert len(told["points"]) == len(told["patches"]) + 1


def test_refusals_say_why(ann: Guest, finished: str) -> None:
    record = records("khiva")[-1]
    answer = refused(ann, record=record, seat=0, moves=[{"seat": 0, "do": "take", "what": "salt"}])
    assert (answer.status_code, answer.json()["error"], answer.json()["rule"]) == (409, "illegal", "K3")
    spoiled = {**record, "moves": [record["moves"][1], *record["moves"][1:]]}
    answer = refused(ann, record=spoiled)
    assert (answer.status_code, answer.json()["error"]) == (422, "record")
    assert "move 2" in answer.json()["text"]
    wrong: list[tuple[dict[str, Any], int]] = [
        ({}, 422),
        ({"record": record, "table": finished}, 422),
        ({"record": record, "seat": 9}, 400),
        ({"table": finished, "seat": 3}, 422),
        ({"table": finished, "at": 9999}, 422),
        ({"table": finished, "at": 3, "to": 1}, 422),
        ({"table": finished, "at": -1}, 400),
        ({"table": finished, "moves": [], "bots": "search:9999999"}, 422),
        ({"table": finished, "moves": [{"seat": 0}]}, 422),
        ({"table": finished, "moves": [3]}, 400),
        ({"table": finished, "moves": [], "at": 9999}, 422),
        ({"table": finished, "moves": [], "seat": 0, "orders": {"do": "wait"}}, 422),
        ({"table": finished, "moves": [], "seed": -1}, 400),
        ({"table": "../etc"}, 400),
        ({"record": []}, 400),
        ({"record": record, "box": "]"}, 422),
        ({"colour": "red"}, 400),
    ]
    for body, status in wrong:
        assert refused(ann, **body).status_code == status, body
    assert refused(ann, record={"x": "y" * STUDY_BODY}).status_code == 413


def spoil(value: Any, rng: random.Random) -> Any:
    """Return JSON with something in it that does not belong there."""
    odd: list[Any] = [None, -1, 10**30, 1.5, "", "\0", [], {}, True, [[[]]], "white-4", {"seat": 0}]
    if rng.random() < 0.1 or not isinstance(value, (dict, list)) or not value:
        return rng.choice(odd)
    if isinstance(value, list):
        i = rng.randrange(len(value))
        cut = rng.random() < 0.2
        return value[:i] + ([] if cut else [spoil(value[i], rng)]) + value[i + 1 :]
    key = rng.choice(list(value))
    if rng.random() < 0.2:
        return {k: v for k, v in value.items() if k != key}
    return {**value, key: spoil(value[key], rng)}


def test_spectators_who_see_all_hands_find_nothing_later_in_moments(place: Place, ann: Guest) -> None:
    bo = place.guest("Bo")
    table = ann.new_table("samarkand", ("",), watch="hands", delay=1)
    bo.sit(table)
    ann.start(table)
    stranger, players = place.guest(None), (ann, bo)
    for _ in range(7):
        views = [guest.view(table, seat)["view"] for seat, guest in enumerate(players)]
        seat = next(seat for seat, view in enumerate(views) if view["legal"])
        players[seat].ask(table, do="play", seat=seat, move=views[seat]["legal"][0])
    shown = stranger.view(table, None)
    last, lines = len(shown["log"]), len(ann.view(table, None)["log"])
    assert last < lines
    told = stranger.get(f"/api/tables/{table}/moments", at=0, to=lines)
    assert (told["lines"], last_of(told)["view"]) == (last, shown["view"])
    assert stranger.get(f"/api/tables/{table}/moments/{last}") == shown["view"]
    assert stranger.http.get(f"/api/tables/{table}/moments/{last + 1}").status_code == 422
    assert ann.get(f"/api/tables/{table}/moments", at=0, to=lines)["lines"] == lines, "players look on at the present"


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_no_record_is_too_odd(ann: Guest, game: str, capfd: pytest.CaptureFixture[str]) -> None:
    rng, good = random.Random(11), records(game)[0]
    good = {**good, "moves": good["moves"][:20], "status": "running", "scores": None, "winners": None}
    statuses = set()
    for _ in range(60):
        body = {"record": good, "seat": 0, "at": 3, "moves": [{"seat": 0, "do": "pass"}], "orders": {"1": "sell"}}
        answer = ann.http.post("/api/study", json=spoil(body, rng))
        statuses.add(answer.status_code)
        assert answer.status_code in (200, 400, 404, 409, 422), answer.text
    assert {400, 422} <= statuses
    deep = b'{"record":{"format":"registan/1","options":' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}}"
    assert ann.http.post("/api/study", content=deep).status_code in (400, 422)
    written = capfd.readouterr().err
    assert "Traceback" not in written
    assert "failed" not in written


def test_studies_have_their_own_rate(place: Place, ann: Guest, finished: str) -> None:
    place.house.buckets = Buckets(dict.fromkeys(RATES, Rate(1e9, 1e9)) | {"study": Rate(3, 1e-6)})
    try:
        ask: list[Callable[[], httpx.Response]] = [
            lambda: ann.http.post("/api/study", json={"table": finished}),
            lambda: ann.http.get(f"/api/tables/{finished}/moments", params={"seat": 0}),
        ]
        codes = [ask[i % 2]().status_code for i in range(5)]
        assert codes == [200] * 3 + [429] * 2
    finally:
        place.house.buckets = PATIENT
