"""Processes of one house on one machine: everybody at a table is served by the same of them.

Any process can serve any table, but each one that does has to follow its log. So each table has a home, and a process
that accepts the WebSocket of a table hands the connection over to it, as it is, through a socket between the two. If
that does not work, it serves the connection itself.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Callable
from zlib import crc32

LIVE = re.compile(rb"GET /api/tables/([A-Za-z0-9_-]{1,40})/live[? ]")
"""How the request for the WebSocket of a table begins."""
LONGEST = 16_384
"""Bytes of a request that is handed over: more would not fit into the socket."""


def can_hand_over() -> bool:
    """Whether the system lets processes hand connections over in whole messages."""
    return sys.platform == "linux"


class Siblings:
    """The processes of a house: this is one of them, by number, and `letters` are the sockets that lead to each.

    `first` is whether it replaces none that has died: then there is time to prepare what is needed later.
    """

    def __init__(
        self, number: int, letters: list[tuple[socket.socket, socket.socket]], count: int, first: bool = True
    ) -> None:
        self.number, self._letters, self.count, self.first = number, letters, count, first

    def home(self, table: str) -> bool:
        """Whether this process is the home of a table."""
        return self._number(table) == self.number

    def _number(self, table: str) -> int:
        return crc32(table.encode()) % self.count

    def hand_over(self, head: bytes, connection: asyncio.Transport) -> bool:
        """Hand over a connection that begins with these bytes if its table is at home elsewhere; return whether."""
        found = LIVE.match(head) if self._letters and len(head) <= LONGEST and head.endswith(b"\r\n\r\n") else None
        if found is None or (number := self._number(found[1].decode())) == self.number:
            return False
        try:
            socket.send_fds(self._letters[number][1], [head], [connection.get_extra_info("socket").fileno()])
        except OSError:  # it is busy or gone
            return False
        return True

    @property
    def letter_box(self) -> socket.socket | None:
        """Where connections from the others arrive."""
        return self._letters[self.number][0] if self._letters else None

    def receive(self, take: Callable[[socket.socket, bytes], None]) -> None:
        """Take the connections that have arrived."""
        box = self.letter_box
        while box is not None:
            try:
                head, connections, _, _ = socket.recv_fds(box, LONGEST, 1)
            except BlockingIOError:
                return
            for connection in connections:
                take(socket.socket(fileno=connection), head)


def letters_for(count: int) -> list[tuple[socket.socket, socket.socket]]:
    """Return pairs of sockets, one for each process: it reads from the first, and all others write to the second."""
    if not can_hand_over():
        return []
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(count)]
    for pair in pairs:
        for end in pair:
            end.setblocking(False)
    return pairs
