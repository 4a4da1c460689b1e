"""The logs of tables: reading them, and adding to them so that memory never holds what the store does not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import NamedTuple, TypeVar

from registan.core.errors import RegistanError
from registan.server.errors import Broken, Deleted, NoTable, Unavailable, Unreadable
from registan.server.limits import STORE_SECONDS
from registan.server.live.table import LiveTable
from registan.server.logs import log
from registan.server.storage.disk import FAULTS
from registan.server.storage.saving import Saver
from registan.server.storage.store import Conflict, Store
from registan.server.storage.summary import DELETED, summarize
from registan.tables import events as e
from registan.tables.save import opened
from registan.tables.table import Table, replay

T = TypeVar("T")
UNDERSTOOD = ("error.version", "error.no_game", "error.house.box")
"""Why a log may not be replayed, in words that say more than that it cannot be read."""


class Writing(NamedTuple):
    """Events that are being added to a log: the draft of the table after them, and until when that may take."""

    draft: Table
    data: list[bytes]
    stored: asyncio.Future[None]
    until: float


class Journal:
    """Reads and writes the logs of the tables of a house."""

    def __init__(self, store: Store, saver: Saver, seconds: float = STORE_SECONDS) -> None:
        self.store, self.saver, self.seconds = store, saver, seconds
        self._unreadable: dict[str, RegistanError] = {}

    # Reading.

    async def read(self, table: str) -> Table:
        """Return a table, from its save and what came after; raise NoTable, Unreadable or Unavailable."""
        if await self.deleted(table):
            raise Deleted("error.house.deleted")
        if table in self._unreadable:  # reading it again would cost time and give the same
            raise self._unreadable[table]
        kept = await self._within(self.saver.read(table))
        # Replaying a long game takes a while, so it happens outside of the event loop.
        found = await asyncio.to_thread(self._opened, table, kept) if kept is not None else None
        stored = await self._within(self.store.log(table, found.seq if found is not None else 0))
        if found is None and not stored:
            raise NoTable("error.house.no_table")
        return await asyncio.to_thread(self._grown, table, found, stored)

    async def deleted(self, table: str) -> bool:
        """Whether the host has deleted a table."""
        sql = "SELECT 1 FROM tables WHERE id = $1 AND status = $2"
        return bool(await self._within(self.store.fetch(sql, table, DELETED)))

    async def latest(self, known: Table) -> Table:
        """Return a table with the events that were added to its log since, the same object if there are none."""
        name = known.created.table
        stored = await self._within(self.store.log(name, known.seq))
        return self._grown(name, known.copy(), stored) if stored else known

    async def _within(self, work: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self.seconds):
                return await work
        except TimeoutError:
            raise Unavailable("error.house.store_down") from None

    def _opened(self, table: str, kept: bytes) -> Table | None:
        try:
            return opened(kept)
        except Exception as error:  # nothing is lost: the log has everything
            log.error("save cannot be read", table=table, why=repr(error))
            return None

    def _grown(self, name: str, table: Table | None, stored: Iterable[bytes]) -> Table:
        """Add stored events to a table, or make one of them."""
        try:
            for data in stored:
                if table is None:
                    table = replay([e.loads(data)])
                else:
                    table.add(e.loads(data))
            assert table is not None
        except Exception as error:
            number = table.seq + 1 if table is not None else 1
            log.error("table cannot be read", table=name, event_number=number, why=repr(error))
            understood = isinstance(error, RegistanError) and error.key in UNDERSTOOD
            fault = error if understood else Unreadable("error.house.unreadable")
            assert isinstance(fault, RegistanError)
            self._unreadable[name] = fault
            raise fault from None
        return table

    # Writing.

    async def create(self, event: e.Created) -> Table | None:
        """Store a new table and return it, None if it existed already; raise Unavailable if it is not stored."""
        table, data = replay([event]), [e.dumps(event)]
        try:
            async with asyncio.timeout(self.seconds):
                await self.store.append(summarize(table), 0, data)
        except Conflict:
            return None
        except Exception as error:
            self._failed(event.table, error)
            if (await self._within(self.store.log(event.table)))[:1] != data:
                raise _fault(error) from None
        return table

    def begin(self, live: LiveTable, draft: Table, events: list[e.Event]) -> Writing:
        """Begin to store the events that lead from the table, which must be settled, to a draft."""
        data = [e.dumps(event) for event in events]
        stored = asyncio.ensure_future(self.store.append(summarize(draft), live.table.seq, data))
        # Until it is known what became of the write, nothing else is written to this log.
        live.unsettled = stored
        return Writing(draft, data, stored, asyncio.get_running_loop().time() + self.seconds)

    def done(self, live: LiveTable, writing: Writing) -> None:
        """Let the draft take the place of the table: its events are stored."""
        live.unsettled = None
        live.table = writing.draft

    async def outcome(self, live: LiveTable, writing: Writing) -> bool:
        """Wait until the events are stored, let the draft take the place of the table, and return whether they are.

        If not, another writer was first, or the store has recovered meanwhile: the table is up to date, and the same
        may be tried again. Raise Unavailable if the events are not stored, or not known to be.
        """
        table, stored = live.table.created.table, writing.stored
        error: Exception | None = None
        try:
            async with asyncio.timeout_at(writing.until):
                await asyncio.shield(stored)
        except Conflict:
            pass
        except Exception as failure:
            error = failure
            self._failed(table, error)
            if not stored.done():
                raise Unavailable("error.house.not_saved") from None
        else:
            self.done(live, writing)
            return True
        finally:
            if not stored.done():
                stored.add_done_callback(_retrieve)
        return await self._found_out(live, writing.draft, writing.data, error)

    async def _found_out(self, live: LiveTable, draft: Table, data: list[bytes], error: Exception | None) -> bool:
        """Read the log to learn what became of a write that has failed, perhaps only seemingly."""
        try:
            stored = await self._within(self.store.log(live.table.created.table, live.table.seq))
        except Exception:
            raise Unavailable("error.house.not_saved") from None
        ours = stored[: len(data)] == data
        if not stored and error is None and await self.deleted(live.table.created.table):
            raise Deleted("error.house.deleted")
        if ours:
            live.table = self._grown(draft.created.table, draft, stored[len(data) :])
        elif stored:
            live.table = self._grown(draft.created.table, live.table.copy(), stored)
        live.unsettled = None
        if error is not None and not ours:
            fault = _fault(error)
            if isinstance(fault, Broken) or fault.key in FAULTS:  # trying again would not help
                raise fault
        return ours

    async def delete(self, live: LiveTable) -> bool:
        """Delete a table, and return whether it is; if not, another writer was first, and the table is up to date."""
        await self.settle(live)
        table = live.table
        try:
            await self._within(self.store.delete(summarize(table), table.seq))
        except Conflict:
            if await self.deleted(table.created.table):
                return True
            live.table = await self.latest(table)
            return False
        return True

    async def settle(self, live: LiveTable) -> None:
        """Bring a table up to date after a write whose outcome was unknown; raise Unavailable if it still is."""
        if live.unsettled is None:
            return
        if not live.unsettled.done():
            raise Unavailable("error.house.not_saved")
        live.table = await self.latest(live.table)
        live.unsettled = None

    def _failed(self, table: str, error: Exception) -> None:
        log.error("events are not saved", table=table, why=repr(error.__cause__ or error))


def _fault(error: Exception) -> RegistanError:
    if isinstance(error, Unavailable) and error.key in FAULTS:
        return error
    if isinstance(error, (Unavailable, TimeoutError)):
        return Unavailable("error.house.not_saved")
    return Broken("error.house.broken")


def _retrieve(writing: asyncio.Future[None]) -> None:
    """Look at the result of a write that nobody awaits any more; the log of the table tells what became of it."""
    if not writing.cancelled():
        writing.exception()
