"""Whose connection is gone: told to everybody at a table beside the views, and never part of its log.

It depends on connections alone, on nothing in the game: so it cannot tell who is asked quietly.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from registan.server.limits import GONE_SECONDS, PRESENCE_ROUND, SIGNS_OF_LIFE, SILENT_SECONDS
from registan.server.live.outbox import Outbox
from registan.server.live.protocol import Gone
from registan.server.logs import log
from registan.server.storage.bus import Bus
from registan.tables.seats import Seat

if TYPE_CHECKING:
    from registan.server.live.table import LiveTable, Watcher

_encode = msgspec.json.Encoder().encode
AT_ONCE = 25
"""How many tables to look at before others have their turn."""


class Presence:
    """When each of the people at a table was last connected."""

    def __init__(self) -> None:
        self.gone: list[int] = []
        """The seats of people whose connection is gone."""
        self.here: dict[int, float] = {}
        """The seats of people who are connected to this process, and for how many seconds they have been silent."""
        self._last: dict[str, float] = {}

    def join(self, outbox: Outbox) -> None:
        """Tell a new watcher who is gone, if anybody is."""
        if self.gone:
            outbox.send(_encode(Gone(self.gone)))

    def heard(self, who: str, at: float) -> None:
        """Remember that a person was connected at a time."""
        if who in self._last:
            self._last[who] = max(self._last[who], at)

    def check(
        self,
        seats: list[Seat],
        watchers: Iterable[Watcher],
        now: float,
        shared: bool = False,
        patience: float = SILENT_SECONDS,
    ) -> bool:
        """See who is connected, tell all watchers if that has changed, and return whether it has.

        Whoever has said nothing for `patience` seconds is asked for a sign of life, if anybody else is there to know:
        in a house that is shared between processes, always.
        """
        watchers = list(watchers)
        # Somebody who is new at the table gets as much time to connect as others to come back.
        people = {i: seat.who for i, seat in enumerate(seats) if seat.kind == "person"}
        self._last = {who: self._last.get(who, now) for who in people.values()}
        company = shared or len({watcher.who for watcher in watchers}) > 1
        silences: dict[str, float] = {}
        for watcher in watchers:
            if watcher.who in self._last:
                silence = watcher.outbox.silence(patience if company else None)
                silences[watcher.who] = min(silence, silences.get(watcher.who, silence))
        for who, silence in silences.items():
            self.heard(who, now - silence)
        self.here = {seat: silences[who] for seat, who in people.items() if who in silences}
        gone = [seat for seat, who in people.items() if now - self._last[who] > GONE_SECONDS]
        if gone == self.gone:
            return False
        self.gone = gone
        message = _encode(Gone(gone))
        for outbox in {watcher.outbox for watcher in watchers}:
            outbox.send(message)
        return True


class Presences:
    """The presence at all tables of a house, also of people who are connected to other processes."""

    def __init__(self, tables: Mapping[str, LiveTable]) -> None:
        self._tables = tables
        self.bus: Bus | None = None

    async def watch(self) -> None:
        """See from time to time whose connection is gone, and tell the other processes whose is not."""
        while True:
            try:
                await self.check()
            except Exception as error:  # the bus may be unreachable for a while
                log.warning("presence is not told", why=repr(error))

    async def check(self) -> None:
        """See whose connection is gone, table by table over a round: nobody's move waits for a thousand of them."""
        tables, told = list(self._tables.items()), list[str]()
        watched = sum(len(live.watchers) for _, live in tables)
        patience = max(SILENT_SECONDS, watched / SIGNS_OF_LIFE)  # a full house would do nothing else
        parts = 1 + len(tables) // AT_ONCE
        for part in range(parts):
            before = time.monotonic()
            await asyncio.sleep(PRESENCE_ROUND / parts)
            now = time.monotonic()
            if now - before > 2 * PRESENCE_ROUND:
                continue  # this process was busy, and has not read yet who was heard meanwhile
            for name, live in tables[part::parts]:
                if live.watchers:
                    live.presence.check(live.table.seats, live.watchers, now, self.bus is not None, patience)
                    if live.presence.here:
                        told.append(f"{name} {_written(live.presence.here)}")
        if self.bus is not None and told:
            await self.bus.tell(told)

    def told(self, text: str) -> None:
        """Hear from another process who is connected there."""
        table, _, here = text.partition(" ")
        live = self._tables.get(table)
        if live is not None:
            now, seats = time.monotonic(), live.table.seats
            for seat, silence in _read(here).items():
                if seat < len(seats):
                    live.presence.heard(seats[seat].who, now - silence)


def _written(here: Mapping[int, float]) -> str:
    """Return who is connected as processes tell each other: the seat, and for how many milliseconds it is silent."""
    return " ".join(f"{seat}:{round(silence * 1000)}" for seat, silence in here.items())


def _read(text: str) -> dict[int, float]:
    """Return who is connected, from such a text."""
    pairs = (pair.split(":") for pair in text.split())
    return {int(seat): int(silence) / 1000 for seat, silence in pairs}
