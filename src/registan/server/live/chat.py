"""The chat of a table, a stream beside the views: a line is encoded once and sent alone, earlier ones on demand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from registan.server.limits import CHAT_LINES
from registan.server.live.outbox import Outbox
from registan.server.live.protocol import Chat, ChatLine
from registan.tables.sight import audience_of
from registan.tables.table import Table

if TYPE_CHECKING:
    from registan.server.live.table import Watcher

_encode = msgspec.json.Encoder().encode


def lines(table: Table, after: int = 0, before: int | None = None) -> list[ChatLine]:
    """Return the latest lines of chat with numbers between two others."""
    kept = [
        ChatLine(number, said.seat, said.at, "" if said.phrase else said.text, said.phrase)
        for number, said in table.chat
        if number > after and (before is None or number < before)
    ]
    return kept[-CHAT_LINES:]


def lines_for(table: Table, who: str, before: int | None) -> list[ChatLine]:
    """Return the latest lines before a number; raise BadInput if the person may not see the table."""
    mine = table.seats_of(who)
    audience_of(table, who, mine[0] if mine else None)
    return lines(table, before=before)


class ChatStream:
    """What the connections to a table have been sent of its chat."""

    def __init__(self, table: Table) -> None:
        self._last = _newest(table)

    def join(self, table: Table, outbox: Outbox, line: int) -> None:
        """Send a connection what it lacks: the lines after the last one it has, or the latest ones."""
        newest = _newest(table)
        after = line if outbox.line is None else outbox.line
        outbox.line = newest
        if missed := lines(table, after if after <= newest else 0):
            outbox.send(_encode(Chat(missed)))

    def publish(self, table: Table, watchers: Iterable[Watcher]) -> None:
        """Send each connection of these watchers the lines that it has not been sent yet."""
        before, self._last = self._last, _newest(table)
        if self._last == before:
            return
        message = _encode(Chat(lines(table, before)))
        for outbox in {watcher.outbox for watcher in watchers}:
            if outbox.line == before:
                outbox.line = self._last
                outbox.send(message)
            else:
                self.join(table, outbox, 0)


def _newest(table: Table) -> int:
    return table.chat[-1][0] if table.chat else 0
