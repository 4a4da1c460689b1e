"""Samarkand: what an action seems worth at a glance, in points. Uses only what the seat can see.

Most points are in the cards, and they depend on one estimate: how many turns are left, and so how likely a family's
camels are to reach a space some steps away (`hope`). `weigh` looks with the eye `PLAIN`, `glance` with any; `registan
train --glance` tunes one by self-play, and what it found is in `glance.json`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.samarkand.state import (
    DISCARD,
    END,
    FAMILIES,
    GOODS,
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

CARELESS = (1.5, 4.0)
"""Carelessness and blunder of the novice of version 1, in points (`bots.novice`)."""


class Eye(NamedTuple):
    """What the glance goes by."""

    pace: float
    pace_end: float
    pace_lonely: float
    pace_met: float
    """Turns left: at least, per step to the nearer end, per lonely family, per meeting still to come."""
    stride: float
    load: float
    """How fast hope fades with the distance, and how much faster for each card that is not reached yet."""
    both: float
    """The weight of a seat's second family on a card's space, as it has to get there too."""
    sale_hope: float
    """What a card brings, by a sale or by other families, if none of the seat's families gets there first."""
    sale: float
    """A sale now."""
    marker: float
    """A goods marker."""
    meet: float
    share: float
    """A meeting, and the cost of a dirham for every rival."""
    drawn: float
    spare: float
    span: float
    """What a drawn card brings, one more to choose from, and each good within reach of the family married into."""
    fade: float
    """How soon before the end that is too late."""
    tile: float
    rival: float
    empty: float
    """A family: less for each one that the seat has, and more for each rival who has it, and with an empty treasury."""
    follow: float
    """How much of what the first camel of a turn left over the second one gets."""
    lead: float
    unseen: float
    """The weight of a point ahead when the game ends, and of a rival's card in that."""
    bend: float
    """How much more than quadratically hope fades with the distance."""
    foreign: float
    """What a card brings if a family of others gets to its space."""
    room: float
    """A free place in hand, for the cards of a marriage to come."""
    give: float
    feed: float
    """The cost of being first on the space of a good whose card a rival may hold, and of being second there."""
    beside: float
    expose: float
    """The best meeting next to where a camel stops, and its cost if rivals may arrange one there."""
    thrift: float
    """The cost of a second camel."""
    hasten: float
    """The weight of a point ahead for every lonely family that meets another, as the end comes nearer."""
    join: float
    stock: float
    """The best meeting that a family married into can have at once, and each camel that it has left."""


PLAIN = Eye(
    pace=0.59, pace_end=0.5, pace_lonely=1.1, pace_met=0.12, stride=2.9, load=0.0, both=0.61, sale_hope=0.42, sale=3.0,
    marker=1.0, meet=3.0, share=2.2, drawn=3.2, spare=0.42, span=0.61, fade=0.64, tile=0.56, rival=0.0, empty=0.0,
    follow=0.81, lead=0.42, unseen=1.1, bend=0.0, foreign=0.0, room=0.0, give=0.0, feed=0.0, beside=0.0, expose=0.0,
    thrift=0.0, hasten=0.0, join=0.0, stock=0.0,
)  # fmt: skip
STEPS = Eye(
    pace=0.1, pace_end=0.1, pace_lonely=0.2, pace_met=0.03, stride=0.5, load=0.05, both=0.1, sale_hope=0.1, sale=0.3,
    marker=0.2, meet=0.3, share=0.35, drawn=0.5, spare=0.1, span=0.1, fade=0.1, tile=0.1, rival=0.2, empty=0.3,
    follow=0.1, lead=0.1, unseen=0.2, bend=0.3, foreign=0.3, room=0.4, give=0.4, feed=0.4, beside=0.1, expose=0.4,
    thrift=0.2, hasten=0.05, join=0.1, stock=0.1,
)  # fmt: skip
"""How far tuning first looks to both sides."""

FAR = 15
Look: TypeAlias = tuple[Ints, Ints, Ints]
"""Steps from every family to every good, hope by number of steps, and what each card in hand will bring."""


@compiled
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat."""
    glance(box, s, seat, actions, n, out, PLAIN)


@compiled
def glance(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, eye: Eye) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat, to that eye."""
    left = turns_left(s, eye)
    reach = ways(box, s)
    stride = eye.stride * (1.0 + eye.load * open_goods(s, seat, reach))
    hope = np.zeros(FAR + 1, np.float64)
    for steps in range(FAR + 1):
        far = float(steps * steps) if eye.bend == 0.0 else float(steps) ** (2.0 + eye.bend)
        hope[steps] = left / (left + stride * far)
    cards = np.zeros(GOODS, np.float64)
    hand = int(s.hand[seat])
    while hand:
        cards[lowest(hand)] = prospect(lowest(hand), int(s.tiles[seat]), reach, hope, eye)
        hand &= hand - 1
    look = (reach, hope, cards)
    if s.phase == SALE:
        out[0] = eye.sale
        out[1] = cards[int(s.good)]
    elif s.phase == DISCARD:
        late = left / (left + eye.fade)
        room = limit(box, int(s.players)) - hand_count(s, seat)
        for i in range(n):
            dropped = dropped_by(int(actions[i]))
            out[i] = eye.room * late * min(3, room + bits(dropped))
            while dropped:
                out[i] -= cards[lowest(dropped)]
                dropped &= dropped - 1
    else:
        for i in range(n):
            out[i] = 0.0
            if actions[i] < PLACE:
                out[i] = marriage(box, s, seat, int(actions[i]), left, look, eye)
        weigh_camels(box, s, seat, actions, n, out, look, eye)
        if s.phase == SECOND:
            out[n - 1] += eye.thrift  # to place no second camel


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
    nearer = min(float(MARKERS - most), 1.0 + eye.pace_lonely * lonely)
    return max(0.3, eye.pace + eye.pace_end * nearer + eye.pace_met * (families - meetings))


@compiled
def ways(box: Record, s: Record) -> Ints:
    """Return how many steps every family is from every good."""
    reach = np.empty((FAMILIES, GOODS), np.uint8)
    for family in range(FAMILIES):
        ways_of(box, s, family, reach[family])
    return reach


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
def prospect(card: int, tiles: int, reach: Ints, hope: Ints, eye: Eye) -> float:
    """What a card will bring: points for camels on its space (S20) and those that may come, or a sale."""
    there = 0
    worth = 0.0
    first = 0.0
    second = 0.0
    foreign = 0.0
    for family in range(FAMILIES):
        mine = (tiles >> family) & 1
        steps = int(reach[family, card])
        if steps == 0:
            there += 1
            worth += 4.0 if mine else 1.0
        elif mine:
            second = max(second, min(first, hope[steps]))
            first = max(first, hope[steps])
        else:
            foreign = max(foreign, hope[steps])
    if there == 2:
        return worth
    foreign *= eye.foreign * (1.0 - first)
    if there == 1:
        return worth + 4.0 * first + foreign
    return 4.0 * (first + eye.both * second) + eye.sale_hope * (1.0 - first) + foreign


@compiled
def marriage(box: Record, s: Record, seat: int, family: int, left: float, look: Look, eye: Eye) -> float:
    """What a marriage brings: cards, gains for those in hand, goods within reach; less the dowry."""
    reach, hope, cards = look
    tiles = int(s.tiles[seat])
    worth = -float(box.dowry[family])
    late = left / (left + eye.fade)
    room = limit(box, int(s.players)) - hand_count(s, seat)
    if room > 0:
        worth += (eye.drawn * min(room, 3) + eye.spare * max(3 - room, 0)) * late
    if (tiles >> family) & 1:
        return worth  # S24: a second tile brings cards, no more
    hand = int(s.hand[seat])
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        worth += prospect(card, tiles | (1 << family), reach, hope, eye) - cards[card]
    for card in range(box.goods):
        worth += eye.span * hope[reach[family, card]] * late
    for other in range(s.players):
        if other != seat:
            worth += eye.rival * ((int(s.tiles[other]) >> family) & 1)
    if s.treasury[family] == 0:
        worth += eye.empty
    if eye.join != 0.0:
        worth += eye.join * late * best_meeting(box, s, seat, family, eye)
    worth += eye.stock * late * reserve(s, family)
    return worth - eye.tile * bits(tiles)


@compiled
def best_meeting(box: Record, s: Record, seat: int, family: int, eye: Eye) -> float:
    """Return what the best meeting that a family can have at once would bring the seat if it belonged to it."""
    best = 0.0
    spaces = free(box, s, family, crowded(s))
    for other in range(FAMILIES):
        deal = meeting(s, seat, family, other, 0.0, eye)
        if deal > best:
            for w in range(SET):
                if int(s.route[other, w]) & int(spaces[w]) & int(box.land[w]):
                    best = deal
    return best


@compiled
def weigh_camels(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, look: Look, eye: Eye) -> None:
    """Weigh where camels may be placed, family by family, in the order of legal actions."""
    ahead = lead(s, seat, look[0], eye)
    taken = crowded(s)
    deals = np.zeros(FAMILIES, np.float64)
    risks = np.zeros(FAMILIES, np.float64)
    held = 0
    known = int(s.hand[seat])
    for other in range(s.players):
        known |= int(s.sold[other])
        held += int(s.held[other]) if other != seat else 0
    held_by_rivals = held / max(1.0, float(int(box.goods) - bits(known)))
    then = np.zeros(n, np.float64)
    family = -1
    first = 0
    for i in range(n):
        if actions[i] < PLACE or actions[i] >= END:
            continue
        if (int(actions[i]) - PLACE) // SPACES != family:
            family = (int(actions[i]) - PLACE) // SPACES
            first = i
            for other in range(FAMILIES):
                deals[other] = meeting(s, seat, family, other, ahead, eye)
                risks[other] = danger(s, seat, family, other) if eye.expose != 0.0 else 0.0
        space = (int(actions[i]) - PLACE) % SPACES
        met, met_next, risk = met_there(box, s, space, deals, risks, taken, eye)
        gain, gain_next = card_gain(box, s, seat, family, space, look, eye)
        out[i] = met + gain + eye.beside * met_next - eye.expose * risk
        good = int(box.good_at[space]) - 1
        if good >= 0 and not (known >> good) & 1:
            out[i] -= held_by_rivals * (eye.feed if occupied(s, space) else eye.give)
        then[i] = max(met_next, gain_next)
        last = i + 1 == n or (int(actions[i + 1]) - PLACE) // SPACES != family
        if last and s.phase == TURN and s.treasury[family] > 0:
            add_second_camel(out[first : i + 1], then[first : i + 1], eye)


@compiled
def add_second_camel(out: Ints, then: Ints, eye: Eye) -> None:
    """S10: if two camels may be placed, add what the second brings: next to the first, or the best of the others."""
    for i in range(len(out)):
        for j in range(len(out)):
            if j != i:
                then[i] = max(then[i], out[j])
    for i in range(len(out)):
        out[i] += eye.follow * then[i]


@compiled
def occupied(s: Record, space: int) -> bool:
    """Whether a camel stands on a space."""
    for family in range(FAMILIES):
        if stands(s, family, space):
            return True
    return False


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
    box: Record, s: Record, space: int, deals: Ints, risks: Ints, taken: tuple[int, int, int], eye: Eye
) -> tuple[float, float, float]:
    """Return what meetings and a goods marker bring on a space, the best meeting next to it, and the worst danger."""
    worth = 0.0
    beside = 0.0
    risk = 0.0
    unmarked = box.good_at[space] > 0
    for other in range(FAMILIES):
        if stands(s, other, space):
            unmarked = False
            if is_land(box, space):
                worth += deals[other]
        if deals[other] > beside or risks[other] > risk:
            for w in range(SET):
                if int(s.route[other, w]) & int(box.near[space, w]) & int(box.land[w]) & ~taken[w]:
                    beside = max(beside, deals[other])
                    risk = max(risk, risks[other])
    return worth + (eye.marker if unmarked else 0.0), beside, risk


@compiled
def card_gain(box: Record, s: Record, seat: int, family: int, space: int, look: Look, eye: Eye) -> tuple[float, float]:
    """Return what the cards in hand gain from a camel on a space, and the most from one next to it."""
    reach, hope, cards = look
    worth = 0.0
    beside = 0.0
    hand = int(s.hand[seat])
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        before = reach[family, card]
        if box.far[space, card] < before:
            reach[family, card] = box.far[space, card]
            worth += prospect(card, int(s.tiles[seat]), reach, hope, eye) - cards[card]
            if reach[family, card] == 1:
                beside = max(beside, 4.0 * (1.0 - hope[1]))
            reach[family, card] = before
    return worth, beside


@compiled
def meeting(s: Record, seat: int, family: int, other: int, ahead: float, eye: Eye) -> float:
    """What the first meeting of two families brings (S17, S18); if it ends the game, being ahead counts."""
    if other == family or (int(s.met[family]) >> other) & 1:
        return 0.0
    theirs = 0.0
    for holder in range(s.players):
        if holder != seat:
            theirs += 3.0 * ((int(s.tiles[holder]) >> family) & 1) + ((int(s.tiles[holder]) >> other) & 1)
    partners = bits(int(s.met[family]))
    others = bits(int(s.met[other]))
    worth = eye.meet + ((int(s.tiles[seat]) >> other) & 1) + (partners < MARKERS) + (others < MARKERS)
    worth -= eye.share * theirs / (int(s.players) - 1)
    lonely = 0
    for third in range(FAMILIES):
        lonely += s.met[third] == 0 and takes_part(s, third)
    if max(partners, others) >= MARKERS - 1 or lonely == (partners == 0) + (others == 0):  # S19
        worth += eye.lead * (ahead + worth)
    elif eye.hasten != 0.0:
        worth += eye.hasten * ahead * ((partners == 0) + (others == 0))
    return worth


@compiled
def lead(s: Record, seat: int, reach: Ints, eye: Eye) -> float:
    """How far the seat is ahead of the best rival; cards that it does not see count as average."""
    best = -99.0
    for rival in range(s.players):
        if rival != seat:
            points = float(s.dirhams[rival]) + float(s.goods[rival]) + float(s.relations[rival])
            best = max(best, points + eye.unseen * float(s.held[rival]))
    mine = float(s.dirhams[seat]) + float(s.goods[seat]) + float(s.relations[seat])
    hand = int(s.hand[seat])
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        for family in range(FAMILIES):
            if reach[family, card] == 0:
                mine += 4.0 if (int(s.tiles[seat]) >> family) & 1 else 1.0
    return mine - best
