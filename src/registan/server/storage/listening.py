"""Listening to PostgreSQL's announcements over a connection of its own, which is replaced when it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from registan.server.limits import CONNECT_SECONDS
from registan.server.logs import log

RETRY_SECONDS = 1.0
"""How long to wait before reconnecting."""
ALIVE_SECONDS = 5.0
"""How often to check that a connection that only listens is alive: a network that is cut says nothing."""


class Listening:
    """Calls whoever hears a channel with the text of each announcement.

    `missed` is called whenever announcements may have been missed: once a connection is there, and again and again
    while there is none.
    """

    def __init__(self, url: str, channels: Mapping[str, Callable[[str], None]], missed: Callable[[], None]) -> None:
        self._url, self._channels, self._missed = url, channels, missed
        self._db: Any = None
        self._using = asyncio.Lock()
        self._task = asyncio.create_task(self._listen())

    async def tell(self, channel: str, texts: list[str]) -> None:
        """Announce texts over the same connection, unless there is none now."""
        async with self._using:
            if self._db is not None:
                sql = "SELECT pg_notify($2, told) FROM unnest($1::text[]) told"
                await self._db.execute(sql, texts, channel, timeout=CONNECT_SECONDS)

    async def _listen(self) -> None:
        import asyncpg

        while True:
            try:
                db: Any = await asyncpg.connect(self._url, timeout=CONNECT_SECONDS)
                try:
                    await self._hear(db)
                finally:
                    self._db = None
                    db.terminate()
            except Exception as error:
                log.warning("announcements are not heard", why=repr(error))
                self._missed()
                await asyncio.sleep(RETRY_SECONDS)

    async def _hear(self, db: Any) -> None:
        """Listen until the connection is lost."""
        lost = asyncio.Event()
        db.add_termination_listener(lambda _: lost.set())
        for channel, hear in self._channels.items():
            await db.add_listener(channel, lambda _db, _pid, _channel, text, hear=hear: hear(text))
        self._db = db
        self._missed()
        while not lost.is_set():
            try:
                async with asyncio.timeout(ALIVE_SECONDS):
                    await lost.wait()
            except TimeoutError:
                async with self._using:
                    await db.execute("SELECT 1", timeout=CONNECT_SECONDS)

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
