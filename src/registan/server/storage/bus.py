"""Announcements between processes that the log of a table has grown. A single process needs none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from registan.core.errors import BadInput
from registan.server.storage.store import Store

Listener = Callable[[str, int], None]
"""Called with a table and the length of its log; with an empty name after announcements may have been missed."""
CHANNEL = "registan"
RETRY_SECONDS = 1.0
"""How long to wait before reconnecting."""


class Bus(Protocol):
    """How processes announce new events to each other."""

    def announce(self, table: str, seq: int) -> None:
        """Announce that a log has grown."""
        ...

    async def close(self) -> None:
        """Stop listening."""
        ...


class PostgresBus:
    """Listens to the announcements that PostgreSQL sends with each commit; reconnects when the connection is lost."""

    def __init__(self, url: str, listener: Listener) -> None:
        self._url, self._listener = url, listener
        self._task = asyncio.create_task(self._listen())

    def announce(self, table: str, seq: int) -> None:
        """Do nothing: the commit has announced it."""

    async def _listen(self) -> None:
        import asyncpg

        while True:
            lost = asyncio.Event()
            try:
                db: Any = await asyncpg.connect(self._url)
                db.add_termination_listener(lambda _, lost=lost: lost.set())
                await db.add_listener(CHANNEL, self._notified)
                self._listener("", 0)
                try:
                    await lost.wait()
                finally:
                    await db.close(timeout=1)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
                await asyncio.sleep(RETRY_SECONDS)

    def _notified(self, _db: Any, _pid: int, _channel: str, text: str) -> None:
        table, _, seq = text.partition(" ")
        self._listener(table, int(seq))

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


class RedisBus:
    """Announces and listens over Redis or Valkey; reconnects when the connection is lost."""

    def __init__(self, url: str, listener: Listener) -> None:
        self._client, self._listener = _redis(url), listener
        self._pending: dict[str, int] = {}
        self._wake = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._publish())]

    def announce(self, table: str, seq: int) -> None:
        """Announce that a log has grown, later if there is no connection now."""
        self._pending[table] = seq
        self._wake.set()

    async def _publish(self) -> None:
        from redis.exceptions import RedisError

        while True:
            await self._wake.wait()
            self._wake.clear()
            pending, self._pending = self._pending, {}
            try:
                async with self._client.pipeline(transaction=False) as pipe:
                    for table, seq in pending.items():
                        pipe.publish(CHANNEL, f"{table} {seq}")
                    await pipe.execute()
            except (OSError, RedisError, TimeoutError):
                self._pending = pending | self._pending
                self._wake.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        from redis.exceptions import RedisError

        while True:
            try:
                async with self._client.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    self._listener("", 0)
                    async for message in channel.listen():
                        table, _, seq = message["data"].decode().partition(" ")
                        self._listener(table, int(seq))
            except (OSError, RedisError, TimeoutError, ValueError):
                await asyncio.sleep(RETRY_SECONDS)

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()


def _redis(url: str) -> Any:
    """Return a client for Redis or Valkey; raise BadInput for a bad URL or without the package."""
    if not url.startswith(("redis://", "rediss://", "valkey://", "valkeys://", "unix://")):
        raise BadInput("error.house.bus_url")
    try:
        from redis import asyncio as aioredis
    except ImportError:
        raise BadInput("error.house.no_redis") from None
    make: Callable[[str], Any] = aioredis.from_url
    try:
        return make("redis" + url.removeprefix("valkey") if url.startswith("valkey") else url)
    except ValueError:
        raise BadInput("error.house.bus_url") from None


async def check_bus(url: str) -> None:
    """Raise BadInput unless the bus at this URL answers."""
    client = _redis(url)
    from redis.exceptions import RedisError

    try:
        await asyncio.wait_for(client.ping(), 5)
    except (OSError, RedisError, TimeoutError) as error:
        # The URL may hold a password, so the message does not quote it.
        raise BadInput("error.house.bus", why=str(error) or type(error).__name__) from None
    finally:
        await client.aclose()


def listen(store: Store, listener: Listener, url: str = "") -> Bus | None:
    """Return the bus at a URL, else the one of the store; None for a store that only one process uses."""
    if url:
        return RedisBus(url, listener)
    of_store = getattr(store, "url", None)
    return PostgresBus(of_store, listener) if of_store else None
