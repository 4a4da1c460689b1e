"""Khiva: dealing the others' hands at random, consistent with all that a seat remembers.

A card that the seat gave away is with its left neighbour, or was passed on from there, one card per turn and player,
until it is seen again: played, or given back to the seat. `recall` first moves these cards forward in time, then deals
the unknown ones, then finds what else must have been passed, going back in time.
"""

from __future__ import annotations

import numpy as np

from registan.core import chance as dice
from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import SEATS, SPECTATOR, Ints, Record
from registan.games.khiva.state import ALL_CARDS, CHOOSE, hand_size, one_of

TRIES = 1000
NEVER = 9
MOST_GIVEN = 5
CARD, SINCE, HOLDER, TARGET, UNTIL = 0, 1, 2, 3, 4


@compiled
def recall(s: Record, seat: int, rng: Ints) -> None:
    """Fill in the others' hands, what they gave each other since the deal, and what they kept before it."""
    players = int(s.players)
    done = int(s.turn) + (1 if s.phase != CHOOSE else 0)
    hands = np.zeros((SEATS, SEATS), np.int64)  # by turn and seat: cards that may have been passed, as nobody saw them
    passed = np.zeros((4, SEATS), np.int64)
    given = np.zeros((MOST_GIVEN, 5), np.int64)
    n = list_given(s, seat, done, given) if seat != SPECTATOR and players > 2 else 0
    for _ in range(TRIES):
        for turn in range(4):
            for other in range(SEATS):
                passed[turn, other] = 0
        if (
            travel(s, seat, done, given, n, passed, rng)
            and deal_unknown(s, seat, done, given, n, hands, rng)
            and go_back(s, seat, done, given, n, hands, passed, rng)
        ):
            break
    for turn in range(done):
        for other in range(players):
            if other != seat and (seat == SPECTATOR or (other + 1) % players != seat):
                s.gave[turn, other] = passed[turn, other]


@compiled
def list_given(s: Record, seat: int, done: int, given: Ints) -> int:
    """List the cards that the seat gave to its left neighbour: since when, and where each is seen next, if at all."""
    players = int(s.players)
    left = (seat + 1) % players
    n = 0
    for since in range(done + 1):
        cards = int(s.kept[left]) if since == 0 else int(s.gave[since - 1, seat])
        if cards == 0:
            continue
        card = 0
        while not (cards >> card) & 1:
            card += 1
        given[n, CARD], given[n, SINCE], given[n, HOLDER] = card, since, left
        given[n, TARGET], given[n, UNTIL] = -1, NEVER
        for turn in range(done - 1, since - 1, -1):
            for other in range(players):
                back = (other + 1) % players == seat and (int(s.gave[turn, other]) >> card) & 1
                if back or (int(s.plays[turn, other]) >> card) & 1:
                    given[n, TARGET], given[n, UNTIL] = other, turn
        n += 1
    return n


@compiled
def travel(s: Record, seat: int, done: int, given: Ints, n: int, passed: Ints, rng: Ints) -> bool:
    """Pass on the listed cards at random, in time for where they are seen next; False if that is impossible."""
    players = int(s.players)
    for i in range(n):
        given[i, HOLDER] = (seat + 1) % players
    for turn in range(done):
        for hop in range(1, players - 1):  # the right neighbour gives to the seat itself, which is known
            giver = (seat + hop) % players
            chosen = choose_passed(players, giver, turn, given, n, rng)
            if chosen >= 0:
                passed[turn, giver] = 1 << given[chosen, CARD]
        for i in range(n):
            if passed[turn, given[i, HOLDER]] == 1 << given[i, CARD] and given[i, SINCE] <= turn < given[i, UNTIL]:
                given[i, HOLDER] = (given[i, HOLDER] + 1) % players
    for i in range(n):
        if given[i, UNTIL] != NEVER and given[i, HOLDER] != given[i, TARGET]:
            return False
    return True


@compiled
def choose_passed(players: int, giver: int, turn: int, given: Ints, n: int, rng: Ints) -> int:
    """Return which listed card a player passes on in a turn, -1 for none: an urgent one, else at random."""
    slot = dice.below(rng, 4 - turn)  # each card left after playing is equally likely to be passed
    chosen = -1
    for i in range(n):
        if given[i, HOLDER] != giver or given[i, SINCE] > turn or given[i, UNTIL] <= turn:
            continue
        hops = (given[i, TARGET] - giver) % players
        time = given[i, UNTIL] - turn
        if given[i, TARGET] >= 0 and hops == time:
            return i  # a second urgent one would come too late, which `travel` notices
        if given[i, TARGET] < 0 or 0 < hops < time:
            if slot == 0:
                chosen = i
            slot -= 1
    return chosen


@compiled
def place_known(s: Record, seat: int, done: int, given: Ints, n: int) -> int:
    """Put the cards whose place is known or found into the hands; return all cards that must not be dealt."""
    players = int(s.players)
    known = int(s.shown)
    for other in range(players):
        for turn in range(done):
            known |= int(s.plays[turn, other])
        if other != seat:
            s.hand[other] = 0
    if players == 2 and seat != SPECTATOR:  # what was given and not seen since is still there
        theirs = int(s.kept[1 - seat])
        for turn in range(done):
            theirs = (theirs | int(s.gave[turn, seat])) & ~int(s.gave[turn, 1 - seat])
        s.hand[1 - seat] = theirs & ~known
    for i in range(n):
        if given[i, UNTIL] == NEVER:
            s.hand[given[i, HOLDER]] |= 1 << given[i, CARD]
    for other in range(players):
        known |= int(s.hand[other])
    return known


@compiled
def deal_unknown(s: Record, seat: int, done: int, given: Ints, n: int, hands: Ints, rng: Ints) -> bool:
    """Fill the hands with unseen cards; False if a hand already holds too many."""
    left = ALL_CARDS & ~place_known(s, seat, done, given, n)
    size = hand_size(s)
    for other in range(s.players):
        if bits(int(s.hand[other])) > size:
            return False
    for other in range(s.players):
        while bits(int(s.hand[other])) < size:
            card = one_of(left, rng)
            left ^= card
            s.hand[other] |= card
        hands[done, other] = s.hand[other]
    return True


@compiled
def go_back(s: Record, seat: int, done: int, given: Ints, n: int, hands: Ints, passed: Ints, rng: Ints) -> bool:
    """Go back turn by turn: a player who passed no listed card passed a free one. False if there is none."""
    players = int(s.players)
    each = 2 if players == 2 else 1
    for turn in range(done - 1, -1, -1):
        listed = 0  # a listed card that is here after this turn was here before it
        for i in range(n):
            if given[i, SINCE] <= turn < given[i, UNTIL]:
                listed |= 1 << given[i, CARD]
        for other in range(players):
            hands[turn, other] = hands[turn + 1, other]
        for giver in range(players):
            taker = (giver + 1) % players
            if giver == seat or taker == seat:
                passed[turn, giver] = s.gave[turn, giver]
            while bits(int(passed[turn, giver])) < each:
                free = int(hands[turn + 1, taker]) & ~int(passed[turn, giver]) & ~listed
                if free == 0:
                    return False
                passed[turn, giver] |= one_of(free, rng)
            hands[turn, taker] &= ~passed[turn, giver]
        for giver in range(players):
            hands[turn, giver] |= int(passed[turn, giver]) | int(s.plays[turn, giver])
    for other in range(players):
        while s.deals > 1 and bits(int(s.kept[other])) < each:
            s.kept[other] |= one_of(int(hands[0, other]) & ~int(s.kept[other]), rng)
    return True
