"""The store of a house: one interface for SQLite and PostgreSQL.

Appending carries the number of events that the writer has seen. The loser of a race gets a `Conflict`, reloads the log
and tries again, so any process can serve any table and none owns it. `append` returns once the events are on disk.
In the schema, for the sake of existing databases, summaries are the column `card` and preferences the table `wishes`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any, Protocol

import msgspec

from registan.core.errors import BadInput
from registan.server.errors import Unavailable
from registan.server.logs import log
from registan.server.storage.disk import disk_fault
from registan.server.storage.summary import TableSummary


class Conflict(Exception):
    """Another writer has appended to the log in the meantime."""


def unavailable(error: BaseException) -> Unavailable:
    """Log why the database does not serve us, and return the error for whoever asked."""
    fault = Unavailable(disk_fault(error) or "error.house.store_down")
    log.error("store does not answer", why=repr(error), means=str(fault))
    fault.__cause__ = error
    return fault


class Stored(msgspec.Struct):
    """A whole table, as it is exported."""

    summary: TableSummary = msgspec.field(name="card")
    events: list[bytes]
    switches: dict[str, int] = {}
    """Who has switched notices of turns at this table on or off."""
    preferences: dict[str, tuple[str, bytes]] = msgspec.field(default_factory=dict, name="wishes")
    """How the people who sit there are notified: a language, and the encoded preferences."""


class Store(Protocol):
    """What the house needs of a database. Its methods raise Unavailable when the database does not answer in time."""

    def append(self, summary: TableSummary, seen: int, events: list[bytes]) -> Awaitable[None]:
        """Add events to a log that has `seen` events, and return once they are on disk; otherwise raise Conflict.

        After any other exception it is unknown whether they are: read the log to find out.
        """
        ...

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        """Return the events of a table from number `after` + 1 on; an empty list if there is no such table."""
        ...

    async def lengths(self, tables: list[str]) -> dict[str, int]:
        """Return how many events the logs of tables have, those of deleted ones included."""
        ...

    async def delete(self, summary: TableSummary, seen: int) -> None:
        """Delete a table whose log has `seen` events; otherwise raise Conflict. Only its tombstone stays."""
        ...

    async def listed(self, most: int) -> list[TableSummary]:
        """Return the public tables that are not over, the latest first."""
        ...

    async def tables_of(self, who: str, most: int) -> list[TableSummary]:
        """Return the tables where a person sits: those that wait for that person first, then the latest."""
        ...

    async def unfinished(self) -> list[str]:
        """Return the running tables, whose bots and clocks continue after a restart."""
        ...

    async def keep_snapshot(self, table: str, seen: int, data: bytes) -> None:
        """Store a snapshot of a table, replacing an older one."""
        ...

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """Return how many events the snapshot of a table covers, and the snapshot."""
        ...

    def everything(self) -> AsyncIterator[Stored]:
        """Yield all tables that can be read."""
        ...

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a query in SQL that both databases understand, with $1, $2 … for values."""
        ...

    async def execute(self, sql: str, *values: Any) -> int:
        """Execute such a statement, and return how many rows it changed once that is on disk."""
        ...

    async def check(self) -> None:
        """Write something without consequences to disk; raise an exception if that fails."""
        ...

    async def close(self) -> None:
        """Finish pending writes, and close, even if the database does not answer."""
        ...


def sqlite_path(url: str) -> Path | None:
    """Return the path of an SQLite file, None for a PostgreSQL database; raise BadInput for another kind of URL."""
    if url.startswith(("postgresql://", "postgres://")):
        return None
    if "://" in url:
        raise BadInput("error.house.store", store=url.partition("://")[0] + "://")
    return Path(url)


async def open_store(url: str) -> Store:
    """Open a PostgreSQL database by URL (postgresql://…) or an SQLite file by path, and migrate its schema."""
    path = sqlite_path(url)
    if path is None:
        try:
            from registan.server.storage.postgres import PostgresStore
        except ImportError:
            raise BadInput("error.house.no_asyncpg") from None
        return await PostgresStore.open(url)
    from registan.server.storage.sqlite import SqliteStore

    return SqliteStore.open(path)
