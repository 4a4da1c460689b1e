"""Samarkand: what an action seems worth at a glance, in points. Uses only what the seat can see.

Most points are in the cards (`prospects`). `weigh` looks with the eye `PLAIN`, `glance` with any; `registan train
glance` tunes one by self-play, and what it found is in `glance.json`.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.samarkand.eye import PLAIN, STEPS, Eye
from registan.games.samarkand.prospects import CARD, NOW, POINTS, Prospects, joined, nearer, prospects, turns_left
from registan.games.samarkand.state import (
    DISCARD,
    END,
    FAMILIES,
    MARKERS,
    PLACE,
    SALE,
    SECOND,
    SET,
    SPACES,
    TURN,
    WORD,
    crowded,
    dropped_by,
    free,
    hand_count,
    is_land,
    limit,
    reserve,
    stands,
    takes_part,
)

Spaces: TypeAlias = tuple[int, int, int]
__all__ = ["CARELESS", "PLAIN", "STEPS", "Eye", "glance", "weigh"]

CARELESS = (1.5, 4.0)
"""Carelessness and blunder of the novice of version 1, in points (`bots.novice`)."""
RIVALS = 4
"""Bits for each family in a count of the rivals who have its tile."""
OCCUPIED, OFFERED, MEET = 0, 1, 2
"""Sets of spaces: where camels are, where the family that expands could have any meeting worth having or dangerous, and
MEET + family, where that family can be met."""


@compiled
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat."""
    glance(box, s, seat, actions, n, out, PLAIN)


@compiled
def glance(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, eye: Eye) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat, to that eye."""
    left = turns_left(s, eye)
    hand = 1 << int(s.good) if s.phase == SALE else int(s.hand[seat])
    cards = prospects(box, s, seat, hand, left, eye)
    if s.phase == SALE:
        out[0] = eye.sale
        out[1] = cards.held[0, NOW]
    elif s.phase == DISCARD:
        late = left / (left + eye.fade)
        room = limit(box, int(s.players)) - hand_count(s, seat)
        for i in range(n):
            dropped = dropped_by(int(actions[i]))
            out[i] = eye.room * late * min(3, room + bits(dropped))
            while dropped:
                out[i] -= cards.held[bits(hand & ((dropped & -dropped) - 1)), NOW]  # rows are in the order of cards
                dropped &= dropped - 1
    else:
        rivals, lonely, taken = rivals_of(s, seat), lonely_families(s), crowded(s)
        for i in range(n):
            out[i] = 0.0
            if actions[i] < PLACE:
                out[i] = marriage(box, s, seat, int(actions[i]), left, cards, rivals, lonely, taken, eye)
        weigh_camels(box, s, seat, actions, n, out, cards, rivals, lonely, taken, eye)
        if s.phase == SECOND:
            out[n - 1] += eye.thrift  # to place no second camel


@compiled
def rivals_of(s: Record, seat: int) -> int:
    """Return how many rivals have each family's tile, RIVALS bits for each family."""
    count = 0
    for other in range(s.players):
        if other != seat:
            tiles = int(s.tiles[other])
            while tiles:
                count += 1 << (RIVALS * lowest(tiles))
                tiles &= tiles - 1
    return count


@compiled
def rivals_in(rivals: int, family: int) -> int:
    """Return how many rivals have a family's tile."""
    return (rivals >> (RIVALS * family)) & ((1 << RIVALS) - 1)


@compiled
def lonely_families(s: Record) -> int:
    """Return how many families have met no other."""
    lonely = 0
    for family in range(FAMILIES):
        lonely += s.met[family] == 0 and takes_part(s, family)
    return lonely


@compiled
def marriage(
    box: Record, s: Record, seat: int, family: int, left: float, cards: Prospects, rivals: int, lonely: int,
    taken: Spaces, eye: Eye,
) -> float:  # fmt: skip
    """What a marriage brings: cards, gains for those in hand, goods within reach; less the dowry."""
    worth = -float(box.dowry[family])
    late = left / (left + eye.fade)
    room = limit(box, int(s.players)) - hand_count(s, seat)
    if room > 0:
        worth += (eye.drawn * min(room, 3) + eye.spare * max(3 - room, 0)) * late
    if (int(s.tiles[seat]) >> family) & 1:
        return worth  # S24: a second tile brings cards, no more
    reach, hope = cards.reach, cards.hope
    held = cards.held
    for k in range(cards.size):
        worth += joined(held, k, family, int(reach[family, int(held[k, CARD])]), hope, eye) - held[k, NOW]
    for card in range(box.goods):
        worth += eye.span * hope[reach[family, card]] * late
    worth += eye.rival * rivals_in(rivals, family)
    if s.treasury[family] == 0:
        worth += eye.empty
    if eye.join != 0.0:
        worth += eye.join * late * best_meeting(box, s, seat, family, rivals, lonely, taken, eye)
    worth += eye.stock * late * reserve(s, family)
    return worth - eye.tile * bits(int(s.tiles[seat]))


@compiled
def best_meeting(
    box: Record, s: Record, seat: int, family: int, rivals: int, lonely: int, taken: Spaces, eye: Eye
) -> float:
    """Return what the best meeting that a family can have at once would bring the seat if it belonged to it."""
    best = 0.0
    spaces = free(box, s, family, taken)
    for other in range(FAMILIES):
        deal = meeting(s, seat, family, other, 0.0, rivals, lonely, eye)
        if deal > best:
            for w in range(SET):
                if int(s.route[other, w]) & int(spaces[w]) & int(box.land[w]):
                    best = deal
    return best


@compiled
def weigh_camels(
    box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, cards: Prospects, rivals: int, lonely: int,
    taken: Spaces, eye: Eye,
) -> None:  # fmt: skip
    """Weigh where camels may be placed, family by family, in the order of legal actions."""
    if n == 0 or actions[n - 1] < PLACE:
        return
    ahead = lead(s, seat, cards, eye)
    crowd = np.empty((MEET + FAMILIES, SET), np.int64)
    for w in range(SET):
        crowd[OCCUPIED, w] = 0
        for other in range(FAMILIES):
            crowd[OCCUPIED, w] |= int(s.route[other, w])
            crowd[MEET + other, w] = int(s.route[other, w]) & int(box.land[w]) & ~taken[w]
    deals = np.empty((2, FAMILIES), np.float64)
    held = 0
    known = int(s.hand[seat])
    for other in range(s.players):
        known |= int(s.sold[other])
        held += int(s.held[other]) if other != seat else 0
    held_by_rivals = held / max(1.0, float(int(box.goods) - bits(known)))
    then = np.empty(n, np.float64)
    family = -1
    first = 0
    for i in range(n):
        if actions[i] < PLACE or actions[i] >= END:
            continue
        if (int(actions[i]) - PLACE) // SPACES != family:
            family = (int(actions[i]) - PLACE) // SPACES
            first = i
            offer(s, seat, family, ahead, rivals, lonely, crowd, deals, eye)
        space = (int(actions[i]) - PLACE) % SPACES
        occupied = (int(crowd[OCCUPIED, space // WORD]) >> (space % WORD)) & 1
        met, met_next, risk = met_there(box, s, space, occupied, crowd, deals, eye)
        gain, gain_next = card_gain(box, family, space, cards, eye)
        out[i] = met + gain + eye.beside * met_next - eye.expose * risk
        good = int(box.good_at[space]) - 1
        if good >= 0 and not (known >> good) & 1:
            out[i] -= held_by_rivals * (eye.feed if occupied else eye.give)
        then[i] = max(met_next, gain_next)
        last = i + 1 == n or (int(actions[i + 1]) - PLACE) // SPACES != family
        if last and s.phase == TURN and s.treasury[family] > 0:
            add_second_camel(out[first : i + 1], then[first : i + 1], eye)


@compiled
def offer(
    s: Record, seat: int, family: int, ahead: float, rivals: int, lonely: int, crowd: Ints, deals: Ints, eye: Eye
) -> None:
    """Write what a meeting of a family with each other would bring, how many rivals may arrange it, and where."""
    for w in range(SET):
        crowd[OFFERED, w] = 0
    for other in range(FAMILIES):
        deals[0, other] = meeting(s, seat, family, other, ahead, rivals, lonely, eye)
        deals[1, other] = danger(s, seat, family, other) if eye.expose != 0.0 else 0.0
        if deals[0, other] > 0.0 or deals[1, other] > 0.0:
            for w in range(SET):
                crowd[OFFERED, w] |= crowd[MEET + other, w]


@compiled
def add_second_camel(out: Ints, then: Ints, eye: Eye) -> None:
    """S10: if two camels may be placed, add what the second brings: next to the first, or the best of the others."""
    best = 0
    for i in range(len(out)):
        if out[i] > out[best]:
            best = i
    second = -1e9
    for i in range(len(out)):
        if i != best:
            second = max(second, out[i])
    top = out[best]
    for i in range(len(out)):
        out[i] += eye.follow * max(then[i], second if i == best else top)


@compiled
def danger(s: Record, seat: int, family: int, other: int) -> float:
    """Return the share of rivals who could let two families meet."""
    if other == family or (int(s.met[family]) >> other) & 1:
        return 0.0
    count = 0
    for rival in range(s.players):
        if rival != seat:
            count += ((int(s.tiles[rival]) >> family) | (int(s.tiles[rival]) >> other)) & 1
    return count / (float(s.players) - 1.0)


@compiled
def met_there(
    box: Record, s: Record, space: int, occupied: int, crowd: Ints, deals: Ints, eye: Eye
) -> tuple[float, float, float]:
    """Return what meetings and a goods marker bring on a space, the best meeting next to it, and the worst danger."""
    worth = 0.0
    if occupied:
        if is_land(box, space):
            for other in range(FAMILIES):
                if stands(s, other, space):
                    worth += deals[0, other]
    elif box.good_at[space] > 0:
        worth = eye.marker
    beside = 0.0
    risk = 0.0
    a, b, c = int(box.near[space, 0]), int(box.near[space, 1]), int(box.near[space, 2])
    if (a & crowd[OFFERED, 0]) | (b & crowd[OFFERED, 1]) | (c & crowd[OFFERED, 2]):
        for other in range(FAMILIES):
            if deals[0, other] > beside or deals[1, other] > risk:
                there = MEET + other
                if (a & crowd[there, 0]) | (b & crowd[there, 1]) | (c & crowd[there, 2]):
                    beside = max(beside, deals[0, other])
                    risk = max(risk, deals[1, other])
    return worth, beside, risk


@compiled
def card_gain(box: Record, family: int, space: int, cards: Prospects, eye: Eye) -> tuple[float, float]:
    """Return what the cards in hand gain from a camel on a space, and the most from one next to it."""
    reach, hope, held = cards.reach, cards.hope, cards.held
    worth = 0.0
    beside = 0.0
    for k in range(cards.size):
        card = int(held[k, CARD])
        steps = int(box.far[space, card])
        if steps < reach[family, card]:
            worth += nearer(held, k, family, steps, hope, eye) - held[k, NOW]
            if steps == 1:
                beside = max(beside, 4.0 * (1.0 - hope[1]))
    return worth, beside


@compiled
def meeting(s: Record, seat: int, family: int, other: int, ahead: float, rivals: int, lonely: int, eye: Eye) -> float:
    """What the first meeting of two families brings (S17, S18); if it ends the game, being ahead counts."""
    if other == family or (int(s.met[family]) >> other) & 1:
        return 0.0
    theirs = 3.0 * rivals_in(rivals, family) + rivals_in(rivals, other)
    partners = bits(int(s.met[family]))
    others = bits(int(s.met[other]))
    worth = eye.meet + ((int(s.tiles[seat]) >> other) & 1) + (partners < MARKERS) + (others < MARKERS)
    worth -= eye.share * theirs / (int(s.players) - 1)
    if max(partners, others) >= MARKERS - 1 or lonely == (partners == 0) + (others == 0):  # S19
        worth += eye.lead * (ahead + worth)
    elif eye.hasten != 0.0:
        worth += eye.hasten * ahead * ((partners == 0) + (others == 0))
    return worth


@compiled
def lead(s: Record, seat: int, cards: Prospects, eye: Eye) -> float:
    """How far the seat is ahead of the best rival; cards that it does not see count as average."""
    best = -99.0
    for rival in range(s.players):
        if rival != seat:
            points = float(s.dirhams[rival]) + float(s.goods[rival]) + float(s.relations[rival])
            best = max(best, points + eye.unseen * float(s.held[rival]))
    mine = float(s.dirhams[seat]) + float(s.goods[seat]) + float(s.relations[seat])
    for k in range(cards.size):
        mine += cards.held[k, POINTS]
    return mine - best
