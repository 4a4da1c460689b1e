"""A table in the memory of the house: its watchers, and what each audience was sent last."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec

from registan.core.errors import RegistanError
from registan.core.game import SPECTATOR, Line
from registan.server.limits import ABSENT, HISTORY, UNSENT
from registan.server.protocol import Update, Whole
from registan.tables.patch import Known, diff
from registan.tables.table import Table
from registan.tables.views import Showing

_encode = msgspec.json.Encoder().encode


class Messages(asyncio.Queue[bytes | None]):
    """What waits for a socket to take it; `slow` when that is too much."""

    def __init__(self) -> None:
        super().__init__(UNSENT)
        self.slow = asyncio.Event()


class Watcher:
    """One who is sent a table as an audience sees it: messages wait here until the socket takes them."""

    def __init__(self, audience: int) -> None:
        self.audience = audience
        self.messages = Messages()

    def send(self, message: bytes | None) -> None:
        """Put a message in line; None ends it, as does a client that takes nothing any more."""
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.messages.slow.set()


class Room:
    """A table, the lock under which it is changed, and its audiences."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.asked: set[tuple[Any, ...]] = set()
        """What bots have been asked at this moment of the game."""
        self.saved = 0
        """How many events its save has seen."""
        self.noticed: dict[int, int] = {}
        """By seat, of which turn its person was told."""
        self._last: Showing | None = None
        self._shown: dict[int, Line] = {}
        self._history: dict[int, deque[tuple[int, bytes]]] = {}
        self._absent: dict[int, int] = {}
        """Audiences without a watcher, and for how many updates they are still waited for."""

    def watch(self, watcher: Watcher, seq: int | None = None) -> None:
        """Begin to send somebody the table: what was missed since `seq` if that is known, else the whole view."""
        audience = watcher.audience
        self._absent.pop(audience, None)
        if audience not in self._shown:
            showing = Showing(self.table, self._last)
            self._shown[audience] = showing(audience)
            self._last = showing.rest()
            self._history[audience] = deque()
        for message in self._missed(audience, seq):
            watcher.send(message)
        self.watchers.add(watcher)

    def _missed(self, audience: int, seq: int | None) -> Iterator[bytes]:
        now = self._shown[audience]["seq"]
        history = self._history[audience]
        known = [after for after, _ in history]
        if seq is not None and seq == now:
            return
        if seq is not None and seq in known:
            yield from [message for after, message in history if after >= seq]
            return
        yield _encode(Whole(_seat(audience), now, self._shown[audience]))

    def leave(self, watcher: Watcher) -> None:
        """Send somebody no more; what is missed is kept for a while."""
        self.watchers.discard(watcher)
        if not any(other.audience == watcher.audience for other in self.watchers):
            self._absent[watcher.audience] = ABSENT

    def _forget(self, audience: int) -> bool:
        """Whether an audience has been away for too long to be waited for."""
        if audience not in self._absent:
            return False
        self._absent[audience] -= 1
        if self._absent[audience]:
            return False
        for known in (self._absent, self._shown, self._history):
            known.pop(audience, None)
        return True

    def publish(self) -> None:
        """Send every audience what has changed for it; who was told nothing is sent nothing."""
        if not self._shown:
            return
        showing, known = Showing(self.table, self._last), Known()
        for audience in list(self._shown):
            old = self._shown[audience]
            if old["seq"] == self.table.told.get(audience, 0) or self._forget(audience):
                continue
            try:
                new = showing(audience)
            except RegistanError:  # spectators are no longer welcome
                self._send(audience, None)
                continue
            message = _encode(Update(_seat(audience), old["seq"], new["seq"], diff(old, new, known)))
            self._shown[audience] = new
            self._remember(self._history[audience], old["seq"], message)
            self._send(audience, message)
        self._last = showing.rest()

    def _remember(self, history: deque[tuple[int, bytes]], after: int, message: bytes) -> None:
        """Keep an update as long as all that are kept are shorter than the whole view."""
        history.append((after, message))
        size = sum(len(kept) for _, kept in history)
        while size > HISTORY:
            size -= len(history.popleft()[1])

    def replaced(self, table: Table) -> None:
        """Go on with a table that was loaded anew."""
        self.table = table

    def _send(self, audience: int, message: bytes | None) -> None:
        for watcher in self.watchers:
            if watcher.audience == audience:
                watcher.send(message)


def _seat(audience: int) -> int | None:
    return None if audience == SPECTATOR else audience
