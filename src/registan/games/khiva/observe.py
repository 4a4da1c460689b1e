"""Khiva: the observation of a seat as numbers, and a compact numbering of actions.

Paths and seats are relative: 0 is the observing seat. Cards are numbers, 5 * colour + value - 1.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.observation import Block, beside, flag, mark, mark_set, put
from registan.games.khiva.bot import CARPET_WORTH, LATE, PLAIN, card_worth, place_worth, salt_worth
from registan.games.khiva.rules import legal, most_gems, stop_on, way, winning_card
from registan.games.khiva.state import (
    ALL_CARDS,
    CARDS,
    CARPETS,
    CHOICE,
    CHOOSE,
    COLOURS,
    COUNTER,
    MOVE,
    PAIRS,
    SACKS,
    SHOPS,
    TAKE,
    TOP_COLOUR,
    VALUES,
    actions,
    cards_of,
    code_of,
    pair,
    turns_in_deal,
)

VERSION = 1
SLOTS = 8
"""The most cards in a hand, with two players."""
SLOT_PAIRS = SLOTS * (SLOTS - 1) // 2
WORTH = 10.0
EACH_COLOUR = 1 | 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12
"""The carpet of the lowest rank of every colour."""


def layout(players: int) -> tuple[Block, ...]:
    """Return what each number of an observation is."""
    slots = (Block("slots", (SLOTS, CARDS), "the card in each place of the sorted hand"),) if players == 2 else ()
    return (
        Block("asked", (1,), "1 if the seat is asked"),
        Block("phase", (3,), "the decision: a choice, gems for a move, salt or carpet"),
        Block("turn", (4,), "turns played since the deal"),
        Block("deals", (1,), "deals so far", 12),
        Block("over", (1,), "1 if the game is over"),
        Block("last", (1,), "1 in the last turn before a deal"),
        Block("hand", (CARDS,), "cards in hand"),
        Block("gone", (CARDS,), "cards that are in nobody's hand: played since the deal, or shown"),
        Block("given", (CARDS,), "cards given to the left neighbour and not seen since; 1 the latest, less before", 4),
        Block("unseen", (CARDS,), "cards that may be anywhere"),
        Block("plays", (players, CARDS), "cards played in this turn, by seat"),
        Block("camel", (COLOURS,), "the active camel"),
        Block("place", (COLOURS, 1 + players * SHOPS), "where each camel is: the Khiva board, then shops by path"),
        Block("teapot", (COLOURS,), "the teapot on each camel", 9),
        Block("steps", (COLOURS, players), "steps of each camel to each counter", 8),
        Block("piles", (3,), "teapots, carpets and sacks left, each as a share of all"),
        Block("sack", (1,), "the value of the next sack", 10),
        Block("top", (COLOURS,), "the colour of the top carpet, if it is visible"),
        Block("carpets_left", (CARPETS,), "carpets in the pile"),
        Block("teapots_left", (9,), "teapots in the pile, by value", 8),
        Block("gems", (players,), "gems by seat", 15),
        Block("undelivered", (players, CARPETS), "carpets waiting for their camel, by seat"),
        Block("promised", (players, COLOURS), "the value of those carpets, by seat and colour", 10),
        Block("teapots", (players,), "teapots taken, by seat", 10),
        Block("sacks", (players,), "sacks taken, by seat", 5),
        Block("points", (players, 4), "points by seat, without gems: all, teapots, carpets, salt", 60),
        Block("lead", (players,), "points of the seat less those of each, gems included", 40, -1),
        Block("best", (CARDS,), "what playing each card in hand seems worth", WORTH, -1),
        Block("theirs", (CARDS,), "what each of them seems worth to the left neighbour", WORTH, -1),
        Block("moves", (5,), "what the move seems worth with 0 to 4 gems, if it can be made", WORTH, -1),
        Block("stops", (5, COUNTER), "where the camel then stops: shop 1 to 4, or the counter"),
        Block("shop", (2,), "what salt and carpet seem worth, if they can be taken", WORTH, -1),
        *slots,
    )


@compiled
def observe(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write what the seat knows into `out`, which is all 0; return how many numbers there are."""
    players = int(s.players)
    i = put(out, 0, (int(s.waiting) >> seat) & 1, 1.0)
    i = mark(out, i, 3, int(s.phase))
    i = mark(out, i, 4, min(int(s.turn), 3))
    i = put(out, i, float(s.deals), 12.0)
    i = flag(out, i, s.over != 0)
    i = flag(out, i, int(s.turn) + 1 == turns_in_deal(players))
    i = observe_cards(s, seat, out, i)
    i = observe_camels(box, s, seat, out, i)
    i = observe_piles(box, s, out, i)
    i = observe_seats(box, s, seat, out, i)
    return observe_worths(box, s, seat, out, i)


@compiled
def seen_cards(s: Record) -> int:
    """Return the cards that everybody knows to be in nobody's hand."""
    gone = int(s.shown)
    done = int(s.turn) + (1 if s.phase != CHOOSE else 0)
    for turn in range(done):
        for seat in range(s.players):
            gone |= int(s.plays[turn, seat])
    return gone


@compiled
def observe_cards(s: Record, seat: int, out: Ints, i: int) -> int:
    """Write which cards are where, as far as the seat knows."""
    players = int(s.players)
    hand = int(s.hand[seat])
    gone = seen_cards(s)
    i = mark_set(out, i, CARDS, hand)
    i = mark_set(out, i, CARDS, gone)
    known = hand | gone
    done = int(s.turn) + (1 if s.phase != CHOOSE else 0)
    for since in range(done + 1):
        cards = int(s.kept[beside(seat, 1, players)]) if since == 0 else int(s.gave[since - 1, seat])
        cards &= ~(hand | gone)
        known |= cards
        while cards:
            out[i + lowest(cards)] = (4.0 - (done - since)) / 4.0
            cards &= cards - 1
    i = mark_set(out, i + CARDS, CARDS, ALL_CARDS & ~known)
    for k in range(players):
        if s.turn < 4:
            mark_set(out, i, CARDS, int(s.plays[s.turn, beside(seat, k, players)]))
        i += CARDS
    return i


@compiled
def free_on(free: int, path: int, after: int, before: int) -> int:
    """Return how many shops of a path are free between two shops."""
    return bits((free >> (path * SHOPS + after + 1)) & ((1 << (before - after - 1)) - 1))


@compiled
def observe_camels(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write where the camels are, what they carry, and how far they have to go."""
    players = int(s.players)
    i = mark(out, i, COLOURS, int(s.camel) if s.phase != CHOOSE else -1)
    for camel in range(COLOURS):
        place = int(s.place[camel])
        if place != 0:
            path = beside((place - 1) // SHOPS, players - seat, players)
            place = 1 + path * SHOPS + (place - 1) % SHOPS
        i = mark(out, i, 1 + players * SHOPS, place)
    for camel in range(COLOURS):
        i = put(out, i, float(s.carrying[camel]), 9.0)
    free = -1
    for camel in range(COLOURS):
        free &= ~(1 << int(s.place[camel]))
    for k in range(players):
        mover = beside(seat, k, players)
        whole = free_on(free, mover, 0, COUNTER)
        for camel in range(COLOURS):  # K6, K7: over every free shop on its way, and one more
            place = int(s.place[camel])
            steps = whole + 1
            if place != 0:
                path = (place - 1) // SHOPS
                shop = place - path * SHOPS
                if path == mover:
                    steps = 1 + free_on(free, path, shop, COUNTER)
                else:
                    steps += free_on(free, path, 0, shop)
            put(out, i + camel * players + k, float(steps), 8.0)
    return i + COLOURS * players


@compiled
def observe_piles(box: Record, s: Record, out: Ints, i: int) -> int:
    """Write what is left in the piles."""
    i = put(out, i, float(s.teapots_left), float(box.teapot_count))
    i = put(out, i, float(s.carpets_left), float(CARPETS))
    i = put(out, i, float(s.salt_left), float(SACKS))
    i = put(out, i, float(box.salt[SACKS - int(s.salt_left)]) if s.salt_left > 0 else 0.0, 10.0)
    left = int(s.carpets_left)
    i = mark(out, i, COLOURS, max(-1, int(s.carpet_pile[left - 1]) - TOP_COLOUR) if left > 0 else -1)
    taken = 0
    for seat in range(s.players):
        taken |= int(s.undelivered[seat]) | int(s.delivered[seat])
    i = mark_set(out, i, CARPETS, ((1 << CARPETS) - 1) & ~taken)
    left = 0  # teapots by value, six bits each
    for k in range(box.teapot_count):
        left += 1 << (6 * int(box.teapots[k]))
    for camel in range(COLOURS):
        if s.carrying[camel] > 0:
            left -= 1 << (6 * int(s.carrying[camel]))
    for seat in range(s.players):
        for value in range(1, 10):
            left -= int(s.won[seat, value]) << (6 * value)
    for value in range(1, 10):
        put(out, i + value - 1, float((left >> (6 * value)) & 63), 8.0)
    return i + 9


@compiled
def observe_seats(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write what each seat has, the observing one first."""
    players = int(s.players)
    carpets_at = i + players
    promised = carpets_at + CARPETS * players
    teapots = promised + COLOURS * players
    sacks = teapots + players
    points = sacks + players
    lead = points + 4 * players
    mine = 0
    for k in range(players):
        other = beside(seat, k, players)
        waiting = int(s.undelivered[other])
        put(out, i + k, float(s.gems[other]), 15.0)
        mark_set(out, carpets_at + CARPETS * k, CARPETS, waiting)
        while waiting:
            colour = lowest(waiting) // 3
            put(out, promised + COLOURS * k + colour, float(carpets_worth(box, (waiting >> (3 * colour)) & 7)), 10.0)
            waiting &= -8 << (3 * colour)
        count = 0
        won = 0
        for value in range(1, 10):
            count += int(s.won[other, value])
            won += value * int(s.won[other, value])
        salt = 0
        for sack in range(SACKS):
            salt += ((int(s.salt[other]) >> sack) & 1) * int(box.salt[sack])
        carpets = 0
        for rank in range(3):
            carpets += bits(int(s.delivered[other]) & (EACH_COLOUR << rank)) * int(box.carpets[rank])
        put(out, teapots + k, float(count), 10.0)
        put(out, sacks + k, float(bits(int(s.salt[other]))), 5.0)
        put(out, points + 4 * k, float(won + carpets + salt), 60.0)
        put(out, points + 4 * k + 1, float(won), 60.0)
        put(out, points + 4 * k + 2, float(carpets), 60.0)
        put(out, points + 4 * k + 3, float(salt), 60.0)
        total = won + carpets + salt + int(s.gems[other])
        if k == 0:
            mine = total
        put(out, lead + k, float(mine - total), 40.0)
    return lead + players


@compiled
def carpets_worth(box: Record, ranks: int) -> int:
    """Return the value of carpets of a colour."""
    worth = 0
    for rank in range(3):
        worth += ((ranks >> rank) & 1) * int(box.carpets[rank])
    return worth


@compiled
def observe_worths(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write what the actions seem worth, and where moves lead; with two players also the places of the hand."""
    players = int(s.players)
    asked = (int(s.waiting) >> seat) & 1
    hand = int(s.hand[seat])
    if s.phase == CHOOSE and s.over == 0:
        gone = hand | seen_cards(s)
        cards = hand
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            put(out, i + card, card_worth(box, s, seat, card, gone, LATE, PLAIN), WORTH)
            put(out, i + CARDS + card, card_worth(box, s, beside(seat, 1, players), card, gone, LATE, PLAIN), WORTH)
    i += 2 * CARDS
    if s.phase == MOVE and asked:
        camel = int(s.camel)
        places = way(s, camel, seat)
        steps = winning_card(s) % VALUES + 1
        for gems in range(most_gems(box, s, seat) + 1):
            place = stop_on(places, steps + gems)
            put(out, i + gems, place_worth(box, s, seat, camel, place, LATE, PLAIN) - gems, WORTH)
            mark(out, i + 5 + gems * COUNTER, COUNTER, (place - 1) % SHOPS if place else COUNTER - 1)
    i += 5 + 5 * COUNTER
    if s.phase == TAKE and asked:
        if s.gems[seat] >= box.salt_price:
            put(out, i, salt_worth(box, s, LATE, PLAIN), WORTH)
        if s.carpets_left > 0:
            put(out, i + 1, CARPET_WORTH, WORTH)
    i += 2
    if players == 2:
        while hand:
            mark(out, i, CARDS, lowest(hand))
            hand &= hand - 1
            i += CARDS
        i += CARDS * (SLOTS - bits(int(s.hand[seat])))
    return i


def _by_places() -> Ints:
    """Return for each size of a hand which two pairs of places, one to play and one to give, do not overlap."""
    found = np.zeros((SLOTS + 1, SLOT_PAIRS, SLOT_PAIRS), np.int8)
    for (a, b), (c, d) in product(combinations(range(SLOTS), 2), repeat=2):
        found[max(b, d) + 1 :, pair(a, b), pair(c, d)] = len({a, b, c, d}) == 4
    return found.reshape(SLOTS + 1, -1)


BY_PLACES = _by_places()


def numbers(players: int) -> int:
    """Return the size of the compact numbering: with two players, cards are named by their place in the sorted hand."""
    return CHOICE + SLOT_PAIRS * SLOT_PAIRS if players == 2 else actions(players)


@compiled
def mask(box: Record, s: Record, seat: int, actions: Ints, out: Ints) -> None:
    """Write 1 for each legal action; with two players all pairs of places are legal that do not overlap."""
    if s.players != 2 or s.phase != CHOOSE or s.over != 0 or not (int(s.waiting) >> seat) & 1:
        for k in range(legal(box, s, seat, actions)):
            out[actions[k]] = 1
        return
    out[CHOICE:] = BY_PLACES[bits(int(s.hand[seat]))]


@compiled
def compact(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of a legal action for learners: pairs by places in the hand instead of by cards."""
    if s.players != 2 or action < CHOICE:
        return action
    hand = int(s.hand[seat])
    play = places(hand, cards_of((action - CHOICE) // PAIRS, 2))
    give = places(hand, cards_of((action - CHOICE) % PAIRS, 2))
    return CHOICE + play * SLOT_PAIRS + give


@compiled
def places(hand: int, cards: int) -> int:
    """Return the number of a pair of places in the sorted hand."""
    first = cards & -cards
    return pair(bits(hand & (first - 1)), bits(hand & ((cards ^ first) - 1)))


@compiled
def expand(box: Record, s: Record, seat: int, number: int) -> int:
    """Return the action with that number for learners, -1 if there is none now."""
    if s.players != 2 or number < CHOICE:
        return number
    hand = int(s.hand[seat])
    play = cards_at(hand, cards_of((number - CHOICE) // SLOT_PAIRS, 2))
    give = cards_at(hand, cards_of((number - CHOICE) % SLOT_PAIRS, 2))
    if number >= CHOICE + SLOT_PAIRS * SLOT_PAIRS or play == 0 or give == 0 or play & give:
        return -1
    return CHOICE + code_of(play, 2) * PAIRS + code_of(give, 2)


@compiled
def cards_at(hand: int, at: int) -> int:
    """Return the cards in a pair of places of the sorted hand, none if the hand is too small."""
    cards = 0
    place = 0
    while hand:
        if (at >> place) & 1:
            cards |= hand & -hand
        hand &= hand - 1
        place += 1
    return cards if bits(cards) == 2 else 0
