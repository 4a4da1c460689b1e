"""A host deletes a table: it is gone for everybody, and its link says so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.sync.client import connect

from registan.server.storage.reading import reading
from registan.server.storage.replaying import table_ids
from registan.server.storage.store import Conflict, Store, open_store
from registan.server.storage.summary import PARTS
from registan.server.storage.transfer import export_all
from tests.server.conftest import fresh_database
from tests.server.place import Guest, Place
from tests.server.test_storage import summary, with_store


def refusal(guest: Guest, table: str, way: str = "", method: str = "GET") -> tuple[int, str]:
    answer = guest.http.request(method, f"/api/tables/{table}{way}")
    return answer.status_code, answer.json()["error"] if answer.content else ""


GONE = (410, "error.house.deleted")


def test_a_table_is_gone_for_everybody_and_says_so(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",), listed=True)
    bo.sit(table)
    assert [card["deletable"] for guest in (ann, bo) for card in guest.get("/api/me/tables")] == [True, False]
    assert refusal(bo, table, method="DELETE") == (403, "error.house.not_host")
    with bo.socket(table) as watching:
        watching.ask(do="watch", seat=1)
        assert refusal(ann, table, method="DELETE") == (204, "")
        while (told := watching.next())["type"] != "ended":
            pass
        assert (told["seat"], told["error"], told["text"]) == (1, GONE[1], "The host has deleted this table.")
    for way in ("", "/seats", "/chat", "/record", "/moments/0", "/points"):
        assert refusal(bo, table, way) == GONE, way
    assert refusal(ann, table, method="DELETE") == GONE
    assert bo.http.post(f"/api/tables/{table}", json={"do": "say", "seat": 1, "text": "?"}).status_code == 410
    assert [guest.get("/api/me/tables") for guest in (ann, bo)] == [[], []]
    assert ann.get("/api/tables") == []
    with connect(bo.url.replace("http", "ws", 1) + f"/api/tables/{table}/live", proxy=None) as late:
        assert msgspec.json.decode(late.recv(timeout=20))["error"] == GONE[1]


def test_a_running_game_with_others_goes_on_until_they_agree(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    bo.sit(table)
    ann.start(table)
    assert not ann.get("/api/me/tables")[0]["deletable"]
    assert refusal(ann, table, method="DELETE") == (422, "error.house.delete_running")
    ann.ask(table, do="propose", seat=0, what="abandon")
    bo.ask(table, do="answer", seat=1, yes=True)
    again = bo.post(f"/api/tables/{table}/rematch")["table"]
    assert refusal(bo, again, method="DELETE") == (204, "")
    anew = ann.post(f"/api/tables/{table}/rematch")["table"]  # the deleted one does not stand in the way
    assert anew != again
    assert ann.view(table)["rematch"] == {"seat": 0, "table": anew}
    assert refusal(ann, table, method="DELETE") == (204, "")


def test_a_game_with_bots_alone_can_be_deleted_while_they_think(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("random", "random"))
    move = ann.view(table)["view"]["legal"][0]
    ann.ask(table, do="play", seat=0, move=move)
    assert refusal(ann, table, method="DELETE") == (204, "")
    assert refusal(ann, table) == GONE


def test_nothing_of_it_stays_in_the_store(url: str) -> None:
    async def use(store: Store) -> None:
        await store.append(summary(), 0, [b"one", b"two"])
        await store.append(summary("t2"), 0, [b"other"])
        for part in ("snapshots", "saves"):
            await store.execute(f"INSERT INTO {part} VALUES ('t1', 2, $1)", b"data")
        with pytest.raises(Conflict):
            await store.delete(summary(), 1)
        await store.delete(summary(), 2)
        await store.keep_snapshot("t1", 2, b"late")
        for part in PARTS:
            assert await store.fetch(f"SELECT 1 FROM {part} WHERE table_id = 't1'") == [], part
        for seen in (0, 2):
            with pytest.raises(Conflict):
                await store.append(summary(), seen, [b"late"])
        assert [card.table for card in await store.tables_of("ann", 10)] == ["t2"]
        assert [card.table for card in await store.listed(10)] == ["t2"]
        assert await store.unfinished() == ["t2"]
        assert len([line async for line in export_all(store)]) == 1

    async def check() -> None:
        async with reading(url) as reader:
            assert await table_ids(reader) == ["t2"]

    with_store(url, use)
    asyncio.run(check())


def test_another_process_learns_of_it_and_a_restart_changes_nothing(postgres: str) -> None:
    store = fresh_database(postgres)
    east, west = Place(store), Place(store)
    try:
        ann, bo = east.guest("Ann"), west.guest("Bo")
        table = ann.new_table("khiva", ("",))
        bo.sit(table)
        with bo.socket(table) as watching:
            watching.ask(do="watch", seat=1)
            assert refusal(ann, table, method="DELETE") == (204, "")
            while (told := watching.next())["type"] != "ended":
                pass
            assert told["error"] == GONE[1]
        assert refusal(bo, table) == GONE
    finally:
        east.close()
        west.close()


def test_a_process_that_was_not_told_finds_out(tmp_path: Path) -> None:
    place = Place(str(tmp_path / "house.db"))
    try:
        ann = place.guest("Ann")
        table = ann.new_table("khiva", ("",))

        async def behind_its_back() -> None:
            store: Any = await open_store(str(tmp_path / "house.db"))
            live = place.house.in_memory(table)
            assert live is not None
            await store.delete(summary(table), live.table.seq)
            await store.close()

        place.run(behind_its_back())
        answer = ann.http.post(f"/api/tables/{table}", json={"do": "say", "seat": 0, "text": "?"})
        assert (answer.status_code, answer.json()["error"]) == GONE
        assert refusal(ann, table) == GONE
    finally:
        place.close()
