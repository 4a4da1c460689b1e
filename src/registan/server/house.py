"""The house: it grants requests one after the other at each table, keeps them, and tells those who watch."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from registan.core.errors import BadInput, RegistanError
from registan.core.game import SPECTATOR, Line
from registan.server.bus import listen
from registan.server.limits import SHUTDOWN_SECONDS, Buckets
from registan.server.logs import log
from registan.server.metrics import Metrics
from registan.server.postman import Postman
from registan.server.room import Room
from registan.server.saving import Saver
from registan.server.storage import Card, Conflict, Store
from registan.tables import events as e
from registan.tables.bots import Question, questions, reply
from registan.tables.clocks import catch_up
from registan.tables.save import opened
from registan.tables.snapshot import snapshot, unpack
from registan.tables.table import Table, replay

Grant = Callable[[Table, int], list[e.Event]]
"""A request: given the table and the time, it adds events to the table and returns them, or raises RegistanError."""
AGAIN_SECONDS = 2.0
"""After how long a bot whose answer could not be kept is asked again."""
TRIES = 8
"""How often a race may be lost before the request is given up."""


class NoTable(RegistanError):
    """There is no such table, or it is none of the asker's business."""


def clock() -> int:
    """Return the house's time in milliseconds."""
    return time.time_ns() // 1_000_000


class House:
    """All tables of one process."""

    def __init__(self, store: Store, workers: int = 1, now: Callable[[], int] = clock, bus: str = "") -> None:
        self.store, self.now = store, now
        self.metrics = Metrics()
        self.buckets = Buckets()
        self.open = True
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._pool = ThreadPoolExecutor(max(1, workers), thread_name_prefix="bot")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bus = listen(store, self._heard, bus)
        self.postman: Postman | None = None
        self.saver = Saver(store, self._rooms)

    @property
    def shared(self) -> bool:
        """Whether other processes serve the same tables."""
        return self._bus is not None

    async def wake(self) -> None:
        """Let bots and clocks go on at the tables that were running when the house was closed."""
        for table in await self.store.unfinished():
            try:
                self._go_on(await self.room(table))
            except RegistanError as error:
                log.warning("table does not open", table=table, why=str(error))

    async def close(self) -> None:
        """Finish what was acknowledged or begun, tell the watchers, and close the store."""
        self.open = False
        for room in self._rooms.values():
            if room.timer is not None:
                room.timer.cancel()
            for watcher in list(room.watchers):
                watcher.send(None)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=SHUTDOWN_SECONDS)
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self.postman is not None:
            await self.postman.close()
        await self.saver.close()
        if self._bus is not None:
            await self._bus.close()
        await self.store.close()

    # Tables.

    async def create(self, made: Callable[[str, int, bytes], e.Created], table: str | None = None) -> str:
        """Lay a table, made from its id, the time and a fresh secret; return its id. One that lies already stays."""
        table = table or secrets.token_urlsafe(9)
        event = made(table, self.now(), secrets.token_bytes(32))
        room = Room(replay([event]))
        try:
            await self.store.append(card_of(room.table), 0, [e.dumps(event)])
        except Conflict:
            return table
        self._rooms[table] = room
        self.metrics.tables.set(len(self._rooms))
        return table

    async def room(self, table: str) -> Room:
        """Return a table, from the store if need be; raise NoTable if there is none."""
        if table in self._rooms:
            return self._rooms[table]
        if table not in self._loading:
            self._loading[table] = asyncio.ensure_future(self._load(table))
        try:
            return await asyncio.shield(self._loading[table])
        finally:
            self._loading.pop(table, None)

    async def _load(self, table: str) -> Room:
        room = Room(await self._read(table))
        self._rooms[table] = room
        self.metrics.tables.set(len(self._rooms))
        return room

    async def _read(self, table: str) -> Table:
        # Replaying a long game takes a while: not in the event loop, and from a save where there is one.
        kept = await self.saver.read(table)
        found = await asyncio.to_thread(opened, kept) if kept is not None else None
        stored = await self.store.log(table, found.seq if found is not None else 0)
        if found is None and not stored:
            raise NoTable("error.house.no_table")

        def catch_up_with_log() -> Table:
            if found is None:
                return replay(map(e.loads, stored))
            for data in stored:
                found.add(e.loads(data))
            return found

        return await asyncio.to_thread(catch_up_with_log)

    async def act(self, table: str, grant: Grant) -> Table:
        """Grant a request: check it, append what it brings to the log, and tell all who watch."""
        start = time.perf_counter()
        room = await self.room(table)
        async with room.lock:
            refused = await self._act(room, table, grant)
            room.publish()
        self._go_on(room)  # even after a refusal: the clock may have brought something
        if refused is not None:
            raise refused
        self.metrics.moves.observe(time.perf_counter() - start)
        return room.table

    async def _act(self, room: Room, table: str, grant: Grant) -> RegistanError | None:
        for _ in range(TRIES):
            seen, now = room.table.seq, self.now()
            refused: RegistanError | None = None
            # What the clock brings is kept even where the request itself is refused.
            events = catch_up(room.table, now)
            try:
                events += grant(room.table, now)
            except RegistanError as error:
                refused = error
            if not events:
                return refused
            try:
                await self.store.append(card_of(room.table), seen, [e.dumps(event) for event in events])
            except Conflict:
                self.metrics.conflicts.inc()
                room.replaced(await self._read(table))
                continue
            except Exception:
                # What is not on disk has not happened.
                room.replaced(await self._read(table))
                raise
            self.metrics.events.inc(len(events))
            if self._bus is not None:
                self._bus.announce(table, room.table.seq)
            return refused
        return BadInput("error.house.busy")

    def _go_on(self, room: Room) -> None:
        """Set the table's timer, ask its bots, and keep a snapshot when the game is over."""
        table = room.table
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        if not self.open:
            return
        if table.finished:
            self._later(self._finish(room))
            return
        due = table.next_deadline()
        if due is not None:
            wait = max(0, due - self.now()) / 1000
            room.timer = asyncio.get_running_loop().call_later(min(wait, 3600), self._ring, table.created.table)
        if self.postman is not None:
            self.postman.look(room)
        asked = questions(table)
        room.asked &= {(question.seat, question.moment) for question in asked}
        for question in asked:
            if (question.seat, question.moment) not in room.asked:
                room.asked.add((question.seat, question.moment))
                self._later(self._think(table.created.table, question))

    def _ring(self, table: str) -> None:
        self._later(self.act(table, lambda _table, _now: []))

    def _later(self, what: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("work in the background failed", why=repr(task.exception()))

    async def _think(self, table: str, question: Question) -> None:
        """Let a bot think in a thread, and play what it chose."""
        start = time.perf_counter()
        with self.metrics.thinking.track_inprogress():
            action = await asyncio.get_running_loop().run_in_executor(self._pool, question.think)
        self.metrics.thought.observe(time.perf_counter() - start)
        if not self.open:
            return
        try:
            await self.act(table, lambda t, now: reply(t, question, action, now))
        except Exception:
            # A full disk, say: the table must not wait for ever for a bot that was asked once.
            (await self.room(table)).asked.discard((question.seat, question.moment))
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._ring, table)
            raise

    async def _finish(self, room: Room) -> None:
        table = room.table
        await self.saver.forget(table)
        if table.match is not None and table.match.moves_played:
            made = snapshot(table)
            await self.store.keep_snapshot(table.created.table, made.seq, await asyncio.to_thread(made.packed))
        self.rest(table.created.table)

    def rest(self, table: str) -> None:
        """Forget a table that is over and that nobody watches; the store has it."""
        room = self._rooms.get(table)
        if room is not None and room.table.finished and not room.watchers and not room.lock.locked():
            del self._rooms[table]
            self.metrics.tables.set(len(self._rooms))

    async def moment(self, table: str, line: int, audience: int) -> Line:
        """Return the game after so many lines of its log, as the audience saw it."""
        kept = await self.store.snapshot(table)
        if kept is not None and table not in self._rooms:
            return unpack(kept[1]).moment(line, audience)
        return snapshot((await self.room(table)).table).moment(line, audience)

    def _heard(self, table: str, seq: int) -> None:
        """Another process has added to a log: catch up, if the table is here; with all, if something was missed."""
        if not table:
            for name, missed in self._rooms.items():
                self._later(self._catch_up(missed, name))
            return
        room = self._rooms.get(table)
        if room is not None and room.table.seq < seq:
            self._later(self._catch_up(room, table))

    async def _catch_up(self, room: Room, table: str) -> None:
        async with room.lock:
            new = await self.store.log(table, room.table.seq)
            for data in new:
                room.table.add(e.loads(data))
            room.publish()
        self._go_on(room)


def audience_of(table: Table, who: str, seat: int | None) -> int:
    """Return how somebody may see a table: from an own seat, else as a spectator."""
    if seat is None:
        return SPECTATOR
    if seat not in table.seats_of(who):
        raise BadInput("error.house.not_your_seat")
    return seat


def card_of(table: Table) -> Card:
    """Return a table's card for the lists."""
    asked = [seat.who for i, seat in enumerate(table.seats) if seat.by_hand and table.asked(i)]
    return Card(
        table=table.created.table,
        game=table.created.game,
        status=table.status,
        listed=table.created.listed,
        touched=table.touched,
        people=sorted({seat.who for seat in table.seats if seat.who}),
        asked=asked,
        seats=[seat.name or seat.level for seat in table.seats],
    )
