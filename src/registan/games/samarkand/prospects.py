"""Samarkand: what the cards in hand will bring, at a glance.

That depends on how many turns are left, and so how likely a family's camels are to reach a space some steps away
(`hope`). What a camel or a marriage would change is worked out from the nearest families of each card, without looking
at all of them again: a search plays millions of moves this way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.samarkand.eye import Eye
from registan.games.samarkand.state import FAMILIES, GOODS, MARKERS, SET, WORD, takes_part

FAR = 15
HELD = 16
"""More cards than anybody has in hand, even before discarding."""
CARD, NOW, THERE, POINTS, FIRST, OWNER, SECOND, FOREIGN, STRANGER, NEXT = range(10)
"""What is noted of a card in hand: its number and what it will bring; the camels on its space and their points; the
hope that one of the seat's families gets there, which one it is, and the hope of a second; the same of other
families."""


class Prospects(NamedTuple):
    """What a seat's cards promise."""

    reach: Ints
    """How many steps every family is from every good."""
    hope: Ints
    """How likely a family gets there, by number of steps; none for one more than FAR."""
    held: Ints
    """A row for each card in hand."""
    size: int


@compiled
def prospects(box: Record, s: Record, seat: int, hand: int, left: float, eye: Eye) -> Prospects:
    """Return what these cards of a seat promise, with so many turns left."""
    reach = ways(box, s)
    tiles = int(s.tiles[seat])
    stride = eye.stride
    if eye.load != 0.0:
        stride *= 1.0 + eye.load * open_goods(s, seat, reach)
    hope = np.empty(FAR + 2, np.float64)
    hope[FAR + 1] = 0.0
    for steps in range(FAR + 1):
        far = float(steps * steps) if eye.bend == 0.0 else float(steps) ** (2.0 + eye.bend)
        hope[steps] = left / (left + stride * far)
    held = np.empty((HELD, NEXT + 1), np.float64)
    size = 0
    while hand:
        note(box, s, held, size, lowest(hand), tiles, reach, hope, eye)
        hand &= hand - 1
        size += 1
    return Prospects(reach, hope, held, size)


@compiled
def note(box: Record, s: Record, held: Ints, k: int, card: int, tiles: int, reach: Ints, hope: Ints, eye: Eye) -> None:
    """Note what a card promises whoever has these families' tiles."""
    mine = 0
    first = second = FAR + 1
    owner = -1
    left = tiles
    while left:
        family = lowest(left)
        left &= left - 1
        steps = int(reach[family, card])
        if steps == 0:
            mine += 1
        elif steps < first:
            second, first, owner = first, steps, family
        else:
            second = min(second, steps)
    there = camels_on(s, int(box.space_of[card]))
    foreign = after = FAR + 1
    stranger = -1
    if eye.foreign != 0.0:
        for family in range(FAMILIES):
            steps = int(reach[family, card])
            if steps > 0 and not (tiles >> family) & 1:
                if steps < foreign:
                    after, foreign, stranger = foreign, steps, family
                else:
                    after = min(after, steps)
    held[k, CARD] = card
    held[k, THERE] = there
    held[k, POINTS] = 3.0 * mine + there
    held[k, FIRST] = hope[first]
    held[k, OWNER] = owner
    held[k, SECOND] = hope[second]
    held[k, FOREIGN] = hope[foreign]
    held[k, STRANGER] = stranger
    held[k, NEXT] = hope[after]
    held[k, NOW] = worth(there, held[k, POINTS], hope[first], hope[second], hope[foreign], eye)


@compiled
def camels_on(s: Record, space: int) -> int:
    """Return how many camels are on a space."""
    count = 0
    for family in range(FAMILIES):
        count += (int(s.route[family, space // WORD]) >> (space % WORD)) & 1
    return count


@compiled
def worth(there: int, points: float, first: float, second: float, foreign: float, eye: Eye) -> float:
    """What a card will bring: points for camels on its space (S20) and those that may come, or a sale."""
    if there == 2:
        return points
    foreign *= eye.foreign * (1.0 - first)
    if there == 1:
        return points + 4.0 * first + foreign
    return 4.0 * (first + eye.both * second) + eye.sale_hope * (1.0 - first) + foreign


@compiled
def nearer(held: Ints, k: int, family: int, steps: int, hope: Ints, eye: Eye) -> float:
    """What a card will bring once one of the seat's families is only so many steps away."""
    there, first, second = int(held[k, THERE]), held[k, FIRST], held[k, SECOND]
    leads = family == int(held[k, OWNER])
    if steps == 0:
        return worth(there + 1, held[k, POINTS] + 4.0, second if leads else first, second, held[k, FOREIGN], eye)
    chance = hope[steps]
    if not leads:
        second = max(second, min(first, chance))
    return worth(there, held[k, POINTS], max(first, chance), second, held[k, FOREIGN], eye)


@compiled
def joined(held: Ints, k: int, family: int, steps: int, hope: Ints, eye: Eye) -> float:
    """What a card will bring once the seat has a tile of that family, too."""
    there, points, first, second = int(held[k, THERE]), held[k, POINTS], held[k, FIRST], held[k, SECOND]
    if steps == 0:
        return worth(there, points + 3.0, first, second, held[k, FOREIGN], eye)
    chance = hope[steps]
    foreign = held[k, NEXT] if family == int(held[k, STRANGER]) else held[k, FOREIGN]
    return worth(there, points, max(first, chance), max(second, min(first, chance)), foreign, eye)


@compiled
def turns_left(s: Record, eye: Eye) -> float:
    """Estimate how many turns everybody has left, from how close the families are to either end (S19)."""
    most = 0
    lonely = 0
    meetings = 0
    families = 0
    for family in range(FAMILIES):
        partners = bits(int(s.met[family]))
        most = max(most, partners)
        lonely += partners == 0 and takes_part(s, family)
        families += takes_part(s, family)
        meetings += partners
    nearest = min(float(MARKERS - most), 1.0 + eye.pace_lonely * lonely)
    return max(0.3, eye.pace + eye.pace_end * nearest + eye.pace_met * (families - meetings))


@compiled
def ways(box: Record, s: Record) -> Ints:
    """Return how many steps every family is from every good."""
    reach = np.empty((FAMILIES, GOODS), np.uint8)
    for family in range(FAMILIES):
        ways_of(box, s, family, reach[family])
    return reach


@compiled
def ways_of(box: Record, s: Record, family: int, reach: Ints) -> None:
    """Write how many steps a family is from every good."""
    reach[:] = FAR
    goods = int(box.goods)  # the compiler unrolls a constant number instead of vectorising: five times as slow
    for w in range(SET):
        here = int(s.route[family, w])
        while here:
            space = w * WORD + lowest(here)
            here &= here - 1
            for card in range(goods):
                reach[card] = min(reach[card], box.far[space, card])


@compiled
def open_goods(s: Record, seat: int, reach: Ints) -> int:
    """Return how many cards in hand none of the seat's families has reached."""
    count = 0
    hand = int(s.hand[seat])
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        reached = 0
        for family in range(FAMILIES):
            if (int(s.tiles[seat]) >> family) & 1 and reach[family, card] == 0:
                reached = 1
        count += 1 - reached
    return count
