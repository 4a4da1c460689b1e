"""Samarkand: what a seat sees, as plain JSON, made from a hidden state and nothing else."""

from __future__ import annotations

import numpy as np

from registan.core.game import SEATS, SPECTATOR, Box, Line, Record
from registan.games.samarkand.moves import camels, markers_left, numbers, tiles_of, write
from registan.games.samarkand.rules import MOST, SCORES, legal, scores
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


def view(box: Box, s: Record, seat: int) -> Line:
    """Return the table as it lies before the seat: what is open, its own hand, and its legal moves."""
    players = int(s.players)
    families = box.names.families
    standing = camels(box, s)
    return {
        "game": "samarkand",
        "board": box.key,
        "seat": None if seat == SPECTATOR else seat,
        "players": players,
        "asked": "over" if s.over else PHASES[int(s.phase)],
        "ended_by": [name for bit, name in ENDS.items() if s.over & bit],
        "waiting": [other for other in range(players) if int(s.waiting) >> other & 1],
        "turn": int(s.turn),
        "family": families[int(s.family)] if s.phase in (SECOND, SALE) else None,
        "good": int(s.good) + 1 if s.phase == SALE else None,
        "camels": standing,
        "goods": [good.number for good in box.names.board.goods if good.space not in standing],
        "families": {key: _family(box, s, family) for family, key in enumerate(families)},
        "deck": int(s.deck_left),
        "discards": sum(int(s.drops[other]) for other in range(players)),
        "bag": int(s.bag_left),
        "removed": [key for family, key in enumerate(families) if int(s.removed) >> family & 1],
        "limit": limit(players),
        "hand": None if seat == SPECTATOR else numbers(int(s.hand[seat])),
        "seats": [_seat(box, s, other, seat) for other in range(players)],
        "legal": [] if seat == SPECTATOR else _legal(box, s, seat),
    }


def _family(box: Box, s: Record, family: int) -> Line:
    """Return what lies in a family's domain, and whom it trades with."""
    return {
        "dowry": int(box.record.dowry[family]),
        "treasury": int(s.treasury[family]),
        "tiles": int(s.domain[family]),
        "camels": reserve(s, family),
        "markers": markers_left(s, family),
        "partners": [key for other, key in enumerate(box.names.families) if int(s.met[family]) >> other & 1],
    }


def _seat(box: Box, s: Record, other: int, seat: int) -> Line:
    """Return what lies before a player. S25: with hidden money only one's own is seen, until the end."""
    over = bool(s.over)
    known = over or other == seat or not s.hidden_money
    return {
        "dirhams": int(s.dirhams[other]) if known else None,
        "cards": int(s.held[other]),
        "hand": numbers(int(s.hand[other])) if over else None,
        "sold": numbers(int(s.sold[other])),
        "tiles": tiles_of(box, s, other),
        "goods": int(s.goods[other]),
        "relations": int(s.relations[other]),
        "score": _score(box, s, other) if over or other == seat else None,
    }


def _score(box: Box, s: Record, seat: int) -> Line:
    """Return what a seat whose hand is known would score now."""
    out = np.zeros((SEATS, len(SCORES)), np.int64)
    scores(box.record, s, out)
    return {part: int(out[seat, i]) for i, part in enumerate(SCORES)}


def _legal(box: Box, s: Record, seat: int) -> list[Line]:
    room = np.zeros(MOST, np.int32)
    return [write(box, s, seat, int(action)) for action in room[: legal(box.record, s, seat, room)]]
