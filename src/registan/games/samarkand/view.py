"""Samarkand: what a seat sees, as plain JSON, made from what it may know and nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from registan.core.game import SPECTATOR, Box, Line
from registan.games.samarkand.moves import camels, markers_left, numbers, tiles_of, write
from registan.games.samarkand.rules import SCORES
from registan.games.samarkand.state import (
    ALL_PASSED,
    ALL_TRADE,
    FIVE_PARTNERS,
    SALE,
    SECOND,
    limit,
    reserve,
)

PHASES = ("turn", "second", "sale", "discard")
ENDS = {ALL_TRADE: "all_trade", FIVE_PARTNERS: "five_partners", ALL_PASSED: "all_passed"}


def view(box: Box, s: Any, seat: int, table: Line | None = None) -> Line:
    """Return the table as it lies before the seat: what is open, its own hand, and its legal moves."""
    if table is None or s.phase == SALE:  # S14: who is asked for a card does not see what all others see
        table = _table(box, s)
    if seat == SPECTATOR:
        return table
    seats = table["seats"]
    if not s.over:
        mine = {**seats[seat], "dirhams": s.dirhams[seat], "score": _score(s, seat)}
        seats = [mine if other == seat else shown for other, shown in enumerate(seats)]
    return {
        **table,
        "seat": seat,
        "hand": numbers(s.hand[seat]),
        "seats": seats,
        "legal": [_move(box, s, seat, action) for action in s.actions],
    }


def _table(box: Box, s: Any) -> Line:
    """Return what lies open."""
    players = s.players
    families = box.names.families
    standing = camels(box, s)
    return {
        "game": "samarkand",
        "board": box.key,
        "seat": None,
        "players": players,
        "asked": "over" if s.over else PHASES[s.phase],
        "ended_by": [name for bit, name in ENDS.items() if s.over & bit],
        "waiting": [other for other in range(players) if s.waiting >> other & 1],
        "turn": s.turn,
        "family": families[s.family] if s.phase in (SECOND, SALE) else None,
        "good": s.good + 1 if s.phase == SALE else None,
        "camels": standing,
        "goods": [good.number for good in box.names.board.goods if good.space not in standing],
        "families": {key: _family(box, s, family) for family, key in enumerate(families)},
        "deck": s.deck_left,
        "discards": sum(s.drops[:players]),
        "bag": s.bag_left,
        "removed": [key for family, key in enumerate(families) if s.removed >> family & 1],
        "limit": limit(players),
        "hand": None,
        "seats": [_seat(box, s, other) for other in range(players)],
        "legal": [],
    }


def _family(box: Box, s: Any, family: int) -> Line:
    """Return what lies in a family's domain, and whom it trades with."""
    return {
        "dowry": box.plain.dowry[family],
        "treasury": s.treasury[family],
        "tiles": s.domain[family],
        "camels": reserve(s, family),
        "markers": markers_left(s, family),
        "partners": [key for other, key in enumerate(box.names.families) if s.met[family] >> other & 1],
    }


def _seat(box: Box, s: Any, other: int) -> Line:
    """Return what lies before a player. S25: with hidden money only one's own is seen, until the end."""
    over = bool(s.over)
    return {
        "dirhams": s.dirhams[other] if over or not s.hidden_money else None,
        "cards": s.held[other],
        "hand": numbers(s.hand[other]) if over else None,
        "sold": numbers(s.sold[other]),
        "tiles": tiles_of(box, s, other),
        "goods": s.goods[other],
        "relations": s.relations[other],
        "score": _score(s, other) if over else None,
    }


def _score(s: Any, seat: int) -> Line:
    """Return what a seat whose hand is known would score now."""
    return {part: s.points[seat][i] for i, part in enumerate(SCORES)}


def _move(box: Box, s: Any, seat: int, action: int) -> Line:
    """Return a legal move as it is written; the same at every table with this box, so it is written once."""
    known = _written(box.sha256)
    if action not in known:
        known[action] = write(box, s, seat, action)
    return known[action]


@lru_cache(8)
def _written(box: str) -> dict[int, Line]:
    """Return the moves that were written for a box."""
    return {}
