"""The Well: what a seat sees and what its moves bring, as JSON."""

from __future__ import annotations

from typing import Any

from registan.core.compiled import compiled
from registan.core.game import SPECTATOR, Box, Ints, Json, Record
from registan.core.views import Part
from registan_well.moves import camels

BRINGS = 1
"""One number per move: the thirst of the camel."""


@compiled
def brings(box: Record, s: Record, seat: int, action: int, out: Ints) -> None:
    """W4: a camel that drinks brings its thirst."""
    out[0] = 1 + action


def brought(box: Box, row: tuple[int, ...]) -> Json:
    """Return what a move brings; whether there is enough water depends on the others (W3)."""
    return {"points": row[0], "open": ["water"]}


def _hand(box: Box, s: Any, audience: int) -> Any:
    return None if audience == SPECTATOR else s.hand[audience]


PARTS = (
    Part("asked", lambda box, s, _: s.over, lambda box, over: "over" if over else "lead"),
    Part("night", lambda box, s, _: s.night + (not s.over)),
    Part("water", lambda box, s, _: s.water),
    Part("points", lambda box, s, _: tuple(parts[0] for parts in s.points[: s.players]), lambda box, key: list(key)),
    Part("hand", _hand, lambda box, hand: None if hand is None else camels(hand), own=True),
)
