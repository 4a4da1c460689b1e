"""The tables that people create: how many one may have, and which are in the public list."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from registan.server.errors import TooManyRequests
from registan.server.limits import FORGOTTEN_SECONDS, LISTED, LOBBY, Caps
from registan.server.storage.store import Store
from registan.server.storage.summary import TableSummary, summaries

HOSTED = (
    "SELECT card, id FROM people JOIN tables ON id = table_id WHERE who = $1 AND status NOT IN ('over', 'abandoned')"
)
ORIGINS = 10_000
"""Of how many new tables to remember where they came from."""


class Lobby:
    """The tables of a house that are not over, as their hosts and visitors see them."""

    def __init__(self, store: Store, caps: Caps, now: Callable[[], int]) -> None:
        self._store, self._caps, self._now = store, caps, now
        self._creating: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._origins: dict[str, str] = {}
        """By table: the address it was created from."""

    @asynccontextmanager
    async def one_more(self, host: str, listed: bool, table: str | None) -> AsyncIterator[None]:
        """Let a person create a table, one at a time; raise TooManyRequests if they have too many.

        `table` is its id if it may exist already.
        """
        async with self._creating.setdefault(host, asyncio.Lock()):
            hosted = await self._hosted(host)
            if table not in [summary.table for summary in hosted]:
                if len(hosted) >= self._caps.tables_of_person:
                    raise TooManyRequests("error.house.tables_person", most=self._caps.tables_of_person)
                if listed and sum(summary.listed for summary in hosted) >= self._caps.listed_of_person:
                    raise TooManyRequests("error.house.listed_person", most=self._caps.listed_of_person)
            yield

    async def _hosted(self, host: str) -> list[TableSummary]:
        recent = self._now() - FORGOTTEN_SECONDS * 1000
        theirs = summaries(await self._store.fetch(HOSTED, host))
        return [own for own in theirs if own.host == host and (own.status != "open" or own.touched > recent)]

    def came_from(self, table: str, address: str) -> None:
        """Remember for a while from which address a table was created."""
        self._origins[table] = address
        if len(self._origins) > ORIGINS:
            del self._origins[next(iter(self._origins))]

    async def tables(self, who: str) -> list[TableSummary]:
        """Return the public list: a person's own tables first, then one of each host or address in turn.

        So nobody can fill the list alone. Tables with several people come first among those of the same origin.
        """
        found = await self._store.listed(LOBBY)
        mine = [summary for summary in found if who and who in summary.theirs]
        taken = Counter[str]()
        turns: dict[str, int] = {}
        for summary in sorted(found, key=lambda summary: -min(len(summary.people), 2)):  # stable: the latest first
            origin = self._origins.get(summary.table) or summary.host or summary.table
            turns[summary.table] = taken[origin]
            taken[origin] += 1
        others = [summary for summary in found if not who or who not in summary.theirs]
        fair = sorted(others, key=lambda summary: (turns[summary.table], -min(len(summary.people), 2)))
        return [*mine, *fair][:LISTED]
