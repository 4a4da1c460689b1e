"""A request with a key is carried out once, however often and over whichever channel it comes."""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Any

import pytest

from registan.tables import events as e
from tests.server.place import Guest, Place

OPEN: list[dict[str, Any]] = [
    {"do": "contribute", "seat": 0, "commitment": hashlib.sha256(bytes(32)).hexdigest()},
    {"do": "place", "seat": 1, "level": "random"},
    {"do": "say", "seat": 0, "text": "hello"},
    {"do": "propose", "seat": 0, "what": "watch none"},
    {"do": "mute", "seat": 0, "whom": 1},
]
RUNNING: list[dict[str, Any]] = [
    {"do": "say", "seat": 0, "phrase": "hello"},
    {"do": "propose", "seat": 0, "what": "pause"},
    {"do": "resume", "seat": 0},
    {"do": "resign", "seat": 0},
]


def once(place: Place, guest: Guest, table: str, request: dict[str, Any], key: str) -> None:
    """Ask twice over REST and once more over WebSocket: all are granted, and there is one event."""
    before = by_people(place, table)
    for _ in range(2):
        guest.ask(table, **request, key=key)
    with guest.socket(table) as socket:
        assert socket.ask(**request, key=key) == {"type": "done", "key": key}
    assert keys(place, table).count(key) == 1, request
    assert by_people(place, table) == before + 1, request


def log(place: Place, table: str) -> list[e.Event]:
    """Return a table's log from the disk."""
    db = sqlite3.connect(place.house.store.path)  # type: ignore[attr-defined]
    rows = db.execute("SELECT data FROM events WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    db.close()
    return [e.loads(data) for (data,) in rows]


def by_people(place: Place, table: str) -> int:
    return sum(not isinstance(event, e.Moved) or event.by == "hand" for event in log(place, table))


def keys(place: Place, table: str) -> list[str]:
    return [event.key.rpartition(" ")[2] for event in log(place, table)]


def test_every_request_is_carried_out_once(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("", ""))
    once(place, bo, table, {"do": "sit", "seat": 2}, "s")
    once(place, bo, table, {"do": "stand", "seat": 2}, "t")
    for i, request in enumerate(OPEN):
        once(place, ann, table, request, f"open{i}")
    ann.ask(table, do="propose", seat=0, what="watch open")
    ann.ask(table, do="place", seat=2, level="random")
    once(place, ann, table, {"do": "start"}, "start")
    assert ann.view(table)["status"] == "dealing"
    before = len(log(place, table))
    for _ in range(2):
        ann.ask(table, do="reveal", seat=0, contribution=bytes(32).hex(), key="reveal")
    assert [type(event) for event in log(place, table)[before : before + 2]] == [e.Revealed, e.Started]
    assert keys(place, table).count("reveal") == 1


def test_requests_of_a_running_game_too(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    bo.sit(table)
    ann.start(table)
    move = ann.view(table)["view"]["legal"][0]
    once(place, ann, table, {"do": "play", "seat": 0, "move": move}, "play")
    once(place, ann, table, {"do": "order", "seat": 0, "orders": {"next": []}}, "order")
    once(place, ann, table, {"do": "undo", "seat": 0}, "undo")
    once(place, ann, table, RUNNING[0], "say")
    once(place, ann, table, RUNNING[1], "pause")
    once(place, bo, table, {"do": "answer", "seat": 1, "yes": True}, "yes")
    once(place, ann, table, RUNNING[2], "resume")
    once(place, ann, table, RUNNING[3], "resign")


def test_a_key_is_the_persons_own(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    bo.ask(table, do="sit", key="k")
    ann.ask(table, do="say", seat=0, text="mine", key="k")
    assert [said["text"] for said in ann.chat(table)] == ["mine"]


def test_what_was_refused_may_be_asked_again_with_its_key(place: Place) -> None:
    ann = place.guest()
    table = ann.new_table("khiva", ("",))
    start = {"do": "start", "key": "k"}
    assert ann.http.post(f"/api/tables/{table}", json=start).status_code == 422
    ann.ask(table, do="place", seat=1, level="random")
    ann.ask(table, **start)
    assert ann.view(table)["status"] == "running"


@pytest.mark.parametrize("after_restart", [False, True])
def test_a_table_is_laid_once(tmp_path_factory: pytest.TempPathFactory, after_restart: bool) -> None:
    store = str(tmp_path_factory.mktemp("house") / "house.db")
    place = Place(store)
    ann, bo = place.guest("Ann"), place.guest("Bo")
    new = {"game": "khiva", "seats": [{"kind": "me"}, {"kind": "me"}], "key": "lay"}
    created = ann.post("/api/tables", **new)
    if after_restart:
        place.close()
        place = Place(store)
        guests = [place.guest(None), place.guest(None)]
        for guest, old in zip(guests, (ann, bo)):
            guest.http.cookies.update(old.http.cookies)
        ann, bo = guests
    assert ann.post("/api/tables", **new)["table"] == created["table"]
    assert bo.post("/api/tables", **new)["table"] != created["table"]
    assert ann.post("/api/tables", **new | {"key": "other"})["table"] != created["table"]
    table = created["table"]
    ann.start(table)
    ann.ask(table, do="propose", seat=0, what="abandon")
    again = ann.post(f"/api/tables/{table}/rematch", key="again")
    assert ann.post(f"/api/tables/{table}/rematch", key="again") == again
    assert ann.post(f"/api/tables/{table}/rematch") == again  # without a key too
    assert len(ann.get("/api/me/tables")) == 3
    place.close()
