"""The house: it grants the requests of each table one by one, stores their events and sends them to the watchers."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from registan.core.errors import BadInput, RegistanError
from registan.core.game import Json
from registan.server.errors import NoTable
from registan.server.identity import Person
from registan.server.limits import BOT_PACE, SESSION_ROUND, SHUTDOWN_SECONDS, Buckets
from registan.server.live.table import LiveTable
from registan.server.logs import log
from registan.server.metrics import Metrics
from registan.server.storage.bus import listen
from registan.server.storage.saving import Saver
from registan.server.storage.sessions import Sessions
from registan.server.storage.store import Conflict, Store
from registan.server.storage.summary import summarize
from registan.tables import events as e
from registan.tables.bots import Question, questions, release, reply
from registan.tables.clocks import catch_up
from registan.tables.requests import Request
from registan.tables.save import opened
from registan.tables.sight import Audience
from registan.tables.snapshot import snapshot, unpack
from registan.tables.table import Table, replay

Grant = Callable[[Table, int], list[e.Event]]
"""A request: given the table and the time, it adds events to the table and returns them, or raises RegistanError."""
RETRY_SECONDS = 2.0
"""How long to wait before asking a bot again whose move could not be stored."""
TRIES = 8
"""How many races with other processes a request may lose before it is refused."""


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
    ) -> None:
        self.store, self.now, self.bot_pace = store, now, bot_pace
        self.metrics = Metrics()
        self.buckets = Buckets()
        self.open = True
        self._tables: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._pool = ThreadPoolExecutor(max(1, workers), thread_name_prefix="bot")
        self._quiet_pool = ThreadPoolExecutor(1, thread_name_prefix="quiet-bot")
        """For questions that nobody may know of: no other question waits for them."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bus = listen(store, self._announced, bus)
        self.notices: Notices | None = None
        self.sessions = Sessions(store)
        self.saver = Saver(store, self._tables)

    @property
    def shared(self) -> bool:
        """Whether other processes serve the same tables."""
        return self._bus is not None

    async def resume(self) -> None:
        """Let bots and clocks continue at the tables that were running when the house closed."""
        for table in await self.store.unfinished():
            try:
                self._schedule(await self.table(table))
            except RegistanError as error:
                log.warning("table does not open", table=table, why=str(error))

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
        for live in self._tables.values():
            if live.timer is not None:
                live.timer.cancel()
            for watcher in list(live.watchers):
                watcher.send(None)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=SHUTDOWN_SECONDS)
        for pool in (self._pool, self._quiet_pool):
            pool.shutdown(wait=False, cancel_futures=True)
        if self.notices is not None:
            await self.notices.close()
        await self.saver.close()
        if self._bus is not None:
            await self._bus.close()
        await self.store.close()

    # Tables.

    async def create(self, made: Callable[[str, int, bytes], e.Created], table: str | None = None) -> str:
        """Create a table from its id, the time and a fresh secret, unless it exists already; return its id."""
        table = table or secrets.token_urlsafe(9)
        event = made(table, self.now(), secrets.token_bytes(32))
        live = LiveTable(replay([event]))
        try:
            await self.store.append(summarize(live.table), 0, [e.dumps(event)])
        except Conflict:
            return table
        self._tables[table] = live
        self.metrics.tables.set(len(self._tables))
        return table

    async def table(self, table: str) -> LiveTable:
        """Return the table with that id, loaded if necessary; raise NoTable if there is none."""
        if table in self._tables:
            return self._tables[table]
        if table not in self._loading:
            self._loading[table] = asyncio.ensure_future(self._load(table))
        try:
            return await asyncio.shield(self._loading[table])
        finally:
            self._loading.pop(table, None)

    async def _load(self, table: str) -> LiveTable:
        live = LiveTable(await self._read(table))
        self._tables[table] = live
        self.metrics.tables.set(len(self._tables))
        return live

    async def _read(self, table: str) -> Table:
        # Replaying a long game takes a while: it starts from a save if there is one, and outside of the event loop.
        kept = await self.saver.read(table)
        found = await asyncio.to_thread(opened, kept) if kept is not None else None
        stored = await self.store.log(table, found.seq if found is not None else 0)
        if found is None and not stored:
            raise NoTable("error.house.no_table")

        def up_to_date() -> Table:
            if found is None:
                return replay(map(e.loads, stored))
            for data in stored:
                found.add(e.loads(data))
            return found

        return await asyncio.to_thread(up_to_date)

    async def carry_out(self, table: str, request: Request, person: Person) -> Table:
        """Carry out a person's request."""
        return await self.act(table, lambda found, now: request.carry_out(found, person.who, now, person.name))

    async def act(self, table: str, grant: Grant) -> Table:
        """Grant a request: check it, append its events to the log, and send them to the watchers."""
        start = time.perf_counter()
        live = await self.table(table)
        async with live.lock:
            refused = await self._act(live, table, grant)
            live.publish()
        self._schedule(live)  # even after a refusal: the clock may have changed something
        if refused is not None:
            raise refused
        self.metrics.moves.observe(time.perf_counter() - start)
        return live.table

    async def _act(self, live: LiveTable, table: str, grant: Grant) -> RegistanError | None:
        for _ in range(TRIES):
            seen, now = live.table.seq, self.now()
            refused: RegistanError | None = None
            # What the clock brings is stored even if the request itself is refused.
            events = catch_up(live.table, now)
            try:
                events += grant(live.table, now)
            except RegistanError as error:
                refused = error
            if not events:
                return refused
            try:
                await self.store.append(summarize(live.table), seen, [e.dumps(event) for event in events])
            except Conflict:
                self.metrics.conflicts.inc()
                live.table = await self._read(table)
                continue
            except Exception:
                # What is not on disk has not happened.
                live.table = await self._read(table)
                raise
            self.metrics.events.inc(len(events))
            if self._bus is not None:
                self._bus.announce(table, live.table.seq)
            return refused
        return BadInput("error.house.busy")

    def _schedule(self, live: LiveTable) -> None:
        """Set the table's timer and ask its bots; store a snapshot when the game is over."""
        table = live.table
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        if not self.open:
            return
        if table.finished:
            self._spawn(self._finish(live))
            return
        due = table.next_deadline()
        if due is not None:
            wait = max(0, due - self.now()) / 1000
            live.timer = asyncio.get_running_loop().call_later(min(wait, 3600), self._tick, table.created.table)
        if self.notices is not None:
            self.notices.look(live)
        asked = questions(table)
        live.asked &= {(question.seat, question.moment) for question in asked}
        for question in asked:
            if (question.seat, question.moment) not in live.asked:
                live.asked.add((question.seat, question.moment))
                self._spawn(self._think(table.created.table, question))

    def _tick(self, table: str) -> None:
        self._spawn(self.act(table, lambda _table, _now: []))

    def _spawn(self, what: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("work in the background failed", why=repr(task.exception()))

    async def _think(self, table: str, question: Question) -> None:
        """Let a bot think in a thread, and play the move it chose."""
        start = time.perf_counter()
        with self.metrics.thinking.track_inprogress():
            pool = self._quiet_pool if question.quiet else self._pool
            action = await asyncio.get_running_loop().run_in_executor(pool, question.think)
        self.metrics.thought.observe(time.perf_counter() - start)
        if question.since is not None and self.open:
            now = self.now()
            await asyncio.sleep((release(question.since, now, self.bot_pace) - now) / 1000)
        if not self.open:
            return
        try:
            await self.act(table, lambda t, now: reply(t, question, action, now))
        except Exception:
            # The disk may be full, for example. The bot is asked again, or the table would wait forever.
            (await self.table(table)).asked.discard((question.seat, question.moment))
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self._tick, table)
            raise

    async def _finish(self, live: LiveTable) -> None:
        table = live.table
        await self.saver.forget(table)
        if table.match is not None and table.match.moves_played:
            made = snapshot(table)
            await self.store.keep_snapshot(table.created.table, made.seq, await asyncio.to_thread(made.packed))
        self.unload(table.created.table)

    def unload(self, table: str) -> None:
        """Remove a finished table from memory if nobody watches it; the store has it."""
        live = self._tables.get(table)
        if live is not None and live.table.finished and not live.watchers and not live.lock.locked():
            del self._tables[table]
            self.metrics.tables.set(len(self._tables))

    async def moment(self, table: str, line: int, audience: Audience) -> Json:
        """Return the game after the first `line` lines of its log, as an audience saw it."""
        kept = await self.store.snapshot(table)
        if kept is not None and table not in self._tables:
            return unpack(kept[1]).moment(line, audience.seat)
        found = (await self.table(table)).table
        question = found.question_of(audience.held or [audience.seat])
        return snapshot(found, question).moment(line, audience.seat)

    def _announced(self, table: str, seq: int) -> None:
        """Catch up with a log that another process has added to; with all of them if an announcement was missed."""
        if not table:
            for name, missed in self._tables.items():
                self._spawn(self._catch_up(missed, name))
            return
        live = self._tables.get(table)
        if live is not None and live.table.seq < seq:
            self._spawn(self._catch_up(live, table))

    async def _catch_up(self, live: LiveTable, table: str) -> None:
        async with live.lock:
            new = await self.store.log(table, live.table.seq)
            for data in new:
                live.table.add(e.loads(data))
            live.publish()
        self._schedule(live)
