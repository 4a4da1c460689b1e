"""All limits of the house: rates, sizes, lengths, times."""

from __future__ import annotations

from dataclasses import dataclass

BODY = 16_384
"""Bytes of a request."""
MESSAGE = 4_096
"""Bytes of a WebSocket message from a client."""
LISTED = 50
"""Tables in a list."""
SOCKETS_OF_ONE = 20
"""Open WebSockets of one person."""
UNSENT = 256
"""Messages that may wait for a slow client before it is disconnected."""
HISTORY = 1_500
"""Bytes of updates to keep for clients that reconnect; beyond that, a compressed whole view is shorter."""
UNCOMPRESSED = 1_000
"""Bytes up to which a WebSocket message is not compressed."""
ABSENT = 32
"""Updates to keep making for an audience whose last socket has closed, since it may reconnect."""
TABLES_OF_ONE = 200
"""Tables a person may have open."""
URL = 1000
"""Characters of a URL in notification preferences."""
SUBSCRIPTIONS = 10
"""Browsers of one person that receive web push."""
NOTICE_DELAY = 10
"""Seconds to wait before notifying a person of a turn: most people return by then."""
NOTICE_BACKOFF = (30, 120, 600, 3600, 6 * 3600)
"""Seconds before each further attempt; after the last one a notice is dropped."""
NOTICE_LEASE = 120
"""Seconds after which another process may take over a notice whose delivery has not finished."""
NOTICE_ROUND = 30
"""Seconds between two checks for notices of other processes."""
NOTICES_AT_ONCE = 20
SAVE_AFTER = 40
"""New events after which a running table is saved."""
SAVE_ROUND = 60
"""Seconds between two checks for tables to save."""
COOKIE_DAYS = 400
HANDOVER_SECONDS = 900
SESSION_ROUND = 10
"""Seconds between two checks for devices that were signed out through other processes."""
BOT_PACE = 500
"""Milliseconds: bots answer a whole number of these after the last public event, whatever they or others were asked."""
SHUTDOWN_SECONDS = 5
"""Seconds that work in progress may take when the house closes."""


@dataclass(frozen=True)
class Rate:
    """`burst` at once, and `per_second` in the long run."""

    burst: float
    per_second: float


RATES = {
    "ask": Rate(60, 20),  # reading, by person or address
    "act": Rate(40, 10),  # moves, chat and the like, by person
    "create": Rate(20, 0.2),  # new tables, by person
    "verify": Rate(10, 0.5),  # whole games recomputed, by person or address
    "guest": Rate(30, 0.5),  # new identities, by address
}


class Buckets:
    """Token buckets by kind of request and by person or address."""

    def __init__(self, rates: dict[str, Rate] | None = None) -> None:
        self.rates = RATES if rates is None else rates
        self._left: dict[tuple[str, str], tuple[float, float]] = {}

    def take(self, what: str, who: str, now: float) -> bool:
        """Take a token, and return whether there was one."""
        rate = self.rates[what]
        left, since = self._left.get((what, who), (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.per_second)
        if len(self._left) > 50_000:
            self._left.clear()  # a full bucket need not be remembered, and nearly all are full
        self._left[what, who] = (left - 1 if left >= 1 else left, now)
        return left >= 1
