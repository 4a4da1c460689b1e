"""SQLite: one thread writes, and commits everything that is waiting at once (group commit); readers never wait."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from registan.core.errors import BadInput
from registan.server.storage.store import Conflict, Stored
from registan.server.storage.summary import TableSummary

T = TypeVar("T")
BATCH = 500

MIGRATIONS = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, seen INTEGER NOT NULL, status TEXT NOT NULL, listed INTEGER NOT NULL,
        touched INTEGER NOT NULL, card BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_status ON tables (status, touched);
    CREATE TABLE events (
        table_id TEXT NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    CREATE TABLE people (who TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (who, table_id)) WITHOUT ROWID;
    """,
    """
    CREATE TABLE snapshots (table_id TEXT PRIMARY KEY, seen INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE wishes (who TEXT PRIMARY KEY, lang TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE switches (
        table_id TEXT NOT NULL, who TEXT NOT NULL, wanted INTEGER NOT NULL, PRIMARY KEY (table_id, who)
    ) WITHOUT ROWID;
    CREATE TABLE notices (
        table_id TEXT NOT NULL, seat INTEGER NOT NULL, turn INTEGER NOT NULL, who TEXT NOT NULL, due INTEGER,
        tries INTEGER NOT NULL, rest BLOB, PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    CREATE INDEX notices_by_due ON notices (due) WHERE due IS NOT NULL;
    CREATE TABLE saves (table_id TEXT PRIMARY KEY, seen INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE sessions (
        who TEXT NOT NULL, id TEXT NOT NULL, device TEXT NOT NULL, since INTEGER NOT NULL, ended INTEGER NOT NULL,
        PRIMARY KEY (who, id)
    ) WITHOUT ROWID;
    CREATE INDEX sessions_ended ON sessions (ended) WHERE ended = 1;
    CREATE TABLE handovers (id TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
    """,
)
"""The statements that migrate a database from each version to the next. Never change one, only add."""


def migrate(db: sqlite3.Connection, upto: int = len(MIGRATIONS)) -> None:
    """Bring the schema up to date; refuse a database of a newer version."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise BadInput("error.house.newer", found=version, known=len(MIGRATIONS))
    for number in range(version, upto):
        db.executescript(f"BEGIN IMMEDIATE;{MIGRATIONS[number]}PRAGMA user_version = {number + 1};COMMIT;")


class SqliteStore:
    """The tables of a house in an SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._reading = threading.Lock()
        self._reader = self._connect()
        self._writer = threading.Thread(target=self._write, name="sqlite-writer", daemon=True)
        self._writer.start()

    @classmethod
    def open(cls, path: Path) -> SqliteStore:
        """Open the file, or create it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(path, isolation_level=None)
            try:
                db.execute("PRAGMA journal_mode = WAL")
                migrate(db)
            finally:
                db.close()
            return cls(path)
        except (OSError, sqlite3.Error) as error:
            raise BadInput("error.house.sqlite", path=path, why=error) from None

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=10)
        db.execute("PRAGMA synchronous = FULL")  # an acknowledged move survives a power cut
        return db

    # Writing.

    async def append(self, summary: TableSummary, seen: int, events: list[bytes]) -> None:
        """Add events to a log; return once they are on disk."""
        await self._do(lambda db: _append(db, summary, seen, events))

    async def keep_snapshot(self, table: str, seen: int, data: bytes) -> None:
        """Store a snapshot of a table."""
        sql = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)"
        await self._do(lambda db: db.executemany(sql, [(table, seen, data)]))

    async def _do(self, job: Callable[[sqlite3.Connection], object]) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put((job, loop, done))
        await asyncio.shield(done)

    def _write(self) -> None:
        """Carry out the jobs, all that are waiting in one transaction."""
        db = self._connect()
        while (job := self._jobs.get()) is not None:
            batch = [job]
            while len(batch) < BATCH and not self._jobs.empty():
                batch.append(self._jobs.get())
            last = batch[-1] is None
            results = self._commit(db, batch[:-1] if last else batch)
            for (_, loop, done), error in zip(batch, results):
                loop.call_soon_threadsafe(_settle, done, error)
            if last:
                break
        db.close()

    def _commit(self, db: sqlite3.Connection, batch: list[Any]) -> list[Exception | None]:
        results: list[Exception | None] = []
        try:
            db.execute("BEGIN IMMEDIATE")
            for job, _, _ in batch:
                try:
                    job(db)
                    results.append(None)
                except Conflict as error:
                    results.append(error)
            db.execute("COMMIT")
        except sqlite3.Error as error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            return [error] * len(batch)
        return results

    # Reading.

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        def read() -> list[Any]:
            with self._reading:
                return self._reader.execute(sql, values).fetchall()

        return await asyncio.to_thread(read)

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a query, with $1, $2 … for values."""
        return await self._read(sql.replace("$", "?"), *values)

    async def execute(self, sql: str, *values: Any) -> int:
        """Execute a statement, and return how many rows it changed once that is on disk."""
        changed: list[int] = []
        await self._do(lambda db: changed.append(db.execute(sql.replace("$", "?"), values).rowcount))
        return changed[-1]

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        """Return the events of a table from number `after` + 1 on."""
        rows = await self._read("SELECT data FROM events WHERE table_id = ? AND seq > ? ORDER BY seq", table, after)
        return [row[0] for row in rows]

    async def listed(self, most: int) -> list[TableSummary]:
        """Return the public tables that are not over, the latest first."""
        sql = "SELECT card FROM tables WHERE listed AND status IN ('open', 'running', 'paused') "
        return _summaries(await self._read(sql + "ORDER BY touched DESC LIMIT ?", most))

    async def tables_of(self, who: str, most: int) -> list[TableSummary]:
        """Return the tables of a person, those that wait for that person first."""
        sql = "SELECT card FROM people JOIN tables ON id = table_id WHERE who = ? ORDER BY touched DESC LIMIT ?"
        return sorted(_summaries(await self._read(sql, who, most)), key=lambda summary: who not in summary.asked)

    async def unfinished(self) -> list[str]:
        """Return the running tables."""
        return [row[0] for row in await self._read("SELECT id FROM tables WHERE status IN ('running', 'ending')")]

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """Return how many events the snapshot of a table covers, and the snapshot."""
        rows = await self._read("SELECT seen, data FROM snapshots WHERE table_id = ?", table)
        return rows[0] if rows else None

    async def everything(self) -> AsyncIterator[Stored]:
        """Yield all tables."""
        for row in await self._read("SELECT id, card FROM tables ORDER BY id"):
            yield Stored(msgspec.json.decode(row[1], type=TableSummary), await self.log(row[0]))

    async def ready(self) -> bool:
        """Whether the database answers."""
        try:
            return self._writer.is_alive() and bool(await self._read("SELECT 1"))
        except sqlite3.Error:
            return False

    async def close(self) -> None:
        """Finish pending writes, and close."""
        self._jobs.put(None)
        await asyncio.to_thread(self._writer.join)
        with self._reading:
            self._reader.close()

    def backup(self, path: Path) -> None:
        """Copy the database to another file while it is in use."""
        try:
            with sqlite3.connect(self.path) as source, sqlite3.connect(path) as target:
                source.backup(target)
            source.close()
            target.close()
        except sqlite3.Error as error:
            raise BadInput("error.house.sqlite", path=path, why=error) from None


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _append(db: sqlite3.Connection, summary: TableSummary, seen: int, events: list[bytes]) -> None:
    row = db.execute("SELECT seen FROM tables WHERE id = ?", (summary.table,)).fetchone()
    if (row[0] if row else 0) != seen:
        raise Conflict
    rows = [(summary.table, seen + i, data) for i, data in enumerate(events, 1)]
    db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
    values = (
        summary.table,
        seen + len(events),
        summary.work,
        summary.listed,
        summary.touched,
        msgspec.json.encode(summary),
    )
    db.execute("INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?)", values)
    if seen == 0 or summary.status == "open":  # after the start nobody can sit down
        people = [(who, summary.table) for who in summary.people]
        db.executemany("INSERT OR IGNORE INTO people VALUES (?, ?)", people)


def _summaries(rows: list[Any]) -> list[TableSummary]:
    return [msgspec.json.decode(row[0], type=TableSummary) for row in rows]
