"""Khiva: what a seat sees, as plain JSON, made from what it may know and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from registan.core.game import SPECTATOR, Box, Line
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.moves import (
    CARD_NAMES,
    answer,
    card_names,
    carpet_names,
    choice,
    members,
    path_and_shop,
)
from registan.games.khiva.rules import landing, most_gems, winning_card
from registan.games.khiva.state import CHOOSE, MOVE, TOP_COLOUR, VALUES, hand_size, turns_in_deal

PHASES = ("choose", "move", "take")
NO_MOVES: list[Line] = []


def view(box: Box, s: Any, seat: int, table: Line | None = None) -> Line:
    """Return the table as it lies before the seat: what is open, its own hand, and its legal moves."""
    if table is None:
        table = _table(box, s)
    if seat == SPECTATOR:
        return table
    seats = table["seats"]
    if not (s.open_scores or s.over):
        seats = [*seats[:seat], _seat(box, s, seat, _lying(s, seat), turned_up=True), *seats[seat + 1 :]]
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
    lying = [_lying(s, other) for other in range(players)]
    gone = 0
    for turn in range(s.turn + 1 if s.phase != CHOOSE else s.turn):
        for cards in s.plays[turn]:
            gone |= cards
    for cards in lying:
        gone &= ~cards
    return {
        "game": "khiva",
        "seat": None,
        "players": players,
        "asked": "over" if s.over else PHASES[s.phase],
        "waiting": _members(s.waiting),
        "turn": s.turn + 1,
        "turns": turns_in_deal(players),
        "deal": s.deals,
        "camel": COLOUR_NAMES[s.camel] if s.phase >= MOVE else None,
        "camels": _camels(s.place, s.carrying),
        "piles": _piles(
            s.teapots_left, left, s.carpet_pile[left - 1] if left else None, box.plain.salt[5 - s.salt_left :]
        ),
        "hand": None,
        "chosen": None,
        "icons": _icons(box.plain.icons),
        "shop_gems": _shop_gems(box.plain.shop_1_gems, box.plain.shop_3_gems),
        "salt_price": box.plain.salt_price,
        "lands": _lands(box, s),
        "reach": None,
        "shown": _cards(s.shown),
        "discarded": _cards(gone),
        "seats": [_seat(box, s, other, lying[other], bool(s.open_scores or s.over)) for other in range(players)],
        "legal": NO_MOVES,
    }


def _lying(s: Any, seat: int) -> int:
    """Return a player's cards of this turn: they lie face up once they are shown, until their camel has moved (K11)."""
    if s.phase == CHOOSE:
        return 0
    moved: int = VALUES * s.camel
    cards: int = s.plays[s.turn][seat] >> moved << moved
    return cards


def _chosen(s: Any, seat: int) -> Line | None:
    """Return the own choice while it is still sealed."""
    if s.phase != CHOOSE or s.over or s.due or not s.plays[s.turn][seat]:
        return None
    return _sealed(s.plays[s.turn][seat], s.gave[s.turn][seat])


@lru_cache(4096)
def _sealed(play: int, give: int) -> Line:
    return {"play": _cards(play), "give": _cards(give)}


def _lands(box: Box, s: Any) -> list[list[int] | None] | None:
    """Return where the active camel would stop for 0, 1, … gems (K5 to K7): path and shop, None for the counter."""
    if s.phase != MOVE or s.over:
        return None
    mover = _members(s.waiting)[0]
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
    return {name: _camel(here, teapot) for name, here, teapot in zip(COLOUR_NAMES, places, carrying)}


@lru_cache(1024)
def _camel(here: int, teapot: int) -> Line:
    return {"place": path_and_shop(here), "teapot": teapot or None}


def _seat(box: Box, s: Any, seat: int, played: int, turned_up: bool) -> Line:
    """Return what lies before a player. Tokens taken lie face down (K9), but their owner may look (K18)."""
    points = s.points[seat][0] if turned_up else None
    had = s.gems[seat], hand_size(s), played, s.won[seat], s.delivered[seat], s.undelivered[seat], s.salt[seat]
    return _before(box.plain.carpets, box.plain.salt, *had, points)


@lru_cache(1 << 14)
def _before(
    carpets: tuple[int, ...],
    sacks: tuple[int, ...],
    gems: int,
    cards: int,
    played: int,
    won: tuple[int, ...],
    delivered: int,
    undelivered: int,
    salt: int,
    points: int | None,
) -> Line:
    """Return what lies before a player; without points, the tokens lie face down."""
    open_ = points is not None
    return {
        "gems": gems,
        "cards": cards,
        "played": _cards(played),
        "teapots": _teapots(won) if open_ else sum(won),
        "delivered": _carpets(carpets, delivered) if open_ else delivered.bit_count(),
        "undelivered": _carpets(carpets, undelivered),
        "salt": _salt(sacks, salt),
        "points": points,
    }


def _legal(box: Box, s: Any, seat: int) -> list[Line]:
    if s.phase == CHOOSE:
        return _choices(s.players, tuple(s.actions)) if s.actions else NO_MOVES
    return _answers(s.camel, tuple(s.actions)) if s.actions else NO_MOVES


@lru_cache(1024)
def _choices(players: int, actions: tuple[int, ...]) -> list[Line]:
    return [_choice(players, action) for action in actions]


@lru_cache(256)
def _answers(camel: int, actions: tuple[int, ...]) -> list[Line]:
    return [answer(camel, action) for action in actions]


@lru_cache(4096)
def _piles(teapots: int, carpets: int, top: int | None, salt: tuple[int, ...]) -> Line:
    colour = COLOUR_NAMES[top - TOP_COLOUR] if top else None  # None: covered (K1), or no carpet left
    return {"teapots": teapots, "carpets": carpets, "top_carpet": colour, "salt": list(salt)}


@lru_cache(1024)
def _teapots(won: tuple[int, ...]) -> list[int]:
    return [value for value, count in enumerate(won) for _ in range(count)]


@lru_cache(1024)
def _salt(sacks: tuple[int, ...], salt: int) -> list[int]:
    return [sacks[sack] for sack in members(salt)]


@lru_cache(64)
def _shop_gems(first: int, third: int) -> dict[str, int]:
    return {"1": first, "3": third}


# What is the same at every table is written once, and need not be compared.
_choice = lru_cache(2048)(choice)
_cards = lru_cache(4096)(card_names)
_carpets = lru_cache(4096)(carpet_names)
_members = lru_cache(64)(members)
_icons: Callable[[tuple[int, ...]], list[int]] = lru_cache(64)(list)
