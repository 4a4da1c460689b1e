"""Khiva: what an action seems worth at a glance, in points. Uses only what the seat can see."""

from __future__ import annotations

import numpy as np

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.khiva.rules import landing, stop_on, way, winning_card
from registan.games.khiva.state import (
    CARDS,
    CARPET,
    CHOICE,
    CHOOSE,
    COLOURS,
    COUNTER,
    GEMS,
    MOVE,
    SACKS,
    SALT,
    SHOPS,
    VALUES,
    cards_of,
    codes,
)

CARELESS = (4.0, 6.0)
"""Carelessness and blunder of the novice of version 1, in points (`bots.novice`)."""
TUNING = {"greedy": 0.9}
"""Where the search differs from the default `bots.search_bot.Tuning`; `master@1` plays with it, so it stays."""

CARPET_WORTH = 2.2
"""A carpet is worth its value only if its camel comes to the counter in time."""
ACCEPTED = np.cumprod([1.0] + [0.72] * (VALUES - 1))
"""How likely a card is accepted, by the number of lower cards that may be played."""


@compiled
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat."""
    if s.phase == CHOOSE:
        weigh_choices(box, s, seat, actions, n, out)
        return
    for i in range(n):
        action = int(actions[i])
        if s.phase == MOVE:
            gems = action - GEMS
            steps = winning_card(s) % VALUES + 1 + gems
            out[i] = place_worth(box, s, seat, int(s.camel), landing(s, int(s.camel), seat, steps)) - gems
        elif action == SALT:
            out[i] = salt_worth(box, s)
        else:
            out[i] = CARPET_WORTH if action == CARPET else 0.0


@compiled
def salt_worth(box: Record, s: Record) -> float:
    """The top sack, less the gems it costs."""
    if s.salt_left == 0:
        return 0.0
    return float(box.salt[SACKS - int(s.salt_left)]) - float(box.salt_price)


@compiled
def place_worth(box: Record, s: Record, seat: int, camel: int, place: int) -> float:
    """What it brings the mover if a camel stops there: the effect, and how close it is to the mover's counter."""
    if place == 0:
        carpets = 0.0
        mine = (int(s.undelivered[seat]) >> (3 * camel)) & 7
        for rank in range(3):
            if (mine >> rank) & 1:
                carpets += float(box.carpets[rank])
        return float(s.carrying[camel]) + carpets
    path = (place - 1) // SHOPS
    shop = (place - 1) % SHOPS + 1
    near = 0.25 * float(s.carrying[camel]) * (shop if path == seat else -shop) / COUNTER
    if shop == 1:
        return near + float(box.shop_1_gems)
    if shop == 3:
        return near + float(box.shop_3_gems)
    carpet = CARPET_WORTH if s.carpets_left > 0 else 0.0
    if shop == SHOPS and s.gems[seat] >= box.salt_price:
        return near + max(carpet, salt_worth(box, s))
    return near + carpet


@compiled
def card_worth(box: Record, s: Record, seat: int, card: int, gone: int) -> float:
    """What a card brings its player on average: its best move if no lower card is played, else a gem."""
    camel = card // VALUES
    value = card % VALUES + 1
    best = -9.0
    places = way(s, camel, seat)
    for gems in range(min(int(box.icons[value - 1]), int(s.gems[seat])) + 1):
        worth = place_worth(box, s, seat, camel, stop_on(places, value + gems)) - gems
        best = max(best, worth)
    accepted = float(ACCEPTED[bits(((1 << card) - (1 << (camel * VALUES))) & ~gone)])
    return accepted * best + (1.0 - accepted)


@compiled
def weigh_choices(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Play what brings most; give what helps the neighbour least and costs nothing."""
    players = int(s.players)
    gone = int(s.hand[seat])
    for turn in range(s.turn):
        for other in range(players):
            gone |= int(s.plays[turn, other])
    mine = np.zeros(CARDS, np.float64)
    theirs = np.zeros(CARDS, np.float64)
    for card in range(CARDS):
        if (int(s.hand[seat]) >> card) & 1:
            mine[card] = card_worth(box, s, seat, card, gone)
            theirs[card] = card_worth(box, s, (seat + 1) % players, card, gone)
    if players != 2:
        for i in range(n):
            give = (int(actions[i]) - CHOICE) % CARDS
            out[i] = mine[(int(actions[i]) - CHOICE) // CARDS] - (0.5 * theirs[give] + 0.2 * mine[give])
        return
    size = codes(players)
    for i in range(n):
        play = cards_of((int(actions[i]) - CHOICE) // size, players)
        give = cards_of((int(actions[i]) - CHOICE) % size, players)
        worth = 0.0
        for camel in range(COLOURS):
            first = True
            for card in range(camel * VALUES, (camel + 1) * VALUES):
                if (play >> card) & 1:
                    worth += mine[card] if first else 1.0  # K17: the second card of a colour earns a gem
                    first = False
                if (give >> card) & 1:
                    worth -= 0.5 * theirs[card] + 0.2 * mine[card]
        out[i] = worth
