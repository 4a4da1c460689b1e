"""Forgetting a person: what they leave behind in finished games belongs to nobody, and everything else goes.

The moves stay, because the games are those of the others too. The identity becomes an alias that nobody can be, the
same in all games, so that ratings can still be recomputed. Of the name only the SHA-256 stays, which the deal was made
from; chat becomes a dash.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from registan.core.errors import RegistanError
from registan.server.identity import Person
from registan.server.storage.summary import summaries, summarize
from registan.tables import events as e
from registan.tables.fairness import forgotten_name
from registan.tables.requests import Request, Resign, Stand
from registan.tables.seats import Seat
from registan.tables.table import Table
from registan.tables.table import replay as replay_log

if TYPE_CHECKING:
    from registan.server.live.house import House

LEAVING = "leaving"
"""The kind of document that says under which alias somebody is to be remembered where games still go on."""
UNSAID = "–"


async def forget(house: House, person: Person) -> None:
    """Forget a person: leave all tables, and delete or rewrite all that is known about them."""
    store, who = house.store, person.who
    alias = await house.documents.get(who, LEAVING) or f"gone-{secrets.token_urlsafe(12)}"
    await house.documents.delete(who)
    await house.documents.put(who, LEAVING, alias, house.now())
    sql = "SELECT card, id FROM people JOIN tables ON id = table_id WHERE who = $1 ORDER BY id"
    for summary in summaries(await store.fetch(sql, who)):
        if summary.status not in ("over", "abandoned"):
            await _leave(house, summary.table, person)
    await store.execute("DELETE FROM wishes WHERE who = $1", who)
    await store.execute("DELETE FROM notices WHERE who = $1", who)
    await store.execute("DELETE FROM switches WHERE who = $1", who)
    for (table,) in await store.fetch("SELECT table_id FROM people WHERE who = $1 ORDER BY table_id", who):
        await rewrite(house, table, who, alias)
    if not await store.fetch("SELECT 1 FROM people WHERE who = $1 LIMIT 1", who):
        await house.documents.delete(who)
    sessions = await house.sessions.of(who)
    for session in [*(each.id for each in sessions), person.session]:
        await house.sessions.end(who, session)
        house.disconnect({(who, session)})
    await store.execute("UPDATE sessions SET device = '' WHERE who = $1", who)


async def _leave(house: House, table: str, person: Person) -> None:
    """Leave a table that is not over: delete it if nobody else plays there, stand up, or let a bot play on."""
    try:
        await house.delete(table, person.who)
        return
    except RegistanError:  # others play there, or it is not theirs
        found = (await house.table(table)).table
    for seat in found.seats_of(person.who):
        request: Request = Stand(seat=seat) if found.status == "open" else Resign(seat=seat)
        try:
            await house.carry_out(table, request, person)
        except RegistanError:  # paused, or already left
            continue


async def finish(house: House, table: Table) -> None:
    """Rewrite a game that has just ended for those who wanted to be forgotten while it went on."""
    for who in {seat.who for seat in table.seats if seat.kind == "person"}:
        alias = await house.documents.get(who, LEAVING)
        if alias is not None:
            await rewrite(house, table.created.table, who, alias)
            if not await house.store.fetch("SELECT 1 FROM people WHERE who = $1 LIMIT 1", who):
                await house.documents.delete(who)


async def rewrite(house: House, table: str, who: str, alias: str) -> None:
    """Put an alias in the place of a person in the log of a table, if it is over or never began."""
    store = house.store
    log = [e.loads(data) for data in await store.log(table)]
    if not log:
        await store.execute("DELETE FROM people WHERE who = $1 AND table_id = $2", who, table)
        return
    old = replay_log(log)
    if old.status not in ("open", "over", "abandoned"):
        return
    new = _rewritten(log, who, alias)
    await asyncio.gather(
        *(
            store.execute("UPDATE events SET data = $3 WHERE table_id = $1 AND seq = $2", table, i, e.dumps(event))
            for i, (event, before) in enumerate(zip(new, log), 1)
            if event != before
        )
    )
    card = msgspec.json.encode(summarize(replay_log(new)))
    await store.execute("UPDATE tables SET card = $2 WHERE id = $1", table, card)
    await store.execute("UPDATE results SET who = $3 WHERE table_id = $1 AND who = $2", table, who, alias)
    await store.execute("DELETE FROM people WHERE who = $1 AND table_id = $2", who, table)
    await store.execute("DELETE FROM saves WHERE table_id = $1", table)
    house.reload(table)


def _rewritten(log: list[e.AnyEvent], who: str, alias: str) -> list[e.AnyEvent]:
    """Return events in which an alias stands for a person."""
    theirs: set[int] = set()
    new: list[e.AnyEvent] = []
    for event in log:
        if isinstance(event, e.Created):
            theirs = {i for i, seat in enumerate(event.seats) if seat.who == who}
        elif isinstance(event, e.Sat):
            theirs = theirs | {event.seat} if event.who == who else theirs - {event.seat}
        new.append(_without(event, who, alias, theirs))
    return new


def _without(event: e.AnyEvent, who: str, alias: str, theirs: set[int]) -> e.AnyEvent:
    key = alias + event.key.removeprefix(who) if event.key.startswith(f"{who} ") else event.key
    changed = replace(event, key=key)
    if isinstance(changed, e.Created):
        seats = [_seat(seat, alias) if seat.who == who else seat for seat in changed.seats]
        return replace(changed, seats=seats, host=alias if changed.host == who else changed.host)
    if isinstance(changed, e.Sat) and changed.who == who:
        return replace(changed, who=alias, name=forgotten_name(changed.name), face="")
    if isinstance(changed, e.Said) and changed.text and changed.seat in theirs:
        return replace(changed, text=UNSAID)
    return changed


def _seat(seat: Seat, alias: str) -> Seat:
    return replace(seat, who=alias, name=forgotten_name(seat.name), face=UNSET)
