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
from registan.server.live.protocol import Ended, Update, WholeView
from registan.tables.patch import Comparison
from registan.tables.sight import Audience, audience_of
from registan.tables.table import Table
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
        self._shown: dict[Audience, Shown] = {}
        self._for_all: tuple[Shown, bytes] | None = None
        """What spectators are shown, and the message with it."""
        self._history: dict[Audience, list[tuple[int, bytes]]] = {}
        self._absent: dict[Audience, int] = {}
        """Audiences without a watcher, and for how many more updates their history is kept."""

    def watch(self, watcher: Watcher, seq: int | None = None, line: int = 0) -> None:
        """Start sending the table: what was missed since `seq` if that is still known, else the whole view.

        The chat follows, from the line after the last one that the client has.
        Raise BadInput if the person may not see what they want to see.
        """
        audience = audience_of(self.table, watcher.who, watcher.seat)
        self._absent.pop(audience, None)
        if audience not in self._shown:
            self._shown[audience] = Showing(self.table)(audience)
            self._history[audience] = []
        for message in self._missed(audience, seq, watcher.whole):
            watcher.send(message)
        self.chat.join(self.table, watcher.outbox, line)
        self.presence.join(watcher.outbox)
        watcher.audience = audience
        self.watchers.add(watcher)

    def _missed(self, audience: Audience, seq: int | None, whole: bool) -> Iterator[bytes]:
        now = self._shown[audience].seq
        history = self._history[audience]
        known = [after for after, _ in history]
        if seq is not None and seq == now:
            return
        if seq is not None and seq in known and not whole:
            yield from [message for after, message in history if after >= seq]
            return
        yield self._whole(audience)

    def _whole(self, audience: Audience) -> bytes:
        """Return the message with the whole view; that for spectators, of whom there may be many, is made once."""
        shown = self._shown[audience]
        if self._for_all is not None and self._for_all[0] is shown:
            return self._for_all[1]
        message = _encode(WholeView(_seat(audience), shown.seq, shown.whole()))
        if audience == Audience():
            self._for_all = shown, message
        return message

    def leave(self, watcher: Watcher) -> None:
        """Stop sending; updates are kept for a while in case the watcher returns."""
        self.watchers.discard(watcher)
        audience = watcher.audience
        if audience in self._shown and not any(other.audience == audience for other in self.watchers):
            self._absent[audience] = ABSENT

    def _forget(self, audience: Audience) -> None:
        for known in (self._absent, self._shown, self._history):
            known.pop(audience, None)

    def _absent_too_long(self, audience: Audience) -> bool:
        if audience not in self._absent:
            return False
        self._absent[audience] -= 1
        return not self._absent[audience]

    def reset(self) -> None:
        """Disconnect all watchers, and forget what they were sent."""
        for watcher in self.watchers:
            watcher.send(None)
        for known in (self.watchers, self._absent, self._shown, self._history):
            known.clear()

    def end(self, error: RegistanError) -> None:
        """End all watches, and tell why."""
        for watcher in self.watchers:
            watcher.send(_encode(Ended(watcher.seat, error.key, error.text(watcher.lang))))
        self.reset()

    def publish(self) -> None:
        """Send every watcher what has changed for it, if anything has; who may see what is decided again."""
        if not self._shown:
            self.chat.publish(self.table, ())
            return
        seeing, moved = self._decide()
        showing, comparison = Showing(self.table), Comparison()
        for audience, old in list(self._shown.items()):
            if audience not in seeing and audience not in self._absent:
                self._forget(audience)  # a seat that has another owner, or spectators who are no longer welcome
                continue
            if old.seq == audience.seq(self.table):
                continue
            if self._absent_too_long(audience) or not self._still(audience):
                self._forget(audience)
                continue
            new = showing(audience)
            patch = msgspec.Raw(new.update(old, comparison))
            message = _encode(Update(_seat(audience), old.seq, new.seq, patch))
            self._shown[audience] = new
            self._remember(self._history[audience], old.seq, message)
            watchers = seeing.get(audience, [])
            whole = self._whole(audience) if any(watcher.whole for watcher in watchers) else b""
            for watcher in watchers:
                watcher.send(whole if watcher.whole else message)
        for watcher in moved:
            self.watch(watcher)
        self.chat.publish(self.table, {watcher.outbox for watcher in self.watchers})

    def _decide(self) -> tuple[dict[Audience, list[Watcher]], list[Watcher]]:
        """Return the watchers by the audience they still belong to, and those that now belong to another one.

        A watcher that may not see what it wants any more is told so, and its watch ends.
        """
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
        return seeing, moved

    def _still(self, audience: Audience) -> bool:
        """Whether there may still be somebody in an audience."""
        try:
            return audience_of(self.table, audience.who, _seat(audience)) == audience
        except RegistanError:
            return False

    def _remember(self, history: list[tuple[int, bytes]], after: int, message: bytes) -> None:
        """Keep an update; drop the oldest once a whole view would be shorter than all of them."""
        history.append((after, message))
        size = sum(len(kept) for _, kept in history)
        while size > HISTORY:
            size -= len(history.pop(0)[1])


def _seat(audience: Audience) -> int | None:
    return None if audience.seat == SPECTATOR else audience.seat
