"""A table in memory: its watchers, and what each audience was sent last."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from registan.core.errors import RegistanError
from registan.core.game import SPECTATOR
from registan.server.limits import ABSENT, HISTORY
from registan.server.live.chat import ChatStream
from registan.server.live.outbox import Outbox
from registan.server.live.presence import Presence
from registan.server.live.protocol import Ended, WholeView
from registan.tables.sight import Audience, audience_of, standing
from registan.tables.table import Table
from registan.tables.updates import Comparison
from registan.tables.views import Showing, Shown

_encode = msgspec.json.Encoder().encode


class Watcher:
    """A person's wish to see a table from a seat, or as a spectator (None). Whether they may is decided each time."""

    __slots__ = ("audience", "lang", "outbox", "seat", "session", "who", "whole")

    def __init__(
        self,
        who: str,
        seat: int | None,
        outbox: Outbox | None = None,
        lang: str = "en",
        session: str = "",
        whole: bool = False,
    ) -> None:
        self.who, self.seat, self.lang, self.session, self.whole = who, seat, lang, session, whole
        self.outbox = Outbox() if outbox is None else outbox
        self.audience: Audience | None = None
        """The audience whose view the watcher has."""

    def send(self, message: bytes | None) -> None:
        """Send a message, or None to end the connection."""
        self.outbox.send(message)


class Seen:
    """What an audience was sent last, and the updates before that, for clients that reconnect."""

    __slots__ = ("absent", "history", "shown", "size")

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.history: list[tuple[int, bytes]] = []
        self.size = 0
        """The bytes in the history."""
        self.absent: int | None = None
        """For how many more updates this is kept although nobody watches; None if somebody does."""

    def update(self, seat: int | None, new: Shown, comparison: Comparison) -> bytes:
        """Show something new, and return the message that tells what has changed."""
        after = self.shown.seq
        patch = comparison.update(self.shown, new)
        # As `Update` would be encoded, without encoding the patch a second time.
        head = b'{"type":"update","seat":%b,"after":%d,"seq":%d,"patch":'
        message = head % (b"null" if seat is None else b"%d" % seat, after, new.seq) + patch + b"}"
        self.shown = new
        self._remember(after, message)
        return message

    def _remember(self, after: int, message: bytes) -> None:
        """Keep an update; drop the oldest once a whole view would be shorter than all of them."""
        self.history.append((after, message))
        self.size += len(message)
        while self.size > HISTORY:
            self.size -= len(self.history.pop(0)[1])


class LiveTable:
    """A table in memory, the lock under which it changes, and its watchers.

    `table` is what the store has, and never changes: requests change a copy, which takes its place once it is stored.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.chat = ChatStream(table)
        self.presence = Presence()
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.unsettled: asyncio.Future[None] | None = None
        """A write to the log whose outcome is not known yet, or was not found out when it failed."""
        self.timer: asyncio.TimerHandle | None = None
        self.asked: set[tuple[Any, ...]] = set()
        """The seats and moments for which bots are thinking."""
        self.used = time.monotonic()
        """When somebody last asked for the table."""
        self.finished = False
        """Whether the snapshot of the finished game is stored."""
        self.results = -1
        """After how many moves of the finished game its results were stored."""
        self.saved = 0
        """How many events the latest save covers."""
        self.noticed: dict[int, int] = {}
        """By seat: the last turn for which a notice was considered."""
        self._seen: dict[Audience, Seen] = {}
        self._decided: tuple[tuple[object, ...], dict[Audience, list[Watcher]]] | None = None
        """What the watchers by their audiences were found from, and who they are; None if somebody has come or gone."""
        self._for_all: tuple[Shown, bytes] | None = None
        """What spectators are shown, and the message with it."""

    def watch(self, watcher: Watcher, seq: int | None = None, line: int = 0) -> None:
        """Start sending the table: what was missed since `seq` if that is still known, else the whole view.

        The chat follows, from the line after the last one that the client has.
        Raise BadInput if the person may not see what they want to see.
        """
        audience = audience_of(self.table, watcher.who, watcher.seat)
        if audience not in self._seen:
            self._seen[audience] = Seen(Showing(self.table)(audience))
        self._seen[audience].absent = None
        for message in self._missed(audience, seq, watcher.whole):
            watcher.send(message)
        self.chat.join(self.table, watcher.outbox, line)
        self.presence.join(watcher.outbox)
        watcher.audience = audience
        self.watchers.add(watcher)
        self._decided = None

    def _missed(self, audience: Audience, seq: int | None, whole: bool) -> Iterator[bytes]:
        seen = self._seen[audience]
        if seq is not None and seq == seen.shown.seq:
            return
        if seq is not None and not whole and any(after == seq for after, _ in seen.history):
            yield from [message for after, message in seen.history if after >= seq]
            return
        yield self._whole(audience)

    def _whole(self, audience: Audience) -> bytes:
        """Return the message with the whole view; that for spectators, of whom there may be many, is made once."""
        shown = self._seen[audience].shown
        if self._for_all is not None and self._for_all[0] is shown:
            return self._for_all[1]
        message = _encode(WholeView(_seat(audience), shown.seq, shown.whole()))
        if audience == Audience():
            self._for_all = shown, message
        return message

    def leave(self, watcher: Watcher) -> None:
        """Stop sending; updates are kept for a while in case the watcher returns."""
        self.watchers.discard(watcher)
        self._decided = None
        audience = watcher.audience
        if audience in self._seen and not any(other.audience == audience for other in self.watchers):
            self._seen[audience].absent = ABSENT

    def reset(self) -> None:
        """Disconnect all watchers, and forget what they were sent."""
        for watcher in self.watchers:
            watcher.send(None)
        self.watchers.clear()
        self._seen.clear()
        self._decided = None

    def end(self, error: RegistanError) -> None:
        """End all watches, and tell why."""
        for watcher in self.watchers:
            watcher.send(_encode(Ended(watcher.seat, error.key, error.text(watcher.lang))))
        self.reset()

    def publish(self) -> None:
        """Send every watcher what has changed for it, if anything has; who may see what is decided again."""
        if not self._seen:
            self.chat.publish(self.table, ())
            return
        seeing, moved = self._decide()
        showing, comparison = Showing(self.table), Comparison()
        for audience, seen in list(self._seen.items()):
            watchers = seeing.get(audience, ())
            if not watchers and seen.absent is None:
                del self._seen[audience]  # a seat that has another owner, or spectators who are no longer welcome
                continue
            if seen.shown.seq == audience.seq(self.table):
                continue
            if not watchers and not self._still_awaited(audience, seen):
                del self._seen[audience]
                continue
            message = seen.update(_seat(audience), showing(audience), comparison)
            for watcher in watchers:
                watcher.outbox.send(self._whole(audience) if watcher.whole else message)
        for watcher in moved:
            self.watch(watcher)
        self.chat.publish(self.table, self.watchers)

    def _decide(self) -> tuple[dict[Audience, list[Watcher]], list[Watcher]]:
        """Return the watchers by the audience they still belong to, and those that now belong to another one.

        A watcher that may not see what it wants any more is told so, and its watch ends.
        """
        standing_now = standing(self.table)
        if self._decided is not None and self._decided[0] == standing_now:
            return self._decided[1], []
        seeing: dict[Audience, list[Watcher]] = {}
        moved: list[Watcher] = []
        for watcher in list(self.watchers):
            try:
                audience = audience_of(self.table, watcher.who, watcher.seat)
            except RegistanError as error:
                self.watchers.discard(watcher)
                watcher.send(_encode(Ended(watcher.seat, error.key, error.text(watcher.lang))))
                continue
            if audience == watcher.audience:
                seeing.setdefault(audience, []).append(watcher)
            else:
                moved.append(watcher)
        self._decided = (standing_now, seeing) if not moved else None
        return seeing, moved

    def _still_awaited(self, audience: Audience, seen: Seen) -> bool:
        """Whether somebody of an audience that has left may still come back soon."""
        assert seen.absent is not None
        seen.absent -= 1
        try:
            return seen.absent > 0 and audience_of(self.table, audience.who, _seat(audience)) == audience
        except RegistanError:
            return False


def _seat(audience: Audience) -> int | None:
    return None if audience.seat == SPECTATOR else audience.seat
