"""PostgreSQL, for a house with many doors: group commit in one task, and announcements with each commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import asyncpg
import msgspec

from registan.core.errors import BadInput
from registan.server.bus import CHANNEL
from registan.server.storage import Card, Conflict, Stored

MOST_AT_ONCE = 500

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
)
"""What brings a database from each version to the next. They are never changed, only added to."""

Request: TypeAlias = tuple[Card, int, list[bytes], asyncio.Future[None]]
LOCK = 0x5EC157A
"""The advisory lock under which one process at a time migrates."""


async def migrate(db: Any, upto: int = len(MIGRATIONS)) -> None:
    """Bring the schema up to date; refuse a database from the future."""
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
        self._pending: list[Request] = []
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
            # The URL may hold a password: it is not repeated.
            raise BadInput("error.house.postgres", why=str(error) or type(error).__name__) from None
        return cls(pool, url)

    async def append(self, card: Card, seen: int, events: list[bytes]) -> None:
        """Add events to a log; return when they are on disk."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((card, seen, events, done))
        self._wake.set()
        await asyncio.shield(done)

    async def _write(self) -> None:
        while not (self._closing and not self._pending):
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                await self._commit(self._next_batch())

    def _next_batch(self) -> list[Request]:
        """Return what can be committed together: of each table one request."""
        batch: list[Request] = []
        rest: list[Request] = []
        tables = set()
        for item in self._pending:
            fits = item[0].table not in tables and len(batch) < MOST_AT_ONCE
            (batch if fits else rest).append(item)
            tables.add(item[0].table)
        self._pending = rest
        return batch

    async def _commit(self, batch: list[Request]) -> None:
        # In the order of their ids, so that two processes never wait for each other in a circle.
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
        for card, _, _, done in batch:
            if not done.done():
                if card.table in good:
                    done.set_result(None)
                else:
                    done.set_exception(Conflict())

    async def _lock(self, db: Any, batch: list[Request]) -> set[str]:
        """Return the tables whose log is as long as the writer believes, locked until the commit."""
        ids = [card.table for card, seen, *_ in batch if seen == 0]
        new = await db.fetch(
            "INSERT INTO tables SELECT id, 0, '', false, 0, '' FROM unnest($1::text[]) id"
            " ON CONFLICT DO NOTHING RETURNING id",
            ids,
        )
        known = {card.table: seen for card, seen, *_ in batch if seen}
        rows = await db.fetch(
            "SELECT id, seen FROM tables WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE", list(known)
        )
        return {row["id"] for row in new} | {row["id"] for row in rows if row["seen"] == known[row["id"]]}

    async def _insert(self, db: Any, batch: list[Request]) -> None:
        events = [(card.table, seen + i, data) for card, seen, new, _ in batch for i, data in enumerate(new, 1)]
        cards = [
            (card.table, seen + len(new), card.status, card.listed, card.touched, msgspec.json.encode(card))
            for card, seen, new, _ in batch
        ]
        if not cards:
            return
        await db.execute(
            "INSERT INTO events SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])", *map(list, zip(*events))
        )
        await db.execute(
            "UPDATE tables SET seen = n.seen, status = n.status, listed = n.listed, touched = n.touched, card = n.card"
            " FROM unnest($1::text[], $2::bigint[], $3::text[], $4::boolean[], $5::bigint[], $6::bytea[])"
            " AS n(id, seen, status, listed, touched, card) WHERE tables.id = n.id",
            *map(list, zip(*cards)),
        )
        people = [(who, card.table) for card, *_ in batch for who in card.people]
        if people:
            await db.execute(
                "INSERT INTO people SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING",
                *map(list, zip(*people)),
            )
        said = [f"{card[0]} {card[1]}" for card in cards]
        await db.execute(f"SELECT pg_notify('{CHANNEL}', said) FROM unnest($1::text[]) said", said)

    async def keep_snapshot(self, table: str, seen: int, data: bytes) -> None:
        """Keep a snapshot of a table."""
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
        """Carry out a statement, and return how many rows it has changed when that is on disk."""
        done: str = await self._pool.execute(sql, *values)  # "UPDATE 1"
        return int(done.rpartition(" ")[2])

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        """Return the events of a table after the first so many."""
        sql = "SELECT data FROM events WHERE table_id = $1 AND seq > $2 ORDER BY seq"
        return [row[0] for row in await self._pool.fetch(sql, table, after)]

    async def listed(self, most: int) -> list[Card]:
        """Return the listed tables that are not over, the latest first."""
        sql = "SELECT card FROM tables WHERE listed AND status IN ('open', 'running', 'paused') "
        return _cards(await self._pool.fetch(sql + "ORDER BY touched DESC LIMIT $1", most))

    async def tables_of(self, who: str, most: int) -> list[Card]:
        """Return the tables of a person, those that wait for the person first."""
        sql = "SELECT card FROM people JOIN tables ON id = table_id WHERE who = $1 ORDER BY touched DESC LIMIT $2"
        return sorted(_cards(await self._pool.fetch(sql, who, most)), key=lambda card: who not in card.asked)

    async def unfinished(self) -> list[str]:
        """Return the tables that are running."""
        return [row[0] for row in await self._pool.fetch("SELECT id FROM tables WHERE status = 'running'")]

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """Return the snapshot of a table and how many events it has seen."""
        row = await self._pool.fetchrow("SELECT seen, data FROM snapshots WHERE table_id = $1", table)
        return (row[0], row[1]) if row else None

    async def everything(self) -> AsyncIterator[Stored]:
        """Yield all tables."""
        for row in await self._pool.fetch("SELECT id, card FROM tables ORDER BY id"):
            yield Stored(msgspec.json.decode(row[1], type=Card), await self.log(row[0]))

    async def ready(self) -> bool:
        """Whether the database answers."""
        try:
            return not self._task.done() and await self._pool.fetchval("SELECT 1", timeout=2) == 1
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
            return False

    async def close(self) -> None:
        """Finish what was begun, and close."""
        self._closing = True
        self._wake.set()
        await self._task
        await self._pool.close()


def _cards(rows: list[Any]) -> list[Card]:
    return [msgspec.json.decode(row[0], type=Card) for row in rows]
