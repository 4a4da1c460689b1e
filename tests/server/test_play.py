"""Playing in the house: whole games, updates, absence, double clicks, restarts."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from registan.core.registry import find
from registan.server.limits import ABSENT
from registan.server.live import house
from registan.tables.fairness import verify
from tests.server.conftest import fresh_database
from tests.server.place import Guest, Place, Socket, until


def play_on(sockets: dict[int, Socket], rng: random.Random, moves: int = 10_000) -> None:
    """Let people at their sockets play at random until the game is over, or so many moves are made."""
    while moves and not all(s.views[seat]["status"] == "over" for seat, s in sockets.items()):
        for seat, socket in sockets.items():
            legal = socket.views[seat]["view"]["legal"]
            if not legal:
                continue
            answer = socket.ask(do="play", seat=seat, move=rng.choice(legal), key=str(rng.random()))
            assert answer["type"] == "done" or "error" in answer
            moves -= 1
        for socket in sockets.values():
            socket.catch_up()


@pytest.mark.parametrize("game", ["khiva", "samarkand"])
def test_two_people_and_a_bot_play_a_whole_game(place: Place, game: str) -> None:
    ann, bo, eve = place.guest("Ann"), place.guest("Bo"), place.guest(None)
    table = ann.new_table(game, ("", "random"))
    bo.sit(table)
    ann.start(table)
    with ann.socket(table) as one, bo.socket(table) as two, eve.socket(table) as watching:
        one.ask(do="watch", seat=0)
        two.ask(do="watch", seat=1)
        watching.ask(do="watch")
        play_on({0: one, 1: two}, random.Random(1))
        watching.until(lambda view: view["status"] == "over", None)
        live = place.run(place.house.table(table))
        until(lambda: live.table.finished)  # a card may still be sold when the game is over for all others
        for socket, seat in ((one, 0), (two, 1), (watching, None)):
            last = live.table.seq_of(-1 if seat is None else seat)
            socket.until(lambda view, last=last: view["seq"] == last, seat)
        # Views patched all the way are the views that are given now.
        assert one.views[0] == ann.view(table, 0)
        assert two.views[1] == bo.view(table, 1)
        assert watching.views[None] == eve.view(table, None)
    record = eve.get(f"/api/tables/{table}/record")
    points = eve.get(f"/api/tables/{table}/points")
    assert len(points) == len(record["moves"]) + 1
    assert points[-1] == [score["total"] for score in record["scores"]]
    assert record["status"] == "finished"
    assert record["names"][:2] == ["Ann", "Bo"]
    verify(record, find)
    moments = len(ann.view(table, 0)["log"])
    assert ann.get(f"/api/tables/{table}/moments/0")["asked"] != "over"
    assert ann.get(f"/api/tables/{table}/moments/{moments}", seat=0)["asked"] == "over"
    again = bo.post(f"/api/tables/{table}/rematch")["table"]
    assert [seat["name"] for seat in ann.view(again, None)["seats"]] == ["Bo", "", "Ann"]


def test_a_rematch_is_one_table_however_many_ask_for_it(place: Place) -> None:
    ann, bo, eve = place.guest("Ann"), place.guest("Bo"), place.guest("Eve")
    table = ann.new_table("khiva", ("",))
    bo.sit(table)
    ann.start(table)
    assert bo.http.post(f"/api/tables/{table}/rematch").status_code == 422
    ann.ask(table, do="propose", seat=0, what="abandon")
    bo.ask(table, do="answer", seat=1, yes=True)
    assert eve.http.post(f"/api/tables/{table}/rematch").status_code == 403
    with ann.socket(table) as watching:
        watching.ask(do="watch", seat=0)
        assert watching.views[0]["rematch"] is None
        with ThreadPoolExecutor(8) as together:
            asked = list(together.map(lambda who: who.post(f"/api/tables/{table}/rematch")["table"], [ann, bo] * 4))
        assert len(set(asked)) == 1
        told = watching.until(lambda view: view["rematch"])
    assert told["rematch"]["table"] == asked[0]
    assert ann.view(table, None)["rematch"] == told["rematch"]  # after a reload too
    assert [seat["name"] for seat in bo.view(asked[0], None)["seats"]] == ["Bo", "Ann"]
    assert len(bo.get("/api/me/tables")) == 2


def test_who_was_away_gets_what_was_missed(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    bo.sit(table)
    ann.start(table)
    with bo.socket(table) as stays:
        stays.ask(do="watch", seat=1)
        with ann.socket(table) as first:
            first.ask(do="watch", seat=0)
            known = first.views[0]
        stays.ask(do="say", seat=1, text="are you there?")
        stays.ask(do="play", seat=1, move=stays.views[1]["view"]["legal"][0])
        with ann.socket(table) as second:
            second.views[0] = known
            second.ask(do="watch", seat=0, seq=known["seq"])
            assert [m["type"] for m in second.heard] == ["hello", "update", "chat", "done"]
            assert second.views[0] == ann.view(table, 0)
            second.ask(do="watch", seat=0, seq=second.views[0]["seq"])
            assert [m["type"] for m in second.heard[4:]] == ["done"]
            second.ask(do="watch", seat=0, seq=99_999)
            assert second.heard[-2]["type"] == "view"
        for _ in range(ABSENT // 2 + 1):
            assert stays.ask(do="propose", seat=1, what="pause")["type"] == "done"
            assert stays.ask(do="answer", seat=1, yes=False)["type"] == "done"
        with ann.socket(table) as third:  # she was away for too long: the whole view is shorter
            third.ask(do="watch", seat=0, seq=known["seq"])
            assert [m["type"] for m in third.heard] == ["hello", "view", "chat", "done"]
            assert third.views[0] == ann.view(table, 0)


def test_a_double_click_is_one_move(place: Place) -> None:
    ann = place.guest()
    table = ann.new_table("samarkand", ("",), pace={"kind": "days", "days": 2})
    place.guest("Bo").sit(table)
    ann.start(table)
    before = ann.view(table)
    if not before["view"]["legal"]:
        return  # the other one begins: nothing to click
    move = before["view"]["legal"][0]
    first = ann.ask(table, do="play", seat=0, move=move, key="click")
    assert ann.ask(table, do="play", seat=0, move=move, key="click") == first


def test_an_illegal_move_is_refused_with_its_rule_in_ones_language(place: Place) -> None:
    ann = place.guest()
    ann.post("/api/me", name="Ann", lang="fr")
    table = ann.new_table()
    card = ann.view(table)["view"]["hand"][0]
    bad = {"do": "choose", "play": [card], "give": [card]}
    answer = ann.http.post(f"/api/tables/{table}", json={"do": "play", "seat": 0, "move": bad})
    assert answer.status_code == 409
    assert answer.json()["rule"] == "K3"
    assert answer.json()["text"].startswith("K3: Vous choisissez")
    with ann.socket(table) as socket:
        told = socket.ask(do="play", seat=0, move=bad, key="k")
        assert (told["type"], told["rule"], told["key"]) == ("refused", "K3", "k")


def test_a_person_moves_to_another_device(place: Place) -> None:
    ann, phone = place.guest(), place.guest(None)
    table = ann.new_table()
    token = ann.post("/api/me/handover")["token"]
    assert phone.post("/api/handover", token=token) == ann.get("/api/me")
    assert phone.view(table, 0)["you"] == 0
    assert phone.http.post("/api/handover", json={"token": token[:-2]}).status_code == 422


def test_tables_are_found(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    hidden, listed = ann.new_table("khiva", ("",)), ann.new_table("khiva", ("",), listed=True)
    tables = [card["table"] for card in bo.get("/api/tables")]
    assert listed in tables
    assert hidden not in tables
    mine = ann.get("/api/me/tables")
    assert {card["table"] for card in mine} == {hidden, listed}
    assert bo.get("/api/me/tables") == []


def test_time_runs_out_by_itself_and_a_bot_plays(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("souk", ("", "random"), pace={"kind": "live", "bank": 10, "tick": 0.5})
    bo.sit(table)
    ann.start(table)
    with ann.socket(table) as socket:
        socket.ask(do="watch", seat=0)
        for guest, seat in ((ann, 0), (bo, 1)):
            guest.ask(table, do="play", seat=seat, move=guest.view(table, seat)["view"]["legal"][0])
        seen = socket.until(lambda view: view["counting"] is not None)
        start = seen["counting"]
        # Nobody touches anything, and the price falls by the clock.
        later = socket.until(lambda view: view["view"]["price"] is not None and view["view"]["price"] <= 8)
        assert later["counting"] - start >= 900


def test_a_refused_request_does_not_swallow_what_the_clock_has_brought(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("samarkand", ("",), pace={"kind": "live", "bank": 600})
    bo.sit(table)
    ann.start(table)
    seats = {0: ann, 1: bo}
    asked = ann.view(table)["view"]["waiting"][0]
    move = seats[asked].view(table, asked)["view"]["legal"][0]
    right = place.house.now
    place.house.now = lambda: right() + 3_600_000
    try:
        late = seats[asked].http.post(f"/api/tables/{table}", json={"do": "play", "seat": 1 - asked, "move": move})
        assert late.is_client_error
        with seats[1 - asked].socket(table) as socket:
            socket.ask(do="watch", seat=1 - asked)
            socket.until(lambda view: view["view"]["waiting"] != [asked], 1 - asked)
    finally:
        place.house.now = right


def test_a_bot_whose_move_could_not_be_kept_is_asked_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("samarkand", ("random",))
    store, kept = place.house.store, place.house.store.append
    failed: list[list[bytes]] = []

    async def full_once(summary: Any, seen: int, events: list[bytes]) -> None:
        if not failed and b'"by":"bot"' in b"".join(events):
            failed.append(events)
            raise OSError("disk full")
        await kept(summary, seen, events)

    monkeypatch.setattr(store, "append", full_once)
    monkeypatch.setattr(house, "RETRY_SECONDS", 0)
    with ann.socket(table) as socket:
        socket.ask(do="watch", seat=0)
        while not failed or socket.views[0]["view"]["waiting"] != [0]:
            legal = socket.views[0]["view"]["legal"]
            if legal:
                socket.ask(do="play", seat=0, move=legal[0])
            else:
                socket.next()


def test_bots_and_tables_survive_a_restart(tmp_path: Path) -> None:
    store = str(tmp_path / "house.db")
    first = Place(store)
    ann = first.guest()
    table = ann.new_table("khiva", ("random", "random"))
    for _ in range(3):
        move_when_asked(ann, table)
    view = ann.view(table)
    first.close()
    second = Place(store)
    try:
        back = second.guest(None)
        back.http.cookies.update(ann.http.cookies)
        until(lambda: bool(back.view(table)["view"]["legal"]))
        assert len(back.view(table)["log"]) >= len(view["log"])
        move_when_asked(back, table)
    finally:
        second.close()


def move_when_asked(guest: Guest, table: str) -> None:
    until(lambda: bool(guest.view(table)["view"]["legal"]))
    guest.ask(table, do="play", seat=0, move=guest.view(table)["view"]["legal"][0])


def test_two_processes_share_the_tables(postgres: str) -> None:
    url = fresh_database(postgres)
    east, west = Place(url), Place(url)
    try:
        ann, bo = east.guest("Ann"), west.guest("Bo")
        table = ann.new_table("khiva", ("",))
        bo.sit(table)
        until(lambda: ann.view(table)["seats"][1]["name"] == "Bo")
        ann.start(table)
        # Whichever process has dealt, the other learns of it by announcement.
        until(lambda: ann.view(table)["view"] is not None and bo.view(table, 1)["view"] is not None)
        with ann.socket(table) as one, bo.socket(table) as two:
            one.ask(do="watch", seat=0)
            two.ask(do="watch", seat=1)
            play_on({0: one, 1: two}, random.Random(3), moves=20)
            until(lambda: len(ann.view(table)["log"]) == len(bo.view(table, 1)["log"]) > 3)
    finally:
        east.close()
        west.close()


def test_the_host_may_name_who_begins(place: Place) -> None:
    ann = place.guest("Ann")
    offices = {card["game"]: card["first"] for card in ann.get("/api/games")}
    assert offices == {"samarkand": "start_player", "khiva": "", "souk": "first_doyen"}
    table = ann.new_table("souk", first=2)
    assert ann.view(table)["first"] == 2
    assert ann.view(table)["view"]["doyen"] == 2
    seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
    answer = ann.http.post("/api/tables", json={"game": "khiva", "seats": seats, "first": 0})
    assert (answer.status_code, answer.json()["error"]) == (422, "error.first")
