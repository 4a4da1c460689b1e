"""A seat: open, a person's, or a bot's."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Kind = Literal["open", "person", "bot"]


class Seat(msgspec.Struct, frozen=True):
    """Who sits there. `who` is the person's identity, which nobody else sees; `name` is shown.

    A seat never changes: another one takes its place.
    """

    kind: Kind = "open"
    who: str = ""
    name: str = ""
    level: str = ""
    """The bot's level, for a bot's seat."""
    salt: str = ""
    """The contribution to chance of scheme 1, in old logs."""
    away: bool = False
    resigned: bool = False
    face: str | UnsetType = UNSET
    """The drawing that the person has chosen; nothing in logs without one."""

    @property
    def by_hand(self) -> bool:
        """Whether a person plays this seat now."""
        return self.kind == "person" and not self.away and not self.resigned
