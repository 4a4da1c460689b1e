"""Where logs are kept: one interface for SQLite and PostgreSQL.

Appending carries the number of events the writer has seen: whoever comes second is told so (`Conflict`), reloads and
asks again. So any process can serve any table and none owns it. What was acknowledged is on disk.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from registan.core.errors import BadInput


class Conflict(Exception):
    """Somebody else has appended to the log meanwhile."""


class Card(msgspec.Struct):
    """A table in a list: what one finds it by. Only people's own tables and listed ones are ever shown."""

    table: str
    game: str
    status: str
    listed: bool
    touched: int
    people: list[str]
    """Who sits there."""
    asked: list[str]
    """Those of them whose decision is wanted."""
    seats: list[str]
    """What is shown of each seat: a name, a bot's level, or nothing for an open one."""


class Stored(msgspec.Struct):
    """A whole table, as it is exported."""

    card: Card
    events: list[bytes]
    switches: dict[str, int] = {}
    """Who has switched notices of its turns on or off."""
    wishes: dict[str, tuple[str, bytes]] = {}
    """How those who sit there want to be told of their turns: a language, and the rest."""


class Store(Protocol):
    """What the house asks of a database."""

    async def append(self, card: Card, seen: int, events: list[bytes]) -> None:
        """Add events to a log of which `seen` events are known, and return when they are on disk; or raise Conflict."""
        ...

    async def log(self, table: str, after: int = 0) -> list[bytes]:
        """Return the events of a table after the first so many; an empty list for a table that does not exist."""
        ...

    async def listed(self, most: int) -> list[Card]:
        """Return the listed tables that are not over, the latest first."""
        ...

    async def tables_of(self, who: str, most: int) -> list[Card]:
        """Return the tables at which a person sits, those that wait for the person first, then the latest."""
        ...

    async def unfinished(self) -> list[str]:
        """Return the tables that are running, so that bots and clocks go on after a restart."""
        ...

    async def keep_snapshot(self, table: str, seen: int, data: bytes) -> None:
        """Keep a snapshot of a table, in place of an older one."""
        ...

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """Return the snapshot of a table and how many events it has seen."""
        ...

    def everything(self) -> AsyncIterator[Stored]:
        """Yield all tables."""
        ...

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a query in the SQL that both kinds understand, with $1, $2 … for values."""
        ...

    async def execute(self, sql: str, *values: Any) -> int:
        """Carry out a statement in that SQL, and return how many rows it has changed when that is on disk."""
        ...

    async def ready(self) -> bool:
        """Whether the database answers."""
        ...

    async def close(self) -> None:
        """Finish what was begun, and close."""
        ...


async def open_store(url: str) -> Store:
    """Open the database at a URL (postgresql://…) or a file of SQLite, and bring its schema up to date."""
    if url.startswith(("postgresql://", "postgres://")):
        try:
            from registan.server.postgres import PostgresStore
        except ImportError:
            raise BadInput("error.house.no_asyncpg") from None
        return await PostgresStore.open(url)
    if "://" in url:
        raise BadInput("error.house.store", store=url.partition("://")[0] + "://")
    from registan.server.sqlite import SqliteStore

    return SqliteStore.open(Path(url))


async def export_all(store: Store) -> AsyncIterator[bytes]:
    """Yield all tables, one line of JSON each, with what their people wish to be told."""
    async for stored in store.everything():
        table = stored.card.table
        switched = await store.fetch("SELECT who, wanted FROM switches WHERE table_id = $1", table)
        stored.switches = dict(map(tuple, switched))
        for who in stored.card.people:
            for lang, data in await store.fetch("SELECT lang, data FROM wishes WHERE who = $1", who):
                stored.wishes[who] = (lang, data)
        yield msgspec.json.encode(stored) + b"\n"


async def import_line(store: Store, line: bytes) -> bool:
    """Add an exported table; one that is there already stays as it is, and False is returned."""
    try:
        stored = msgspec.json.decode(line, type=Stored)
    except msgspec.DecodeError as error:
        raise BadInput("error.json", why=error) from None
    try:
        await store.append(stored.card, 0, stored.events)
    except Conflict:
        return False
    keep = "VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
    for who, wanted in stored.switches.items():
        await store.execute(f"INSERT INTO switches {keep}", stored.card.table, who, wanted)
    for who, (lang, data) in stored.wishes.items():
        await store.execute(f"INSERT INTO wishes {keep}", who, lang, data)
    return True
