"""Following the logs that other processes add to."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from registan.server.errors import Unavailable
from registan.server.live.idle import is_idle
from registan.server.live.table import LiveTable

if TYPE_CHECKING:
    from registan.server.live.house import House

JUST_NOW = 1.0
"""Seconds for which a table that was used stays in memory in any case: somebody may be about to watch it."""


class Following:
    """Keeps the tables of a house up to date with what others have added to their logs."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._checking: asyncio.Task[None] | None = None

    def announced(self, table: str, seq: int) -> None:
        """Catch up with a log that another process has added to; with all of them if an announcement was missed."""
        if not table:
            if self._checking is None or self._checking.done():
                self._checking = asyncio.ensure_future(self._check_all())
            return
        live = self._house._tables.get(table)
        if live is None or live.table.seq >= seq:
            return
        if time.monotonic() - live.used > JUST_NOW and self._unneeded(live):
            self._let_go(live)  # whoever has added to the log goes on with it
        else:
            self._house.spawn(self._learn(live, seq), table)

    def _unneeded(self, live: LiveTable) -> bool:
        """Whether nobody needs a table here: no watcher, no writer, and no bot that this process has asked."""
        if self._house.asking is None:
            return is_idle(live)
        quiet = not live.watchers and not live.lock.locked() and live.unsettled is None
        return quiet and self._house.asking.leaves(live.table.created.table)

    async def _check_all(self) -> None:
        """Catch up with all logs that have grown while nobody told."""
        try:
            lengths = await self._house.store.lengths(list(self._house._tables))
        except Unavailable:
            return  # this is done again while nobody tells, and when somebody does
        for table, seq in lengths.items():
            self.announced(table, seq)

    async def _learn(self, live: LiveTable, seq: int) -> None:
        async with live.lock:
            if live.table.seq >= seq:
                return  # it was this process itself that had added to the log
            try:
                if not await self._house.catch_up(live) and await self._house.journal.deleted(live.table.created.table):
                    self._house.forget(live)
                    return
            except Unavailable:
                self._house.continuing.try_again(live)
                raise
            self._house.publish(live)
        self._house.continuing.schedule(live)

    def _let_go(self, live: LiveTable) -> None:
        """Remove a table from memory that nobody uses here and somebody does elsewhere."""
        if live.timer is not None:
            live.timer.cancel()
        del self._house._tables[live.table.created.table]
        self._house.metrics.tables.set(len(self._house._tables))
