"""How people want to be notified of their turns: by webhook, by web push, and not in quiet hours."""

from __future__ import annotations

import datetime
import zoneinfo
from typing import Annotated

import msgspec
from msgspec import Meta

from registan.core.errors import BadInput
from registan.server.limits import SUBSCRIPTIONS, URL
from registan.server.logs import log
from registan.server.notices import push
from registan.server.notices.outbound import parsed
from registan.server.storage.store import Store

Hour = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]
SECOND = 1000


class QuietHours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hours in which nothing is sent, in a time zone; they span midnight if `to` is before `from`."""

    start: Hour = msgspec.field(name="from")
    to: Hour
    zone: Annotated[str, Meta(max_length=40)] = "UTC"

    def checked(self) -> QuietHours:
        """Return these hours; raise BadInput for an unknown time zone."""
        try:
            zoneinfo.ZoneInfo(self.zone)
        except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
            raise BadInput("error.house.zone", zone=self.zone) from None
        return self

    def until(self, at: int) -> int:
        """Return the end of these hours if `at` falls into them, else `at`."""
        zone = zoneinfo.ZoneInfo(self.zone)
        now = datetime.datetime.fromtimestamp(at / SECOND, zone)
        start, to = (datetime.time.fromisoformat(text) for text in (self.start, self.to))
        clock = now.time()
        quiet = start <= clock < to if start <= to else clock >= start or clock < to
        if not quiet:
            return at
        day = now.date() + datetime.timedelta(days=clock >= to)
        return round(datetime.datetime.combine(day, to, zone).timestamp() * SECOND)


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a person wants to be notified: by webhook, by web push, and not in quiet hours."""

    webhook: Annotated[str, Meta(max_length=URL)] | None = None
    push: Annotated[list[push.Subscription], Meta(max_length=SUBSCRIPTIONS)] = []
    quiet: QuietHours | None = None

    def checked(self, private: bool) -> Preferences:
        """Return these preferences; raise BadInput for an address, subscription or time zone that cannot work."""
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
        """Return the addresses to send notices to."""
        return [*([self.webhook] if self.webhook else []), *(found.endpoint for found in self.push)]


class PreferenceStore:
    """The preferences of all people of a house, in its store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, who: str) -> tuple[Preferences, str] | None:
        """Return the preferences and the language of a person."""
        rows = await self._store.fetch("SELECT data, lang FROM wishes WHERE who = $1", who)
        try:
            return (msgspec.json.decode(rows[0][0], type=Preferences), rows[0][1]) if rows else None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:  # the person can choose again
            log.error("preferences cannot be read", why=repr(error))
            return None

    async def set(self, who: str, lang: str, preferences: Preferences) -> None:
        """Store a person's preferences and language."""
        await self._store.execute(
            "INSERT INTO wishes VALUES ($1, $2, $3)"
            " ON CONFLICT (who) DO UPDATE SET lang = excluded.lang, data = excluded.data",
            who, lang, msgspec.json.encode(preferences),
        )  # fmt: skip

    async def set_language(self, who: str, lang: str) -> None:
        """Change the language of a person's notices."""
        await self._store.execute("UPDATE wishes SET lang = $2 WHERE who = $1", who, lang)

    async def drop(self, who: str, endpoint: str) -> None:
        """Remove a subscription that has ended. If the preferences have just changed, the next notice tries again."""
        found = await self.of(who)
        if found is None:
            return
        old = found[0]
        new = msgspec.structs.replace(old, push=[item for item in old.push if item.endpoint != endpoint])
        await self._store.execute(
            "UPDATE wishes SET data = $3 WHERE who = $1 AND data = $2",
            who, msgspec.json.encode(old), msgspec.json.encode(new),
        )  # fmt: skip

    async def switched(self, table: str, who: str) -> bool | None:
        """Return whether a person has switched notices of a table on or off, None if neither."""
        rows = await self._store.fetch("SELECT wanted FROM switches WHERE table_id = $1 AND who = $2", table, who)
        return bool(rows[0][0]) if rows else None

    async def switch(self, table: str, who: str, on: bool) -> None:
        """Switch the notices of a table on or off for a person."""
        await self._store.execute(
            "INSERT INTO switches VALUES ($1, $2, $3)"
            " ON CONFLICT (table_id, who) DO UPDATE SET wanted = excluded.wanted",
            table, who, int(on),
        )  # fmt: skip
