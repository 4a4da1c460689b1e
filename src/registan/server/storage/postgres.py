"""PostgreSQL, for several processes: one task commits everything that is waiting, and announces each commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import asyncpg
import msgspec

from registan.core.errors import BadInput
from registan.server.storage.bus import CHANNEL
from registan.server.storage.store import Conflict, Stored
from registan.server.storage.summary import TableSummary

BATCH = 500

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
)
"""The statements that migrate a database from each version to the next. Never change one, only add."""

Append: TypeAlias = tuple[TableSummary, int, list[bytes], asyncio.Future[None]]
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


class PostgresStore:
    """The tables of a house in a PostgreSQL database."""

    def __init__(self, pool: Any, url: str) -> None:
        self._pool, self.url = pool, url
        self._pending: list[Append] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._write())

    @classmethod
    async def open(cls, url: str) -> PostgresStore:
        """Connect, and bring the schema up to date."""
        try:
            pool = await asyncpg.create_pool(url, min_size=1, max_size=8, timeout=10)
            async with pool.acquire() as db:
                await migrate(db)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError, ValueError) as error:
            # The URL may hold a password, so the message does not quote it.
            raise BadInput("error.house.postgres", why=str(error) or type(error).__name__) from None
        return cls(pool, url)

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
                await self._commit(self._next_batch())

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

    async def _commit(self, batch: list[Append]) -> None:
        # Sorted by id, so that two processes cannot deadlock.
        batch.sort(key=lambda item: item[0].table)
        try:
            async with self._pool.acquire() as db, db.transaction():
                good = await self._lock(db, batch)
                await self._insert(db, [item for item in batch if item[0].table in good])
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
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

    async def _lock(self, db: Any, batch: list[Append]) -> set[str]:
        """Return the tables whose logs have as many events as the writer has seen, locked until the commit."""
        ids = [summary.table for summary, seen, *_ in batch if seen == 0]
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
        await db.execute(
            "INSERT INTO events SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])", *map(list, zip(*events))
        )
        await db.execute(
            "UPDATE tables SET seen = n.seen, status = n.status, listed = n.listed, touched = n.touched, card = n.card"
            " FROM unnest($1::text[], $2::bigint[], $3::text[], $4::boolean[], $5::bigint[], $6::bytea[])"
            " AS n(id, seen, status, listed, touched, card) WHERE tables.id = n.id",
            *map(list, zip(*rows)),
        )
        people = [(who, summary.table) for summary, *_ in batch for who in summary.people]
        if people:
            await db.execute(
                "INSERT INTO people SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING",
                *map(list, zip(*people)),
            )
        announced = [f"{row[0]} {row[1]}" for row in rows]
        await db.execute(f"SELECT pg_notify('{CHANNEL}', said) FROM unnest($1::text[]) said", announced)

    async def keep_snapshot(self, table: str, seen: int, data: bytes) -> None:
        """Store a snapshot of a table."""
        await self._pool.execute(
            "INSERT INTO snapshots VALUES ($1, $2, $3)"
            " ON CONFLICT (table_id) DO UPDATE SET seen = excluded.seen, data = excluded.data",
            table,
            seen,
            data,
        )

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        rows: list[Any] = await self._pool.fetch(sql, *values)
        return rows

    async def execute(self, sql: str, *values: Any) -> int:
        """Execute a statement, and return how many rows it changed once that is on disk."""
        done: str = await self._pool.execute(sql, *values)  # "UPDATE 1"
        return int(done.rpartition(" ")[2])

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        """Return the events of a table from number `after` + 1 on."""
        sql = "SELECT data FROM events WHERE table_id = $1 AND seq > $2 ORDER BY seq"
        return [row[0] for row in await self._pool.fetch(sql, table, after)]

    async def listed(self, most: int) -> list[TableSummary]:
        """Return the public tables that are not over, the latest first."""
        sql = "SELECT card FROM tables WHERE listed AND status IN ('open', 'running', 'paused') "
        return _summaries(await self._pool.fetch(sql + "ORDER BY touched DESC LIMIT $1", most))

    async def tables_of(self, who: str, most: int) -> list[TableSummary]:
        """Return the tables of a person, those that wait for that person first."""
        sql = "SELECT card FROM people JOIN tables ON id = table_id WHERE who = $1 ORDER BY touched DESC LIMIT $2"
        return sorted(_summaries(await self._pool.fetch(sql, who, most)), key=lambda summary: who not in summary.asked)

    async def unfinished(self) -> list[str]:
        """Return the running tables."""
        return [row[0] for row in await self._pool.fetch("SELECT id FROM tables WHERE status IN ('running', 'ending')")]

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """Return how many events the snapshot of a table covers, and the snapshot."""
        row = await self._pool.fetchrow("SELECT seen, data FROM snapshots WHERE table_id = $1", table)
        return (row[0], row[1]) if row else None

    async def everything(self) -> AsyncIterator[Stored]:
        """Yield all tables."""
        for row in await self._pool.fetch("SELECT id, card FROM tables ORDER BY id"):
            yield Stored(msgspec.json.decode(row[1], type=TableSummary), await self.log(row[0]))

    async def ready(self) -> bool:
        """Whether the database answers."""
        try:
            return not self._task.done() and await self._pool.fetchval("SELECT 1", timeout=2) == 1
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
            return False

    async def close(self) -> None:
        """Finish pending writes, and close."""
        self._closing = True
        self._wake.set()
        await self._task
        await self._pool.close()


def _summaries(rows: list[Any]) -> list[TableSummary]:
    return [msgspec.json.decode(row[0], type=TableSummary) for row in rows]
