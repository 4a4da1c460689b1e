"""Khiva: what a seat sees, as plain JSON, made from what it may know and nothing else."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from registan.core.game import SPECTATOR, Box, Line
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.moves import (
    CARD_NAMES,
    card_names,
    carpet_names,
    choice,
    members,
    path_and_shop,
    sacks_of,
    teapots_of,
    write,
)
from registan.games.khiva.rules import landing, most_gems, winning_card
from registan.games.khiva.state import CHOOSE, COLOURS, MOVE, TOP_COLOUR, VALUES, hand_size, turns_in_deal

PHASES = ("choose", "move", "take")


def view(box: Box, s: Any, seat: int, table: Line | None = None) -> Line:
    """Return the table as it lies before the seat: what is open, its own hand, and its legal moves."""
    if table is None:
        table = _table(box, s)
    if seat == SPECTATOR:
        return table
    seats = table["seats"]
    if not (s.open_scores or s.over):
        seats = [_mine(box, s, seat, shown) if other == seat else shown for other, shown in enumerate(seats)]
    return {
        **table,
        "seat": seat,
        "hand": _cards(s.hand[seat]),
        "chosen": _chosen(s, seat),
        "reach": _reach(s.place, s.hand[seat], seat) if s.phase == CHOOSE and not s.over else None,
        "seats": seats,
        "legal": _legal(box, s, seat),
    }


def _table(box: Box, s: Any) -> Line:
    """Return what lies open."""
    players = s.players
    left = s.carpets_left
    # Cards of this turn lie face up once they are shown, until their camel has moved (K11).
    played = s.plays[s.turn] if s.phase != CHOOSE else (0,) * players
    still = sum(31 << 5 * camel for camel in range(s.camel, COLOURS)) if s.phase != CHOOSE else 0
    gone = lying = 0
    for turn in range(s.turn + 1 if s.phase != CHOOSE else s.turn):
        for cards in s.plays[turn]:
            gone |= cards
    for cards in played:
        lying |= cards & still
    return {
        "game": "khiva",
        "seat": None,
        "players": players,
        "asked": "over" if s.over else PHASES[s.phase],
        "waiting": [other for other in range(players) if s.waiting >> other & 1],
        "turn": s.turn + 1,
        "turns": turns_in_deal(players),
        "deal": s.deals,
        "camel": COLOUR_NAMES[s.camel] if s.phase >= MOVE else None,
        "camels": _camels(s.place, s.carrying),
        "piles": {
            "teapots": s.teapots_left,
            "carpets": left,
            "top_carpet": COLOUR_NAMES[s.carpets[left - 1] - TOP_COLOUR] if left else None,
            "salt": list(box.plain.salt[5 - s.salt_left :]),
        },
        "hand": None,
        "chosen": None,
        "icons": list(box.plain.icons),
        "shop_gems": {"1": box.plain.shop_1_gems, "3": box.plain.shop_3_gems},
        "salt_price": box.plain.salt_price,
        "lands": _lands(box, s),
        "reach": None,
        "shown": _cards(s.shown),
        "discarded": _cards(gone & ~lying),
        "seats": [_seat(box, s, other, played[other] & still) for other in range(players)],
        "legal": [],
    }


def _chosen(s: Any, seat: int) -> Line | None:
    """Return the own choice while it is still sealed."""
    if s.phase != CHOOSE or s.over or s.due or not s.plays[s.turn][seat]:
        return None
    return {"play": _cards(s.plays[s.turn][seat]), "give": _cards(s.gave[s.turn][seat])}


def _lands(box: Box, s: Any) -> list[list[int] | None] | None:
    """Return where the active camel would stop for 0, 1, … gems (K5 to K7): path and shop, None for the counter."""
    if s.phase != MOVE or s.over:
        return None
    mover = next(seat for seat in range(s.players) if s.waiting >> seat & 1)
    steps = winning_card(s) % VALUES + 1
    most = most_gems(box.plain, s, mover)
    return [path_and_shop(landing(s, s.camel, mover, steps + gems)) for gems in range(most + 1)]


@lru_cache(4096)
def _reach(places: tuple[int, ...], hand: int, seat: int) -> dict[str, list[int] | None]:
    """Return where each card in hand would bring its camel from where it stands now, without gems (K6, K7).

    Camels that are activated earlier may still change it, so it is told while cards are chosen, as a hint.
    """
    s = SimpleNamespace(place=places)
    return {
        CARD_NAMES[card]: path_and_shop(landing(s, card // VALUES, seat, card % VALUES + 1)) for card in members(hand)
    }


@lru_cache(4096)
def _camels(places: tuple[int, ...], carrying: tuple[int, ...]) -> Line:
    return {
        name: {"place": path_and_shop(here), "teapot": teapot or None}
        for name, here, teapot in zip(COLOUR_NAMES, places, carrying)
    }


def _seat(box: Box, s: Any, other: int, played: int) -> Line:
    """Return what lies before a player. Tokens taken lie face down (K9), unless all scores are open."""
    shown = {
        "gems": s.gems[other],
        "cards": hand_size(s),
        "played": _cards(played),
        "teapots": sum(s.won[other]),
        "delivered": s.delivered[other].bit_count(),
        "undelivered": carpet_names(box, s.undelivered[other]),
        "salt": sacks_of(box, s, other),
        "points": None,
    }
    return _mine(box, s, other, shown) if s.open_scores or s.over else shown


def _mine(box: Box, s: Any, seat: int, shown: Line) -> Line:
    """Return what lies before a player with the tokens turned up: their owner may do so (K18)."""
    return {
        **shown,
        "teapots": teapots_of(s, seat),
        "delivered": carpet_names(box, s.delivered[seat]),
        "points": s.points[seat][0],
    }


def _legal(box: Box, s: Any, seat: int) -> list[Line]:
    if s.phase == CHOOSE:
        return _choices(s.players, tuple(s.actions))
    return [write(box, s, seat, action) for action in s.actions]


@lru_cache(1024)
def _choices(players: int, actions: tuple[int, ...]) -> list[Line]:
    return [_choice(players, action) for action in actions]


# What is the same at every table is written once, and need not be compared.
_choice = lru_cache(2048)(choice)
_cards = lru_cache(4096)(card_names)
