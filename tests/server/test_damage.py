"""A damaged row in the database costs what it says, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from registan.core.errors import BadInput
from registan.server.errors import Unavailable
from registan.server.live.house import House
from registan.server.notices.queue import Notice, NoticeQueue
from registan.server.storage.store import Store, Stored, open_store
from registan.server.storage.summary import summarize
from registan.server.storage.transfer import export_all, import_line
from registan.tables import events as e
from registan.tables.creation import create
from registan.tables.pace import Pace
from registan.tables.requests import Start
from registan.tables.seats import Seat
from registan.tables.table import replay
from tests.server.place import Guest, Place, until
from tests.tables.house import SECRET, people


def damage(url: str, sql: str, *values: Any) -> None:
    async def work() -> None:
        store = await open_store(url)
        assert await store.execute(sql, *values) == 1
        await store.close()

    asyncio.run(work())


def finished(guest: Guest) -> str:
    """Play a short game to its end."""
    table = guest.new_table("khiva", ("random", "random"), pace={"kind": "free"})
    while (view := guest.view(table))["status"] == "running":
        if view["view"]["legal"]:
            guest.ask(table, do="play", seat=0, move=view["view"]["legal"][0])
    return table


def test_a_damaged_summary_hides_only_its_own_table(url: str) -> None:
    place = Place(url)
    ann = place.guest("Ann")
    bad, good = ann.new_table("khiva", ("",), listed=True), ann.new_table("khiva", ("",), listed=True)
    damage(url, "UPDATE tables SET card = $1 WHERE id = $2", b"nonsense", bad)
    assert [table["table"] for table in place.guest("Bo").get("/api/tables")] == [good]
    assert [table["table"] for table in ann.get("/api/me/tables")] == [good]
    assert ann.view(bad)["status"] == "open"
    assert ann.http.get(f"/t/{bad}").status_code in (200, 503)  # 503 if the app is not built
    ann.new_table("khiva", ("",))
    ann.ask(bad, do="say", seat=0, text="Here I am")  # which writes the summary again
    assert {bad, good} <= {table["table"] for table in ann.get("/api/me/tables")}
    place.close()


def test_a_table_with_a_damaged_summary_is_exported(url: str) -> None:
    place = Place(url)
    table = place.guest("Ann").new_table("khiva", ("",))
    place.close()

    async def exported() -> list[bytes]:
        store = await open_store(url)
        lines = [line async for line in export_all(store)]
        await store.close()
        return lines

    before = asyncio.run(exported())
    damage(url, "UPDATE tables SET card = $1 WHERE id = $2", b"nonsense", table)
    assert asyncio.run(exported()) == before


def test_without_its_snapshot_a_game_is_replayed(url: str) -> None:
    place = Place(url)
    ann = place.guest("Ann")
    table = finished(ann)
    until(lambda: place.run(place.house.store.snapshot(table)) is not None)
    place.loop.call_soon_threadsafe(place.house.unload, table)
    until(lambda: place.house.in_memory(table) is None)
    before = ann.get(f"/api/tables/{table}/moments/3")
    damage(url, "UPDATE snapshots SET data = $1 WHERE table_id = $2", b"nonsense", table)
    assert ann.get(f"/api/tables/{table}/moments/3") == before
    place.close()


def test_a_damaged_notice_keeps_no_other_waiting(url: str) -> None:
    async def work() -> list[Notice]:
        store = await open_store(url)
        queue = NoticeQueue(store)
        for table in ("a", "b"):
            await queue.add(Notice(table, 0, 1, "p0", 0, None), 5)
        await store.execute("UPDATE notices SET rest = $1 WHERE table_id = 'a'", b"nonsense")
        due = await queue.due(10, 10)
        await store.close()
        return due

    assert [(notice.table, notice.left) for notice in asyncio.run(work())] == [("a", None), ("b", None)]


def test_damaged_preferences_are_chosen_again(url: str) -> None:
    place = Place(url)
    ann = place.guest("Ann")
    wanted = ann.put("/api/me/notifications", quiet={"from": "22:00", "to": "07:00", "zone": "UTC"})
    damage(url, "UPDATE wishes SET data = $1", b"nonsense")
    assert ann.get("/api/me/notifications")["quiet"] is None
    assert ann.put("/api/me/notifications", quiet=wanted["quiet"]) == wanted
    place.close()


class Torn:
    """A store that cannot read the log of one table, as if its part of the disk were broken."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.broken = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        if table == "a" and self.broken:
            raise Unavailable("error.house.disk_broken")
        return await self.store.log(table, after)


@pytest.mark.parametrize("repaired", [False, True])
def test_a_table_on_a_broken_part_of_the_disk_keeps_no_other_asleep(
    url: str, repaired: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registan.server.live.house.RETRY_SECONDS", 0.01)

    async def work() -> set[str]:
        store = await open_store(url)
        seats = [people(1)[0], *[Seat(kind="bot", level="random")] * 2]
        for name in ("a", "b"):
            made = create(name, "p0", 1000, SECRET, "khiva", seats, {}, Pace())
            table = replay([made])
            log: list[e.Event] = [made, *Start().carry_out(table, "p0", 2000)]
            await store.append(summarize(table), 0, [e.dumps(event) for event in log])
        torn = Torn(store)
        house = House(torn, bot_pace=0)
        waking = asyncio.create_task(house.resume())
        async with asyncio.timeout(20):
            while house.in_memory("b") is None:
                await asyncio.sleep(0.01)
            if repaired:
                torn.broken = False
                await waking
        waking.cancel()
        awake = {name for name in ("a", "b") if house.in_memory(name) is not None}
        await house.close()
        return awake

    assert asyncio.run(work()) == ({"a", "b"} if repaired else {"b"})


@pytest.mark.parametrize(
    "changed",
    [
        lambda line: line | {"events": []},
        lambda line: line | {"events": line["events"][1:]},
        lambda line: line | {"card": line["card"] | {"table": "another"}},
        lambda line: line | {"card": line["card"] | {"touched": 2**70}},
        lambda line: line | {"card": line["card"] | {"people": ["\0"]}},
        lambda line: line | {"switches": {"p0": 2**70}},
        lambda line: line | {"wishes": {"p\0": ["en", "AAAA"]}},
    ],
    ids=["no events", "no beginning", "another id", "late", "odd person", "odd switch", "odd preferences"],
)
def test_a_file_that_is_no_export_is_refused(url: str, changed: Callable[[Any], Any]) -> None:
    async def work() -> None:
        store = await open_store(url)
        seats = [people(1)[0], *[Seat(kind="bot", level="random")] * 2]
        made = create("t", "p0", 1000, SECRET, "khiva", seats, {}, Pace())
        table = replay([made])
        log: list[e.Event] = [made, *Start().carry_out(table, "p0", 2000)]
        whole = msgspec.json.encode(Stored(summarize(table), [e.dumps(event) for event in log]))
        with pytest.raises(BadInput):
            await import_line(store, msgspec.json.encode(changed(msgspec.json.decode(whole))))
        for odd in (b"[" * 100_000, b"\xff", b"{"):
            with pytest.raises(BadInput):
                await import_line(store, odd)
        assert await import_line(store, whole)
        await store.close()

    asyncio.run(work())
