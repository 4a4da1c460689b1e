"""SQLite: one thread writes, and commits everything that is waiting at once (group commit); readers never wait."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from registan.core.errors import BadInput
from registan.core.files import private_folder
from registan.server.errors import Unavailable
from registan.server.files import create_empty
from registan.server.limits import QUERY_SECONDS, SHUTDOWN_SECONDS
from registan.server.logs import log
from registan.server.storage.appending import TOGETHER, Append, Job, gathered
from registan.server.storage.store import Conflict, Stored, unavailable
from registan.server.storage.summary import DELETED, PARTS, TableSummary, recovered, summaries, tombstone

BATCH = 500
STATEMENTS = 2 * TOGETHER + 64
"""How many prepared statements a connection keeps: one for each number of appends, and all others."""
OURS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError, sqlite3.InterfaceError)
"""A statement or a value is wrong. After other errors the database may do the same in a moment: it is locked, say."""

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
    """
    CREATE TABLE results (
        table_id TEXT NOT NULL, seat INTEGER NOT NULL, who TEXT NOT NULL, level TEXT NOT NULL, game TEXT NOT NULL,
        ended INTEGER NOT NULL, place INTEGER NOT NULL, points INTEGER NOT NULL, share REAL NOT NULL,
        rated INTEGER NOT NULL, mean REAL, spread REAL, PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    CREATE INDEX results_by_who ON results (who, ended) WHERE who <> '';
    CREATE INDEX results_by_end ON results (game, ended, table_id) WHERE rated = 1;
    CREATE INDEX results_by_player ON results (who, level, game, ended) WHERE rated = 1;
    CREATE INDEX results_unrated ON results (game, ended, table_id) WHERE rated = 1 AND mean IS NULL;
    CREATE TABLE reviews (
        table_id TEXT NOT NULL, open_hands INTEGER NOT NULL, id TEXT NOT NULL, data BLOB NOT NULL,
        figures BLOB NOT NULL, PRIMARY KEY (table_id, open_hands)
    ) WITHOUT ROWID;
    CREATE INDEX reviews_by_id ON reviews (id);
    CREATE TABLE documents (
        who TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (who, kind, name)
    ) WITHOUT ROWID;
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


class Waiting(NamedTuple):
    """A job for the writer, and who waits for it where."""

    job: Job
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class SqliteStore:
    """The tables of a house in an SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self._collected: dict[asyncio.AbstractEventLoop, list[Waiting]] = {}
        """By event loop: the jobs of its present round."""
        self._reading = threading.Lock()
        self._reader: sqlite3.Connection | None = self._connect()
        self._writer = threading.Thread(target=self._write, name="sqlite-writer", daemon=True)
        self._writer.start()

    @classmethod
    def open(cls, path: Path) -> SqliteStore:
        """Open the file, or create it."""
        try:
            private_folder(path.parent)
            create_empty(path)
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
        db = sqlite3.connect(
            self.path,
            isolation_level=None,
            check_same_thread=False,
            timeout=QUERY_SECONDS,
            cached_statements=STATEMENTS,
        )
        db.execute("PRAGMA synchronous = FULL")  # an acknowledged move survives a power cut
        return db

    # Writing.

    def append(self, summary: TableSummary, seen: int, events: list[bytes]) -> asyncio.Future[None]:
        """Add events to a log; the future is done once they are on disk."""
        return self._do(Append(summary, seen, events))

    async def delete(self, summary: TableSummary, seen: int) -> None:
        """Delete a table, except for its tombstone."""
        await self._do(lambda db: _delete(db, tombstone(summary), seen))

    async def keep_snapshot(self, table: str, seen: int, data: bytes) -> None:
        """Store a snapshot of a table, unless it was deleted meanwhile."""
        gone = "SELECT 1 FROM tables WHERE id = ? AND status = ?"
        sql = f"INSERT OR REPLACE INTO snapshots SELECT ?, ?, ? WHERE NOT EXISTS ({gone})"
        await self._do(lambda db: db.executemany(sql, [(table, seen, data, table, DELETED)]))

    def _do(self, job: Job) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        collected = self._collected.get(loop)
        if collected is None:
            # All jobs of a round go together: waking the writer for each would cost more than writing them.
            collected = self._collected[loop] = []
            loop.call_soon(self._hand_over, loop)
        collected.append(Waiting(job, loop, done))
        return done

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        collected = self._collected.pop(loop, None)
        if collected is not None:
            self._jobs.put(collected)

    def _write(self) -> None:
        """Carry out the jobs, all that are waiting in one transaction. Whatever a job does, the next has its turn."""
        db: sqlite3.Connection | None = None
        while (batch := self._jobs.get()) is not None:
            last = False
            while len(batch) < BATCH and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    last = True
                    break
                batch += more
            try:
                db = db or self._connect()
                results = _commit(db, [waiting.job for waiting in batch])
            except Exception as error:
                _drop(db)
                db = None
                results = [_fault(error)] * len(batch)
            settled: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
            for waiting, result in zip(batch, results):
                settled.setdefault(waiting.loop, []).append((waiting.done, result))
            for loop, pairs in settled.items():
                with suppress(RuntimeError):  # the event loop is closed, so nobody waits any more
                    loop.call_soon_threadsafe(_settle, pairs)
            if last:
                break
        _drop(db)

    # Reading.

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        def read() -> list[Any]:
            with self._reading:
                try:
                    self._reader = self._reader or self._connect()
                    return self._reader.execute(sql, values).fetchall()
                except sqlite3.Error as error:
                    _drop(self._reader)
                    self._reader = None
                    raise _fault(error) from error

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

    async def lengths(self, tables: list[str]) -> dict[str, int]:
        """Return how many events the logs of tables have."""
        sql = "SELECT id, seen FROM tables WHERE id IN (SELECT value FROM json_each(?))"
        rows = await self._read(sql, msgspec.json.encode(tables).decode())
        return {row[0]: row[1] for row in rows}

    async def listed(self, most: int) -> list[TableSummary]:
        """Return the public tables that are not over, the latest first."""
        sql = "SELECT card, id FROM tables WHERE listed AND status IN ('open', 'dealing', 'running', 'paused') "
        return summaries(await self._read(sql + "ORDER BY touched DESC LIMIT ?", most))

    async def tables_of(self, who: str, most: int) -> list[TableSummary]:
        """Return the tables of a person, those that wait for that person first."""
        sql = "SELECT card, id FROM people JOIN tables ON id = table_id WHERE who = ? ORDER BY touched DESC LIMIT ?"
        return sorted(summaries(await self._read(sql, who, most)), key=lambda summary: who not in summary.asked)

    async def unfinished(self) -> list[str]:
        """Return the running tables."""
        return [row[0] for row in await self._read("SELECT id FROM tables WHERE status IN ('running', 'ending')")]

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """Return how many events the snapshot of a table covers, and the snapshot."""
        rows = await self._read("SELECT seen, data FROM snapshots WHERE table_id = ?", table)
        return rows[0] if rows else None

    async def everything(self) -> AsyncIterator[Stored]:
        """Yield all tables that can be read."""
        for row in await self._read("SELECT id, card FROM tables WHERE status <> ? ORDER BY id", DELETED):
            events = await self.log(row[0])
            if (summary := recovered(row[0], row[1], events)) is not None:
                yield Stored(summary, events)

    async def check(self) -> None:
        """Write the version of the schema again."""
        if not self._writer.is_alive():
            raise Unavailable("error.house.store_down")
        await self._do(lambda db: db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}"))

    async def close(self) -> None:
        """Finish pending writes, and close."""
        for loop in list(self._collected):
            self._hand_over(loop)
        self._jobs.put(None)
        await asyncio.to_thread(self._writer.join, SHUTDOWN_SECONDS)
        if self._writer.is_alive():
            log.error("store does not close", path=str(self.path))
            return
        with self._reading:
            _drop(self._reader)
            self._reader = None


def _commit(db: sqlite3.Connection, jobs: Sequence[Job]) -> list[Exception | None]:
    """Carry out jobs in one transaction; if one of them fails, each in its own, so that it fails alone."""
    db.execute("BEGIN IMMEDIATE")
    if len(jobs) > 1 and _all_succeed(db, jobs):
        db.execute("COMMIT")
        return [None] * len(jobs)
    if not db.in_transaction:
        db.execute("BEGIN IMMEDIATE")
    results: list[Exception | None] = []
    for job in jobs:
        try:
            job(db)
            results.append(None)
        except Conflict as error:  # it has changed nothing
            results.append(error)
        except Exception as error:
            _roll_back(db)
            if len(jobs) == 1:
                return [_fault(error)]
            return [result for job in jobs for result in _commit(db, [job])]
    db.execute("COMMIT")
    return results


def _all_succeed(db: sqlite3.Connection, jobs: Sequence[Job]) -> bool:
    """Carry out jobs, appends together, and return whether all have succeeded; otherwise roll back."""
    try:
        for job in gathered(jobs):
            job(db)
    except Exception:  # it is found again, one by one
        _roll_back(db)
        return False
    return True


def _roll_back(db: sqlite3.Connection) -> None:
    if db.in_transaction:
        db.execute("ROLLBACK")


def _fault(error: Exception) -> Exception:
    return unavailable(error) if isinstance(error, sqlite3.Error) and not isinstance(error, OURS) else error


def _drop(db: sqlite3.Connection | None) -> None:
    """Close a connection that may be in any state; what was not committed is rolled back."""
    if db is not None:
        with suppress(sqlite3.Error):
            db.close()


def _settle(pairs: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, error in pairs:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


def _delete(db: sqlite3.Connection, summary: TableSummary, seen: int) -> None:
    Append(summary, seen, [b""])(db)  # one event more than anybody has seen, so that nobody can add to the log
    for part in PARTS:
        db.execute(f"DELETE FROM {part} WHERE table_id = ?", (summary.table,))
