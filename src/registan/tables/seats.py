"""A seat: open, a person's, or a bot's."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["open", "person", "bot"]


class Seat(msgspec.Struct):
    """Who sits there. `who` is the person's identity, which nobody else sees; `name` is shown."""

    kind: Kind = "open"
    who: str = ""
    name: str = ""
    level: str = ""
    """The bot's level, for a bot's seat."""
    salt: str = ""
    """The contribution to chance of the person who sat here at the start."""
    away: bool = False
    resigned: bool = False

    @property
    def by_hand(self) -> bool:
        """Whether a person plays this seat now."""
        return self.kind == "person" and not self.away and not self.resigned
