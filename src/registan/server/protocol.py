"""The words of the house: what clients may ask of a table, over REST and WebSocket alike, and what they are sent."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from registan.server.limits import KEY

SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Name = Annotated[str, Meta(max_length=100)]
Salt = Annotated[str, Meta(max_length=64)]
Key = Annotated[str, Meta(max_length=KEY)]


class Ask(msgspec.Struct, tag_field="do", tag=str.lower, kw_only=True, forbid_unknown_fields=True):
    """Something asked of a table. The key comes back with the answer; with a key it is carried out once."""

    key: Key = ""


class Sit(Ask, tag="sit", kw_only=True):
    """Take an open seat: the first, or the one named; `salt` is a contribution to chance."""

    seat: SeatNumber | None = None
    salt: Salt = ""


class Stand(Ask, tag="stand", kw_only=True):
    """Leave a seat before the start."""

    seat: SeatNumber


class Contribute(Ask, tag="contribute", kw_only=True):
    """Add to chance before the start."""

    seat: SeatNumber
    salt: Salt


class Place(Ask, tag="place", kw_only=True):
    """Give a seat to a bot of a level, or open it (null). The host only."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)] | None = None


class Start(Ask, tag="start", kw_only=True):
    """Begin. The host only."""


class Play(Ask, tag="play", kw_only=True):
    """Move: one of the moves that the view lists as legal."""

    seat: SeatNumber
    move: dict[str, Any]


class Undo(Ask, tag="undo", kw_only=True):
    """Take the last move back, or ask the others whether one may."""

    seat: SeatNumber


class Propose(Ask, tag="propose", kw_only=True):
    """Propose: undo, pause, abandon, "watch none", "watch open", "watch hands"."""

    seat: SeatNumber
    what: Annotated[str, Meta(max_length=20)]


class Answer(Ask, tag="answer", kw_only=True):
    """Say yes or no to what was proposed."""

    seat: SeatNumber
    yes: bool


class Resume(Ask, tag="resume", kw_only=True):
    """End a pause."""

    seat: SeatNumber


class Resign(Ask, tag="resign", kw_only=True):
    """Leave for good; a bot plays on."""

    seat: SeatNumber


class Back(Ask, tag="back", kw_only=True):
    """Be back after a bot has played for one."""

    seat: SeatNumber


class Order(Ask, tag="order", kw_only=True):
    """Give standing orders; an empty object takes them back."""

    seat: SeatNumber
    orders: dict[str, Any]


class Say(Ask, tag="say", kw_only=True):
    """Say something: a text, or one of the ready-made phrases."""

    seat: SeatNumber
    text: Annotated[str, Meta(max_length=1000)] = ""
    phrase: Annotated[str, Meta(max_length=20)] = ""


class Mute(Ask, tag="mute", kw_only=True):
    """Stop reading somebody, or begin again."""

    seat: SeatNumber
    whom: SeatNumber
    on: bool = True


class Watch(Ask, tag="watch", kw_only=True):
    """Over WebSocket only: be sent the table as a seat of one's own sees it, or as spectators do (null).

    `seq` is that of the last message the client has: it gets what it missed, or the whole view where that is shorter.
    """

    seat: SeatNumber | None = None
    seq: int | None = None


Request = (
    Sit | Stand | Contribute | Place | Start | Play | Undo | Propose | Answer | Resume | Resign | Back | Order | Say
    | Mute
)  # fmt: skip
Spoken = Request | Watch


class Whole(msgspec.Struct, tag_field="type", tag="view"):
    """The whole table as an audience sees it."""

    seat: int | None
    seq: int
    view: dict[str, Any]


class Update(msgspec.Struct, tag_field="type", tag="update"):
    """What changed since message `after`. See `registan.tables.patch` for how a patch is read."""

    seat: int | None
    after: int
    seq: int
    patch: Raw


class Done(msgspec.Struct, tag_field="type", tag="done"):
    """A request was granted, and is on disk."""

    key: str


class Refused(msgspec.Struct, tag_field="type", tag="refused"):
    """A request was not granted: which error, the rule that a move breaks, and the words for it."""

    key: str
    error: str
    text: str
    rule: str | None = None


class Hello(msgspec.Struct, tag_field="type", tag="hello"):
    """The first message: the house's clock, in milliseconds, by which all times in views are meant."""

    now: int


Sent = Whole | Update | Done | Refused | Hello
"""All that a client may be sent."""
