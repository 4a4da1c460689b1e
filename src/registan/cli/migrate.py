"""`registan migrate`: bring a database up to date, or see beforehand what the present program makes of it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from registan.cli.common import progress
from registan.core import batch
from registan.core.engine import is_cached, use_compiled
from registan.core.errors import BadInput
from registan.core.messages import language, say
from registan.core.registry import find, keys
from registan.server.files import claim
from registan.server.settings import settings
from registan.server.storage.reading import reading
from registan.server.storage.replaying import Result, check, stored_tables, table_ids
from registan.server.storage.store import open_store, sqlite_path


def migrate(
    data: str | None = None,
    /,
    *,
    store: str | None = None,
    check: Annotated[bool, Parameter(negative=())] = False,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> int:
    """Bring the database of a house up to date, which `registan serve` does too.

    With --check, nothing is written: every table is replayed with the present rules, each with its own version of them,
    and compared with what is stored. The exit code is 1 if a table differs or cannot be read.

    Parameters
    ----------
    data
        The data folder of the house, its SQLite file, a backup, or postgresql://….
    store
        Another database: an SQLite file, or postgresql://….
    check
        Only report what would differ; the house may be open.
    json_
        Print one JSON object for each table.
    lang
        en or fr.
    """
    if data is not None and store is None and ("://" in data or Path(data).is_file()):
        data, store = None, data
    url, tongue = settings({"data": data, "store": store}).store, language(lang)
    if check:
        return asyncio.run(_check(url, json_, tongue))
    path = sqlite_path(url)
    if path is not None:
        if not path.is_file():
            raise BadInput("error.house.no_database", path=path)
        claim(path)
    asyncio.run(_migrate(url))
    print(say(tongue, "house.migrated"), file=sys.stderr)
    return 0


async def _migrate(url: str) -> None:
    await (await open_store(url)).close()


async def _check(url: str, as_json: bool, lang: str) -> int:
    for key in keys():
        if is_cached(find(key), batch._play):
            use_compiled(find(key))
    counts: Counter[str] = Counter()
    async with reading(url) as reader:
        ids = await table_ids(reader)
        with progress(say(lang, "house.checking"), len(ids)) as more:
            async for stored in stored_tables(reader, ids):
                result = check(stored)
                counts[result.result] += 1
                if as_json:
                    print(_row(result, lang), flush=True)
                elif result.why is not None:
                    print(_line(result, result.why.text(lang), lang), flush=True)
                more(1)
    ok, differ, unreadable = counts["ok"], counts["differs"], counts["unreadable"]
    text = say(lang, "house.checked", n=len(ids), ok=ok, differ=differ, unreadable=unreadable)
    print(text, file=sys.stderr if as_json else sys.stdout)
    return 1 if differ + unreadable else 0


def _row(result: Result, lang: str) -> str:
    why = None if result.why is None else result.why.text(lang)
    values = {name: getattr(result, name) for name in result.__struct_fields__}
    return json.dumps(values | {"why": why}, ensure_ascii=False)


def _line(result: Result, why: str, lang: str) -> str:
    return say(
        lang,
        f"house.check.{result.result}",
        table=result.table,
        game=result.game or "?",
        version=result.version,
        event=result.event,
        why=why,
    )
