"""A table in the memory of the house: its watchers, and what each audience was sent last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from registan.core.errors import RegistanError
from registan.core.game import SPECTATOR
from registan.server.limits import ABSENT, HISTORY, UNSENT
from registan.server.protocol import Update, Whole
from registan.tables.patch import Comparison
from registan.tables.table import Table
from registan.tables.views import Showing, Shown

_encode = msgspec.json.Encoder().encode


class Messages:
    """What waits for a socket to take it; `slow` when that is too much. Mostly nothing waits: so this is small."""

    __slots__ = ("_at_once", "_came", "_line", "slow", "under_way")

    def __init__(self, at_once: Callable[[bytes], bool] | None = None) -> None:
        self.slow: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.under_way = False
        """Whether a message that was taken out is not sent yet."""
        self._at_once = at_once or (lambda message: False)
        self._line: list[bytes | None] = []
        self._came: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._line)

    def send(self, message: bytes | None) -> None:
        """Send a message at once if the socket takes it, else put it in line; None ends it, as does too long a line."""
        if message is not None and not self.under_way and not self._line and self._at_once(message):
            return
        if len(self._line) < UNSENT:
            self._line.append(message)
            if self._came is not None and not self._came.done():
                self._came.set_result(None)
        elif not self.slow.done():
            self.slow.set_result(None)

    async def get(self) -> bytes | None:
        """Take out the first message, when there is one."""
        while not self._line:
            self._came = asyncio.get_running_loop().create_future()
            await self._came
        return self._line.pop(0)


class Watcher:
    """One who is sent a table as an audience sees it."""

    __slots__ = ("audience", "messages")

    def __init__(self, audience: int, messages: Messages | None = None) -> None:
        self.audience = audience
        self.messages = Messages() if messages is None else messages

    def send(self, message: bytes | None) -> None:
        """Send a message, or None to end it."""
        self.messages.send(message)


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
        self._shown: dict[int, Shown] = {}
        self._history: dict[int, list[tuple[int, bytes]]] = {}
        self._absent: dict[int, int] = {}
        """Audiences without a watcher, and for how many updates they are still waited for."""

    def watch(self, watcher: Watcher, seq: int | None = None) -> None:
        """Begin to send somebody the table: what was missed since `seq` if that is known, else the whole view."""
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
        yield _encode(Whole(_seat(audience), now, self._shown[audience].whole()))

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
        showing, comparison = Showing(self.table), Comparison()
        for audience, old in list(self._shown.items()):
            if old.seq == self.table.seq_of(audience) or self._forget(audience):
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
        """Keep an update as long as all that are kept are shorter than the whole view."""
        history.append((after, message))
        size = sum(len(kept) for _, kept in history)
        while size > HISTORY:
            size -= len(history.pop(0)[1])

    def replaced(self, table: Table) -> None:
        """Go on with a table that was loaded anew."""
        self.table = table

    def _send(self, audience: int, message: bytes | None) -> None:
        for watcher in self.watchers:
            if watcher.audience == audience:
                watcher.send(message)


def _seat(audience: int) -> int | None:
    return None if audience == SPECTATOR else audience
