"""Khiva: what a seat sees, as plain JSON, made from a hidden state and nothing else."""

from __future__ import annotations

import numpy as np

from registan.core.game import SEATS, SPECTATOR, Box, Line, Record
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.moves import (
    CARD_NAMES,
    card_names,
    carpet_names,
    path_and_shop,
    place,
    sacks_of,
    teapots_of,
    write,
)
from registan.games.khiva.rules import MOST, SCORES, landing, legal, most_gems, scores, winning_card
from registan.games.khiva.state import CARDS, CHOOSE, COLOURS, MOVE, TOP_COLOUR, VALUES, hand_size, turns_in_deal

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
    points = np.zeros((SEATS, len(SCORES)), np.int64)
    scores(box.record, s, points)
    lying = 0
    for cards in played:
        lying |= cards & still
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
        "icons": [int(icons) for icons in box.record.icons],
        "shop_gems": {"1": int(box.record.shop_1_gems), "3": int(box.record.shop_3_gems)},
        "salt_price": int(box.record.salt_price),
        "lands": _lands(box, s),
        "reach": None if seat == SPECTATOR else _reach(s, seat),
        "shown": card_names(int(s.shown)),
        "discarded": card_names(gone & ~lying),
        "seats": [_seat(box, s, other, seat, played[other] & still, int(points[other, 0])) for other in range(players)],
        "legal": [] if seat == SPECTATOR else _legal(box, s, seat),
    }


def _chosen(s: Record, seat: int) -> Line | None:
    """Return the own choice while it is still sealed."""
    if s.phase != CHOOSE or s.over or s.due or not s.plays[s.turn, seat]:
        return None
    return {"play": card_names(int(s.plays[s.turn, seat])), "give": card_names(int(s.gave[s.turn, seat]))}


def _lands(box: Box, s: Record) -> list[list[int] | None] | None:
    """Return where the active camel would stop for 0, 1, … gems (K5 to K7): path and shop, None for the counter."""
    if s.phase != MOVE or s.over:
        return None
    mover = next(seat for seat in range(int(s.players)) if int(s.waiting) >> seat & 1)
    steps = winning_card(s) % VALUES + 1
    most = most_gems(box.record, s, mover)
    return [path_and_shop(int(landing(s, int(s.camel), mover, steps + gems))) for gems in range(most + 1)]


def _reach(s: Record, seat: int) -> dict[str, list[int] | None] | None:
    """Return where each card in hand would bring its camel from where it stands now, without gems (K6, K7).

    Camels that are activated earlier may still change it, so it is told while cards are chosen, as a hint.
    """
    if s.phase != CHOOSE or s.over:
        return None
    return {
        CARD_NAMES[card]: path_and_shop(int(landing(s, card // VALUES, seat, card % VALUES + 1)))
        for card in range(CARDS)
        if int(s.hand[seat]) >> card & 1
    }


def _seat(box: Box, s: Record, other: int, seat: int, played: int, points: int) -> Line:
    """Return what lies before a player. Tokens taken lie face down (K9): only their owner may turn them up (K18)."""
    mine = other == seat or bool(s.open_scores) or bool(s.over)
    teapots, delivered = teapots_of(s, other), carpet_names(box, int(s.delivered[other]))
    return {
        "gems": int(s.gems[other]),
        "cards": hand_size(s),
        "played": card_names(played),
        "teapots": teapots if mine else len(teapots),
        "delivered": delivered if mine else len(delivered),
        "undelivered": carpet_names(box, int(s.undelivered[other])),
        "salt": sacks_of(box, s, other),
        "points": points if mine else None,
    }


def _legal(box: Box, s: Record, seat: int) -> list[Line]:
    room = np.zeros(MOST, np.int32)
    return [write(box, s, seat, int(action)) for action in room[: legal(box.record, s, seat, room)]]
