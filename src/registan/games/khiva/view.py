"""Khiva: what a seat sees, as plain JSON, made from a hidden state and nothing else."""

from __future__ import annotations

import numpy as np

from registan.core.game import SPECTATOR, Box, Line, Record
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.moves import card_names, carpet_names, place, sacks_of, teapots_of, write
from registan.games.khiva.rules import MOST, legal, scores
from registan.games.khiva.state import CHOOSE, COLOURS, MOVE, TOP_COLOUR, hand_size, turns_in_deal

PHASES = ("choose", "move", "take")


def view(box: Box, s: Record, seat: int) -> Line:
    """Return the table as it lies before the seat: what is open, its own hand, and its legal moves."""
    players = int(s.players)
    left = int(s.carpets_left)
    # Cards of this turn lie face up once they are shown, until their camel has moved (K11).
    played = [int(s.plays[s.turn, other]) if s.phase != CHOOSE else 0 for other in range(players)]
    still = sum(31 << 5 * camel for camel in range(int(s.camel), COLOURS)) if s.phase != CHOOSE else 0
    gone = 0
    for turn in range(4):
        for other in range(players):
            gone |= int(s.plays[turn, other]) if turn < s.turn or s.phase != CHOOSE else 0
    return {
        "game": "khiva",
        "seat": None if seat == SPECTATOR else seat,
        "players": players,
        "asked": "over" if s.over else PHASES[int(s.phase)],
        "waiting": [other for other in range(players) if int(s.waiting) >> other & 1],
        "turn": int(s.turn) + 1,
        "turns": turns_in_deal(players),
        "deal": int(s.deals),
        "camel": COLOUR_NAMES[int(s.camel)] if s.phase >= MOVE else None,
        "camels": {
            name: {"place": place(s, camel), "teapot": int(s.carrying[camel]) or None}
            for camel, name in enumerate(COLOUR_NAMES)
        },
        "piles": {
            "teapots": int(s.teapots_left),
            "carpets": left,
            "top_carpet": COLOUR_NAMES[int(s.carpets[left - 1]) - TOP_COLOUR] if left else None,
            "salt": [int(value) for value in box.record.salt[5 - int(s.salt_left) :]],
        },
        "hand": None if seat == SPECTATOR else card_names(int(s.hand[seat])),
        "chosen": None if seat == SPECTATOR else _chosen(s, seat),
        "shown": card_names(int(s.shown)),
        "discarded": card_names(gone & ~still),
        "seats": [_seat(box, s, other, seat, played[other] & still) for other in range(players)],
        "legal": [] if seat == SPECTATOR else _legal(box, s, seat),
    }


def _chosen(s: Record, seat: int) -> Line | None:
    """Return the own choice while it is still sealed."""
    if s.phase != CHOOSE or s.over or not s.plays[s.turn, seat]:
        return None
    return {"play": card_names(int(s.plays[s.turn, seat])), "give": card_names(int(s.gave[s.turn, seat]))}


def _seat(box: Box, s: Record, other: int, seat: int, played: int) -> Line:
    """Return what lies before a player. Tokens taken lie face down (K9): only their owner may turn them up (K18)."""
    mine = other == seat or bool(s.open_scores) or bool(s.over)
    teapots, delivered = teapots_of(s, other), carpet_names(box, int(s.delivered[other]))
    points = np.zeros((5, 5), np.int64)
    scores(box.record, s, points)
    return {
        "gems": int(s.gems[other]),
        "cards": hand_size(s),
        "played": card_names(played),
        "teapots": teapots if mine else len(teapots),
        "delivered": delivered if mine else len(delivered),
        "undelivered": carpet_names(box, int(s.undelivered[other])),
        "salt": sacks_of(box, s, other),
        "points": int(points[other, 0]) if mine else None,
    }


def _legal(box: Box, s: Record, seat: int) -> list[Line]:
    room = np.zeros(MOST, np.int32)
    return [write(box, s, seat, int(action)) for action in room[: legal(box.record, s, seat, room)]]
