"""How many WebSockets are open, for each person, address and table, and whether there may be one more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from registan.server.errors import TooManyRequests
from registan.server.limits import Caps


class Sockets:
    """The open WebSockets of a house."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._open: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def one_more(self, address: str, who: str, table: str, seated: bool) -> Iterator[None]:
        """Count a socket while it is open; raise TooManyRequests if there are too many.

        Whoever has a seat at a table gets in, however many spectators it has.
        """
        caps = self._caps
        taken = [("address", address, caps.sockets_of_address)]
        taken += [("person", who, caps.sockets_of_person)] if who else [("anonymous", address, caps.anonymous_sockets)]
        taken += [] if seated else [("table", table, caps.spectators_of_table)]
        for kind, of, most in taken:
            if self._open[kind, of] >= most:
                raise TooManyRequests(f"error.house.sockets_{kind}")
        counted = [(kind, of) for kind, of, _ in taken]
        self._open.update(counted)
        try:
            yield
        finally:
            self._open.subtract(counted)
            for key in counted:
                if not self._open[key]:
                    del self._open[key]
