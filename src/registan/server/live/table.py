"""A table in memory: its watchers, and what each audience was sent last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec

from registan.core.errors import RegistanError
from registan.core.game import SPECTATOR
from registan.server.limits import ABSENT, HISTORY
from registan.server.live.outbox import Outbox
from registan.server.live.protocol import Update, WholeView
from registan.tables.patch import Comparison
from registan.tables.table import Table
from registan.tables.views import Showing, Shown

_encode = msgspec.json.Encoder().encode


class Watcher:
    """A connection that receives a table as one audience sees it: a seat, or the spectators."""

    __slots__ = ("audience", "outbox")

    def __init__(self, audience: int, outbox: Outbox | None = None) -> None:
        self.audience = audience
        self.outbox = Outbox() if outbox is None else outbox

    def send(self, message: bytes | None) -> None:
        """Send a message, or None to end the connection."""
        self.outbox.send(message)


class LiveTable:
    """A table in memory, the lock under which it changes, and its watchers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.asked: set[tuple[Any, ...]] = set()
        """The seats and moments for which bots are thinking."""
        self.saved = 0
        """How many events the latest save covers."""
        self.noticed: dict[int, int] = {}
        """By seat: the last turn for which a notice was considered."""
        self._shown: dict[int, Shown] = {}
        self._history: dict[int, list[tuple[int, bytes]]] = {}
        self._absent: dict[int, int] = {}
        """Audiences without a watcher, and for how many more updates their history is kept."""

    def watch(self, watcher: Watcher, seq: int | None = None) -> None:
        """Start sending the table: what was missed since `seq` if that is still known, else the whole view."""
        audience = watcher.audience
        self._absent.pop(audience, None)
        if audience not in self._shown:
            self._shown[audience] = Showing(self.table)(audience)
            self._history[audience] = []
        for message in self._missed(audience, seq):
            watcher.send(message)
        self.watchers.add(watcher)

    def _missed(self, audience: int, seq: int | None) -> Iterator[bytes]:
        now = self._shown[audience].seq
        history = self._history[audience]
        known = [after for after, _ in history]
        if seq is not None and seq == now:
            return
        if seq is not None and seq in known:
            yield from [message for after, message in history if after >= seq]
            return
        yield _encode(WholeView(_seat(audience), now, self._shown[audience].whole()))

    def leave(self, watcher: Watcher) -> None:
        """Stop sending; updates are kept for a while in case the watcher returns."""
        self.watchers.discard(watcher)
        if not any(other.audience == watcher.audience for other in self.watchers):
            self._absent[watcher.audience] = ABSENT

    def _forget(self, audience: int) -> bool:
        """Forget an audience that has been away for too long, and return whether it was."""
        if audience not in self._absent:
            return False
        self._absent[audience] -= 1
        if self._absent[audience]:
            return False
        for known in (self._absent, self._shown, self._history):
            known.pop(audience, None)
        return True

    def publish(self) -> None:
        """Send every audience what has changed for it, if anything has."""
        if not self._shown:
            return
        showing, comparison = Showing(self.table), Comparison()
        for audience, old in list(self._shown.items()):
            if old.seq == self.table.told.get(audience, 0) or self._forget(audience):
                continue
            try:
                new = showing(audience)
            except RegistanError:  # spectators are no longer welcome
                self._send(audience, None)
                continue
            patch = msgspec.Raw(new.update(old, comparison))
            message = _encode(Update(_seat(audience), old.seq, new.seq, patch))
            self._shown[audience] = new
            self._remember(self._history[audience], old.seq, message)
            self._send(audience, message)

    def _remember(self, history: list[tuple[int, bytes]], after: int, message: bytes) -> None:
        """Keep an update; drop the oldest once a whole view would be shorter than all of them."""
        history.append((after, message))
        size = sum(len(kept) for _, kept in history)
        while size > HISTORY:
            size -= len(history.pop(0)[1])

    def _send(self, audience: int, message: bytes | None) -> None:
        for watcher in self.watchers:
            if watcher.audience == audience:
                watcher.send(message)


def _seat(audience: int) -> int | None:
    return None if audience == SPECTATOR else audience
