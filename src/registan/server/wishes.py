"""What people want to be told, and when not; and which notices are still to be delivered. One SQL for both stores."""

from __future__ import annotations

import datetime
import zoneinfo
from typing import Annotated

import msgspec
from msgspec import Meta

from registan.core.errors import BadInput
from registan.server import push
from registan.server.limits import SUBSCRIPTIONS, URL
from registan.server.outside import parsed
from registan.server.storage import Store

Hour = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]
SECOND = 1000


class Quiet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hours in which nothing is sent, by the clock of a time zone; past midnight where `to` is the earlier one."""

    start: Hour = msgspec.field(name="from")
    to: Hour
    zone: Annotated[str, Meta(max_length=40)] = "UTC"

    def checked(self) -> Quiet:
        """Return these hours, or raise BadInput for a zone that nobody knows."""
        try:
            zoneinfo.ZoneInfo(self.zone)
        except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
            raise BadInput("error.house.zone", zone=self.zone) from None
        return self

    def until(self, at: int) -> int:
        """Return when something may be sent that is to be sent now: `at` itself outside of these hours."""
        zone = zoneinfo.ZoneInfo(self.zone)
        now = datetime.datetime.fromtimestamp(at / SECOND, zone)
        start, to = (datetime.time.fromisoformat(text) for text in (self.start, self.to))
        clock = now.time()
        quiet = start <= clock < to if start <= to else clock >= start or clock < to
        if not quiet:
            return at
        day = now.date() + datetime.timedelta(days=clock >= to)
        return round(datetime.datetime.combine(day, to, zone).timestamp() * SECOND)


class Wishes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How somebody wants to be told that it is the own turn: by a webhook, by web push, and not in quiet hours."""

    webhook: Annotated[str, Meta(max_length=URL)] | None = None
    push: Annotated[list[push.Subscription], Meta(max_length=SUBSCRIPTIONS)] = []
    quiet: Quiet | None = None

    def checked(self, private: bool) -> Wishes:
        """Return these wishes; raise BadInput for what cannot be granted."""
        if self.webhook is not None:
            parsed(self.webhook, private)
        for subscription in self.push:
            if len(subscription.endpoint) > URL:
                raise BadInput("error.house.address")
            url = parsed(subscription.endpoint, private)
            if url.scheme != "https" and not private:
                raise BadInput("error.house.address")
            push.checked(subscription)
        if self.quiet is not None:
            self.quiet.checked()
        return self

    def channels(self) -> list[str]:
        """Return the addresses at which the person can be reached."""
        return [*([self.webhook] if self.webhook else []), *(found.endpoint for found in self.push)]


class Notice(msgspec.Struct):
    """That it is somebody's turn: which turn of which seat, and how far it has got."""

    table: str
    seat: int
    turn: int
    who: str
    tries: int
    left: list[str] | None
    """The addresses at which it has still to arrive; None before the first attempt."""


class Desk:
    """The wishes and notices of a house, in its store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def wishes(self, who: str) -> tuple[Wishes, str] | None:
        """Return the wishes of a person and the language of that person."""
        rows = await self._store.fetch("SELECT data, lang FROM wishes WHERE who = $1", who)
        return (msgspec.json.decode(rows[0][0], type=Wishes), rows[0][1]) if rows else None

    async def keep_wishes(self, who: str, lang: str, wishes: Wishes) -> None:
        """Keep somebody's wishes, in place of older ones."""
        await self._store.execute(
            "INSERT INTO wishes VALUES ($1, $2, $3)"
            " ON CONFLICT (who) DO UPDATE SET lang = excluded.lang, data = excluded.data",
            who, lang, msgspec.json.encode(wishes),
        )  # fmt: skip

    async def speak(self, who: str, lang: str) -> None:
        """Write to somebody in another language from now on."""
        await self._store.execute("UPDATE wishes SET lang = $2 WHERE who = $1", who, lang)

    async def drop(self, who: str, endpoint: str) -> None:
        """Forget a subscription that has ended; where wishes have changed meanwhile, a later notice finds it."""
        found = await self.wishes(who)
        if found is None:
            return
        old = found[0]
        new = msgspec.structs.replace(old, push=[item for item in old.push if item.endpoint != endpoint])
        await self._store.execute(
            "UPDATE wishes SET data = $3 WHERE who = $1 AND data = $2",
            who, msgspec.json.encode(old), msgspec.json.encode(new),
        )  # fmt: skip

    async def switched(self, table: str, who: str) -> bool | None:
        """Return whether somebody has switched notices of a table on or off, None if neither."""
        rows = await self._store.fetch("SELECT wanted FROM switches WHERE table_id = $1 AND who = $2", table, who)
        return bool(rows[0][0]) if rows else None

    async def switch(self, table: str, who: str, on: bool) -> None:
        """Switch the notices of a table on or off for a person."""
        await self._store.execute(
            "INSERT INTO switches VALUES ($1, $2, $3)"
            " ON CONFLICT (table_id, who) DO UPDATE SET wanted = excluded.wanted",
            table, who, int(on),
        )  # fmt: skip

    async def note(self, notice: Notice, due: int | None) -> None:
        """Keep a notice of a turn for which there is none yet; without a time any that there is counts as delivered."""
        newer = "<" if due is not None else "<="
        await self._store.execute(
            "INSERT INTO notices VALUES ($1, $2, $3, $4, $5, 0, NULL)"
            " ON CONFLICT (table_id, seat) DO UPDATE SET turn = excluded.turn, who = excluded.who,"
            f" due = excluded.due, tries = 0, rest = NULL WHERE notices.turn {newer} excluded.turn",
            notice.table, notice.seat, notice.turn, notice.who, due,
        )  # fmt: skip

    async def due(self, at: int, most: int) -> list[Notice]:
        """Return notices whose time has come."""
        rows = await self._store.fetch(
            "SELECT table_id, seat, turn, who, tries, rest FROM notices WHERE due <= $1 ORDER BY due LIMIT $2", at, most
        )
        return [
            Notice(row[0], row[1], row[2], row[3], row[4], msgspec.json.decode(row[5]) if row[5] else None)
            for row in rows
        ]

    async def next_due(self) -> int | None:
        """Return when the next notice is due."""
        rows = await self._store.fetch("SELECT min(due) FROM notices WHERE due IS NOT NULL")
        return rows[0][0] if rows else None

    async def take(self, notice: Notice, at: int, again: int) -> bool:
        """Take a notice on oneself until `again`; False if another process was quicker."""
        changed = await self._store.execute(
            "UPDATE notices SET due = $5, tries = tries + 1 WHERE table_id = $1 AND seat = $2 AND turn = $3"
            " AND due <= $4",
            notice.table, notice.seat, notice.turn, at, again,
        )  # fmt: skip
        return changed == 1

    async def settle(self, notice: Notice, due: int | None, left: list[str] | None, tries: int) -> None:
        """Write down what has become of a notice: when it is tried again (None for never), and at which addresses."""
        await self._store.execute(
            "UPDATE notices SET due = $4, rest = $5, tries = $6 WHERE table_id = $1 AND seat = $2 AND turn = $3",
            notice.table, notice.seat, notice.turn, due, msgspec.json.encode(left) if left else None, tries,
        )  # fmt: skip
