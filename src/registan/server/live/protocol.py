"""The messages of the protocol: what clients may ask of a table, by REST or WebSocket, and what they are sent."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from registan.core.errors import IllegalMove, RegistanError
from registan.server.limits import KEY

SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Name = Annotated[str, Meta(max_length=100)]
Salt = Annotated[str, Meta(max_length=64)]
Key = Annotated[str, Meta(max_length=KEY)]


class Ask(msgspec.Struct, tag_field="do", tag=str.lower, kw_only=True, forbid_unknown_fields=True):
    """A request to a table. The key comes back with the answer; a request with a key is carried out only once."""

    key: Key = ""


class Sit(Ask, tag="sit", kw_only=True):
    """Take an open seat, the first one by default; `salt` is a contribution to chance."""

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
    """Give a seat to a bot of a level, or open it (null). Only the host may."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)] | None = None


class Start(Ask, tag="start", kw_only=True):
    """Start the game. Only the host may."""


class Play(Ask, tag="play", kw_only=True):
    """Make one of the moves that the view lists as legal."""

    seat: SeatNumber
    move: dict[str, Any]


class Undo(Ask, tag="undo", kw_only=True):
    """Take back your last move, or ask the others for permission to."""

    seat: SeatNumber


class Propose(Ask, tag="propose", kw_only=True):
    """Propose: undo, pause, abandon, "watch none", "watch open", "watch hands"."""

    seat: SeatNumber
    what: Annotated[str, Meta(max_length=20)]


class Answer(Ask, tag="answer", kw_only=True):
    """Say yes or no to a proposal."""

    seat: SeatNumber
    yes: bool


class Resume(Ask, tag="resume", kw_only=True):
    """End a pause."""

    seat: SeatNumber


class Resign(Ask, tag="resign", kw_only=True):
    """Leave for good; a bot takes over."""

    seat: SeatNumber


class Back(Ask, tag="back", kw_only=True):
    """Take your seat back from the bot that played for you."""

    seat: SeatNumber


class Order(Ask, tag="order", kw_only=True):
    """Give standing orders; an empty object cancels them."""

    seat: SeatNumber
    orders: dict[str, Any]


class Say(Ask, tag="say", kw_only=True):
    """Chat: a text, or one of the ready-made phrases."""

    seat: SeatNumber
    text: Annotated[str, Meta(max_length=1000)] = ""
    phrase: Annotated[str, Meta(max_length=20)] = ""


class Mute(Ask, tag="mute", kw_only=True):
    """Mute another seat, or unmute it."""

    seat: SeatNumber
    whom: SeatNumber
    on: bool = True


class Watch(Ask, tag="watch", kw_only=True):
    """Receive the table as your seat sees it, or as spectators do (null). Over WebSocket only.

    `seq` is the number of the last message the client has. It gets what it missed, or the whole view if shorter.
    """

    seat: SeatNumber | None = None
    seq: int | None = None


Request = (
    Sit | Stand | Contribute | Place | Start | Play | Undo | Propose | Answer | Resume | Resign | Back | Order | Say
    | Mute
)  # fmt: skip
FromClient = Request | Watch


class WholeView(msgspec.Struct, tag_field="type", tag="view"):
    """The whole table as a seat or spectators see it."""

    seat: int | None
    seq: int
    view: dict[str, Any]


class Update(msgspec.Struct, tag_field="type", tag="update"):
    """What changed since message `after`. `registan.tables.patch` applies patches."""

    seat: int | None
    after: int
    seq: int
    patch: Raw


class Done(msgspec.Struct, tag_field="type", tag="done"):
    """A request was granted, and its effect is on disk."""

    key: str


class Refused(msgspec.Struct, tag_field="type", tag="refused"):
    """A request was not granted: the key of the error, a text for the person, and the rule a move would break."""

    key: str
    error: str
    text: str
    rule: str | None = None


class Hello(msgspec.Struct, tag_field="type", tag="hello"):
    """The first message: the time of the house in milliseconds. All times in views are on this clock."""

    now: int


ToClient = WholeView | Update | Done | Refused | Hello
"""Every message that a client may receive."""


def refusal(error: RegistanError, lang: str, key: str = "") -> Refused:
    """Return the message for an error, in a language."""
    if isinstance(error, IllegalMove):
        return Refused(key, "illegal", error.text(lang), error.rule)
    return Refused(key, error.key, error.text(lang))
