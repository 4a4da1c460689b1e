"""Reading a database of a house as it is at one moment, without writing to it or migrating it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from registan.core.errors import BadInput
from registan.server.files import database_files
from registan.server.storage.store import sqlite_path


class Reader(Protocol):
    """A transaction that only reads."""

    names: set[str]
    """The tables of the database."""

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a query in SQL that both databases understand, with $1, $2 … for values."""
        ...


@asynccontextmanager
async def reading(url: str) -> AsyncIterator[Reader]:
    """Open a database, by path or URL, for reading only; raise BadInput if there is none."""
    path = sqlite_path(url)
    if path is None:
        async with _reading_postgres(url) as reader:
            yield reader
        return
    if not path.is_file():
        raise BadInput("error.house.no_database", path=path)
    try:
        with closing(_open_sqlite(path)) as db:
            db.execute("BEGIN")
            yield _checked(_SqliteReader(db))
    except sqlite3.Error as error:
        raise BadInput("error.house.sqlite", path=path, why=error) from None


def _open_sqlite(path: Path) -> sqlite3.Connection:
    # Without a write-ahead log nobody has the file open, and SQLite would create one even to read.
    alone = not database_files(path)[1].exists()
    how = "mode=ro&immutable=1" if alone else "mode=ro"
    return sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True, isolation_level=None, timeout=10)


def _checked(reader: Reader) -> Reader:
    if not {"tables", "events"} <= reader.names:
        raise BadInput("error.house.no_house")
    return reader


class _SqliteReader:
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        return self._db.execute(sql.replace("$", "?"), values).fetchall()


class _PostgresReader:
    def __init__(self, db: Any, names: set[str]) -> None:
        self.fetch, self.names = db.fetch, names


@asynccontextmanager
async def _reading_postgres(url: str) -> AsyncIterator[Reader]:
    with postgres_errors() as asyncpg:
        db = await asyncpg.connect(url, timeout=10)
        try:
            async with db.transaction(isolation="repeatable_read", readonly=True):
                sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
                yield _checked(_PostgresReader(db, {row[0] for row in await db.fetch(sql)}))
        finally:
            await db.close(timeout=5)


@contextmanager
def postgres_errors() -> Iterator[Any]:
    """Yield asyncpg, and raise BadInput for whatever goes wrong with the database."""
    try:
        import asyncpg
    except ImportError:
        raise BadInput("error.house.no_asyncpg") from None
    try:
        yield asyncpg
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError, ValueError) as error:
        raise BadInput("error.house.postgres", why=str(error) or type(error).__name__) from None
