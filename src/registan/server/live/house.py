"""The house: it grants the requests of each table one by one, stores their events and sends them to the watchers."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from registan.core.errors import BadInput, RegistanError
from registan.core.game import Json
from registan.server.errors import Broken, Deleted, NoTable, Unavailable
from registan.server.identity import Person
from registan.server.limits import (
    BOT_PACE,
    IDLE_ROUND,
    SESSION_ROUND,
    SHUTDOWN_SECONDS,
    STUDIES,
    TABLE_ID,
    Buckets,
    Caps,
)
from registan.server.live.acting import TRIES, Acting, Grant
from registan.server.live.asking import Asking
from registan.server.live.continuing import RETRY_SECONDS, Continuing
from registan.server.live.counting import Counted
from registan.server.live.following import Following
from registan.server.live.idle import unused
from registan.server.live.journal import Journal
from registan.server.live.lobby import Lobby
from registan.server.live.presence import Presences
from registan.server.live.readiness import Readiness
from registan.server.live.recomputing import Recomputing
from registan.server.live.reviewing import Reviewing
from registan.server.live.sockets import Sockets
from registan.server.live.table import LiveTable
from registan.server.live.thinking import Guided, Thinking
from registan.server.logs import log
from registan.server.metrics import Metrics
from registan.server.siblings import Siblings
from registan.server.storage.bus import listen
from registan.server.storage.documents import Documents
from registan.server.storage.results import Results
from registan.server.storage.saving import Saver
from registan.server.storage.sessions import Sessions
from registan.server.storage.store import Store
from registan.server.storage.tries import Tries
from registan.tables import events as e
from registan.tables.bots import questions
from registan.tables.creation import check_deletable
from registan.tables.hints import guide_question, hint_question, hint_rng
from registan.tables.requests import Hint, Request
from registan.tables.sight import Audience
from registan.tables.snapshot import snapshot, unpack
from registan.tables.table import Table


class Notices(Protocol):
    """What tells people that it is their turn."""

    def look(self, live: LiveTable) -> None:
        """See whose turn it has become at a table."""
        ...

    async def close(self) -> None:
        """Stop."""
        ...


def clock() -> int:
    """Return the time in milliseconds."""
    return time.time_ns() // 1_000_000


class House:
    """All tables in memory of one process, with their bots and clocks."""

    def __init__(
        self,
        store: Store,
        workers: int = 1,
        now: Callable[[], int] = clock,
        bus: str = "",
        bot_pace: int = BOT_PACE,
        caps: Caps | None = None,
        siblings: Siblings | None = None,
    ) -> None:
        self._siblings = siblings
        self.store, self.now, self.bot_pace = store, now, bot_pace
        self.metrics = Metrics()
        self.buckets = Buckets()
        self.caps = caps or Caps()
        self.sockets = Sockets(self.caps)
        self.lobby = Lobby(store, self.caps, now)
        self.open = True
        self._tables: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.thinking = Thinking(self.metrics, self.caps, workers)
        self.asking = self._ask_together(workers)
        self._tasks: set[asyncio.Task[Any]] = set()
        self.continuing = Continuing(self)
        self.following = Following(self)
        self.presences = Presences(self._tables)
        self._bus = self.presences.bus = listen(store, self.following.announced, self.presences.told, bus)
        self.notices: Notices | None = None
        self.sessions = Sessions(store)
        self.saver = Saver(store, self._tables)
        self.journal = Journal(store, self.saver)
        self.acting = Acting(self)
        self.readiness = Readiness(self)
        self.recomputing = Recomputing()
        self.studies = Recomputing(STUDIES)
        self.reviews = Reviewing(store, self.thinking)
        self.results = Results(store)
        self.documents = Documents(store)
        self.tries = Tries(self.documents)
        self.studying = Counted("studies")

    @property
    def shared(self) -> bool:
        """Whether other processes serve the same tables."""
        return self._bus is not None

    def _ask_together(self, workers: int) -> Asking | None:
        """Return how bots are asked together with other processes, if the store lets processes do so."""
        url = getattr(self.store, "url", None)
        return Asking(self.store, url, self.thinking, self.caps, workers, self._wake) if url else None

    async def resume(self) -> None:
        """Let bots and clocks continue at the tables that were running when the house closed."""
        while True:
            try:
                tables = await self.store.unfinished()
                break
            except Exception as error:  # the store may be unreachable for a while
                log.error("running tables are not known yet", why=repr(error))
                await asyncio.sleep(RETRY_SECONDS)
        if self._siblings is not None:  # the others wake theirs
            tables = [table for table in tables if self._siblings.home(table)]
        while tables := [table for table in tables if not await self._resume(table)]:
            await asyncio.sleep(RETRY_SECONDS)

    async def _resume(self, table: str) -> bool:
        """Wake a table, and return whether that is done; one that cannot be read keeps nobody else asleep."""
        try:
            live = await self.table(table)
        except Unavailable:
            return False
        except Exception as error:
            log.error("table does not wake", table=table, why=repr(error))
            return True
        self.continuing.schedule(live)
        return True

    async def _wake(self, table: str) -> set[bytes]:
        """Wake a table whose bots nobody plays for any more; return the ids of what they are asked now."""
        await self._resume(table)
        live = self._tables.get(table)
        return {question.id(table) for question in questions(live.table)} if live is not None else set()

    async def watch_sessions(self) -> None:
        """Disconnect the devices that are signed out through other processes."""
        while True:
            await asyncio.sleep(SESSION_ROUND)
            try:
                self.disconnect(await self.sessions.refresh())
            except Exception as error:  # the store may be unreachable for a while
                log.warning("sessions are not checked", why=repr(error))

    def disconnect(self, ended: set[tuple[str, str]]) -> None:
        """End the connections of devices that were signed out: pairs of a person and a session."""
        for live in self._tables.values() if ended else ():
            for watcher in list(live.watchers):
                if (watcher.who, watcher.session) in ended:
                    live.leave(watcher)
                    watcher.send(None)

    async def close(self) -> None:
        """Finish the work in progress, disconnect the watchers, and close the store."""
        self.open = False
        if self.asking is not None:
            self.asking.stop()
        for live in self._tables.values():
            if live.timer is not None:
                live.timer.cancel()
            for watcher in list(live.watchers):
                watcher.send(None)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=SHUTDOWN_SECONDS)
        self.reviews.close()
        if self.asking is not None:
            await self._in_time(self.asking.close())
        for threads in (self.thinking, self.recomputing, self.studies):
            threads.close()
        await self._in_time(self._close_rest())
        await self.store.close()

    async def _close_rest(self) -> None:
        if self.notices is not None:
            await self.notices.close()
        await self.saver.close()
        if self._bus is not None:
            await self._bus.close()

    async def _in_time(self, closing: Coroutine[Any, Any, None]) -> None:
        try:
            async with asyncio.timeout(SHUTDOWN_SECONDS):
                await closing
        except Exception as error:
            log.error("the house does not close in order", why=repr(error))

    # Tables.

    async def create(self, made: Callable[[str, int, bytes], e.Created], table: str | None = None) -> str:
        """Create a table from its id, the time and a fresh secret, unless it exists already; return its id."""
        table = table or secrets.token_urlsafe(9)
        created = await self.journal.create(made(table, self.now(), secrets.token_bytes(32)))
        if created is not None and table not in self._tables:
            self._tables[table] = LiveTable(created)
            self.metrics.tables.set(len(self._tables))
        return table

    def in_memory(self, table: str) -> LiveTable | None:
        """Return the table with that id if it is loaded."""
        return self._tables.get(table)

    async def table(self, table: str) -> LiveTable:
        """Return the table with that id, loaded if necessary; raise NoTable if there is none."""
        if table in self._tables:
            self._tables[table].used = time.monotonic()
            return self._tables[table]
        if not re.search(TABLE_ID, table):
            raise NoTable("error.house.no_table")
        if table not in self._loading:
            self._loading[table] = asyncio.ensure_future(self._load(table))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> LiveTable:
        try:
            live = LiveTable(await self.journal.read(table))
            self._tables[table] = live
            self.unload_idle()
            if self.shared:
                self.continuing.schedule(live)  # the process that has let its bots think may be gone
            return live
        finally:
            del self._loading[table]

    async def carry_out(self, table: str, request: Request, person: Person) -> Table:
        """Carry out a person's request."""
        return await self.act(table, _granting(request, person))

    def begin(self, table: str, request: Request, person: Person, done: Callable[[Exception | None], None]) -> bool:
        """Begin to carry out a person's request if that is simple, and return whether it is (`Acting.begin`)."""
        live = self._tables.get(table)
        return live is not None and self.acting.begin(live, _granting(request, person), done)

    async def hint(self, table: str, seat: int, person: Person) -> list[Json]:
        """Return the best moves for a person's seat, which is to decide now; the log says that it asked."""
        found = await self._may_ask(table, seat, person)
        question = hint_question(found, seat)
        self.thinking.check_hint(question, person.who, table)
        rows = await self.thinking.hint(question, person.who, table)
        await self.carry_out(table, Hint(seat=seat), person)  # told only once it is counted
        return rows

    async def guide(self, table: str, seat: int, person: Person) -> Guided:
        """Return what the guide says to a person's seat, which is to decide now; with moves, it counts as a hint."""
        found = await self._may_ask(table, seat, person)
        question = guide_question(found.playing, seat, hint_rng(found, seat))
        said = await self.thinking.guide(question, person.who, table)
        if said.moves:
            await self.carry_out(table, Hint(seat=seat), person)
        return said

    async def _may_ask(self, table: str, seat: int, person: Person) -> Table:
        """Return a table where a person's seat may ask for a hint now; raise what refuses it before anything counts."""
        found = (await self.table(table)).table
        Hint(seat=seat).carry_out(found.copy(), person.who, found.time(self.now()))
        return found

    async def act(self, table: str, grant: Grant) -> Table:
        """Grant a request: check it, append its events to the log, and send them to the watchers."""
        return await self.acting.act(table, grant)

    async def catch_up(self, live: LiveTable) -> bool:
        """Add what other processes have added to the log, and return whether they had. The table must be locked."""
        if not self.shared:
            return False
        before = live.table
        live.table = await self.journal.latest(before)
        return live.table is not before

    async def delete(self, table: str, who: str) -> None:
        """Delete a table for its host, and tell everybody who watches it."""
        live = await self.table(table)
        async with live.lock:
            await self.journal.settle(live)
            await self.catch_up(live)
            for _ in range(TRIES):
                check_deletable(live.table, who)
                if await self.journal.delete(live):
                    break
            else:
                raise BadInput("error.house.busy")
            self.forget(live)
        if self._bus is not None:
            self._bus.announce(table, live.table.seq + 1)

    def forget(self, live: LiveTable) -> None:
        """Let go of a table that was deleted. Whatever is still going on there finds out when it comes back."""
        if live.timer is not None:
            live.timer.cancel()
        live.end(Deleted("error.house.deleted"))
        if self._tables.get(live.table.created.table) is live:
            del self._tables[live.table.created.table]
        self.metrics.tables.set(len(self._tables))

    def publish(self, live: LiveTable) -> None:
        """Send the watchers what is new. If that fails, they must come back and get the whole view."""
        try:
            live.publish()
        except Exception as error:
            log.error("views are not sent", table=live.table.created.table, why=repr(error))
            live.reset()

    def spawn(self, what: Coroutine[Any, Any, Any], table: str) -> None:
        """Let something go on in the background, at a table."""
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._done(done, table))

    def _done(self, task: asyncio.Task[Any], table: str) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, (Unavailable, Broken, Deleted)):  # those are known already
            log.error("work in the background failed", table=table, why=repr(error))

    def unload(self, table: str) -> None:
        """Remove a finished table from memory if nobody watches it; the store has it."""
        live = self._tables.get(table)
        if live is not None and live.table.finished and not live.watchers and not live.lock.locked():
            del self._tables[table]
            self.metrics.tables.set(len(self._tables))

    def reload(self, table: str) -> None:
        """Let go of a table whose log was rewritten; whoever watches it comes back to the new one."""
        live = self._tables.pop(table, None)
        if live is not None:
            live.reset()
            self.metrics.tables.set(len(self._tables))

    def unload_idle(self) -> None:
        """Remove from memory what nobody has used for a while."""
        for table in unused(self._tables, time.monotonic()):
            del self._tables[table]
        self.metrics.tables.set(len(self._tables))

    async def watch_idle(self) -> None:
        """Do so from time to time."""
        while True:
            await asyncio.sleep(IDLE_ROUND)
            self.unload_idle()

    async def moment(self, table: str, line: int, audience: Audience) -> Json:
        """Return the game after the first `line` lines of its log, as an audience saw it."""
        kept = await self.store.snapshot(table)
        if kept is not None and table not in self._tables:
            try:
                return unpack(kept[1]).moment(line, audience.seat)
            except RegistanError:
                raise
            except Exception as error:  # nothing is lost: the log has everything
                log.error("snapshot cannot be read", table=table, why=repr(error))
        found = (await self.table(table)).table
        return snapshot(found, audience.upto(found)).moment(line, audience.seat)


def _granting(request: Request, person: Person) -> Grant:
    def grant(found: Table, now: int) -> list[e.Event]:
        return request.carry_out(found, person.who, now, person.name, person.face)

    return grant
