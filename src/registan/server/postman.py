"""Tells people that it is their turn, once a turn, by webhook and web push; never in the way of the tables."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from registan.core.errors import RegistanError
from registan.core.messages import listing, say
from registan.core.registry import find
from registan.server import limits, push
from registan.server.logs import log
from registan.server.outside import post
from registan.server.wishes import SECOND, Desk, Notice, Wishes
from registan.tables.table import Table

if TYPE_CHECKING:
    from registan.server.house import House
    from registan.server.room import Room

DELIVERED, TRY_AGAIN, REFUSED, GONE = "delivered", "try again", "refused", "gone"


def outcome(status: int) -> str:
    """Return what the status of an answer means for a notice."""
    if status in (404, 410):
        return GONE
    if 200 <= status < 300:
        return DELIVERED
    return TRY_AGAIN if status >= 500 or status in (408, 425, 429) else REFUSED


class Postman:
    """Looks after the notices of one house."""

    def __init__(self, house: House, vapid: push.Vapid, public_url: str, private: bool = False) -> None:
        self.house, self.vapid, self.public_url, self.private = house, vapid, public_url, private
        self.desk = Desk(house.store)
        self.delay = limits.NOTICE_DELAY * SECOND
        self.backoff = tuple(limits.NOTICE_BACKOFF)
        self._bell = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._round = asyncio.create_task(self._rounds())

    # Seeing whose turn it is.

    def look(self, room: Room) -> None:
        """Take note of those whose turn it has become at a table, unless they are there."""
        table = room.table
        if table.created.pace.kind == "live" or table.finished or table.status != "running":
            return
        for seat, turn in table.turns.items():
            if room.noticed.get(seat) != turn and table.seats[seat].by_hand:
                room.noticed[seat] = turn
                notice = Notice(table.created.table, seat, turn, table.seats[seat].who, 0, None)
                there = self._there(room, seat)
                if not there or self.house.shared:
                    self._later(self._note(notice, table.created.pace.kind == "days", there))

    def _later(self, what: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _there(self, room: Room, seat: int) -> bool:
        who = room.table.seats[seat].who
        mine = room.table.seats_of(who)
        return any(watcher.audience in mine for watcher in room.watchers)

    async def _note(self, notice: Notice, default: bool, there: bool) -> None:
        wanted = await self.desk.switched(notice.table, notice.who)
        if not (default if wanted is None else wanted):
            return
        # Who sits at the table needs no notice, and no other process shall send one either.
        await self.desk.note(notice, None if there else self.house.now() + self.delay)
        self._bell.set()

    # Delivering.

    async def _rounds(self) -> None:
        """Deliver what is due, over and over."""
        while True:
            self._bell.clear()
            wait: float = limits.NOTICE_ROUND
            try:
                due = await self.desk.due(self.house.now(), limits.NOTICES_AT_ONCE)
                await asyncio.gather(*(self._deliver(notice) for notice in due))
                following = await self.desk.next_due()
                if following is not None:
                    wait = min(wait, max(0.02, (following - self.house.now()) / SECOND))
            except Exception as error:  # the store may be away for a while: the round goes on
                log.warning("notices wait", why=repr(error))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), wait)

    async def _deliver(self, notice: Notice) -> None:
        """Deliver a notice, unless it has become untrue, or it is a quiet hour."""
        now = self.house.now()
        if not await self.desk.take(notice, now, now + limits.NOTICE_LEASE * SECOND):
            return
        found = await self.desk.wishes(notice.who)
        table = await self._waits(notice)
        if found is None or table is None:
            await self.desk.settle(notice, None, None, notice.tries)
            return
        wishes, lang = found
        if wishes.quiet is not None and (later := wishes.quiet.until(now)) > now:
            await self.desk.settle(notice, later, notice.left, notice.tries)
            return
        known = wishes.channels()
        channels = known if notice.left is None else [url for url in notice.left if url in known]
        text = words(table, notice.seat, lang, f"{self.public_url}/t/{notice.table}")
        results = await asyncio.gather(*(self._send(url, wishes, text, notice) for url in channels))
        left = [url for url, result in zip(channels, results) if result == TRY_AGAIN]
        tries = notice.tries + 1
        again = now + self.backoff[notice.tries] * SECOND if left and notice.tries < len(self.backoff) else None
        await self.desk.settle(notice, again, left, tries)

    async def _waits(self, notice: Notice) -> Table | None:
        """Return the table if it still waits for that turn of somebody who is not there."""
        try:
            room = await self.house.room(notice.table)
        except RegistanError:
            return None
        table = room.table
        waits = not table.finished and table.status == "running" and table.turns.get(notice.seat) == notice.turn
        if not waits or not table.seats[notice.seat].by_hand or self._there(room, notice.seat):
            return None
        switched = await self.desk.switched(notice.table, notice.who)
        return None if switched is False else table

    async def _send(self, url: str, wishes: Wishes, text: dict[str, Any], notice: Notice) -> str:
        kind = "webhook" if url == wishes.webhook else "push"
        body, headers = msgspec.json.encode(text), {"Content-Type": "application/json"}
        try:
            if kind == "push":
                subscription = next(item for item in wishes.push if item.endpoint == url)
                body = push.encrypted(subscription, body)
                # A push service shall not learn the table's name: who knows it may look in.
                topic = push.bare(hashlib.sha256(notice.table.encode()).digest()[:18])
                headers = self.vapid.headers(url, topic, self.house.now() / SECOND)
            result = outcome(await post(url, body, headers, private=self.private))
        except OSError:
            result = TRY_AGAIN
        except RegistanError:  # a name that stands for an address of our own network
            result = REFUSED
        if result == GONE and kind == "push":
            await self.desk.drop(notice.who, url)
        self.house.metrics.notices.labels(kind, result).inc()
        return result

    async def close(self) -> None:
        """Stop; what was not delivered is delivered by whoever opens the house next."""
        self._round.cancel()
        await asyncio.gather(self._round, *self._tasks, return_exceptions=True)


def words(table: Table, seat: int, lang: str, link: str) -> dict[str, Any]:
    """Return what somebody is told: nothing of the game but whose turn it is."""
    game = find(table.created.game)
    mine = table.seats[seat]
    others = [held.name or held.level for held in table.seats if held.who != mine.who or not mine.who]
    text = say(lang, "house.your_turn", game=game.name[lang], name=mine.name, others=listing(lang, others))
    return {
        "text": text,
        "content": f"{text} {link}",  # what chat programs show of a webhook
        "link": link,
        "table": table.created.table,
        "game": table.created.game,
        "seat": seat,
        "lang": lang,
    }
