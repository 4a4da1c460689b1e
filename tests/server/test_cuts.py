"""PostgreSQL behind a network that is cut, and restarted: writes fail at once or in seconds, and then work again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from registan.server.errors import Unavailable
from registan.server.live.house import House
from registan.server.storage import bus
from registan.server.storage import listening as listen
from registan.server.storage.postgres import PostgresStore
from registan.server.storage.store import open_store
from registan.server.storage.summary import summarize
from registan.tables import events as e
from registan.tables.requests import Say
from registan.tables.table import replay
from tests.server.conftest import fresh_database
from tests.server.test_storage import summary
from tests.tables.house import new_table, same


class Network:
    """A way to PostgreSQL that can be cut: with a reset, or so that nothing arrives and nobody is told."""

    def __init__(self, url: str) -> None:
        found = urlsplit(url)
        self._target = (found.hostname, found.port)
        self._path, self._user = found.path, found.username
        self.silent = self.refusing = False
        self._lines: set[asyncio.StreamWriter] = set()

    async def open(self) -> str:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"postgresql://{self._user}@127.0.0.1:{port}{self._path}"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(*self._target)
        self._lines |= {writer, back}
        await asyncio.gather(self._carry(reader, back), self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                if not self.silent:
                    writer.write(data)
        except OSError:
            pass
        if not self.silent:
            writer.close()

    def cut(self) -> None:
        """Reset all connections."""
        for writer in self._lines:
            writer.transport.abort()
        self._lines = set()

    async def close(self) -> None:
        self.silent = False
        self._server.close()
        self.cut()


@asynccontextmanager
async def network(url: str) -> AsyncIterator[tuple[Network, str]]:
    between = Network(url)
    try:
        yield between, await between.open()
    finally:
        await between.close()


@pytest.fixture
def database(postgres: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return an empty database; nobody waits long for it."""
    from registan.server.storage import postgres as module

    monkeypatch.setattr(module, "QUERY_SECONDS", 1)
    monkeypatch.setattr(module, "CONNECT_SECONDS", 2)
    monkeypatch.setattr(module, "SETTINGS", {**module.SETTINGS, "idle_in_transaction_session_timeout": "1000"})
    monkeypatch.setattr(listen, "ALIVE_SECONDS", 0.3)
    monkeypatch.setattr(listen, "RETRY_SECONDS", 0.1)
    return fresh_database(postgres)


async def works_again(store: PostgresStore, seen: int) -> int:
    """Append until it works, and return how many events there are then."""
    async with asyncio.timeout(60):
        while True:
            try:
                await store.append(summary(), seen, [b"again"])
                return seen + 1
            except Unavailable:
                await asyncio.sleep(0.05)
                seen = len(await _log(store, seen))


async def _log(store: PostgresStore, least: int) -> list[bytes]:
    while True:
        try:
            return await store.log("t1")
        except Unavailable:
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("how", ["reset", "silence", "silence in a transaction", "all connections ended"])
def test_writes_work_again_after_a_cut(database: str, how: str) -> None:
    async def run() -> None:
        async with network(database) as (between, url):
            store: Any = await open_store(url)
            await store.append(summary(), 0, [b"x"])
            # Several connections, as under load; on a slow machine some come too late.
            many = (store.fetch("SELECT pg_sleep(0.05)") for _ in range(8))
            await asyncio.gather(*many, return_exceptions=True)
            if how == "all connections ended":  # what a restart of the server does to its clients
                db = await asyncpg.connect(database)
                await db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                                 "current_database() AND pid <> pg_backend_pid()")  # fmt: skip
                await db.close()
            elif how == "reset":
                between.cut()
            else:
                if how == "silence in a transaction":  # its lock must not outlive it for long
                    insert = store._insert

                    async def cut_within(db: Any, batch: Any) -> None:
                        between.silent = True
                        store._insert = insert
                        await insert(db, batch)

                    store._insert = cut_within
                between.silent = True if how == "silence" else between.silent
                async with asyncio.timeout(30):
                    with pytest.raises(Unavailable):
                        await store.append(summary(), 1, [b"y"])
                    with pytest.raises(Unavailable):
                        await store.check()
                between.silent = False
            seen = await works_again(store, 1)
            assert len(await store.log("t1")) == seen
            await store.check()
            assert not store._task.done()
            await store.close()

    asyncio.run(run())


def test_a_process_hears_of_others_again_after_a_silent_cut(database: str) -> None:
    async def run() -> None:
        async with network(database) as (between, url):
            store: Any = await open_store(database)
            heard: asyncio.Queue[str] = asyncio.Queue()
            listening = bus.PostgresBus(url, lambda table, seq: heard.put_nowait(table), print)
            async with asyncio.timeout(30):
                assert await heard.get() == ""
                between.silent = True
                await store.append(summary(), 0, [b"x"])
                await asyncio.sleep(listen.ALIVE_SECONDS)
                between.cut()
                between.silent = False
                said = 1
                while await heard.get() == "":  # everything may have been missed, as long as there is no connection
                    await store.append(summary(), said, [b"y"])
                    said += 1
                assert said > 1
            await listening.close()
            await store.close()

    asyncio.run(run())


def test_a_house_survives_a_cut_and_tells_who_plays(database: str) -> None:
    async def run() -> None:
        async with network(database) as (between, url):
            store: Any = await open_store(url)
            table, log = new_table("khiva")
            await store.append(summarize(table), 0, [e.dumps(event) for event in log])
            house = House(store)
            live = await house.table("t")

            async def say(key: str) -> None:
                await house.act("t", lambda t, now: Say(seat=0, text=key, key=key).carry_out(t, "p0", now))

            await say("one")
            between.silent = True
            before = live.table
            async with asyncio.timeout(60):
                with pytest.raises(Unavailable) as refused:
                    await say("two")
                assert refused.value.key == "error.house.not_saved"
                assert live.table is before
                between.silent = False
                while True:
                    try:
                        await say("two")
                        break
                    except Unavailable:
                        await asyncio.sleep(0.05)
            stored = [e.loads(data) for data in await store.log("t")]
            assert same(live.table, replay(stored))
            assert [event.text for event in stored if isinstance(event, e.Said)] == ["one", "two"]
            await house.close()

    asyncio.run(run())


def test_queries_that_take_too_long_are_ended(database: str) -> None:
    async def run() -> None:
        store: Any = await open_store(database)
        async with asyncio.timeout(30):
            with pytest.raises(Unavailable):
                await store.fetch("SELECT pg_sleep(100)")
        assert await store.fetch("SELECT 1")
        await store.close()

    asyncio.run(run())
