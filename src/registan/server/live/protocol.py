"""The messages of the protocol: what clients may ask of a table, by REST or WebSocket, and what they are sent.

`registan.tables.requests` declares the requests and what they do.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from registan.core.errors import BadRecord, IllegalMove, RegistanError
from registan.tables.requests import AnyRequest, Key, SeatNumber

Name = Annotated[str, Meta(max_length=100)]


class Watch(msgspec.Struct, tag_field="do", tag="watch", kw_only=True, forbid_unknown_fields=True):
    """Receive the table as your seat sees it, or as spectators do (null). Over WebSocket only.

    `seq` is the number of the last message the client has. It gets what it missed, or the whole view if shorter.
    `line` is the number of the last line of chat that it has. With `whole`, every change comes as a whole view.
    """

    key: Key = ""
    seat: SeatNumber | None = None
    seq: int | None = None
    line: int = 0
    whole: bool = False


Request = AnyRequest
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


class ChatLine(msgspec.Struct, omit_defaults=True):
    """A line of chat: its number at the table, counted from 1, who said it and when, and a text or a phrase."""

    n: int
    seat: int
    at: int
    text: str = ""
    phrase: str = ""


class Chat(msgspec.Struct, tag_field="type", tag="chat"):
    """Lines of chat, the oldest first."""

    lines: list[ChatLine]


class Gone(msgspec.Struct, tag_field="type", tag="gone"):
    """The seats of people whose connection is gone, all of them; sent when that changes."""

    seats: list[int]


class Done(msgspec.Struct, tag_field="type", tag="done"):
    """A request was granted, and its effect is on disk."""

    key: str


class Refused(msgspec.Struct, tag_field="type", tag="refused"):
    """A request was not granted: the key of the error, a text for the person, and the rule a move would break."""

    key: str
    error: str
    text: str
    rule: str | None = None


class Ended(msgspec.Struct, tag_field="type", tag="ended"):
    """A watch has ended, and why: the seat is no longer yours, or spectators are no longer welcome."""

    seat: int | None
    error: str
    text: str


class Hello(msgspec.Struct, tag_field="type", tag="hello"):
    """The first message: the time of the house in milliseconds. All times in views are on this clock."""

    now: int


ToClient = WholeView | Update | Chat | Gone | Ended | Done | Refused | Hello
"""Every message that a client may receive."""


def refusal(error: RegistanError, lang: str, key: str = "") -> Refused:
    """Return the message for an error, in a language."""
    if isinstance(error, IllegalMove):
        return Refused(key, "illegal", error.text(lang), error.rule)
    if isinstance(error, BadRecord):
        return Refused(key, "record", error.text(lang), getattr(error.why, "rule", None))
    return Refused(key, error.key, error.text(lang))
