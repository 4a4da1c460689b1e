"""How many WebSockets are open, for each person, address and table, and whether there may be one more."""

from __future__ import annotations

from contextlib import AbstractContextManager

from registan.server.limits import Caps
from registan.server.live.counting import Counted, Limit


class Sockets:
    """The open WebSockets of a house."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._open = Counted("sockets")

    def one_more(self, address: str, who: str, table: str, seated: bool) -> AbstractContextManager[None]:
        """Count a socket while it is open; raise TooManyRequests if there are too many.

        Whoever has a seat at a table gets in, however many spectators it has.
        """
        caps = self._caps
        limits = [Limit("address", address, caps.sockets_of_address)]
        limits.append(
            Limit("person", who, caps.sockets_of_person) if who else Limit("anonymous", address, caps.anonymous_sockets)
        )
        if not seated:
            limits.append(Limit("table", table, caps.spectators_of_table))
        return self._open.one_more(*limits)
