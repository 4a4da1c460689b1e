"""The Well: what a seat sees, as plain JSON."""

from __future__ import annotations

from typing import Any

from registan.core.game import Box, Line
from registan_well.moves import camels, write


def view(box: Box, s: Any, seat: int, table: Line | None = None) -> Line:
    return {
        "game": "well",
        "seat": None if seat < 0 else seat,
        "players": s.players,
        "asked": "over" if s.over else "lead",
        "waiting": [i for i in range(s.players) if s.waiting >> i & 1],
        "night": s.night + 1,
        "water": s.water,
        "points": list(s.points[: s.players]),
        "hand": camels(s.hand[seat]) if seat >= 0 else None,
        "legal": [write(box, s, seat, a) for a in s.actions],
    }
