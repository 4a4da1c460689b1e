"""The devices that a person uses: one session each, which ends when the person signs it out. And used hand-overs."""

from __future__ import annotations

import re

import msgspec

from registan.server.identity import OLDER, Person, Signer
from registan.server.limits import COOKIE_DAYS
from registan.server.storage.store import Store

DAY = 86_400_000
BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "Chrome": "Chrome",
            "CriOS": "Chrome", "Safari": "Safari"}  # fmt: skip
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS X": "macOS",
           "CrOS": "ChromeOS", "Linux": "Linux"}  # fmt: skip


class Session(msgspec.Struct):
    """A device: the id of its session, what it seems to be, and since when it is known."""

    id: str
    device: str
    since: int


def device_name(agent: str) -> str:
    """Return a browser and a system from a User-Agent header, as far as they are known."""
    found = [
        next((name for mark, name in marks.items() if re.search(rf"\b{mark}\b", agent)), "")
        for marks in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(name for name in found if name)


class Sessions:
    """The sessions of all people of a house. Which have ended is known in memory, since every request asks."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ended: set[tuple[str, str]] = set()

    async def refresh(self) -> set[tuple[str, str]]:
        """Learn which sessions have ended, also through other processes; return those that are new."""
        rows = await self._store.fetch("SELECT who, id FROM sessions WHERE ended = 1")
        new = {(row[0], row[1]) for row in rows} - self._ended
        self._ended |= new
        return new

    async def tidy(self, at: int) -> None:
        """Forget what cannot matter any more: cookies that are too old, and hand-overs that have expired."""
        # A cookie without a session id may be renewed at any time, so its end is remembered.
        await self._store.execute(
            "DELETE FROM sessions WHERE since < $1 AND ended = 0 AND id <> $2", at - 2 * COOKIE_DAYS * DAY, OLDER
        )
        await self._store.execute("DELETE FROM handovers WHERE used < $1", at - DAY)

    def valid(self, person: Person) -> bool:
        """Whether a person's session has not ended."""
        return (person.who, person.session) not in self._ended

    def person(self, signer: Signer, cookie: str | None) -> Person | None:
        """Return the person a cookie identifies, None if it is not valid or its device was signed out."""
        found = signer.person(cookie)
        return found if found is not None and self.valid(found) else None

    async def begin(self, person: Person, agent: str, at: int) -> None:
        """Remember a device."""
        await self._store.execute(
            "INSERT INTO sessions VALUES ($1, $2, $3, $4, 0) ON CONFLICT DO NOTHING",
            person.who, person.session, device_name(agent), at,
        )  # fmt: skip

    async def of(self, who: str) -> list[Session]:
        """Return a person's devices, the latest first."""
        rows = await self._store.fetch(
            "SELECT id, device, since FROM sessions WHERE who = $1 AND ended = 0 ORDER BY since DESC, id", who
        )
        return [Session(*row) for row in rows]

    async def end(self, who: str, session: str) -> None:
        """Sign a device out, once and for all."""
        await self._store.execute(
            "INSERT INTO sessions VALUES ($1, $2, '', 0, 1) ON CONFLICT (who, id) DO UPDATE SET ended = 1", who, session
        )
        self._ended.add((who, session))

    async def use(self, handover: str, at: int) -> bool:
        """Use a hand-over up, and return whether nobody had used it before."""
        sql = "INSERT INTO handovers VALUES ($1, $2) ON CONFLICT DO NOTHING"
        return await self._store.execute(sql, handover, at) == 1
