"""Between processes: "the log of this table has grown". One process needs none of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from registan.core.errors import BadInput
from registan.server.storage import Store

Heard = Callable[[str, int], None]
"""Told that a table's log has so many events; with an empty name, that something may have been missed."""
CHANNEL = "registan"
AGAIN = 1.0
"""Seconds before a lost connection is tried again."""


class Bus(Protocol):
    """How processes tell each other of new events."""

    def announce(self, table: str, seq: int) -> None:
        """Tell the others that a log has grown."""
        ...

    async def close(self) -> None:
        """Stop listening."""
        ...


class PostgresBus:
    """Listens to what is announced with each commit in PostgreSQL, and connects again when the connection is lost."""

    def __init__(self, url: str, heard: Heard) -> None:
        self._url, self._heard = url, heard
        self._task = asyncio.create_task(self._listen())

    def announce(self, table: str, seq: int) -> None:
        """Nothing: the store has done so with its commit."""

    async def _listen(self) -> None:
        import asyncpg

        while True:
            lost = asyncio.Event()
            try:
                db: Any = await asyncpg.connect(self._url)
                db.add_termination_listener(lambda _, lost=lost: lost.set())
                await db.add_listener(CHANNEL, self._said)
                self._heard("", 0)
                try:
                    await lost.wait()
                finally:
                    await db.close(timeout=1)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
                await asyncio.sleep(AGAIN)

    def _said(self, _db: Any, _pid: int, _channel: str, text: str) -> None:
        table, _, seq = text.partition(" ")
        self._heard(table, int(seq))

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


class RedisBus:
    """Announces over Redis or Valkey, and listens there; connects again when the connection is lost."""

    def __init__(self, url: str, heard: Heard) -> None:
        self._client, self._heard = _redis(url), heard
        self._unsaid: dict[str, int] = {}
        self._news = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._say())]

    def announce(self, table: str, seq: int) -> None:
        """Tell the others that a log has grown; what cannot be said now is said later."""
        self._unsaid[table] = seq
        self._news.set()

    async def _say(self) -> None:
        from redis.exceptions import RedisError

        while True:
            await self._news.wait()
            self._news.clear()
            said, self._unsaid = self._unsaid, {}
            try:
                async with self._client.pipeline(transaction=False) as pipe:
                    for table, seq in said.items():
                        pipe.publish(CHANNEL, f"{table} {seq}")
                    await pipe.execute()
            except (OSError, RedisError, TimeoutError):
                self._unsaid = said | self._unsaid
                self._news.set()
                await asyncio.sleep(AGAIN)

    async def _listen(self) -> None:
        from redis.exceptions import RedisError

        while True:
            try:
                async with self._client.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    self._heard("", 0)
                    async for message in channel.listen():
                        table, _, seq = message["data"].decode().partition(" ")
                        self._heard(table, int(seq))
            except (OSError, RedisError, TimeoutError, ValueError):
                await asyncio.sleep(AGAIN)

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()


def _redis(url: str) -> Any:
    """Return a client for Redis or Valkey; raise BadInput where there can be none."""
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
    """Raise BadInput, in one line, unless the bus at this URL answers."""
    client = _redis(url)
    from redis.exceptions import RedisError

    try:
        await asyncio.wait_for(client.ping(), 5)
    except (OSError, RedisError, TimeoutError) as error:
        # The URL may hold a password: it is not repeated.
        raise BadInput("error.house.bus", why=str(error) or type(error).__name__) from None
    finally:
        await client.aclose()


def listen(store: Store, heard: Heard, url: str = "") -> Bus | None:
    """Return the bus at a URL, or the one that goes with a store, None where one process has it for itself."""
    if url:
        return RedisBus(url, heard)
    of_store = getattr(store, "url", None)
    return PostgresBus(of_store, heard) if of_store else None
