"""Granting requests: their events are stored, and then everybody is sent what has changed.

A table is locked meanwhile. Most requests are moves that nothing stands in the way of: they go from the socket to the
store and back without a task of their own (`begin`). Whatever is less simple takes its time (`act`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from registan.core.errors import BadInput, RegistanError
from registan.server.errors import Broken, Deleted, Unavailable
from registan.server.live.journal import Writing
from registan.server.live.table import LiveTable
from registan.server.logs import log
from registan.tables import events as e
from registan.tables.clocks import catch_up
from registan.tables.table import Table

if TYPE_CHECKING:
    from registan.server.live.house import House

Grant = Callable[[Table, int], list[e.Event]]
"""A request: given the table and the time, it adds events to the table and returns them, or raises RegistanError."""
TRIES = 8
"""How many races with other processes a request may lose before it is refused."""
SAVE_TRIES = 2
"""How often to try to store a request before it is refused."""


class Tried(NamedTuple):
    """What a request does to a draft of a table."""

    draft: Table
    events: list[e.Event]
    refused: RegistanError | None


class Begun(NamedTuple):
    """A request that is being stored without a task."""

    live: LiveTable
    grant: Grant
    events: int
    writing: Writing
    start: float
    done: Callable[[Exception | None], None]


class Acting:
    """Grants the requests of the tables of a house, one by one at each table."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def act(self, table: str, grant: Grant) -> Table:
        """Grant a request: check it, append its events to the log, and send them to the watchers."""
        start = time.perf_counter()
        live = await self._house.table(table)
        async with live.lock:
            refused = await self._locked(live, grant)
        self._house.continuing.schedule(live)  # even after a refusal: the clock may have changed something
        if refused is not None:
            raise refused
        self._house.metrics.moves.observe(time.perf_counter() - start)
        return live.table

    def begin(self, live: LiveTable, grant: Grant, done: Callable[[Exception | None], None]) -> bool:
        """Begin to grant a request, and return True; return False and change nothing if that is not so simple.

        Later, `done` is called with None or with why the request was not granted.
        """
        start = time.perf_counter()
        if live.unsettled is not None or not _take(live.lock):
            return False
        writing = None
        try:
            draft, events, refused = self._try(live, grant)
            if events and refused is None:
                writing = self._house.journal.begin(live, draft, events)
        except Exception:  # `act` finds it out again, and says so
            return False
        finally:
            if writing is None:
                live.lock.release()
        if writing is None:
            return False
        live.used = time.monotonic()
        begun = Begun(live, grant, len(events), writing, start, done)
        late = asyncio.get_running_loop().call_at(writing.until, self._late, begun)
        writing.stored.add_done_callback(partial(self._stored, begun, late))
        return True

    def _stored(self, begun: Begun, late: asyncio.TimerHandle, stored: asyncio.Future[None]) -> None:
        if late.when() <= asyncio.get_running_loop().time():  # `_late` has taken over, or is about to
            return
        late.cancel()
        if stored.cancelled() or stored.exception() is not None:
            self._house.spawn(self._finish(begun), begun.live.table.created.table)
            return
        live, house = begun.live, self._house
        try:
            house.journal.done(live, begun.writing)
            self._announce(live, begun.events)
            house.publish(live)
        finally:
            live.lock.release()
        house.continuing.schedule(live)
        house.metrics.moves.observe(time.perf_counter() - begun.start)
        begun.done(None)

    def _late(self, begun: Begun) -> None:
        self._house.spawn(self._finish(begun), begun.live.table.created.table)

    async def _finish(self, begun: Begun) -> None:
        """Find out what became of a request that was not simply stored, and grant it again if that may help."""
        error: Exception | None = None
        try:
            try:
                error = await self._locked(begun.live, begun.grant, begun.writing)
            finally:
                begun.live.lock.release()
            self._house.continuing.schedule(begun.live)
        except Exception as failure:
            error = failure
        begun.done(error)

    async def _locked(self, live: LiveTable, grant: Grant, writing: Writing | None = None) -> RegistanError | None:
        """Grant a request of a locked table, perhaps one that is being stored; return why it is refused, if it is."""
        try:
            return await self._act(live, grant, writing)
        except Unavailable:
            self._house.continuing.try_again(live)
            raise
        except Deleted:  # by another process
            self._house.forget(live)
            raise
        finally:
            self._house.publish(live)

    async def _act(self, live: LiveTable, grant: Grant, writing: Writing | None) -> RegistanError | None:
        failures, seen, journal = 0, live.table, self._house.journal
        refused: RegistanError | None = None
        for _ in range(TRIES):
            if writing is None:
                await journal.settle(live)
                if live.table is not seen:
                    self._house.publish(live)
                draft, events, refused = self._try(live, grant)
                if not events:
                    if refused is not None and await self._house.catch_up(live):
                        continue  # it was refused for what another process has changed since
                    return refused
                writing = journal.begin(live, draft, events)
            seen = live.table
            if await journal.outcome(live, writing):
                self._announce(live, len(writing.data))
                return refused
            writing = None
            if live.table is not seen:
                self._house.metrics.conflicts.inc()
            else:
                failures += 1
            if failures == SAVE_TRIES:
                raise Unavailable("error.house.not_saved")
        return BadInput("error.house.busy")

    def _try(self, live: LiveTable, grant: Grant) -> Tried:
        """Carry out a request on a draft of a table, with what time has made due before it."""
        now, draft = live.table.time(self._house.now()), live.table.copy()
        events: list[e.Event] = []
        try:
            events += catch_up(draft, now)  # this is stored even if the request itself is refused
            events += grant(draft, now)
        except RegistanError as error:
            draft = live.table.copy()  # nothing of a refused request stays
            for event in events:
                draft.add(event)
            return Tried(draft, events, error)
        except Exception as error:
            log.error("request failed", table=live.table.created.table, why=repr(error))
            raise Broken("error.house.broken") from error
        return Tried(draft, events, None)

    def _announce(self, live: LiveTable, events: int) -> None:
        """Count events that were stored, and tell the other processes of them."""
        self._house.metrics.events.inc(events)
        if self._house._bus is not None:
            self._house._bus.announce(live.table.created.table, live.table.seq)


def _take(lock: asyncio.Lock) -> bool:
    """Acquire a lock without waiting, and return whether that was possible."""
    if lock.locked():
        return False
    acquiring = lock.acquire()
    try:
        acquiring.send(None)
    except StopIteration:
        return True
    acquiring.close()  # somebody was woken up to take it
    return False
