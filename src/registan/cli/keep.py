"""`registan export`, `import`, `backup` and `restore`: a house as files."""

from __future__ import annotations

import asyncio
import sys
from contextlib import nullcontext
from itertools import chain
from pathlib import Path

from registan.cli.common import Stream, opened_file
from registan.core.errors import BadInput
from registan.core.files import opener
from registan.core.messages import language, say
from registan.server.settings import settings
from registan.server.storage.backup import back_up
from registan.server.storage.backup import restore as restore_backup
from registan.server.storage.store import open_store, sqlite_path
from registan.server.storage.transfer import export_all, import_line, read_line


def export(file: Stream, /, *, data: str | None = None, store: str | None = None, lang: str | None = None) -> None:
    """Write all tables of a house to a file, one line of JSON each: their complete logs, from which all else follows.

    The key and people's devices are not in it: `registan backup` moves a whole house.

    Parameters
    ----------
    file
        Where to write; - for standard output.
    data
        The data folder of the house.
    store
        Another database: an SQLite file, or postgresql://….
    lang
        en or fr.
    """
    url = settings({"data": data, "store": store}).store
    database = sqlite_path(url)
    if database is not None and not database.is_file():
        raise BadInput("error.house.no_database", path=database)

    async def run() -> int:
        opened = await open_store(url)
        count = 0
        try:
            with nullcontext(sys.stdout.buffer) if str(file) == "-" else open(file, "wb", opener=opener) as out:
                async for line in export_all(opened):
                    out.write(line)
                    count += 1
        except OSError as error:
            raise BadInput("cli.cannot_write", file=file, why=error.strerror) from None
        finally:
            await opened.close()
        return count

    print(say(language(lang), "house.exported", n=asyncio.run(run())), file=sys.stderr)


def import_(file: Stream, /, *, data: str | None = None, store: str | None = None, lang: str | None = None) -> None:
    """Add exported tables to a house; those it already has stay as they are.

    Parameters
    ----------
    file
        An exported file; - for standard input.
    data
        The data folder of the house.
    store
        Another database: an SQLite file, or postgresql://….
    lang
        en or fr.
    """
    url = settings({"data": data, "store": store}).store

    async def run() -> list[bool]:
        with opened_file(file) as lines:
            tables = (line for line in lines if line.strip())
            first = next(tables, None)
            if first is None:
                return []
            read_line(first)  # whatever is no export makes no house
            opened = await open_store(url)
            try:
                return [await import_line(opened, line) for line in chain([first], tables)]
            finally:
                await opened.close()

    done = asyncio.run(run())
    print(say(language(lang), "house.imported", n=sum(done), known=len(done) - sum(done)), file=sys.stderr)


def backup(file: Path, /, *, data: str | None = None, store: str | None = None, lang: str | None = None) -> None:
    """Copy a house while it is open, as it is at one moment: its database and its key, in one new file.

    Keep the file as private as the house: whoever has it knows all cards and can be anybody.

    Parameters
    ----------
    file
        Where the copy goes; it must not exist.
    data
        The data folder of the house.
    store
        Another database: an SQLite file, or postgresql://….
    lang
        en or fr.
    """
    chosen = settings({"data": data, "store": store})
    asyncio.run(back_up(chosen.store, Path(chosen.data), file))
    print(say(language(lang), "house.copied", file=file), file=sys.stderr)


def restore(file: Path, /, *, data: str | None = None, store: str | None = None, lang: str | None = None) -> None:
    """Restore a house from a backup, with its key, so that everybody is who they were. Nothing is overwritten.

    Parameters
    ----------
    file
        What `registan backup` wrote, from either kind of database.
    data
        The data folder of the house; it must have no database and no other key.
    store
        Another database: an SQLite file that does not exist, or postgresql://… with an empty database.
    lang
        en or fr.
    """
    chosen = settings({"data": data, "store": store})
    tables = asyncio.run(restore_backup(file, chosen.store, Path(chosen.data)))
    print(say(language(lang), "house.restored", file=file, n=tables), file=sys.stderr)
