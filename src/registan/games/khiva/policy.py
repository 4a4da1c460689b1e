"""Khiva: what an action is, for the net that chooses: cards, what they seem worth, and where a camel would stop."""

from __future__ import annotations

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.rules import standing
from registan.games.khiva.bot import PLAIN, card_worth, later, place_worth
from registan.games.khiva.rules import landing, winning_card
from registan.games.khiva.state import (
    CARDS,
    CARPET,
    CHOICE,
    CHOOSE,
    COUNTER,
    GEMS,
    MOVE,
    SALT,
    SHOPS,
    VALUES,
    cards_of,
    codes,
    of_colour,
)

VERSION = 1
TRAITS = 90
PLAYED, GIVEN, WORTHS, LOWER, SPENT, STOP, WHOSE, TAKEN = 3, 28, 53, 58, 61, 67, 74, 81
"""Where in a row are: the card that is played, the one that is given, what they and those kept seem worth, the lower
cards of their colour, the gems spent, where the camel stops and on whose path, what is taken at shop 4."""


@compiled
def traits(box: Record, s: Record, seat: int, actions: Ints, n: int, worth: Ints, out: Ints) -> None:
    """Write what each of n actions is into the rows of `out`, which are all 0."""
    standing(worth, n, out)
    late = 1.0 - later(s, PLAIN)
    if s.phase == CHOOSE:
        gone = int(s.hand[seat])
        for turn in range(s.turn):
            for other in range(s.players):
                gone |= int(s.plays[turn, other])
        for i in range(n):
            choice_traits(box, s, seat, int(actions[i]), gone, late, out[i])
        return
    for i in range(n):
        action = int(actions[i])
        if s.phase == MOVE:
            move_traits(box, s, seat, action - GEMS, late, out[i])
        else:
            out[i, TAKEN + (0 if action == SALT else 1 if action == CARPET else 2)] = 1.0


@compiled
def choice_traits(box: Record, s: Record, seat: int, action: int, gone: int, late: float, row: Ints) -> None:
    """Write which cards are played and given, and what that leaves (K3)."""
    players = int(s.players)
    size = codes(players)
    play = cards_of((action - CHOICE) // size, players)
    give = cards_of((action - CHOICE) % size, players)
    hand = int(s.hand[seat])
    best = kept = 0.0
    for card in range(CARDS):
        if not (hand >> card) & 1:
            continue
        mine = card_worth(box, s, seat, card, gone, late, PLAIN)
        if (play >> card) & 1:
            lower = (1 << card) - (1 << (card // VALUES * VALUES))
            row[PLAYED + card] = 1.0
            row[WORTHS] += mine / 5.0
            row[LOWER] += bits(lower & ~gone) / 4.0
            row[LOWER + 1] += bits(lower & hand) / 2.0
        elif (give >> card) & 1:
            row[GIVEN + card] = 1.0
            row[WORTHS + 1] += card_worth(box, s, (seat + 1) % players, card, gone, late, PLAIN) / 5.0
            row[WORTHS + 2] += mine / 5.0
            if of_colour(play, card // VALUES):
                row[LOWER + 2] = 1.0
        else:
            best = max(best, mine)
            kept += mine
    row[WORTHS + 3] = best / 5.0
    row[WORTHS + 4] = kept / 10.0


@compiled
def move_traits(box: Record, s: Record, seat: int, gems: int, late: float, row: Ints) -> None:
    """Write where a camel would stop, and what that brings (K5)."""
    players, camel = int(s.players), int(s.camel)
    place = landing(s, camel, seat, winning_card(s) % VALUES + 1 + gems)
    load = float(s.carrying[camel]) / 6.0
    row[SPENT + gems] = 1.0
    row[SPENT + 5] = place_worth(box, s, seat, camel, place, late, PLAIN) / 5.0
    if place == 0:
        row[STOP] = 1.0
        row[STOP + 1] = load
        row[STOP + 2] = bits((int(s.undelivered[seat]) >> (3 * camel)) & 7) / 2.0
    else:
        shop, whose = (place - 1) % SHOPS, ((place - 1) // SHOPS + players - seat) % players
        row[STOP + 3 + shop] = 1.0
        row[WHOSE + whose] = 1.0
        row[WHOSE + 5] = load * (shop + 1) / COUNTER * (1.0 if whose == 0 else -1.0)
    row[WHOSE + 6] = (float(s.gems[seat]) - gems) / 5.0
