"""Samarkand: the rules S1 to S24 as plain functions over the state (S25 is in `secrets`)."""

from __future__ import annotations

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.chance import below, shuffle
from registan.core.compiled import compiled
from registan.core.game import SEATS, Ints, Record
from registan.games.samarkand.state import (
    ACTIONS,
    DISCARD,
    DROP,
    END,
    FAMILIES,
    KEEP,
    MARRY,
    PASS,
    PLACE,
    SALE,
    SECOND,
    SELL,
    SET,
    SPACES,
    STATE,
    TURN,
    WORD,
    actions,
    crowded,
    drop_of,
    dropped_by,
    free,
    hand_count,
    limit,
    reserve,
    stands,
)
from registan.games.samarkand.turns import (
    act,
    chance,
    ending,
    may_go_on,
    may_place,
    pay,
    take_card,
)

__all__ = [
    "MOST",
    "SCORES",
    "STATE",
    "act",
    "actions",
    "breaks",
    "chance",
    "legal",
    "pick",
    "scores",
    "setup",
    "winners",
]

MOST = FAMILIES + FAMILIES * SPACES
SCORES: tuple[str, ...] = ("total", "cards", "goods", "relations", "dirhams")


@compiled
def setup(box: Record, s: Record) -> None:
    """S1 to S4, S23: camels and tiles in their places, cards dealt, a start player named or drawn by lot."""
    goods, families = int(box.goods), int(box.families)
    for card in range(goods):
        s.deck[card] = card + 1
    shuffle(s.rng, s.deck, goods)
    s.deck_left = goods
    for seat in range(s.players):
        for _ in range(2):
            take_card(s, seat)  # S3
    if s.players == 2:
        for family in range(families):
            s.bag[family] = family + 1
        shuffle(s.rng, s.bag, families)
    first = below(s.rng, int(s.players))  # S4: always drawn, so that naming a start player changes nothing else
    if s.first != 0:
        first = int(s.first) - 1
        s.first = 0
    furnish(box, s, first)


@compiled
def furnish(box: Record, s: Record, first: int) -> None:
    """S1, S4: the part of the setup that does not depend on the deal."""
    for family in range(box.families):
        start = int(box.start[family])
        s.route[family, start // WORD] = 1 << (start % WORD)
        s.domain[family] = 1 if s.players == 2 else 2  # S23
    s.bag_left = box.families if s.players == 2 else 0
    for seat in range(s.players):
        pay(s, seat, 10)
    s.turn = first
    s.waiting = 1 << first


@compiled
def breaks(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of the rule that an action breaks, 0 if it is legal."""
    if s.over != 0:
        return 19  # S19: the game has ended
    if s.phase != SALE:
        return breaks_in(box, s, int(s.phase), int(s.turn), seat, action)
    if (int(s.waiting) >> seat) & 1:
        return 0 if action in (SELL + int(s.good), KEEP + int(s.good)) else 14
    # S14: nobody else may learn that a seat is asked, so the others get the same answer as if it were not.
    if may_go_on(box, s):
        rule = breaks_in(box, s, SECOND, int(s.turn), seat, action)
    elif ending(s):
        rule = 19
    else:
        rule = breaks_in(box, s, TURN, (int(s.turn) + 1) % int(s.players), seat, action)
    return rule if rule else 14


@compiled
def breaks_in(box: Record, s: Record, phase: int, turn: int, seat: int, action: int) -> int:
    """Return the rule that an action would break in that phase of that player's turn."""
    if seat != turn or s.due != 0:
        return 4  # S4: not this player's turn
    if phase == DISCARD:
        return breaks_discard(box, s, seat, action)
    if phase == SECOND:
        if action == END:
            return 0
        if action < PLACE or action >= END or (action - PLACE) // SPACES != s.family:
            return 10  # S10: a second camel of the same family, or none
        return breaks_place(box, s, seat, action)
    if MARRY <= action < PLACE:
        return 0 if may_marry(box, s, seat, action - MARRY) else 6
    if PLACE <= action < END:
        return breaks_place(box, s, seat, action)
    return 0 if action == PASS and not may_act(box, s, seat) else 5  # S5


@compiled
def may_marry(box: Record, s: Record, seat: int, family: int) -> bool:
    """S6, S24: whether the seat has the dowry, a tile is left, and it is the seat's first unless two play."""
    mine = (int(s.tiles[seat]) >> family) & 1
    return bool(s.dirhams[seat] >= box.dowry[family] and s.domain[family] > 0 and (mine == 0 or s.players == 2))


@compiled
def breaks_place(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the rule that placing a camel would break."""
    family = (action - PLACE) // SPACES
    space = (action - PLACE) % SPACES
    if not (int(s.tiles[seat]) >> family) & 1 or reserve(s, family) == 0:
        return 10  # S10: one of the seat's families, with camels left
    where = free(box, s, family, crowded(s))
    return 0 if (where[space // WORD] >> (space % WORD)) & 1 else 11


@compiled
def breaks_discard(box: Record, s: Record, seat: int, action: int) -> int:
    """S7, S8: none, one or two unsold cards, within the limit afterwards."""
    if action < DROP or action >= ACTIONS:
        return 8
    cards = dropped_by(action)
    if cards & ~int(s.hand[seat]):
        return 8
    return 0 if hand_count(s, seat) - bits(cards) <= limit(box, int(s.players)) else 7


@compiled
def may_act(box: Record, s: Record, seat: int) -> bool:
    """S5: whether a player can marry or expand."""
    for family in range(FAMILIES):
        if may_marry(box, s, seat, family):
            return True
    taken = crowded(s)
    for family in range(FAMILIES):
        if (int(s.tiles[seat]) >> family) & 1 and may_place(box, s, family, taken):
            return True
    return False


@compiled
def legal(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
    if s.over != 0 or not (int(s.waiting) >> seat) & 1:
        return 0
    if s.phase == DISCARD:
        return legal_discards(box, s, seat, out)
    if s.phase == SALE:
        out[0] = SELL + int(s.good)
        out[1] = KEEP + int(s.good)
        return 2
    count = 0
    if s.phase == SECOND:
        count = list_places(box, s, int(s.family), crowded(s), out, 0)
        out[count] = END
        return count + 1
    for family in range(FAMILIES):
        if may_marry(box, s, seat, family):
            out[count] = MARRY + family
            count += 1
    taken = crowded(s)
    for family in range(FAMILIES):
        if (int(s.tiles[seat]) >> family) & 1 and reserve(s, family) > 0:
            count = list_places(box, s, family, taken, out, count)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@compiled
def list_places(box: Record, s: Record, family: int, taken: tuple[int, int, int], out: Ints, count: int) -> int:
    """S11: append where a family may place a camel to the first `count` in `out`; return how many there are."""
    where = free(box, s, family, taken)
    base = PLACE + family * SPACES
    for w in range(SET):
        here = where[w]
        while here:
            out[count] = base + w * WORD + lowest(here)
            here &= here - 1
            count += 1
    return count


@compiled
def legal_discards(box: Record, s: Record, seat: int, out: Ints) -> int:
    """S8: none, each card, each pair, if within the limit afterwards."""
    hand = int(s.hand[seat])
    surplus = hand_count(s, seat) - limit(box, int(s.players))
    count = 0
    if surplus <= 0:
        out[count] = DROP
        count += 1
    if surplus <= 1:
        rest = hand
        while rest:
            out[count] = drop_of(lowest(rest), -1)
            rest &= rest - 1
            count += 1
    uppers = hand
    while uppers:
        b = lowest(uppers)
        uppers &= uppers - 1
        lowers = hand & ((1 << b) - 1)
        while lowers:
            out[count] = drop_of(lowest(lowers), b)
            lowers &= lowers - 1
            count += 1
    return count


@compiled
def pick(box: Record, s: Record, seat: int, rng: Ints, out: Ints) -> int:
    """Return a legal action, all equally likely."""
    return int(out[below(rng, legal(box, s, seat, out))])


@compiled
def scores(box: Record, s: Record, out: Ints) -> None:
    """S20, S21: cards in hand by the camels on their spaces, goods and relationship markers, dirhams."""
    for seat in range(s.players):
        cards = 0
        hand = int(s.hand[seat])
        while hand:
            space = int(box.space_of[lowest(hand)])
            hand &= hand - 1
            for family in range(FAMILIES):
                if stands(s, family, space):
                    cards += 4 if (int(s.tiles[seat]) >> family) & 1 else 1
        out[seat, 1], out[seat, 2], out[seat, 3], out[seat, 4] = (
            cards,
            s.goods[seat],
            s.relations[seat],
            s.dirhams[seat],
        )
        out[seat, 0] = cards + int(s.goods[seat]) + int(s.relations[seat]) + int(s.dirhams[seat])


@compiled
def winners(box: Record, s: Record) -> int:
    """S22: most points; ties are shared."""
    parts = np.zeros((SEATS, 5), np.int64)
    scores(box, s, parts)
    best = -1
    who = 0
    for seat in range(s.players):
        if parts[seat, 0] > best:
            best = parts[seat, 0]
            who = 0
        if parts[seat, 0] == best:
            who |= 1 << seat
    return who
