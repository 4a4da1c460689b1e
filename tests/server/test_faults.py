"""A store that fails in every way: memory never differs from what is stored, and nobody sees what is not."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from registan.core.errors import RegistanError
from registan.server.errors import Broken, Unavailable, Unreadable
from registan.server.live.acting import Grant
from registan.server.live.house import House
from registan.server.live.outbox import Outbox
from registan.server.live.table import LiveTable, Watcher
from registan.server.storage import sqlite
from registan.server.storage.store import Store, open_store
from registan.server.storage.summary import TableSummary, summarize
from registan.tables import events as e
from registan.tables.creation import create
from registan.tables.pace import Pace
from registan.tables.patch import apply
from registan.tables.requests import Answer, Play, Propose, Request, Say, Start, Undo
from registan.tables.seats import Seat
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.server.conftest import fresh_database
from tests.server.place import Guest, Place, until
from tests.tables.house import SECRET, new_table, people, same

WAYS = ["good", "good", "before", "after", "hangs, then stores", "hangs, then fails"]


class Faulty:
    """A store that fails as it is told."""

    def __init__(self, store: Store, rng: random.Random) -> None:
        self.store, self.rng, self.faults = store, rng, True
        self.hanging: list[asyncio.Event] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def append(self, summary: TableSummary, seen: int, events: list[bytes]) -> None:
        way = self.rng.choice(WAYS) if self.faults else "good"
        if way.startswith("hangs"):
            await self._hang()
        if way in ("good", "after", "hangs, then stores"):
            await self.store.append(summary, seen, events)
        if way != "good":
            raise self.rng.choice([Unavailable("error.house.store_down"), OSError("cut"), ValueError("poison")])

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        way = self.rng.choice(["good", "good", "good", "fails", "hangs"]) if self.faults else "good"
        if way == "hangs":
            await self._hang()
        if way == "fails":
            raise Unavailable("error.house.store_down")
        return await self.store.log(table, after)

    async def _hang(self) -> None:
        self.hanging.append(asyncio.Event())
        await self.hanging[-1].wait()

    def release(self) -> None:
        for event in self.hanging:
            event.set()
        self.hanging = []


class Viewer:
    """Somebody who watches from a seat, and what was sent."""

    def __init__(self, live: LiveTable) -> None:
        self.view: Any = None
        live.watch(Watcher("p0", 0, Outbox(self._hear)))

    def _hear(self, message: bytes) -> bool:
        heard = msgspec.json.decode(message)
        if heard["type"] == "view":
            self.view = heard["view"]
        elif heard["type"] == "update":
            self.view = apply(self.view, heard["patch"])
        return True


def carry_out(request: Request, who: str, table: Table, now: int) -> list[e.Event]:
    return request.carry_out(table, who, now)


def some_request(table: Table, rng: random.Random, key: str) -> tuple[Request, str]:
    """Return a request that may well be granted, and who makes it."""
    seat = rng.randrange(3)
    asked = [seat for seat in range(3) if table.asked(seat)]
    what = rng.random()
    if what < 0.2 or not asked:
        return Say(seat=seat, text=key, key=key), f"p{seat}"
    if what < 0.3:
        return Undo(seat=seat, key=key), f"p{seat}"
    if what < 0.35:
        return Propose(seat=seat, what="pause", key=key), f"p{seat}"
    seat = rng.choice(asked)
    move = rng.choice(table.playing.for_seat(seat).legal(seat))
    return Play(seat=seat, move=move, key=key), f"p{seat}"


async def stored(store: Store) -> list[e.Event]:
    return [e.loads(data) for data in await store.log("t")]


async def ask(house: House, live: LiveTable, grant: Grant, without_task: bool) -> None:
    """Make a request, like a socket without a task of its own if that is possible."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(error: Exception | None) -> None:
        assert not live.lock.locked()
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    if without_task and house.acting.begin(live, grant, hear):
        await done
    else:
        await house.act("t", grant)


async def _play(folder: Path, game: str, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    inner = await open_store(str(folder / "house.db"))
    table, log = new_table(game, seats=people(3))
    await inner.append(summarize(table), 0, [e.dumps(event) for event in log])
    store: Any = Faulty(inner, rng)
    store.faults = False
    house = House(store, now=lambda: 5000 + rng.randrange(1000))
    house.journal.seconds = 0.1
    house.continuing.try_again = lambda live: None  # type: ignore[method-assign]  # nothing happens but what the test does
    live = await house.table("t")
    viewer = Viewer(live)
    granted: list[str] = []
    store.faults = True
    for step in range(steps):
        request, who = some_request(live.table, rng, f"k{step}")
        for _ in range(rng.randint(1, 3)):  # who is refused tries again
            try:
                await ask(house, live, partial(carry_out, request, who), rng.random() < 0.5)
                granted.append(f"{who} {request.key}")
                break
            except (Unavailable, Broken):
                pass
            except RegistanError:
                break
            finally:
                on_disk = await stored(inner)
                # Nothing is in memory, or was shown, that is not stored.
                assert same(live.table, replay(on_disk[: live.table.seq]))
                assert live.unsettled is not None or live.table.seq == len(on_disk)
                assert viewer.view == msgspec.json.decode(msgspec.json.encode(show(live.table, 0)))
            if rng.random() < 0.5:
                store.release()
                await asyncio.sleep(0)
    store.faults = False
    store.release()
    while live.unsettled is not None and not live.unsettled.done():
        await asyncio.sleep(0.001)
    await house.act("t", lambda t, now: [])
    on_disk = await stored(inner)
    assert same(live.table, replay(on_disk))
    assert viewer.view == msgspec.json.decode(msgspec.json.encode(show(live.table, 0)))
    keys = [event.key for event in on_disk if event.key]
    assert len(keys) == len(set(keys)), "a request was carried out twice"
    assert set(granted) <= set(keys), "a request that was granted is lost"
    await house.close()


@pytest.mark.parametrize("game", ["khiva", "souk"])
@given(seed=st.integers(0, 10**6), steps=st.integers(1, 15))
@settings(max_examples=5, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_memory_is_what_is_stored_however_the_store_fails(game: str, seed: int, steps: int) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(_play(Path(folder), game, seed, steps))


@contextmanager
def connect_to(guest: Guest, table: str) -> Iterator[Connection]:
    with connect(guest.url.replace("http", "ws", 1) + f"/api/tables/{table}/live", proxy=None) as ws:
        yield ws


def on_table(do: Callable[[House, LiveTable, Any], Awaitable[None]], **more: Any) -> None:
    """Do something at a table of three people, in a house whose store fails when it is told to."""

    async def run(folder: str) -> None:
        inner = await open_store(f"{folder}/house.db")
        table, log = new_table("khiva", seats=people(3), **more)
        await inner.append(summarize(table), 0, [e.dumps(event) for event in log])
        store: Any = Faulty(inner, random.Random(1))
        store.faults = False
        house = House(store)
        await do(house, await house.table("t"), store)
        await house.close()

    with TemporaryDirectory() as folder:
        asyncio.run(run(folder))


def say_key(text: str) -> Callable[[Table, int], list[e.Event]]:
    return lambda table, now: Say(seat=0, text=text, key=text).carry_out(table, "p0", now)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_who_is_not_heard_by_the_store_is_told_to_try_again(lang: str) -> None:
    async def do(house: House, live: LiveTable, store: Any) -> None:
        before = live.table

        async def fails(*_: Any) -> None:
            raise Unavailable("error.house.store_down")

        store.append = fails
        with pytest.raises(Unavailable) as refused:
            await house.act("t", say_key("one"))
        assert {"en": "Try again", "fr": "Réessayez"}[lang] in refused.value.text(lang)
        assert live.table is before
        del store.append
        await house.act("t", say_key("one"))
        assert [said.text for _, said in live.table.chat] == ["one"]

    on_table(do)


def test_what_is_being_stored_is_not_seen_yet() -> None:
    async def do(house: House, live: LiveTable, store: Any) -> None:
        viewer = Viewer(live)
        seq = viewer.view["seq"]
        store.faults, store.rng = True, Chosen("hangs, then stores")
        moving = asyncio.ensure_future(house.act("t", _first_move))
        while not store.hanging:
            await asyncio.sleep(0)
        assert (viewer.view["seq"], show(live.table, 0)["seq"]) == (seq, seq)
        store.faults = False
        store.release()
        await moving  # the store has failed after writing, and the log tells that it has written
        await house.act("t", lambda t, now: [])
        assert viewer.view["seq"] == show(live.table, 0)["seq"] > seq

    on_table(do)


class Chosen(random.Random):
    """Chance that always chooses the same, if it can."""

    def __init__(self, what: str) -> None:
        super().__init__(1)
        self._what = what

    def choice(self, seq: Any) -> Any:
        return self._what if self._what in seq else seq[0]


def _first_move(table: Table, now: int) -> list[e.Event]:
    move = table.playing.legal(0)[0]
    return Play(seat=0, move=move).carry_out(table, "p0", now)


def test_a_request_with_a_bug_changes_nothing_and_is_logged_with_its_table(capfd: pytest.CaptureFixture[str]) -> None:
    def buggy(table: Table, now: int) -> list[e.Event]:
        _first_move(table, now)
        raise ZeroDivisionError

    def refused(table: Table, now: int) -> list[e.Event]:
        _first_move(table, now)
        return Say(seat=0, text="").carry_out(table, "p0", now)

    async def do(house: House, live: LiveTable, store: Any) -> None:
        before = live.table
        with pytest.raises(Broken):
            await house.act("t", buggy)
        with pytest.raises(RegistanError):
            await house.act("t", refused)
        assert live.table is before
        assert same(before, replay(await stored(store)))

    on_table(do)
    (line,) = [msgspec.json.decode(line) for line in capfd.readouterr().err.splitlines() if "ZeroDivision" in line]
    assert (line["table"], line["level"]) == ("t", "error")


def test_views_that_cannot_be_made_stop_no_move(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    async def do(house: House, live: LiveTable, store: Any) -> None:
        viewer, seq = Viewer(live), live.table.seq
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(live, "_decide", lambda: 1 / 0)
            await house.act("t", _first_move)
        assert len(await stored(store)) == live.table.seq == seq + 1
        assert not live.watchers  # they come back, and see it
        assert Viewer(live).view["seq"] > viewer.view["seq"]

    on_table(do)
    assert '"views are not sent"' in capfd.readouterr().err


def test_one_unreadable_table_keeps_no_other_asleep(url: str, capfd: pytest.CaptureFixture[str]) -> None:
    bots = [people(1)[0], *[Seat(kind="bot", level="random")] * 2]

    async def prepare() -> None:
        store = await open_store(url)
        for name in ("a", "bad", "worse", "z"):
            made = create(name, "p0", 1000, SECRET, "khiva", bots, {}, Pace())
            table = replay([made])
            log: list[e.Event] = [made, *Start().carry_out(table, "p0", 2000)]
            data = [e.dumps(event) for event in log]
            if name == "bad":
                data.append(b'{"e":"moved","at":3000,"seat":0,"move":{"do":"fly"}}')
            if name == "worse":
                data[1] = b"\xff nonsense"
            await store.append(msgspec.structs.replace(summarize(table), table=name), 0, data)
        await store.close()

    async def moved(name: str) -> int:
        store = await open_store(url)
        log = [e.loads(data) for data in await store.log(name)]
        await store.close()
        return sum(isinstance(event, e.Moved) for event in log)

    asyncio.run(prepare())
    place = Place(url)
    try:
        until(lambda: all(asyncio.run(moved(name)) == 2 for name in ("a", "z")))
        ann = place.guest()
        for name in ("bad", "worse"):
            for path in (f"/api/tables/{name}", f"/api/tables/{name}/seats"):
                answer = ann.http.get(path, headers={"Accept-Language": "en"})
                assert answer.status_code == 410
                assert answer.json()["error"] == "error.house.unreadable"
            with connect_to(ann, name) as ws:
                assert msgspec.json.decode(ws.recv(20))["error"] == "error.house.unreadable"
        assert ann.http.get("/api/tables/a").status_code == 200
        with pytest.raises(Unreadable):
            place.run(place.house.table("bad"))
    finally:
        place.close()
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    said = [msgspec.json.decode(line) for line in lines]
    told = {line["table"]: line["event_number"] for line in said if line["event"] == "table cannot be read"}
    assert told == {"bad": 3, "worse": 2}
    assert sum(line["event"] == "table cannot be read" for line in said) == 2, "each once"


def test_what_was_refused_for_an_outdated_reason_is_tried_again(postgres: str) -> None:
    """Another process has added to the log, and its announcement has not arrived yet."""
    url = fresh_database(postgres)

    async def run() -> None:
        stores = [await open_store(url) for _ in range(2)]
        table, log = new_table("khiva", seats=people(3))
        await stores[0].append(summarize(table), 0, [e.dumps(event) for event in log])
        here, there = (House(store) for store in stores)
        here.following.announced = lambda *_: None  # type: ignore[method-assign]
        if here._bus is not None:
            await here._bus.close()  # it hears nothing
        await here.table("t")
        await there.act("t", lambda t, now: Propose(seat=1, what="pause").carry_out(t, "p1", now))
        # As far as this process knows, there is nothing to answer.
        await here.act("t", lambda t, now: Answer(seat=0, yes=True).carry_out(t, "p0", now))
        assert same((await here.table("t")).table, replay(await stored(stores[1])))
        for house in (here, there):
            await house.close()

    asyncio.run(run())


def test_ready_writes_and_says_what_is_wrong(tmp_path: Path) -> None:
    place = Place(str(tmp_path / "house.db"))
    try:
        ann = place.guest()
        assert ann.http.get("/ready").text == "ready"
        full = sqlite3.OperationalError("database or disk is full")

        def fails(*_: Any) -> Any:
            raise full

        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(sqlite, "_commit", fails)
            place.house.readiness._checked = 0.0
            answer = ann.http.get("/ready")
            assert (answer.status_code, answer.text) == (503, "not ready: the store cannot write (OperationalError)")
            assert ann.http.get("/health").text == "ok"
            assert ann.http.post("/api/tables", json={"game": "khiva", "seats": [{}, {}]}).status_code == 503
        place.house.readiness._checked = 0.0
        assert ann.http.get("/ready").text == "ready"
        writes: list[Any] = []

        def commit(db: Any, jobs: list[Any]) -> list[None]:
            writes.append(jobs)
            return [None] * len(jobs)

        with pytest.MonkeyPatch.context() as counted:
            counted.setattr(sqlite, "_commit", commit)
            place.house.readiness._checked = time.monotonic()
            for _ in range(20):  # whoever asks often makes no work for the disk
                ann.http.get("/ready")
        assert len(writes) <= 1
    finally:
        place.close()
