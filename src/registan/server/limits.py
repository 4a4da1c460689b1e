"""All limits of the house: rates, sizes, lengths, times."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

BODY = 16_384
"""Bytes of a request."""
STUDY_BODY = 1_000_000
"""Bytes of a request to study a game: a record, perhaps with its legal moves and states, and a box."""
BOX_BYTES = 100_000
"""Bytes of a box file that people bring along; the largest that comes with a game has 64,000."""
BOX_BODY = BOX_BYTES + 40_000
"""Bytes of a request with such a file: line ends and quotes in it take two."""
BOX_SECONDS = 10.0
"""Seconds after which reading, drawing or measuring such a box is given up."""
BOX_PATIENCE = 20.0
"""Seconds that it waits for the processor before it is refused."""
BALANCE_GAMES = 400
"""Games that bots play to measure a box."""
BALANCE_SECONDS = 4.0
"""How long they may take for it."""
DRAWINGS = 16
"""Drawings of such boxes to remember."""
CONTAINERS = 50_000
"""JSON objects and lists in a request: empty ones take many times their length in memory, and a while to read."""
STUDY_MOMENTS = 64
"""Moments of a game in one answer."""
STUDY_MOVES = 2_000
"""Moves that may be played on from a moment."""
STUDY_ANSWERS = 400
"""Decisions of bots in one request; the next one continues."""
STUDY_SECONDS = 8
"""Seconds after which bots leave the rest to the next request."""
STUDIES = 24
"""Games under study to remember."""
REVIEWS_WAITING = 50
"""Games that may wait for their review."""
REVIEWS_OF_PERSON = 3
"""Those of them that one person may have asked for."""
REVIEWS_KEPT = 20
"""Reviews of records to remember; those of tables are stored."""
REVIEW_WAY = 1.0
"""Seconds for which a review makes way to bots that think before it goes on with the next piece."""
REVIEW_LIMIT = 120.0
"""Seconds that such a piece may take: the thread for it has a low priority."""
GAMES_PAGE = 20
"""Finished games of a person in one answer."""
MESSAGE = 4_096
"""Bytes of a WebSocket message from a client."""
FRAGMENTS = 64
"""Frames that such a message may consist of."""
SLICE = 512
"""Bytes from a WebSocket to parse before counting the frames in them."""
LISTED = 50
"""Tables in a list."""
UNSENT = 256_000
"""Bytes that may wait for a slow client before it is disconnected."""
SLOW_SECONDS = 5
"""How long such a client may take to read that it is disconnected."""
UNREAD_SECONDS = 30
"""How long a client may leave unread what was sent to it before it is disconnected."""
LINGER_SECONDS = 5
"""How long what a client sends is still taken in after it was dropped, so that it can read why."""
LINGER_BYTES = 4_000_000
"""And how much of it."""
HEADER_SECONDS = 10
"""How long the head of a request may take to arrive."""
BODY_SECONDS = 20
"""How long its body may take after that."""
KEEP_ALIVE_SECONDS = 40
"""How long a connection waits for the next request: longer than the proxies in `deploy` keep one, or they would send
into one that is closing."""
HALF_REQUESTS = 100
"""Requests that may be arriving from one address at the same time."""
HISTORY = 1_500
"""Bytes of updates to keep for clients that reconnect; beyond that, a compressed whole view is shorter."""
UNCOMPRESSED = 4_000
"""Bytes up to which a WebSocket message is not compressed."""
ABSENT = 32
"""Updates to keep making for an audience whose last socket has closed, since it may reconnect."""
CHAT_LINES = 40
"""Lines of chat that a client is sent at once."""
FORGOTTEN_SECONDS = 2 * 86_400
"""After this time without anything happening, a table that has not begun counts no more as one of its host's."""
LOBBY = 500
"""The latest public tables, from which those in the list are chosen."""
RECOMPUTED = 100
"""Results of recomputing finished games to remember."""
RECOMPUTING_PATIENCE = 20.0
"""Seconds that something to recompute waits for its turn before it is refused."""
RECOMPUTING_LIMIT = 20.0
"""Seconds after which it is given up."""
IDLE_TABLES = 200
"""Tables to keep in memory although nobody watches them and no bot thinks."""
IDLE_SECONDS = 600
"""How long to keep them; the store has them."""
IDLE_ROUND = 30
"""Seconds between two checks for them."""
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
SAVE_SHARE = 0.1
"""The share of the time that saving tables may take: moves go first."""
COOKIE_DAYS = 400
HANDOVER_SECONDS = 900
PRESENCE_ROUND = 0.5
"""Seconds between two checks whose connection is gone."""
SILENT_SECONDS = 1.5
"""After this time without a word from somebody who plays, their connection is asked for a sign of life."""
SIGNS_OF_LIFE = 1_000
"""How many connections a process asks per second, if it can: with more than 1,500 it asks each of them less often."""
GONE_SECONDS = 3.7
"""After this time a closed or silent connection counts as gone: a reload is quicker, and everybody knows within 5."""
SESSION_ROUND = 10
"""Seconds between two checks for devices that were signed out through other processes."""
BOT_PACE = 500
"""Milliseconds: bots answer a whole number of these after the last public event, whatever they or others were asked."""
THINKING_WINDOW = 60
"""Seconds: the thinking budgets of tables and people are for this long."""
THINKING_PATIENCE = 1.5
"""Seconds that a bot waits for the processor before it plays at a glance."""
THINKING_LIMIT = 10.0
"""Seconds after which a bot that has not answered is given up."""
LEASE_SECONDS = 4
"""Seconds after which another process may think about the question of a bot whose thinker is not heard of any more."""
RENEW_SECONDS = 1.0
"""Seconds between two signs of life of a thinker, and between two looks for questions that nobody has announced."""
STAND_BY_SECONDS = 2.0
"""Seconds after which a process plays the answer of a bot if the process that asked has not."""
ORPHAN_SECONDS = 20
"""Seconds after which any process wakes a table where the answer of a bot was not played."""
HINT_SECONDS = 0.8
"""How long the house thinks about a hint."""
HINT_PATIENCE = 2.0
"""Seconds that a hint waits for the processor before it is refused."""
LEARNING_PAUSE = 600.0
"""Seconds after which ratings of puzzles learn from new answers."""
LOST_THREADS = 8
"""How many threads of bots that were given up may still run before none is replaced."""
TABLE_ID = r"^[A-Za-z0-9_-]{1,40}$"
"""What the id of a table looks like; nothing else is looked for."""
STORE_SECONDS = 10
"""Seconds to wait for the store before a request is refused; its own time-outs are shorter."""
QUERY_SECONDS = 5
"""Seconds that a query may take, and that a locked database is waited for."""
CONNECT_SECONDS = 3
"""Seconds to wait for a connection to the database."""
READY_SECONDS = 1
"""Seconds for which an answer of `/ready` is repeated."""
SHUTDOWN_SECONDS = 2
"""Seconds that work in progress may take when the house closes: first open requests, then the rest, then the store."""
EXIT_SECONDS = 9
"""Seconds after the signal to stop after which the process ends whatever it is doing."""


class Caps(msgspec.Struct):
    """How much one person, address or table may take of the house. The defaults fit a family and a club alike."""

    sockets_of_person: int = 20
    """Open WebSockets of one person."""
    sockets_of_address: int = 200
    """Open WebSockets from one address, which may be a whole club."""
    anonymous_sockets: int = 40
    """Those of them that belong to nobody known."""
    spectators_of_table: int = 100
    """Open WebSockets at one table of people who have no seat there."""
    studies_of_person: int = 3
    """Requests to study a game that one person has open at the same time."""
    studies_of_address: int = 8
    """Those from one address."""
    studies: int = 40
    """All of them: each may hold some megabytes."""
    tables_of_person: int = 200
    """Tables of one host that are not over."""
    listed_of_person: int = 10
    """Those of them that are public."""
    connections: int = 4000
    """Open connections of all kinds."""
    thinking_of_table: float = 30.0
    """Processor seconds per minute that the bots of one table may think."""
    thinking_of_person: float = 45.0
    """Processor seconds per minute that the bots at all tables of one host may think."""


@dataclass(frozen=True)
class Rate:
    """`burst` at once, and `per_second` in the long run."""

    burst: float
    per_second: float


RATES = {
    "ask": Rate(60, 20),  # reading, by person or address
    "act": Rate(40, 10),  # moves, chat and the like, by person, or else by connection
    "watch": Rate(20, 0.5),  # whole views, by connection
    "here": Rate(400, 80),  # requests of all people at one address together, since anybody can be many people
    "frame": Rate(200, 40),  # WebSocket frames of any kind, also pings and fragments, by connection
    "socket": Rate(120, 10),  # new WebSockets, by address
    "too_fast": Rate(60, 1),  # refusals for being too fast, by connection, before it is closed
    "create": Rate(20, 0.2),  # new tables, by person
    "create_here": Rate(60, 0.1),  # new tables, by address
    "hint": Rate(10, 0.5),  # hints, by person
    "box": Rate(60, 1),  # box files read and drawn, by person or address
    "box_here": Rate(120, 2),  # the same, of all people at one address together
    "balance": Rate(6, 0.05),  # boxes measured by playing, by person or address
    "study": Rate(60, 4),  # moments of a game, or moves played on from one, by person or address
    "review": Rate(10, 0.1),  # reviews asked for, by person or address
    "study_here": Rate(120, 12),  # the same, by address
    "verify": Rate(10, 0.5),  # whole games recomputed, by person or address
    "guest": Rate(30, 0.5),  # new identities, by address
}


def lift() -> None:
    """Let everybody ask for as much as they like: for load tests of a house of one's own."""
    RATES.update(dict.fromkeys(RATES, Rate(1e9, 1e9)))


MOST_BUCKETS = 50_000


class Bucket:
    """Tokens that come back over time."""

    __slots__ = ("_left", "_rate", "_since")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate, self._left, self._since = rate, rate.burst, now

    def take(self, now: float, tokens: int = 1) -> bool:
        """Take tokens, and return whether there were as many."""
        self._left, self._since = self._level(now), now
        if self._left < tokens:
            return False
        self._left -= tokens
        return True

    def full(self, now: float) -> bool:
        """Whether nothing is missing, so that a new bucket would be the same."""
        return self._level(now) >= self._rate.burst

    def _level(self, now: float) -> float:
        return min(self._rate.burst, self._left + (now - self._since) * self._rate.per_second)


class Buckets:
    """Token buckets by kind of request and by person or address."""

    def __init__(self, rates: dict[str, Rate] | None = None) -> None:
        self.rates = RATES if rates is None else rates
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def take(self, what: str, who: str, now: float) -> bool:
        """Take a token, and return whether there was one."""
        bucket = self._buckets.get((what, who))
        if bucket is None:
            if len(self._buckets) >= MOST_BUCKETS:
                self._tidy(now)
            bucket = self._buckets[what, who] = self.bucket(what, now)
        return bucket.take(now)

    def bucket(self, what: str, now: float) -> Bucket:
        """Return a full bucket of a kind."""
        return Bucket(self.rates[what], now)

    def _tidy(self, now: float) -> None:
        """Forget the full buckets; if hardly any is full, the oldest half."""
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.full(now)}
        if len(self._buckets) > MOST_BUCKETS // 2:
            for key in list(self._buckets)[: MOST_BUCKETS // 2]:
                del self._buckets[key]
