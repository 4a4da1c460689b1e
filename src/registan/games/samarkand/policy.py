"""Samarkand: what an action is, for the net that chooses: what it brings at once, to whom else, and what it opens."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.rules import standing
from registan.games.samarkand.bot import best_meeting, card_gain, lonely_families, meeting, rivals_in, rivals_of
from registan.games.samarkand.eye import PLAIN
from registan.games.samarkand.prospects import (
    CARD,
    FIRST,
    NOW,
    POINTS,
    THERE,
    Prospects,
    joined,
    prospects,
    turns_left,
)
from registan.games.samarkand.state import (
    DROP,
    END,
    FAMILIES,
    KEEP,
    MARKERS,
    PASS,
    PLACE,
    SALE,
    SECOND,
    SET,
    SPACES,
    crowded,
    dropped_by,
    hand_count,
    is_land,
    limit,
    reserve,
    stands,
)

VERSION = 1
TRAITS = 80
MARRIAGE, MEETING, CARDS, GOOD, FAMILY, AROUND, OTHER, DISCARD = 3, 26, 37, 40, 48, 56, 61, 68
"""Where in a row are: what a marriage is; for a camel a meeting, gains of cards, the good, its family and what is
around; other actions and sales; what is discarded."""
CARD_HOPE = 1.5
"""What a rival's card is worth, about."""

Spaces: TypeAlias = tuple[int, int, int]


class Table(NamedTuple):
    """What several actions are compared with."""

    cards: Prospects
    rivals: int
    lonely: int
    taken: Spaces
    known: int
    """The cards that no rival can hold."""
    often: float
    """How likely a card that is not known is in a rival's hand."""
    ahead: float
    """Points ahead of the best rival, cards included."""
    left: float
    room: int
    """Cards below the limit (S7)."""


@compiled
def table_of(box: Record, s: Record, seat: int) -> Table:
    """Return what several actions of a seat are compared with."""
    players = int(s.players)
    left = turns_left(s, PLAIN)
    hand = 1 << int(s.good) if s.phase == SALE else int(s.hand[seat])
    cards = prospects(box, s, seat, hand, left, PLAIN)
    known = int(s.hand[seat])
    held = 0
    best = -99.0
    for other in range(players):
        known |= int(s.sold[other])
        if other != seat:
            held += int(s.held[other])
            best = max(best, points_of(s, other) + CARD_HOPE * float(s.held[other]))
    ahead = points_of(s, seat) - best
    for k in range(cards.size):
        ahead += cards.held[k, POINTS]
    often = held / max(1.0, float(int(box.goods) - bits(known)))
    room = limit(box, players) - hand_count(s, seat)
    return Table(cards, rivals_of(s, seat), lonely_families(s), crowded(s), known, often, ahead, left, room)


@compiled
def points_of(s: Record, seat: int) -> float:
    """Return the points of a seat that are open."""
    return float(s.dirhams[seat]) + float(s.goods[seat]) + float(s.relations[seat])


@compiled
def traits(box: Record, s: Record, seat: int, actions: Ints, n: int, worth: Ints, out: Ints) -> None:
    """Write what each of n actions is into the rows of `out`, which are all 0."""
    standing(worth, n, out)
    at = table_of(box, s, seat)
    for i in range(n):
        action = int(actions[i])
        row = out[i]
        if action < PLACE:
            marriage_traits(box, s, seat, action, at, row)
        elif action < END:
            family, space = (action - PLACE) // SPACES, (action - PLACE) % SPACES
            other = host(s, space)
            lonely = meeting_traits(box, s, seat, family, other, space, at, row)
            good_traits(box, s, seat, family, other, space, at, row)
            family_traits(s, family, at, row)
            around_traits(box, s, seat, family, other, space, lonely, at, row)
        elif action >= DROP:
            discard_traits(dropped_by(action), at, row)
        elif action in (END, PASS):
            row[OTHER + action - END] = 1.0
        else:
            row[OTHER + (2 if action < KEEP else 3)] = 1.0
            row[OTHER + 4] = at.cards.held[0, NOW] / 4.0
            row[OTHER + 5] = at.cards.held[0, POINTS] / 4.0
            row[OTHER + 6] = at.cards.held[0, FIRST]


@compiled
def marriage_traits(box: Record, s: Record, seat: int, family: int, at: Table, row: Ints) -> None:
    """Write what it costs to marry into a family, and what it brings (S6 to S8)."""
    cards = at.cards
    gain = 0.0
    for k in range(cards.size):
        steps = int(cards.reach[family, int(cards.held[k, CARD])])
        gain += joined(cards.held, k, family, steps, cards.hope, PLAIN) - cards.held[k, NOW]
    span = 0.0
    reached = 0
    for card in range(int(box.goods)):
        span += cards.hope[cards.reach[family, card]]
        reached += cards.reach[family, card] == 0
    dowry = float(box.dowry[family])
    drawn = max(0, min(at.room, 3)) / 3.0
    row[MARRIAGE] = 1.0
    row[MARRIAGE + 1] = dowry / 6.0
    row[MARRIAGE + 2] = (float(s.dirhams[seat]) - dowry) / 10.0
    row[MARRIAGE + 3] = 1.0 if s.dirhams[seat] - dowry < 3.0 else 0.0
    row[MARRIAGE + 4] = drawn
    row[MARRIAGE + 5] = 1.0 if at.room <= 0 else 0.0
    row[MARRIAGE + 6] = gain / 8.0
    row[MARRIAGE + 7] = span / 8.0
    row[MARRIAGE + 8] = reached / 5.0
    row[MARRIAGE + 9 + min(rivals_in(at.rivals, family), 3)] = 1.0
    row[MARRIAGE + 13] = 1.0 if s.treasury[family] == 0 else 0.0
    row[MARRIAGE + 14] = best_meeting(box, s, seat, family, at.rivals, at.lonely, at.taken, PLAIN) / 6.0
    row[MARRIAGE + 15] = reserve(s, family) / 12.0
    row[MARRIAGE + 16] = bits(int(s.met[family])) / MARKERS
    row[MARRIAGE + 17] = 1.0 if s.met[family] == 0 else 0.0
    row[MARRIAGE + 18] = 1.0 if s.domain[family] == 1 else 0.0
    row[MARRIAGE + 19] = bits(int(s.tiles[seat])) / 5.0
    row[MARRIAGE + 20] = 1.0 if (int(s.tiles[seat]) >> family) & 1 else 0.0
    row[MARRIAGE + 21] = at.left * drawn / 8.0


@compiled
def host(s: Record, space: int) -> int:
    """Return the family that has a camel on a space, -1 if there is none."""
    found = -1
    for family in range(FAMILIES):
        if stands(s, family, space):
            found = family
    return found


@compiled
def meeting_traits(box: Record, s: Record, seat: int, family: int, other: int, space: int, at: Table, row: Ints) -> int:
    """Write what a meeting brings to whom, and whether it ends the game (S16 to S19); return who is lonely then."""
    row[MEETING] = 1.0
    if other < 0 or not is_land(box, space) or (int(s.met[family]) >> other) & 1:
        return at.lonely
    partners, others = bits(int(s.met[family])), bits(int(s.met[other]))
    points = 3.0 + ((int(s.tiles[seat]) >> other) & 1) + (partners < MARKERS) + (others < MARKERS)
    worst = total = 0.0
    for rival in range(s.players):
        if rival != seat:
            gets = 3.0 * ((int(s.tiles[rival]) >> family) & 1) + ((int(s.tiles[rival]) >> other) & 1)
            worst = max(worst, gets)
            total += gets
    lonely = at.lonely - (partners == 0) - (others == 0)
    row[MEETING + 1] = 1.0
    row[MEETING + 2] = points / 6.0
    row[MEETING + 3] = worst / 4.0
    row[MEETING + 4] = total / 8.0
    row[MEETING + 5] = (at.lonely - lonely) / 2.0
    if lonely == 0 or max(partners, others) >= MARKERS - 1:
        lead = at.ahead + points - worst
        row[MEETING + 6] = 1.0
        row[MEETING + 7] = max(-1.5, min(1.5, lead / 10.0))
        row[MEETING + 8] = 1.0 if lead > 0.0 else 0.0
    row[MEETING + 9] = 1.0 if lonely <= 2 else 0.0
    row[MEETING + 10] = 1.0 if max(partners, others) == MARKERS - 2 else 0.0
    return int(lonely)


@compiled
def good_traits(box: Record, s: Record, seat: int, family: int, other: int, space: int, at: Table, row: Ints) -> None:
    """Write what a camel does for the cards in hand, and for those that rivals may hold (S13, S14, S20)."""
    gain, gain_next = card_gain(box, family, space, at.cards, PLAIN)
    row[CARDS] = gain / 6.0
    row[CARDS + 1] = gain_next / 4.0
    row[CARDS + 2] = 1.0 if other >= 0 else 0.0
    good = int(box.good_at[space]) - 1
    if good < 0:
        return
    second = 1 if other >= 0 else 0
    row[GOOD] = 1.0
    row[GOOD + 1] = 1.0 - second
    if (int(s.hand[seat]) >> good) & 1:
        row[GOOD + 2 + second] = 1.0
    elif (at.known >> good) & 1:
        row[GOOD + 6] = 1.0
    else:
        row[GOOD + 4 + second] = at.often


@compiled
def family_traits(s: Record, family: int, at: Table, row: Ints) -> None:
    """Write how the family stands that expands (S10)."""
    partners = bits(int(s.met[family]))
    row[FAMILY + min(rivals_in(at.rivals, family), 3)] = 1.0
    row[FAMILY + 4] = reserve(s, family) / 12.0
    row[FAMILY + 5] = min(1.0, float(s.treasury[family]) / 8.0)
    row[FAMILY + 6] = 1.0 if s.treasury[family] == 0 else 0.0
    row[FAMILY + 7] = partners / MARKERS


@compiled
def around_traits(
    box: Record, s: Record, seat: int, family: int, other: int, space: int, lonely: int, at: Table, row: Ints
) -> None:
    """Write what a camel on a space comes near to, what rivals could make of it, and whom it is in the way of."""
    cards = at.cards
    near = 0.0
    for card in range(int(box.goods)):
        steps, before = int(box.far[space, card]), int(cards.reach[family, card])
        if steps < before and not (at.known >> card) & 1:
            near += cards.hope[steps] - cards.hope[before]
    beside = threat = in_the_way = 0.0
    for third in range(FAMILIES):
        if third in (family, other):
            continue
        touches = on_land = 0
        for w in range(SET):
            there = int(box.near[space, w]) & int(s.route[third, w])
            touches |= there
            on_land |= there & int(box.land[w]) & ~at.taken[w]
        if touches:
            in_the_way += rivals_in(at.rivals, third) - 2.0 * ((int(s.tiles[seat]) >> third) & 1)
        if on_land and not (int(s.met[family]) >> third) & 1:
            beside = max(beside, meeting(s, seat, family, third, 0.0, at.rivals, lonely, PLAIN))
            for rival in range(s.players):
                if rival != seat:
                    threat += ((int(s.tiles[rival]) >> third) | (int(s.tiles[rival]) >> family)) & 1
    row[AROUND] = near / 4.0
    row[AROUND + 1] = near * rivals_in(at.rivals, family) / 4.0
    row[AROUND + 2] = beside / 6.0
    row[AROUND + 3] = threat / 6.0
    row[AROUND + 4] = (in_the_way if other >= 0 else 0.0) / 4.0
    row[TRAITS - 3] = (0.0 if other >= 0 else in_the_way) / 4.0
    row[TRAITS - 2] = 1.0 if s.phase == SECOND else 0.0
    row[TRAITS - 1] = 1.0 if is_land(box, space) else 0.0


@compiled
def discard_traits(dropped: int, at: Table, row: Ints) -> None:
    """Write what is discarded, and what is kept (S8)."""
    held = at.cards.held
    lost = 0.0
    kept = 9.0
    row[DISCARD] = 1.0
    row[DISCARD + 1 + bits(dropped)] = 1.0
    for k in range(at.cards.size):
        if (dropped >> int(held[k, CARD])) & 1:
            lost += held[k, NOW]
            row[DISCARD + 4] += held[k, POINTS] / 8.0
            row[DISCARD + 5] += 0.5 if held[k, THERE] == 2 else 0.0
        else:
            kept = min(kept, held[k, NOW])
    room = at.room + bits(dropped)
    row[DISCARD + 6] = lost / 6.0
    row[DISCARD + 7] = room / 5.0
    row[DISCARD + 8] = max(0.0, lost - kept) / 4.0
