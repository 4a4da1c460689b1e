"""PostgreSQL, for several processes: one task commits everything that is waiting, and announces each commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg
import msgspec

from registan.core.errors import BadInput
from registan.server.errors import Unavailable
from registan.server.limits import CONNECT_SECONDS, QUERY_SECONDS, SHUTDOWN_SECONDS
from registan.server.logs import log
from registan.server.storage import thoughts
from registan.server.storage.bus import CHANNEL
from registan.server.storage.store import Conflict, Stored, unavailable
from registan.server.storage.summary import DELETED, PARTS, TableSummary, recovered, summaries, tombstone

BATCH = 500
EXPORT_SECONDS = 600

MIGRATIONS = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, seen BIGINT NOT NULL, status TEXT NOT NULL, listed BOOLEAN NOT NULL,
        touched BIGINT NOT NULL, card BYTEA NOT NULL
    );
    CREATE INDEX tables_by_status ON tables (status, touched);
    CREATE TABLE events (
        table_id TEXT NOT NULL, seq BIGINT NOT NULL, data BYTEA NOT NULL, PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE people (who TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (who, table_id));
    """,
    """
    CREATE TABLE snapshots (table_id TEXT PRIMARY KEY, seen BIGINT NOT NULL, data BYTEA NOT NULL);
    """,
    """
    CREATE TABLE wishes (who TEXT PRIMARY KEY, lang TEXT NOT NULL, data BYTEA NOT NULL);
    CREATE TABLE switches (
        table_id TEXT NOT NULL, who TEXT NOT NULL, wanted INT NOT NULL, PRIMARY KEY (table_id, who)
    );
    CREATE TABLE notices (
        table_id TEXT NOT NULL, seat INT NOT NULL, turn BIGINT NOT NULL, who TEXT NOT NULL, due BIGINT,
        tries INT NOT NULL, rest BYTEA, PRIMARY KEY (table_id, seat)
    );
    CREATE INDEX notices_by_due ON notices (due) WHERE due IS NOT NULL;
    CREATE TABLE saves (table_id TEXT PRIMARY KEY, seen BIGINT NOT NULL, data BYTEA NOT NULL);
    """,
    """
    CREATE TABLE sessions (
        who TEXT NOT NULL, id TEXT NOT NULL, device TEXT NOT NULL, since BIGINT NOT NULL, ended INT NOT NULL,
        PRIMARY KEY (who, id)
    );
    CREATE INDEX sessions_ended ON sessions (ended) WHERE ended = 1;
    CREATE TABLE handovers (id TEXT PRIMARY KEY, used BIGINT NOT NULL);
    """,
    """
    CREATE TABLE results (
        table_id TEXT NOT NULL, seat INT NOT NULL, who TEXT NOT NULL, level TEXT NOT NULL, game TEXT NOT NULL,
        ended BIGINT NOT NULL, place INT NOT NULL, points INT NOT NULL, share DOUBLE PRECISION NOT NULL,
        rated INT NOT NULL, mean DOUBLE PRECISION, spread DOUBLE PRECISION, PRIMARY KEY (table_id, seat)
    );
    CREATE INDEX results_by_who ON results (who, ended) WHERE who <> '';
    CREATE INDEX results_by_end ON results (game, ended, table_id) WHERE rated = 1;
    CREATE INDEX results_by_player ON results (who, level, game, ended) WHERE rated = 1;
    CREATE INDEX results_unrated ON results (game, ended, table_id) WHERE rated = 1 AND mean IS NULL;
    CREATE TABLE reviews (
        table_id TEXT NOT NULL, open_hands INT NOT NULL, id TEXT NOT NULL, data BYTEA NOT NULL,
        figures BYTEA NOT NULL, PRIMARY KEY (table_id, open_hands)
    );
    CREATE INDEX reviews_by_id ON reviews (id);
    CREATE TABLE documents (
        who TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, at BIGINT NOT NULL, data BYTEA NOT NULL,
        PRIMARY KEY (who, kind, name)
    );
    """,
)
"""The statements that migrate a database from each version to the next. Never change one, only add."""

Append: TypeAlias = tuple[TableSummary, int, list[bytes], asyncio.Future[None]]
MILLISECONDS = f"{QUERY_SECONDS * 1000}"
SETTINGS = {
    "statement_timeout": MILLISECONDS,
    "lock_timeout": MILLISECONDS,
    "idle_in_transaction_session_timeout": MILLISECONDS,
    "tcp_user_timeout": MILLISECONDS,
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
"""So that a process that has lost its network holds no lock for long."""
WRONG = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError)
"""A statement or a value is wrong. After other errors the database may do the same in a moment."""
LOST = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
)
"""The connection is of no use any more."""
LOCK = 0x5EC157A
"""The advisory lock that lets only one process migrate."""


async def migrate(db: Any, upto: int = len(MIGRATIONS)) -> None:
    """Bring the schema up to date; refuse a database of a newer version."""
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await db.execute("CREATE TABLE IF NOT EXISTS schema_version (version INT NOT NULL)")
        version = await db.fetchval("SELECT version FROM schema_version") or 0
        if version > len(MIGRATIONS):
            raise BadInput("error.house.newer", found=version, known=len(MIGRATIONS))
        for number in range(version, upto):
            await db.execute(MIGRATIONS[number])
        await db.execute("DELETE FROM schema_version")
        await db.execute("INSERT INTO schema_version VALUES ($1)", max(version, upto))
        await db.execute(thoughts.TABLES)  # nothing in them outlives a crash, so they have no version


INSERT = f"""
    WITH stored AS (INSERT INTO events SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])),
    shown AS (
        UPDATE tables SET seen = n.seen, status = n.status, listed = n.listed, touched = n.touched, card = n.card
        FROM unnest($4::text[], $5::bigint[], $6::text[], $7::boolean[], $8::bigint[], $9::bytea[])
        AS n(id, seen, status, listed, touched, card) WHERE tables.id = n.id
    )
    SELECT pg_notify('{CHANNEL}', said) FROM unnest($10::text[]) said
"""
"""Adds events, updates the tables and announces both: one round trip, as every move waits for it."""


async def _leave_as_it_is(db: Any) -> None:
    """Do nothing when a connection returns to the pool: nobody changes its settings, and that saves a round trip."""


class PostgresStore:
    """The tables of a house in a PostgreSQL database."""

    def __init__(self, pool: Any, url: str) -> None:
        self._pool, self.url = pool, url
        self._pending: list[Append] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._write())

    @classmethod
    async def open(cls, url: str, upgrade: bool = True) -> PostgresStore:
        """Connect, and bring the schema up to date."""
        try:
            if upgrade:
                db = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
                try:
                    await migrate(db)
                finally:
                    await db.close(timeout=CONNECT_SECONDS)
            pool = await asyncpg.create_pool(
                url, min_size=1, max_size=8, timeout=CONNECT_SECONDS, server_settings=SETTINGS, reset=_leave_as_it_is
            )
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError, ValueError) as error:
            # The URL may hold a password, so the message does not quote it.
            raise BadInput("error.house.postgres", why=str(error) or type(error).__name__) from None
        return cls(pool, url)

    @asynccontextmanager
    async def _lend(self, seconds: float = QUERY_SECONDS + 1) -> AsyncIterator[Any]:
        """Lend a connection for some seconds. After that, or when it breaks, it is thrown away.

        The idle ones are then replaced too: they have probably lost the same network, and would say so one by one.
        """
        try:
            db = await self._pool.acquire(timeout=CONNECT_SECONDS)
            # Cancelling a query would wait for an answer of the server. Without its connection, it just fails.
            too_late = asyncio.get_running_loop().call_later(seconds, db.terminate)
            try:
                yield db
            except LOST:
                db.terminate()
                raise
            finally:
                try:
                    await self._pool.release(db)
                finally:
                    too_late.cancel()
        except (Conflict, *WRONG):
            raise
        except (*LOST, asyncpg.PostgresError) as error:
            if isinstance(error, LOST):
                await self._pool.expire_connections()
            raise unavailable(error) from error

    async def append(self, summary: TableSummary, seen: int, events: list[bytes]) -> None:
        """Add events to a log; return once they are on disk."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((summary, seen, events, done))
        self._wake.set()
        await asyncio.shield(done)

    async def _write(self) -> None:
        while not (self._closing and not self._pending):
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                await self._write_batch(self._next_batch())

    async def _write_batch(self, batch: list[Append]) -> None:
        """Commit appends together; if one of them is at fault, each alone. Whatever happens, all get an answer."""
        try:
            good = await self._commit(batch)
        except Exception as error:
            if len(batch) > 1 and not isinstance(error, Unavailable):
                for item in batch:
                    await self._write_batch([item])
                return
            for *_, done in batch:
                if not done.done():
                    done.set_exception(error)
            return
        for summary, _, _, done in batch:
            if not done.done():
                if summary.table in good:
                    done.set_result(None)
                else:
                    done.set_exception(Conflict())

    def _next_batch(self) -> list[Append]:
        """Return what can be committed together: at most one append per table."""
        batch: list[Append] = []
        rest: list[Append] = []
        tables = set()
        for item in self._pending:
            fits = item[0].table not in tables and len(batch) < BATCH
            (batch if fits else rest).append(item)
            tables.add(item[0].table)
        self._pending = rest
        return batch

    async def _commit(self, batch: list[Append]) -> set[str]:
        """Commit appends in one transaction, and return the tables that were not changed by others meanwhile."""
        # Sorted by id, so that two processes cannot deadlock.
        batch.sort(key=lambda item: item[0].table)
        async with self._lend() as db, db.transaction():
            good = await self._lock(db, batch)
            await self._insert(db, [item for item in batch if item[0].table in good])
        return good

    async def _lock(self, db: Any, batch: list[Append]) -> set[str]:
        """Return the tables whose logs have as many events as the writer has seen, locked until the commit."""
        new: list[Any] = []
        if ids := [summary.table for summary, seen, *_ in batch if seen == 0]:
            new = await db.fetch(
                "INSERT INTO tables SELECT id, 0, '', false, 0, '' FROM unnest($1::text[]) id"
                " ON CONFLICT DO NOTHING RETURNING id",
                ids,
            )
        known = {summary.table: seen for summary, seen, *_ in batch if seen}
        rows = await db.fetch(
            "SELECT id, seen FROM tables WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE", list(known)
        )
        return {row["id"] for row in new} | {row["id"] for row in rows if row["seen"] == known[row["id"]]}

    async def _insert(self, db: Any, batch: list[Append]) -> None:
        events = [(summary.table, seen + i, data) for summary, seen, new, _ in batch for i, data in enumerate(new, 1)]
        rows = [
            (s.table, seen + len(new), s.work, s.listed, s.touched, msgspec.json.encode(s)) for s, seen, new, _ in batch
        ]
        if not rows:
            return
        announced = [f"{row[0]} {row[1]}" for row in rows]
        await db.execute(INSERT, *map(list, zip(*events)), *map(list, zip(*rows)), announced)
        # After the start nobody can sit down.
        new = (summary for summary, seen, *_ in batch if not seen or summary.status == "open")
        if people := [(who, summary.table) for summary in new for who in sorted(summary.theirs)]:
            await db.execute(
                "INSERT INTO people SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING",
                *map(list, zip(*people)),
            )

    async def delete(self, summary: TableSummary, seen: int) -> None:
        """Delete a table, except for its tombstone."""
        # One event more than anybody has seen, so that nobody can add to the log.
        last = [(tombstone(summary), seen, [b""], asyncio.get_running_loop().create_future())]
        async with self._lend() as db, db.transaction():
            if not await self._lock(db, last):
                raise Conflict
            await self._insert(db, last)
            for part in (*PARTS, "thoughts"):
                await db.execute(f"DELETE FROM {part} WHERE table_id = $1", summary.table)

    async def keep_snapshot(self, table: str, seen: int, data: bytes) -> None:
        """Store a snapshot of a table, unless it was deleted meanwhile."""
        await self.execute(
            "INSERT INTO snapshots SELECT $1::text, $2::bigint, $3::bytea"
            " WHERE NOT EXISTS (SELECT 1 FROM tables WHERE id = $1 AND status = $4)"
            " ON CONFLICT (table_id) DO UPDATE SET seen = excluded.seen, data = excluded.data",
            table, seen, data, DELETED,
        )  # fmt: skip

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        async with self._lend() as db:
            rows: list[Any] = await db.fetch(sql, *values)
        return rows

    async def execute(self, sql: str, *values: Any) -> int:
        """Execute a statement, and return how many rows it changed once that is on disk."""
        async with self._lend() as db:
            done: str = await db.execute(sql, *values)  # "UPDATE 1"
        return int(done.rpartition(" ")[2])

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        """Return the events of a table from number `after` + 1 on."""
        sql = "SELECT data FROM events WHERE table_id = $1 AND seq > $2 ORDER BY seq"
        return [row[0] for row in await self.fetch(sql, table, after)]

    async def lengths(self, tables: list[str]) -> dict[str, int]:
        """Return how many events the logs of tables have."""
        rows = await self.fetch("SELECT id, seen FROM tables WHERE id = ANY($1::text[])", tables)
        return {row[0]: row[1] for row in rows}

    async def listed(self, most: int) -> list[TableSummary]:
        """Return the public tables that are not over, the latest first."""
        sql = "SELECT card, id FROM tables WHERE listed AND status IN ('open', 'dealing', 'running', 'paused') "
        return summaries(await self.fetch(sql + "ORDER BY touched DESC LIMIT $1", most))

    async def tables_of(self, who: str, most: int) -> list[TableSummary]:
        """Return the tables of a person, those that wait for that person first."""
        sql = "SELECT card, id FROM people JOIN tables ON id = table_id WHERE who = $1 ORDER BY touched DESC LIMIT $2"
        return sorted(summaries(await self.fetch(sql, who, most)), key=lambda summary: who not in summary.asked)

    async def unfinished(self) -> list[str]:
        """Return the running tables."""
        return [row[0] for row in await self.fetch("SELECT id FROM tables WHERE status IN ('running', 'ending')")]

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """Return how many events the snapshot of a table covers, and the snapshot."""
        rows = await self.fetch("SELECT seen, data FROM snapshots WHERE table_id = $1", table)
        return (rows[0][0], rows[0][1]) if rows else None

    async def everything(self) -> AsyncIterator[Stored]:
        """Yield all tables that can be read."""
        async with self._lend(EXPORT_SECONDS) as db, db.transaction():
            await db.execute("SET LOCAL statement_timeout = 0")
            rows = await db.fetch("SELECT id, card FROM tables WHERE status <> $1 ORDER BY id", DELETED)
        for row in rows:
            events = await self.log(row[0])
            if (summary := recovered(row[0], row[1], events)) is not None:
                yield Stored(summary, events)

    async def check(self) -> None:
        """Write the version of the schema again."""
        if self._task.done():
            raise Unavailable("error.house.store_down")
        await self.execute("UPDATE schema_version SET version = version")

    async def close(self) -> None:
        """Finish pending writes, and close."""
        self._closing = True
        self._wake.set()
        try:
            async with asyncio.timeout(SHUTDOWN_SECONDS):
                await asyncio.shield(self._task)
                await self._pool.close()
        except Exception as error:
            log.error("store does not close", why=repr(error))
            self._task.cancel()
            self._pool.terminate()
