"""Export and import of whole tables, between houses and between kinds of store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from registan.core.errors import BadInput
from registan.server.storage.store import Conflict, Store, Stored


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


async def import_line(store: Store, line: bytes) -> bool:
    """Add an exported table and return True; False if it exists already, which changes nothing."""
    try:
        stored = msgspec.json.decode(line, type=Stored)
    except msgspec.DecodeError as error:
        raise BadInput("error.json", why=error) from None
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
