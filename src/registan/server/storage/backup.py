"""Backups: one SQLite file with the whole database of a house, whichever kind it has, and with its key.

The key is in the table `backup`. Without it nobody would be recognised after a disaster.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from registan.core.errors import BadInput
from registan.core.files import draft_of, private_folder, sync_folder
from registan.server.files import create_empty, database_files
from registan.server.key import checked, keep_key, known_key
from registan.server.storage import sqlite
from registan.server.storage.reading import postgres_errors
from registan.server.storage.store import sqlite_path

ROWS = 1000
"""How many rows are copied at a time."""


async def back_up(url: str, folder: Path, file: Path) -> None:
    """Write the database at `url` and the key in `folder` to a new file, as they are at one moment."""
    key, database = known_key(folder), sqlite_path(url)
    if key is None:
        raise BadInput("error.house.no_key", folder=folder)
    _refuse_existing(file)
    with _draft(file) as (draft, copy):
        if database is None:
            await _copy_postgres(url, copy)
        else:
            _copy_sqlite(database, copy)
        copy.execute("DROP TABLE IF EXISTS backup")
        copy.execute("CREATE TABLE backup (key BLOB NOT NULL)")
        copy.execute("INSERT INTO backup VALUES (?)", (key,))
        _put(copy, draft, file)


async def restore(file: Path, url: str, folder: Path) -> int:
    """Restore a backup into an empty place, and return how many tables it holds."""
    database = sqlite_path(url)
    with _draft(database or folder / "house.db") as (draft, copy):
        key = _read_backup(file, copy)
        if known_key(folder) not in (None, key):
            raise BadInput("error.house.other_key", folder=folder)
        sqlite.migrate(copy)
        tables: int = copy.execute("SELECT count(*) FROM tables").fetchone()[0]
        # The key comes first: a database without it would get a new one at the next start.
        if database is None:
            await _fill_postgres(url, copy, lambda: keep_key(folder, key))
        else:
            for path in database_files(database)[:3]:
                _refuse_existing(path)
            keep_key(folder, key)
            _put(copy, draft, database)
    return tables


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise BadInput("error.house.exists", path=path)


@contextmanager
def _draft(path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """Yield a private database in the folder of `path`; whatever is left of it in the end is removed."""
    draft = draft_of(path)
    try:
        private_folder(path.parent)
        create_empty(draft)
        with closing(sqlite3.connect(draft, isolation_level=None)) as copy:
            yield draft, copy
    except (OSError, sqlite3.Error) as error:
        raise BadInput("error.house.sqlite", path=path, why=error) from None
    finally:
        for left in database_files(draft):
            left.unlink(missing_ok=True)


def _put(copy: sqlite3.Connection, draft: Path, path: Path) -> None:
    """Complete a draft, and give it its name, but never in place of another file."""
    copy.execute("PRAGMA journal_mode = DELETE")  # everything in one file
    with draft.open("rb") as written:
        os.fsync(written.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        raise BadInput("error.house.exists", path=path) from None
    sync_folder(path.parent)


def _copy_sqlite(database: Path, copy: sqlite3.Connection) -> None:
    if not database.exists():
        raise BadInput("error.house.no_database", path=database)
    with closing(sqlite3.connect(database, timeout=30)) as source:
        source.backup(copy)  # in one step, so it is one moment; nobody has to wait for it


def _read_backup(file: Path, copy: sqlite3.Connection) -> bytes:
    """Copy a backup without its key, and return the key."""
    if not file.is_file():
        raise BadInput("error.house.no_database", path=file)
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as source:
            if source.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise BadInput("error.house.not_backup", file=file)
            key = source.execute("SELECT key FROM backup").fetchone()
            source.backup(copy)
            copy.execute("DROP TABLE backup")
            if key is None or not isinstance(key[0], bytes) or _shape(copy) != _shape_of_version(copy):
                raise BadInput("error.house.not_backup", file=file)
            return checked(key[0], str(file))
    except sqlite3.DatabaseError:
        raise BadInput("error.house.not_backup", file=file) from None


def _shape(db: sqlite3.Connection) -> tuple[set[tuple[str, str]], dict[str, list[str]]]:
    """Return the tables, indexes, views and triggers of a database, and the columns of each table."""
    found = db.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    if not all(name.isidentifier() for _, name in found):
        raise sqlite3.DatabaseError
    return set(found), _columns(db)


def _shape_of_version(db: sqlite3.Connection) -> tuple[set[tuple[str, str]], dict[str, list[str]]]:
    """Return the shape that a database of the same version has."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        sqlite.migrate(model, upto=min(version, len(sqlite.MIGRATIONS)))
        return _shape(db) if version > len(sqlite.MIGRATIONS) else _shape(model)  # a newer version is refused later


# PostgreSQL. Both kinds of database have the same tables and columns.


def _columns(copy: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns of each table."""
    found = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {name: [row[1] for row in copy.execute(f"PRAGMA table_info({name})")] for (name,) in found.fetchall()}


async def _copy_postgres(url: str, copy: sqlite3.Connection) -> None:
    """Copy all rows in one transaction, which sees the database at one moment."""
    with postgres_errors() as asyncpg:
        db = await asyncpg.connect(url, timeout=10)
        try:
            async with db.transaction(isolation="repeatable_read", readonly=True):
                if not await db.fetchval("SELECT to_regclass('schema_version')::text"):
                    raise BadInput("error.house.no_database", path="PostgreSQL")
                version = await db.fetchval("SELECT version FROM schema_version")
                if version > len(sqlite.MIGRATIONS):
                    raise BadInput("error.house.newer", found=version, known=len(sqlite.MIGRATIONS))
                sqlite.migrate(copy, upto=version)
                for table, columns in _columns(copy).items():
                    places = ", ".join("?" * len(columns))
                    rows = await db.cursor(f"SELECT {', '.join(columns)} FROM {table}")
                    while some := await rows.fetch(ROWS):
                        copy.execute("BEGIN")
                        copy.executemany(f"INSERT INTO {table} VALUES ({places})", [tuple(row) for row in some])
                        copy.execute("COMMIT")
        finally:
            await db.close(timeout=5)


async def _fill_postgres(url: str, copy: sqlite3.Connection, before_commit: Any) -> None:
    """Copy all rows into an empty database, all or nothing."""
    with postgres_errors() as asyncpg:
        from registan.server.storage.postgres import migrate

        db = await asyncpg.connect(url, timeout=10)
        try:
            async with db.transaction():
                await migrate(db)
                for table, columns in _columns(copy).items():
                    if await db.fetchval(f"SELECT EXISTS (SELECT FROM {table})"):
                        raise BadInput("error.house.not_empty")
                    truths = await db.fetch(
                        "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
                        " AND table_name = $1 AND data_type = 'boolean'",
                        table,
                    )
                    kinds = [bool if name in {row[0] for row in truths} else None for name in columns]
                    found = copy.execute(f"SELECT {', '.join(columns)} FROM {table}")
                    while some := found.fetchmany(ROWS):
                        rows = [[kind(v) if kind else v for kind, v in zip(kinds, row)] for row in some]
                        await db.copy_records_to_table(table, records=rows, columns=columns)
                before_commit()
        finally:
            await db.close(timeout=5)
