"""Samarkand: what must hold in every state, checked while playing millions of games; no rule depends on it."""

from __future__ import annotations

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Record
from registan.games.samarkand.state import (
    CAMELS,
    DISCARD,
    FAMILIES,
    GOODS,
    MARKERS,
    RESHUFFLES,
    SALE,
    SECOND,
    SET,
    TILE,
    TURN,
    WORD,
    all_cards,
    hand_count,
    limit,
    stands,
    takes_part,
)


@compiled
def faults(box: Record, s: Record) -> int:
    """Return 0, or the number of the first check that fails."""
    for family in range(box.families):
        if not route_holds(box, s, family):
            return 1
    if not spaces_hold(box, s):
        return 2
    if not cards_hold(box, s):
        return 3
    if not limits_hold(box, s):
        return 4
    if not relations_hold(box, s):
        return 5
    if not goods_hold(box, s):
        return 6
    if not money_holds(s):
        return 7
    if not tiles_hold(box, s):
        return 8
    if not memory_holds(s):
        return 9
    return 0 if question_holds(s) else 10


@compiled
def route_holds(box: Record, s: Record, family: int) -> bool:
    """The camels of a family on the map, of 12, are one connected group including its start space."""
    here = (int(s.route[family, 0]), int(s.route[family, 1]), int(s.route[family, 2]))
    count = bits(here[0]) + bits(here[1]) + bits(here[2])
    start = int(box.start[family])
    if count > CAMELS or not stands(s, family, start):
        return False
    a = 1 << start if start < WORD else 0
    b = 1 << (start - WORD) if WORD <= start < 2 * WORD else 0
    c = 1 << (start - 2 * WORD) if start >= 2 * WORD else 0
    for _ in range(count):
        was = (a, b, c)
        for w in range(SET):
            grown = was[w]
            while grown:
                space = w * WORD + lowest(grown)
                grown &= grown - 1
                a |= int(box.near[space, 0]) & here[0]
                b |= int(box.near[space, 1]) & here[1]
                c |= int(box.near[space, 2]) & here[2]
        if a == was[0] and b == was[1] and c == was[2]:
            break
    return a == here[0] and b == here[1] and c == here[2]


@compiled
def spaces_hold(box: Record, s: Record) -> bool:
    """No space holds more than 2 camels, and all are on spaces of the board."""
    for w in range(SET):
        one = 0
        two = 0
        for family in range(FAMILIES):
            here = int(s.route[family, w])
            if here & two:
                return False
            two |= one & here
            one |= here
        inside = min(max(int(box.spaces) - w * WORD, 0), WORD)
        if one >> inside:
            return False
    return True


@compiled
def cards_hold(box: Record, s: Record) -> bool:
    """Each card is in one place: deck, discard pile, a hand, or sold; and the counts are right."""
    seen = 0
    total = 0
    for seat in range(s.players):
        hand, sold, dropped = int(s.hand[seat]), int(s.sold[seat]), int(s.dropped[seat])
        if bits(hand) != s.held[seat] or bits(dropped) != s.drops[seat]:
            return False
        seen |= hand | sold | dropped
        total += int(s.held[seat]) + bits(sold) + int(s.drops[seat])
    for i in range(GOODS):
        if (s.deck[i] > 0) != (i < s.deck_left):
            return False
        if s.deck[i] > 0:
            seen |= 1 << (int(s.deck[i]) - 1)
            total += 1
    return seen == all_cards(box) and total == int(box.goods)


@compiled
def limits_hold(box: Record, s: Record) -> bool:
    """S7: nobody has more cards than allowed, except a player who has just drawn."""
    most = limit(box, int(s.players))
    for seat in range(s.players):
        drawing = s.phase == DISCARD and seat == s.turn
        if hand_count(s, seat) > most + (2 if drawing else 0):
            return False
    return True


@compiled
def relations_hold(box: Record, s: Record) -> bool:
    """All markers are on their stacks or with players; exactly the families that share a land space have met."""
    markers = 0
    for seat in range(s.players):
        markers += int(s.relations[seat])
    for family in range(box.families):
        markers += max(0, MARKERS - bits(int(s.met[family])))
        for other in range(FAMILIES):
            together = 0
            for w in range(SET):
                together |= int(s.route[family, w]) & int(s.route[other, w]) & int(box.land[w])
            if ((int(s.met[family]) >> other) & 1) != (1 if together != 0 and other != family else 0):
                return False
    return markers == int(box.families) * MARKERS


@compiled
def goods_hold(box: Record, s: Record) -> bool:
    """The goods markers are on spaces that no camel has reached, or with players."""
    taken = 0
    for seat in range(s.players):
        taken += int(s.goods[seat])
    for w in range(SET):
        reached = 0
        for family in range(FAMILIES):
            reached |= int(s.route[family, w])
        taken -= bits(reached & int(box.with_good[w]))
    return taken == 0


@compiled
def money_holds(s: Record) -> bool:
    """No dirham is lost or made: players, treasuries and the balance of the supply add up."""
    total = int(s.supply)
    for seat in range(s.players):
        if s.dirhams[seat] < 0:
            return False
        total += int(s.dirhams[seat])
    for family in range(FAMILIES):
        if s.treasury[family] < 0:
            return False
        total += int(s.treasury[family])
    return total == 0


@compiled
def tiles_hold(box: Record, s: Record) -> bool:
    """Each family's 2 tiles are with players, in its domain, in the bag or out of the game."""
    in_bag = 0
    for i in range(FAMILIES):
        if (s.bag[i] > 0) != (i < s.bag_left):
            return False
        if s.bag[i] > 0:
            if (in_bag >> (int(s.bag[i]) - 1)) & 1:
                return False
            in_bag |= 1 << (int(s.bag[i]) - 1)
    for family in range(box.families):
        tiles = int(s.domain[family]) + ((in_bag >> family) & 1) + ((int(s.removed) >> family) & 1)
        for seat in range(s.players):
            tiles += ((int(s.tiles[seat]) >> family) & 1) + ((int(s.twice[seat]) >> family) & 1)
        if tiles != 2 or s.domain[family] < 0:
            return False
    for family in range(box.families, FAMILIES):
        if s.domain[family] != 0 or takes_part(s, family):
            return False
    for seat in range(s.players):
        if int(s.twice[seat]) & ~int(s.tiles[seat]) or (s.twice[seat] != 0 and s.players != 2):
            return False
    return True


@compiled
def memory_holds(s: Record) -> bool:
    """Discards that went back into a deck: other players can only have drawn them since."""
    if s.shuffles > RESHUFFLES:
        return False
    for seat in range(s.players):
        back = 0
        for since in range(RESHUFFLES - 1, -1, -1):
            again = int(s.put_back[since, seat])
            if again & back or (again != 0 and since >= s.shuffles):
                return False
            back |= again
            for other in range(s.players):
                if other != seat and owned(s, other, back) > drawn_since(s, other, since):
                    return False
    return True


@compiled
def owned(s: Record, seat: int, cards: int) -> int:
    """Return how many of these cards a seat holds, has sold, or has discarded since the last reshuffle."""
    return bits((int(s.hand[seat]) | int(s.sold[seat]) | int(s.dropped[seat])) & cards)


@compiled
def drawn_since(s: Record, seat: int, since: int) -> int:
    """Return how many cards a seat has drawn since a reshuffle (numbered from 0)."""
    drawn = 0
    for later in range(since, RESHUFFLES):
        drawn += int(s.drawn[later, seat])
    return drawn


@compiled
def question_holds(s: Record) -> bool:
    """Exactly one seat is to move, the right one, unless the game is over or an event is due."""
    if s.over != 0 or s.due != 0:
        return bool(s.waiting == 0 and (s.due == 0 or s.over == 0) and (s.due != TILE or s.players == 2))
    if s.phase == SALE:
        for seat in range(s.players):
            if (int(s.hand[seat]) >> int(s.good)) & 1:
                return int(s.waiting) == 1 << seat and s.camels > 0
        return False
    expanding = s.camels == 1 if s.phase == SECOND else s.camels == 0
    if s.phase == TURN and s.family != 0:
        return False
    return int(s.waiting) == 1 << int(s.turn) and expanding and s.good == 0 and s.to_draw == 0
