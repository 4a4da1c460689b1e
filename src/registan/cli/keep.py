"""`registan export`, `import` and `backup`: what a house knows, taken out and brought in."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from registan.core.errors import BadInput
from registan.core.messages import language, say
from registan.server.settings import settings
from registan.server.storage.sqlite import SqliteStore
from registan.server.storage.store import open_store
from registan.server.storage.transfer import export_all, import_line


def export(file: Path, *, data: str | None = None, store: str | None = None, lang: str | None = None) -> None:
    """Write all tables of a house to a file, one line of JSON each: their whole logs, from which all else follows.

    Parameters
    ----------
    file
        Where to write; - for the standard output.
    data
        The folder of the house.
    store
        Another database: a file of SQLite, or postgresql://….
    lang
        en or fr.
    """
    url = settings({"data": data, "store": store}).store

    async def run() -> int:
        opened = await open_store(url)
        count = 0
        try:
            with sys.stdout.buffer if str(file) == "-" else file.open("wb") as out:
                async for line in export_all(opened):
                    out.write(line)
                    count += 1
        except OSError as error:
            raise BadInput("cli.cannot_write", file=file, why=error.strerror) from None
        finally:
            await opened.close()
        return count

    print(say(language(lang), "house.exported", n=asyncio.run(run())), file=sys.stderr)


def import_(file: Path, *, data: str | None = None, store: str | None = None, lang: str | None = None) -> None:
    """Bring exported tables into a house; those it has already stay as they are.

    Parameters
    ----------
    file
        What was exported; - for the standard input.
    data
        The folder of the house.
    store
        Another database: a file of SQLite, or postgresql://….
    lang
        en or fr.
    """
    url = settings({"data": data, "store": store}).store

    async def run() -> list[bool]:
        opened = await open_store(url)
        try:
            with sys.stdin.buffer if str(file) == "-" else file.open("rb") as lines:
                return [await import_line(opened, line) for line in lines if line.strip()]
        except OSError as error:
            raise BadInput("cli.cannot_read", file=file, why=error.strerror) from None
        finally:
            await opened.close()

    done = asyncio.run(run())
    print(say(language(lang), "house.imported", n=sum(done), known=len(done) - sum(done)), file=sys.stderr)


def backup(file: Path, *, data: str | None = None, lang: str | None = None) -> None:
    """Copy the SQLite database of a house while it is open.

    Parameters
    ----------
    file
        Where the copy goes.
    data
        The folder of the house.
    lang
        en or fr.
    """
    path = Path(settings({"data": data}).store)
    if not path.exists():
        raise BadInput("cli.cannot_read", file=path, why=say(language(lang), "error.house.no_page"))

    async def run() -> None:
        opened = SqliteStore.open(path)
        try:
            await asyncio.to_thread(opened.backup, file)
        finally:
            await opened.close()

    asyncio.run(run())
    print(say(language(lang), "house.copied", file=file), file=sys.stderr)
