"""Delivery of notices by webhook and web push, one per turn, in the background."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec

from registan.core.errors import RegistanError
from registan.core.messages import listing, say
from registan.core.registry import find
from registan.server import limits
from registan.server.live.house import House
from registan.server.live.table import LiveTable
from registan.server.logs import log
from registan.server.notices import push
from registan.server.notices.outbound import post
from registan.server.notices.preferences import SECOND, Preferences, PreferenceStore
from registan.server.notices.queue import Notice, NoticeQueue
from registan.tables.table import Table

DELIVERED, TRY_AGAIN, REFUSED, GONE = "delivered", "try again", "refused", "gone"
TURNS = ("dealing", "running")
"""When a table waits for people."""


def outcome(status: int) -> str:
    """Return what the status of a response means for a notice."""
    if status in (404, 410):
        return GONE
    if 200 <= status < 300:
        return DELIVERED
    return TRY_AGAIN if status >= 500 or status in (408, 425, 429) else REFUSED


class Delivery:
    """Delivers the notices of one house."""

    def __init__(self, house: House, vapid: push.Vapid, public_url: str, private: bool = False) -> None:
        self.house, self.vapid, self.public_url, self.private = house, vapid, public_url, private
        self.preferences = PreferenceStore(house.store)
        self.queue = NoticeQueue(house.store)
        self.delay = limits.NOTICE_DELAY * SECOND
        self.backoff = tuple(limits.NOTICE_BACKOFF)
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.create_task(self._deliver_forever())

    # Queueing.

    def look(self, live: LiveTable) -> None:
        """Queue a notice for each person whose turn it has become at a table and who is not watching it."""
        table = live.table
        if table.created.pace.kind == "live" or table.status not in TURNS:
            return
        for seat, turn in table.turns.items():
            if live.noticed.get(seat) != turn and table.seats[seat].by_hand:
                live.noticed[seat] = turn
                notice = Notice(table.created.table, seat, turn, table.seats[seat].who, 0, None)
                watching = self._watching(live, seat)
                if not watching or self.house.shared:
                    self._spawn(self._add(notice, table.created.pace.kind == "days", watching))

    def _spawn(self, what: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _watching(self, live: LiveTable, seat: int) -> bool:
        """Whether the person of a seat has the table open."""
        who = live.table.seats[seat].who
        return any(watcher.who == who and watcher.seat is not None for watcher in live.watchers)

    async def _add(self, notice: Notice, default: bool, watching: bool) -> None:
        wanted = await self.preferences.switched(notice.table, notice.who)
        if not (default if wanted is None else wanted):
            return
        # A person who watches needs no notice, from other processes neither.
        await self.queue.add(notice, None if watching else self.house.now() + self.delay)
        self._wake.set()

    # Delivering.

    async def deliver_due(self) -> int:
        """Try to deliver the notices that are due, and return how many those were."""
        due = await self.queue.due(self.house.now(), limits.NOTICES_AT_ONCE)
        await asyncio.gather(*(self._deliver(notice) for notice in due))
        return len(due)

    async def _deliver_forever(self) -> None:
        while True:
            self._wake.clear()
            wait: float = limits.NOTICE_ROUND
            try:
                await self.deliver_due()
                following = await self.queue.next_due()
                if following is not None:
                    wait = min(wait, max(0.02, (following - self.house.now()) / SECOND))
            except Exception as error:  # the store may be unreachable for a while
                log.warning("notices wait", why=repr(error))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), wait)

    async def _deliver(self, notice: Notice) -> None:
        """Deliver a notice, unless the turn is over or the person has quiet hours."""
        now = self.house.now()
        if not await self.queue.take(notice, now, now + limits.NOTICE_LEASE * SECOND):
            return
        found = await self.preferences.of(notice.who)
        table = await self._waits(notice)
        if found is None or table is None:
            await self.queue.settle(notice, None, None, notice.tries)
            return
        preferences, lang = found
        if preferences.quiet is not None and (later := preferences.quiet.until(now)) > now:
            await self.queue.settle(notice, later, notice.left, notice.tries)
            return
        known = preferences.channels()
        channels = known if notice.left is None else [url for url in notice.left if url in known]
        text = message(table, notice.seat, lang, f"{self.public_url}/t/{notice.table}")
        results = await asyncio.gather(*(self._send(url, preferences, text, notice) for url in channels))
        left = [url for url, result in zip(channels, results) if result == TRY_AGAIN]
        tries = notice.tries + 1
        again = now + self.backoff[notice.tries] * SECOND if left and notice.tries < len(self.backoff) else None
        await self.queue.settle(notice, again, left, tries)

    async def _waits(self, notice: Notice) -> Table | None:
        """Return the table if it still waits for that turn, and the person is not watching it."""
        try:
            live = await self.house.table(notice.table)
        except RegistanError:
            return None
        table = live.table
        waits = table.status in TURNS and table.turns.get(notice.seat) == notice.turn
        if not waits or not table.seats[notice.seat].by_hand or self._watching(live, notice.seat):
            return None
        switched = await self.preferences.switched(notice.table, notice.who)
        return None if switched is False else table

    async def _send(self, url: str, preferences: Preferences, text: dict[str, Any], notice: Notice) -> str:
        kind = "webhook" if url == preferences.webhook else "push"
        body, headers = msgspec.json.encode(text), {"Content-Type": "application/json"}
        try:
            if kind == "push":
                subscription = next(item for item in preferences.push if item.endpoint == url)
                body = push.encrypted(subscription, body)
                # Push services must not learn the table's id: whoever knows it may look in.
                topic = push.bare(hashlib.sha256(notice.table.encode()).digest()[:18])
                headers = self.vapid.headers(url, topic, self.house.now() / SECOND)
            result = outcome(await post(url, body, headers, private=self.private))
        except OSError:
            result = TRY_AGAIN
        except RegistanError:  # the name resolves to an address of our own network
            result = REFUSED
        if result == GONE and kind == "push":
            await self.preferences.drop(notice.who, url)
        self.house.metrics.notices.labels(kind, result).inc()
        return result

    async def close(self) -> None:
        """Stop. What was not delivered stays in the queue for the next start."""
        self._loop.cancel()
        await asyncio.gather(self._loop, *self._tasks, return_exceptions=True)


def message(table: Table, seat: int, lang: str, link: str) -> dict[str, Any]:
    """Return the content of a notice, which tells nothing of the game but whose turn it is."""
    game = find(table.created.game)
    mine = table.seats[seat]
    others = [held.name or held.level for held in table.seats if held.who != mine.who or not mine.who]
    what = "house.open_to_deal" if table.status == "dealing" else "house.your_turn"
    text = say(lang, what, game=game.name[lang], name=mine.name, others=listing(lang, others))
    return {
        "text": text,
        "content": f"{text} {link}",  # what chat programs show of a webhook
        "link": link,
        "table": table.created.table,
        "game": table.created.game,
        "seat": seat,
        "lang": lang,
    }
