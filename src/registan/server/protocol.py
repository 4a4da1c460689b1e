"""The messages of the protocol: what clients may ask of a table, by REST or WebSocket, and what they are sent.

`registan.tables.requests` declares the requests.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from registan.tables.requests import AnyRequest, Key, SeatNumber

Name = Annotated[str, Meta(max_length=100)]


class Watch(msgspec.Struct, tag_field="do", tag="watch", kw_only=True, forbid_unknown_fields=True):
    """Over WebSocket only: be sent the table as a seat of one's own sees it, or as spectators do (null).

    `seq` is that of the last message the client has: it gets what it missed, or the whole view where that is shorter.
    """

    key: Key = ""
    seat: SeatNumber | None = None
    seq: int | None = None


Request = AnyRequest
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
