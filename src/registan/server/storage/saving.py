"""Saves running tables from time to time and when the house closes, so that they open quickly again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Protocol

from registan.server.errors import Unavailable
from registan.server.limits import SAVE_AFTER, SAVE_ROUND, SAVE_SHARE, SHUTDOWN_SECONDS
from registan.server.logs import log
from registan.server.storage.store import Store
from registan.tables.save import packed, save
from registan.tables.table import Table


class Savable(Protocol):
    """A table in memory."""

    table: Table
    saved: int
    """How many events the latest save covers."""


class Saver:
    """Saves the tables of a house. Without saves nothing is lost: the logs hold everything."""

    def __init__(self, store: Store, tables: Mapping[str, Savable]) -> None:
        self._store, self._tables = store, tables
        self._round = asyncio.create_task(self._rounds())

    async def read(self, table: str) -> bytes | None:
        """Return the save of a table, if there is one."""
        rows = await self._store.fetch("SELECT data FROM saves WHERE table_id = $1", table)
        return rows[0][0] if rows else None

    async def forget(self, table: Table) -> None:
        """Delete the save of a finished table, which has a snapshot."""
        if table.seq >= SAVE_AFTER:
            await self._store.execute("DELETE FROM saves WHERE table_id = $1", table.created.table)

    async def _rounds(self) -> None:
        while True:
            await asyncio.sleep(SAVE_ROUND)
            try:
                await self.save_all(share=SAVE_SHARE)
            except Exception as error:  # the store may be unreachable for a while
                log.warning("tables are not saved", why=repr(error))

    async def save_all(self, seconds: float = SAVE_ROUND, share: float = 1.0) -> int:
        """Save the tables with enough new events, as many as the time allows, and return how many.

        It takes at most a share of that time: between two tables, it rests.
        """
        start, count = time.monotonic(), 0
        for live in list(self._tables.values()):
            table = live.table
            if table.finished or table.seq - live.saved < SAVE_AFTER:
                continue
            begun = time.monotonic()
            try:
                await self._write(table.created.table, table.seq, await asyncio.to_thread(packed, save(table)))
            except Unavailable:
                raise
            except Exception as error:  # the other tables are saved
                log.error("table is not saved", table=table.created.table, why=repr(error))
            live.saved = table.seq
            count += 1
            if time.monotonic() - start > seconds:
                break
            await asyncio.sleep((time.monotonic() - begun) * (1 / share - 1))
        return count

    async def _write(self, table: str, seen: int, data: bytes) -> None:
        await self._store.execute(
            "INSERT INTO saves VALUES ($1, $2, $3) ON CONFLICT (table_id)"
            " DO UPDATE SET seen = excluded.seen, data = excluded.data WHERE saves.seen < excluded.seen",
            table, seen, data,
        )  # fmt: skip

    async def close(self) -> None:
        """Save as much as there is time for, and stop."""
        self._round.cancel()
        await asyncio.gather(self._round, return_exceptions=True)
        try:
            await self.save_all(SHUTDOWN_SECONDS / 2)
        except Exception as error:
            log.warning("tables are not saved", why=repr(error))
