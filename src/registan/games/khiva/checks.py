"""Khiva: what must hold in every state, checked while playing millions of games; no rule depends on it."""

from __future__ import annotations

import numpy as np

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Record
from registan.games.khiva.state import (
    ALL_CARDS,
    CARPETS,
    CHOOSE,
    COLOURS,
    SACKS,
    SHOPS,
    hand_size,
)


@compiled
def faults(box: Record, s: Record) -> int:
    """Return 0, or the number of the first check that fails."""
    if not cards_hold(s):
        return 1
    if not history_holds(s):
        return 2
    if not teapots_hold(box, s):
        return 3
    if not carpets_hold(s):
        return 4
    if not salt_holds(s):
        return 5
    for camel in range(COLOURS):
        place = int(s.place[camel])
        if place > SHOPS * s.players:
            return 6
        for other in range(camel):
            if place != 0 and place == s.place[other]:
                return 7
    for seat in range(s.players):
        if s.gems[seat] < 0:
            return 8
    return 0 if (s.waiting == 0) == (s.over != 0 or s.due != 0) else 9


@compiled
def cards_hold(s: Record) -> bool:
    """Every card is in one place: 25 in hands, played since the deal, or set aside."""
    seen = 0
    done = int(s.turn) + (1 if s.phase != CHOOSE else 0)
    for seat in range(s.players):
        if bits(int(s.hand[seat])) != hand_size(s) or int(s.hand[seat]) & seen:
            return False
        seen |= int(s.hand[seat])
        for turn in range(done):
            if int(s.plays[turn, seat]) & seen:
                return False
            seen |= int(s.plays[turn, seat])
    return seen & ~ALL_CARDS == 0 and seen & int(s.shown) == 0


@compiled
def history_holds(s: Record) -> bool:
    """Going back turn by turn, each card given is in the hand it was given to, down to what was kept."""
    players = int(s.players)
    hands = np.zeros(players, np.int64)
    for seat in range(players):
        hands[seat] = s.hand[seat]
    for turn in range(int(s.turn) - (1 if s.phase == CHOOSE else 0), -1, -1):
        for seat in range(players):
            gave = int(s.gave[turn, seat])
            left = (seat + 1) % players
            if gave & ~hands[left]:
                return False
            hands[left] ^= gave
        for seat in range(players):
            hands[seat] |= int(s.plays[turn, seat]) | int(s.gave[turn, seat])
    for seat in range(players):
        if int(s.kept[seat]) & ~hands[seat] or (s.kept[seat] == 0) != (s.deals == 1):
            return False
    return True


@compiled
def teapots_hold(box: Record, s: Record) -> bool:
    """The teapots in the pile, on camels and with players are those of the box."""
    count = np.zeros(10, np.int64)
    for i in range(box.teapot_count):
        count[box.teapots[i]] += 1
    for i in range(s.teapots_left):
        count[s.teapots[i]] -= 1
    for camel in range(COLOURS):
        if s.carrying[camel] > 0:
            count[s.carrying[camel]] -= 1
    for seat in range(s.players):
        for value in range(1, 10):
            count[value] -= s.won[seat, value]
    for value in range(10):
        if count[value] != 0:
            return False
    return True


@compiled
def carpets_hold(s: Record) -> bool:
    """Each of the 15 carpets is in one place: the pile, or with one player, delivered or not."""
    seen = 0
    for i in range(CARPETS):
        carpet = int(s.carpet_pile[i])
        if (carpet > 0) != (i < s.carpets_left) or (carpet > 0 and (seen >> carpet) & 1):
            return False
        if carpet > 0:
            seen |= 1 << carpet
    for seat in range(s.players):
        for mine in (int(s.undelivered[seat]) << 1, int(s.delivered[seat]) << 1):
            if mine & seen:
                return False
            seen |= mine
    return seen == (1 << (CARPETS + 1)) - 2


@compiled
def salt_holds(s: Record) -> bool:
    """The sacks taken are the first ones, each with one player."""
    seen = 0
    for seat in range(s.players):
        if int(s.salt[seat]) & seen:
            return False
        seen |= int(s.salt[seat])
    return seen == (1 << (SACKS - int(s.salt_left))) - 1
