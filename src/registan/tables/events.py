"""The events in a table's log. Replaying the log gives the table; nothing else is needed.

Times are milliseconds since 1970 by the server's clock; tables never read a clock themselves.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from registan.tables.pace import Pace
from registan.tables.seats import Seat

HOUSE = 4
"""The version of the rules of the house for new tables."""


class Event(msgspec.Struct, frozen=True, tag_field="e", tag=str.lower, omit_defaults=True, kw_only=True):
    """Something that happened, and when."""

    at: int
    key: str = ""
    """The key of its request, so that a repeated request is carried out only once."""


class Created(Event, frozen=True, kw_only=True):
    """A table was created: the game, how it is played, and the secret that the server committed to."""

    table: str
    game: str
    version: int
    """The engine version of the game: a log is replayed with the rules it was made with."""
    box: str
    sha256: str
    seats: list[Seat]
    secret: bytes
    host: str
    """Who created the table and may change its seats before the start."""
    options: dict[str, Any] = {}
    pace: Pace = Pace()
    listed: bool = False
    watch: str = "open"
    delay: int = 3
    """By how many moves of each seat spectators who see all hands are behind."""
    house: int = 0
    """The version of the rules of the house: whose consent counts, who is told what, which questions have a deadline.

    A log is replayed by those it was made with: 0 for the first ones, now HOUSE.
    """
    stand_in: str = "greedy"
    """The level of the bot that plays for absent people."""
    before: str | None = None
    """The table that this is a rematch of."""
    first: int | None = None
    """The seat that begins (S4, M4), drawn by lot by default."""
    rated: bool = False
    """Whether the game counts for ratings; then nobody takes hints."""
    contents: str = ""
    """The file of the box, if it is not one of the game."""


class Sat(Event, frozen=True, kw_only=True):
    """A person took a seat; `salt` is the contribution to chance of scheme 1."""

    seat: int
    who: str
    name: str
    salt: str = ""
    face: str = ""


class Stood(Event, frozen=True, kw_only=True):
    """A person gave up a seat before the start."""

    seat: int


class Placed(Event, frozen=True, kw_only=True):
    """The host gave a seat to a bot, or opened it."""

    seat: int
    level: str | None = None


class Committed(Event, frozen=True, kw_only=True):
    """A person committed to a contribution to chance: its SHA-256, final as long as that person has the seat."""

    seat: int
    commitment: str


class Dealing(Event, frozen=True, kw_only=True):
    """The deal began: seats and commitments are final, and everybody who committed reveals."""


class Revealed(Event, frozen=True, kw_only=True):
    """A person revealed the contribution that the seat committed to."""

    seat: int
    contribution: str


class CalledOff(Event, frozen=True, kw_only=True):
    """The host gave up waiting for a contribution: nothing is dealt at this table, ever."""


class Started(Event, frozen=True, kw_only=True):
    """The game began: contributions are complete, cards are dealt."""

    scheme: int = 1
    """How the key of the deal is made (`fairness`): 1 in logs from before contributions were committed to."""


class Moved(Event, frozen=True, kw_only=True):
    """A seat moved: a person, a bot in its place, or because the time for a quiet answer was up."""

    seat: int
    move: dict[str, Any]
    by: str = "hand"


class Lowered(Event, frozen=True, kw_only=True):
    """A bot began to play at a lower level than its seat's, and why; without a level, at its own again."""

    seat: int
    level: str = ""
    why: str = ""


class Ticked(Event, frozen=True, kw_only=True):
    """The time for a decision against the clock was up."""


class Undone(Event, frozen=True, kw_only=True):
    """A seat took back its last move and everything after it."""

    seat: int


class Proposed(Event, frozen=True, kw_only=True):
    """A seat asked the others for something: undo, pause, abandon, hints, or what spectators may see."""

    seat: int
    what: str


class Answered(Event, frozen=True, kw_only=True):
    """A seat answered a proposal."""

    seat: int
    yes: bool


class Resumed(Event, frozen=True, kw_only=True):
    """A pause ended."""

    seat: int


class Resigned(Event, frozen=True, kw_only=True):
    """A person left for good; a bot plays on."""

    seat: int


class Lapsed(Event, frozen=True, kw_only=True):
    """A seat's time was up; a bot plays until the person returns."""

    seat: int


class Returned(Event, frozen=True, kw_only=True):
    """Somebody who was away came back."""

    seat: int


class Ordered(Event, frozen=True, kw_only=True):
    """A seat gave standing orders, or took them back (an empty object)."""

    seat: int
    orders: dict[str, Any]


class Hinted(Event, frozen=True, kw_only=True):
    """A seat asked which moves are best; everybody sees that it did."""

    seat: int


class Said(Event, frozen=True, kw_only=True):
    """Somebody said something: a text, or a phrase that everybody reads in their own language."""

    seat: int
    text: str = ""
    phrase: str = ""


class Muted(Event, frozen=True, kw_only=True):
    """A seat muted another one, or unmuted it."""

    seat: int
    whom: int
    on: bool


class Rematched(Event, frozen=True, kw_only=True):
    """The same people play on at another table, which a seat has created."""

    seat: int
    table: str


AnyEvent: TypeAlias = (
    Created | Sat | Stood | Placed | Committed | Dealing | Revealed | CalledOff | Started | Moved | Lowered | Ticked
    | Undone | Proposed | Answered | Resumed | Resigned | Lapsed | Returned | Ordered | Hinted | Said | Muted
    | Rematched
)  # fmt: skip
_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def dumps(event: Event) -> bytes:
    """Return an event as it is stored."""
    return _encoder.encode(event)


def loads(data: bytes) -> AnyEvent:
    """Return a stored event."""
    return _decoder.decode(data)
