"""Samarkand: the observation of a seat as numbers.

Seats are relative: 0 is the observing seat. Families, goods and spaces are in the order of the board.
"""

from __future__ import annotations

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.observation import Block, beside, flag, mark, mark_set, put
from registan.games.samarkand.eye import PLAIN
from registan.games.samarkand.prospects import FAR, turns_left, ways_of
from registan.games.samarkand.rules import may_marry
from registan.games.samarkand.state import (
    FAMILIES,
    GOODS,
    MARKERS,
    RESHUFFLES,
    SALE,
    SECOND,
    SET,
    SPACES,
    WORD,
    hand_count,
    limit,
    reserve,
)

VERSION = 1
NEAR = 4.0
NEARNESS = (NEAR / (NEAR + np.arange(FAR + 1))).astype(np.float32)
"""By number of steps."""


def layout(players: int) -> tuple[Block, ...]:
    """Return what each number of an observation is."""
    of_two = (
        Block("twice", (FAMILIES, players), "second tiles, by seat (S24)"),
        Block("removed", (FAMILIES,), "families whose second tile is out of the game (S23)"),
        Block("bag", (1,), "tiles in the bag", FAMILIES),
    )
    return (
        Block("asked", (1,), "1 if the seat is asked"),
        Block("phase", (4,), "the decision: a turn, a second camel, a sale, discards"),
        Block("turn", (players,), "whose turn it is"),
        Block("over", (1,), "1 if the game is over"),
        Block("family", (FAMILIES,), "the family that expands, before its second camel"),
        Block("good", (GOODS,), "the good whose card may be sold"),
        Block("passes", (1,), "seats that passed in a row", players),
        Block("end", (3,), "families without a partner (of 10), most partners (of 5), turns left as estimated (of 8)"),
        Block("deck", (1,), "cards in the deck", GOODS),
        Block("reshuffles", (1,), "reshuffles so far", RESHUFFLES),
        Block("hand", (GOODS,), "cards in hand"),
        Block("dropped", (GOODS,), "the seat's own cards in the discard pile"),
        Block("put_back", (GOODS,), "the seat's own discards that were shuffled into a deck"),
        Block("sold", (GOODS,), "cards sold by anybody"),
        Block("camels_at", (GOODS,), "camels on each good's space", 2),
        Block("mine_at", (GOODS,), "camels of the seat's families there", 2),
        Block("worth", (GOODS,), "points for each card in hand now", 8),
        Block("far", (FAMILIES, GOODS), "how near each family is to each good: 4 / (4 + steps)"),
        Block("tiles", (FAMILIES, players), "who has married into each family, by seat"),
        Block("domain", (FAMILIES,), "tiles left", 2),
        Block("dowry", (FAMILIES,), "dowries", 10),
        Block("may_marry", (FAMILIES,), "whether the seat could marry into it now"),
        Block("treasury", (FAMILIES,), "treasuries", 12),
        Block("reserve", (FAMILIES,), "camels not on the map", 12),
        Block("met", (FAMILIES, FAMILIES), "which families have met"),
        Block("partners", (FAMILIES,), "how many it has met", MARKERS),
        Block("dirhams", (players,), "dirhams by seat", 30),
        Block("goods", (players,), "goods markers by seat", 12),
        Block("relations", (players,), "relationship markers by seat", 12),
        Block("cards", (players,), "cards in hand, by seat", 10),
        Block("drops", (players,), "cards in the discard pile, by who discarded", 10),
        Block("room", (players,), "cards below the limit, by seat", 10),
        Block("open", (players,), "points that are open, by seat: markers and dirhams", 50),
        Block("lead", (players,), "such points of the seat less those of each", 30, -1),
        Block("own", (2,), "points of the seat now: for cards, and in all", 80),
        *(of_two if players == 2 else ()),
        Block("camels", (FAMILIES, SPACES), "the spaces of each family's camels"),
    )


@compiled
def observe(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write what the seat knows into `out`, which is all 0; return how many numbers there are.

    The last block, `camels`, is left out if `out` is too short for it: it is larger than all others.
    """
    return write(box, s, seat, out, (1 << FAMILIES) - 1)


@compiled
def renew(box: Record, before: Record, s: Record, seat: int, out: Ints) -> None:
    """Write what the seat knows over an observation of `before`: most camels stand where they stood."""
    far = before_far(int(s.players))
    camels = len(out) - FAMILIES * SPACES
    out[:far] = 0.0
    out[far + FAMILIES * GOODS : camels] = 0.0
    moved = 0
    for family in range(FAMILIES):
        for w in range(SET):
            changed = int(s.route[family, w]) ^ int(before.route[family, w])
            if changed != 0:
                moved |= 1 << family
            gone = changed & int(before.route[family, w])
            while gone:
                out[camels + family * SPACES + w * WORD + lowest(gone)] = 0.0
                gone &= gone - 1
    write(box, s, seat, out, moved)


@compiled
def before_far(players: int) -> int:
    """Return how many numbers come before the block `far`; the last of them are `worth`."""
    return 22 + players + 8 * GOODS


@compiled
def write(box: Record, s: Record, seat: int, out: Ints, moved: int) -> int:
    """Write what the seat knows, of the map only the families that have moved; return how many numbers there are."""
    players = int(s.players)
    i = put(out, 0, (int(s.waiting) >> seat) & 1, 1.0)
    i = mark(out, i, 4, int(s.phase))
    i = mark(out, i, players, beside(int(s.turn), players - seat, players))
    i = flag(out, i, s.over != 0)
    i = mark(out, i, FAMILIES, int(s.family) if s.phase == SECOND else -1)
    i = mark(out, i, GOODS, int(s.good) if s.phase == SALE else -1)
    i = put(out, i, float(s.passes), float(players))
    i = observe_end(box, s, out, i)
    i = put(out, i, float(s.deck_left), float(GOODS))
    i = put(out, i, float(s.shuffles), float(RESHUFFLES))
    i = observe_cards(box, s, seat, out, i)
    i = observe_ways(box, s, moved, out, i)
    i = observe_families(box, s, seat, out, i)
    i = observe_seats(box, s, seat, out, i)
    if players == 2:
        i = observe_tiles(s.twice, players, seat, out, i)
        i = mark_set(out, i, FAMILIES, int(s.removed))
        i = put(out, i, float(s.bag_left), float(FAMILIES))
    if i < len(out):
        i = observe_camels(s, moved, out, i)
    return i


@compiled
def observe_camels(s: Record, moved: int, out: Ints, i: int) -> int:
    """Write where the camels of the families are that have moved."""
    while moved:
        family = lowest(moved)
        moved &= moved - 1
        for w in range(SET):
            mark_set(out, i + family * SPACES + w * WORD, WORD, int(s.route[family, w]))
    return i + FAMILIES * SPACES


@compiled
def observe_end(box: Record, s: Record, out: Ints, i: int) -> int:
    """Write how near the end is (S19)."""
    alone = 0
    most = 0
    for family in range(int(box.families)):
        partners = bits(int(s.met[family]))
        alone += partners == 0
        most = max(most, partners)
    i = put(out, i, float(alone), float(FAMILIES))
    i = put(out, i, float(most), float(MARKERS))
    return put(out, i, turns_left(s, PLAIN), 8.0)


@compiled
def observe_cards(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write where cards are as far as the seat knows, what is on their spaces, and how near the families are."""
    players = int(s.players)
    sold = 0
    for other in range(players):
        sold |= int(s.sold[other])
    back = 0
    for shuffle in range(RESHUFFLES):
        back |= int(s.put_back[shuffle, seat])
    i = mark_set(out, i, GOODS, int(s.hand[seat]))
    i = mark_set(out, i, GOODS, int(s.dropped[seat]))
    i = mark_set(out, i, GOODS, back)
    i = mark_set(out, i, GOODS, sold)
    camels = i
    mine = camels + GOODS
    worth = mine + GOODS
    for family in range(int(box.families)):
        member = (int(s.tiles[seat]) >> family) & 1
        for w in range(SET):
            here = int(s.route[family, w]) & int(box.with_good[w])
            while here:
                card = int(box.good_at[w * WORD + lowest(here)]) - 1
                here &= here - 1
                out[camels + card] += 0.5
                out[mine + card] += 0.5 * member
                if (int(s.hand[seat]) >> card) & 1:
                    out[worth + card] += 0.125 + 0.375 * member
    return worth + GOODS


@compiled
def observe_ways(box: Record, s: Record, moved: int, out: Ints, i: int) -> int:
    """Write how near the families that have moved are to the goods."""
    after = i + FAMILIES * GOODS
    moved &= (1 << int(box.families)) - 1
    if moved == 0:
        return after
    far = np.empty(GOODS, np.uint8)
    goods = int(box.goods)
    while moved:
        family = lowest(moved)
        moved &= moved - 1
        ways_of(box, s, family, far)
        for card in range(goods):
            out[i + family * GOODS + card] = NEARNESS[far[card]]
    return after


@compiled
def observe_tiles(tiles: Ints, players: int, seat: int, out: Ints, i: int) -> int:
    """Write who has which of the families' tiles."""
    for k in range(players):
        mine = int(tiles[beside(seat, k, players)])
        while mine:
            out[i + lowest(mine) * players + k] = 1.0
            mine &= mine - 1
    return i + FAMILIES * players


@compiled
def observe_families(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write what each family has and who belongs to it."""
    players = int(s.players)
    i = observe_tiles(s.tiles, players, seat, out, i)
    for family in range(FAMILIES):
        put(out, i + family, float(s.domain[family]), 2.0)
        put(out, i + FAMILIES + family, float(box.dowry[family]), 10.0)
        flag(out, i + 2 * FAMILIES + family, family < int(box.families) and may_marry(box, s, seat, family))
        put(out, i + 3 * FAMILIES + family, float(s.treasury[family]), 12.0)
        put(out, i + 4 * FAMILIES + family, float(reserve(s, family)), 12.0)
    i += 5 * FAMILIES
    for family in range(FAMILIES):
        i = mark_set(out, i, FAMILIES, int(s.met[family]))
    for family in range(FAMILIES):
        i = put(out, i, float(bits(int(s.met[family]))), float(MARKERS))
    return i


@compiled
def observe_seats(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write what each seat has, the observing one first, and what its own cards bring."""
    players = int(s.players)
    most = limit(box, players)
    mine = 0.0
    for k in range(players):
        other = beside(seat, k, players)
        points = float(s.dirhams[other]) + float(s.goods[other]) + float(s.relations[other])
        if k == 0:
            mine = points
        put(out, i + k, float(s.dirhams[other]), 30.0)
        put(out, i + players + k, float(s.goods[other]), 12.0)
        put(out, i + 2 * players + k, float(s.relations[other]), 12.0)
        put(out, i + 3 * players + k, float(s.held[other]), 10.0)
        put(out, i + 4 * players + k, float(s.drops[other]), 10.0)
        put(out, i + 5 * players + k, float(max(0, most - hand_count(s, other))), 10.0)
        put(out, i + 6 * players + k, points, 50.0)
        put(out, i + 7 * players + k, mine - points, 30.0)
    i += 8 * players
    cards = 0.0
    worth = before_far(players) - GOODS
    hand = int(s.hand[seat])
    while hand:
        cards += 8.0 * float(out[worth + lowest(hand)])
        hand &= hand - 1
    i = put(out, i, cards, 80.0)
    return put(out, i, mine + cards, 80.0)
