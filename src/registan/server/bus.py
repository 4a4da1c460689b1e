"""Between processes: "the log of this table has grown". One process needs none of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from registan.server.storage import Store

Heard = Callable[[str, int], None]


class PostgresBus:
    """Listens to what is announced with each commit in PostgreSQL, and connects again when the connection is lost."""

    def __init__(self, url: str, heard: Heard) -> None:
        self._url, self._heard = url, heard
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        import asyncpg

        from registan.server.postgres import CHANNEL

        while True:
            lost = asyncio.Event()
            try:
                db: Any = await asyncpg.connect(self._url)
                db.add_termination_listener(lambda _, lost=lost: lost.set())
                await db.add_listener(CHANNEL, self._said)
                try:
                    await lost.wait()
                finally:
                    await db.close(timeout=1)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
                await asyncio.sleep(1)

    def _said(self, _db: Any, _pid: int, _channel: str, text: str) -> None:
        table, _, seq = text.partition(" ")
        self._heard(table, int(seq))

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def listen(store: Store, heard: Heard) -> PostgresBus | None:
    """Return the bus that goes with a store, None where one process has it for itself."""
    url = getattr(store, "url", None)
    return PostgresBus(url, heard) if url else None
