"""Saves running tables once in a while and when the house closes, so that it opens quickly again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from registan.server.limits import SAVE_AFTER, SAVE_ROUND, SHUTDOWN_SECONDS
from registan.server.logs import log
from registan.server.room import Room
from registan.server.storage import Store
from registan.tables.save import packed, save
from registan.tables.table import Table


class Saver:
    """Keeps saves of the tables of a house. Nothing is lost without them: the log has it all."""

    def __init__(self, store: Store, rooms: Mapping[str, Room]) -> None:
        self._store, self._rooms = store, rooms
        self._round = asyncio.create_task(self._rounds())

    async def read(self, table: str) -> bytes | None:
        """Return the save of a table, if there is one."""
        rows = await self._store.fetch("SELECT data FROM saves WHERE table_id = $1", table)
        return rows[0][0] if rows else None

    async def forget(self, table: Table) -> None:
        """Drop the save of a table that is over: its snapshot is better."""
        if table.seq >= SAVE_AFTER:
            await self._store.execute("DELETE FROM saves WHERE table_id = $1", table.created.table)

    async def _rounds(self) -> None:
        while True:
            await asyncio.sleep(SAVE_ROUND)
            try:
                await self.save_all()
            except Exception as error:  # the store may be away for a while
                log.warning("tables are not saved", why=repr(error))

    async def save_all(self, seconds: float = SAVE_ROUND) -> int:
        """Save the tables that have much new, as many as the time allows, and return how many."""
        start, count = time.monotonic(), 0
        for room in list(self._rooms.values()):
            table = room.table
            if table.finished or table.seq - room.saved < SAVE_AFTER:
                continue
            async with room.lock:
                seen, data = table.seq, save(table)
            await self._keep(table.created.table, seen, await asyncio.to_thread(packed, data))
            room.saved = seen
            count += 1
            if time.monotonic() - start > seconds:
                break
        return count

    async def _keep(self, table: str, seen: int, data: bytes) -> None:
        await self._store.execute(
            "INSERT INTO saves VALUES ($1, $2, $3) ON CONFLICT (table_id)"
            " DO UPDATE SET seen = excluded.seen, data = excluded.data WHERE saves.seen < excluded.seen",
            table, seen, data,
        )  # fmt: skip

    async def close(self) -> None:
        """Save what there is time for, and stop."""
        self._round.cancel()
        await asyncio.gather(self._round, return_exceptions=True)
        try:
            await self.save_all(SHUTDOWN_SECONDS / 2)
        except Exception as error:
            log.warning("tables are not saved", why=repr(error))
