"""Announcements between processes: the log of a table has grown, somebody is connected. A single process needs none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from registan.core.errors import BadInput
from registan.server.limits import CONNECT_SECONDS
from registan.server.logs import log
from registan.server.storage.listening import ALIVE_SECONDS, RETRY_SECONDS, Listening
from registan.server.storage.store import Store

Listener = Callable[[str, int], None]
"""Called with a table and the length of its log; with an empty name when announcements may have been missed: while
there is no connection, again and again."""
Hearer = Callable[[str], None]
"""Called with what a process tells the others of its connections. Nothing is lost with it: it is told again."""
CHANNEL = "registan"
CONNECTED = "registan_connected"
"""The channel for who is connected."""
PATIENCE = {
    "socket_connect_timeout": CONNECT_SECONDS,
    "socket_timeout": CONNECT_SECONDS,
    "health_check_interval": ALIVE_SECONDS,
}
"""How long Redis may take to answer."""


class Bus(Protocol):
    """How processes announce new events to each other."""

    def announce(self, table: str, seq: int) -> None:
        """Announce that a log has grown."""
        ...

    async def tell(self, texts: list[str]) -> None:
        """Tell the other processes who is connected, unless there is no connection now."""
        ...

    async def close(self) -> None:
        """Stop listening."""
        ...


class PostgresBus:
    """Listens to the announcements that PostgreSQL sends with each commit."""

    def __init__(self, url: str, listener: Listener, hearer: Hearer) -> None:
        self._listener = listener
        self._listening = Listening(url, {CHANNEL: self._heard, CONNECTED: hearer}, lambda: listener("", 0))

    def announce(self, table: str, seq: int) -> None:
        """Do nothing: the commit has announced it."""

    async def tell(self, texts: list[str]) -> None:
        """Tell the other processes who is connected."""
        await self._listening.tell(CONNECTED, texts)

    def _heard(self, text: str) -> None:
        table, _, seq = text.partition(" ")
        self._listener(table, int(seq))

    async def close(self) -> None:
        """Stop listening."""
        await self._listening.close()


class RedisBus:
    """Announces and listens over Redis or Valkey; reconnects when the connection is lost."""

    def __init__(self, url: str, listener: Listener, hearer: Hearer) -> None:
        self._client, self._listener, self._hearer = _redis(url), listener, hearer
        self._pending: dict[str, int] = {}
        self._wake = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._publish())]

    def announce(self, table: str, seq: int) -> None:
        """Announce that a log has grown, later if there is no connection now."""
        self._pending[table] = seq
        self._wake.set()

    async def tell(self, texts: list[str]) -> None:
        """Tell the other processes who is connected."""
        async with asyncio.timeout(CONNECT_SECONDS), self._client.pipeline(transaction=False) as pipe:
            for text in texts:
                pipe.publish(CONNECTED, text)
            await pipe.execute()

    async def _publish(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            pending, self._pending = self._pending, {}
            try:
                async with self._client.pipeline(transaction=False) as pipe:
                    for table, seq in pending.items():
                        pipe.publish(CHANNEL, f"{table} {seq}")
                    await pipe.execute()
            except Exception as error:
                log.warning("announcements are not sent", why=repr(error))
                self._pending = pending | self._pending
                self._wake.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._client.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL, CONNECTED)
                    self._listener("", 0)
                    while True:
                        # Without a word for a while, the client asks for a sign of life, and fails without one.
                        message = await channel.get_message(timeout=ALIVE_SECONDS)
                        if message is not None:
                            self._heard(message["channel"], message["data"].decode())
            except Exception as error:
                log.warning("announcements are not heard", why=repr(error))
                self._listener("", 0)  # meanwhile the store is asked again and again
                await asyncio.sleep(RETRY_SECONDS)

    def _heard(self, channel: bytes, text: str) -> None:
        if channel == CONNECTED.encode():
            self._hearer(text)
        else:
            table, _, seq = text.partition(" ")
            self._listener(table, int(seq))

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
    make: Callable[..., Any] = aioredis.from_url
    try:
        return make("redis" + url.removeprefix("valkey") if url.startswith("valkey") else url, **PATIENCE)
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


def listen(store: Store, listener: Listener, hearer: Hearer, url: str = "") -> Bus | None:
    """Return the bus at a URL, else the one of the store; None for a store that only one process uses."""
    if url:
        return RedisBus(url, listener, hearer)
    of_store = getattr(store, "url", None)
    return PostgresBus(of_store, listener, hearer) if of_store else None
