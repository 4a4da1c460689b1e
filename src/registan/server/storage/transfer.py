"""Export and import of whole tables, between houses and between kinds of store."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import msgspec

from registan.core.errors import BadInput
from registan.server.limits import TABLE_ID
from registan.server.storage.store import Conflict, Store, Stored
from registan.tables import events as e


async def export_all(store: Store) -> AsyncIterator[bytes]:
    """Yield all tables, one line of JSON each, with the notification preferences of their people."""
    async for stored in store.everything():
        table = stored.summary.table
        switched = await store.fetch("SELECT who, wanted FROM switches WHERE table_id = $1", table)
        stored.switches = dict(map(tuple, switched))
        for who in stored.summary.people:
            for lang, data in await store.fetch("SELECT lang, data FROM wishes WHERE who = $1", who):
                stored.preferences[who] = (lang, data)
        yield msgspec.json.encode(stored) + b"\n"


def read_line(line: bytes) -> Stored:
    """Return an exported table; raise BadInput if the line is none."""
    try:
        stored = msgspec.json.decode(line, type=Stored)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("error.json", why=error) from None
    if not _sound(stored):
        raise BadInput("error.house.unreadable")
    return stored


async def import_line(store: Store, line: bytes) -> bool:
    """Add an exported table and return True; False if it exists already, which changes nothing."""
    stored = read_line(line)
    try:
        await store.append(stored.summary, 0, stored.events)
    except Conflict:
        return False
    keep = "VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
    for who, wanted in stored.switches.items():
        await store.execute(f"INSERT INTO switches {keep}", stored.summary.table, who, wanted)
    for who, (lang, data) in stored.preferences.items():
        await store.execute(f"INSERT INTO wishes {keep}", who, lang, data)
    return True


def _sound(stored: Stored) -> bool:
    """Whether either kind of store can hold a table, and its log is not that of another one; it may be damaged."""
    summary = stored.summary
    languages = [lang for lang, _ in stored.preferences.values()]
    return (
        bool(stored.events)
        and _begun(stored.events[0]) in (summary.table, None)
        and re.search(TABLE_ID, summary.table) is not None
        and not any("\0" in text for text in (*summary.theirs, *stored.switches, *stored.preferences, *languages))
        and abs(summary.touched) < 2**63
        and all(wanted in (0, 1) for wanted in stored.switches.values())
    )


def _begun(event: bytes) -> str | None:
    """Return the id of the table that an event begins, None if it cannot be read."""
    try:
        first = e.loads(event)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return first.table if isinstance(first, e.Created) else ""
