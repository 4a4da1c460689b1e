"""Samarkand: what the net looks at: the observation without the map, what the cards promise, and who may meet whom.

Which spaces the camels are on is left out, and of the ways only those to goods in hand are kept: how near the families
are to these goods and to each other says most of it, with a tenth of the numbers.
"""

from __future__ import annotations

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.observation import Block, flag, put
from registan.games.samarkand import observe as seen
from registan.games.samarkand.bot import lonely_families, meeting, rivals_of
from registan.games.samarkand.eye import PLAIN
from registan.games.samarkand.prospects import CARD, NOW, prospects, turns_left
from registan.games.samarkand.state import (
    FAMILIES,
    GOODS,
    MARKERS,
    SET,
    TURN,
    crowded,
    free,
)

VERSION = 1
SCALE = 20.0
"""Points that are a clear win."""
PAIRS = FAMILIES * (FAMILIES - 1) // 2
GLANCE = 0.7
"""How much is added to the preference of the net that chooses for a point that an action seems worth at a glance."""
TRAIN = {"inputs": 260, "choices": 14, "samples": 32768, "lamda": 0.95}
"""Where learning differs from the default `lab.train.settings`."""


def layout(players: int) -> tuple[Block, ...]:
    """Return what each input is."""
    return (
        *(block for block in seen.layout(players) if block.name != "camels"),  # `far`: only of cards in hand
        Block("mine_far", (GOODS,), "how near the nearest of the seat's families is to each good in hand"),
        Block("span", (FAMILIES,), "how near each family is to the goods not in hand, in all", 20),
        Block("prospect", (GOODS,), "what each card in hand will bring, at a glance", 8),
        Block("prospects", (1,), "all of it", 60),
        Block("hoped", (players,), "points to be hoped for, of the seat less those of each", 30, -1),
        Block("beside", (PAIRS,), "families that have not met and could meet with one camel"),
        Block("deal", (players,), "the best meeting that each seat could arrange next", 10, -1),
        Block("deals", (players,), "how many meetings it could arrange", 6),
        Block("ends", (players,), "whether one of them would end the game"),
    )


@compiled
def plain(players: int) -> int:
    """Return the length of the observation without the map."""
    return 778 + 19 * players + (31 if players == 2 else 0)


@compiled
def far_at(players: int) -> int:
    """Return where the block `far` of the observation begins."""
    return 286 + players


@compiled
def inputs(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the inputs into `out`, which is all 0; return how many there are."""
    players = int(s.players)
    i = seen.observe(box, s, seat, out[: plain(players)])
    i = only_in_hand(s, seat, out, i)
    cards = prospects(box, s, seat, int(s.hand[seat]), turns_left(s, PLAIN), PLAIN)
    total = 0.0
    for k in range(cards.size):
        put(out, i + int(cards.held[k, CARD]), cards.held[k, NOW], 8.0)
        total += cards.held[k, NOW]
    i = put(out, i + GOODS, total, 60.0)
    mine = total + float(s.dirhams[seat]) + float(s.goods[seat]) + float(s.relations[seat])
    put(out, i, 0.0, 1.0)
    for k in range(1, players):
        other = (seat + k) % players
        points = float(s.dirhams[other]) + float(s.goods[other]) + float(s.relations[other])
        put(out, i + k, mine - points - PLAIN.unseen * float(s.held[other]), 30.0)
    meetings(box, s, seat, out, i + players)
    return i + 4 * players + PAIRS


@compiled
def quiet(box: Record, s: Record) -> bool:
    """Whether a turn begins."""
    return bool(s.phase == TURN)


@compiled
def only_in_hand(s: Record, seat: int, out: Ints, i: int) -> int:
    """Keep of the ways only those to goods in hand; write the nearest of the seat's own, and the sum of the others."""
    far = far_at(int(s.players))
    hand = int(s.hand[seat])
    for family in range(FAMILIES):
        mine = (int(s.tiles[seat]) >> family) & 1
        others = 0.0
        for card in range(GOODS):
            near = out[far + family * GOODS + card]
            if (hand >> card) & 1:
                if mine:
                    out[i + card] = max(out[i + card], near)
            else:
                others += near
                out[far + family * GOODS + card] = 0.0
        put(out, i + GOODS + family, others, 20.0)
    return i + GOODS + FAMILIES


@compiled
def meetings(box: Record, s: Record, seat: int, out: Ints, i: int) -> None:
    """Write which families could meet next, and what each seat could make of it."""
    players = int(s.players)
    taken = crowded(s)
    lonely = lonely_families(s)
    best = i + PAIRS
    for family in range(FAMILIES):
        spaces = free(box, s, family, taken)
        for other in range(FAMILIES):
            if other == family or (int(s.met[family]) >> other) & 1:
                continue
            meet = 0
            for w in range(SET):
                meet |= int(s.route[other, w]) & int(spaces[w]) & int(box.land[w])
            if meet == 0:
                continue
            low, high = min(family, other), max(family, other)
            out[i + high * (high - 1) // 2 + low] = 1.0
            partners = bits(int(s.met[family]))
            others = bits(int(s.met[other]))
            last = max(partners, others) >= MARKERS - 1 or lonely == (partners == 0) + (others == 0)  # S19
            for k in range(players):
                holder = (seat + k) % players
                if (int(s.tiles[holder]) >> family) & 1:
                    worth = meeting(s, holder, family, other, 0.0, rivals_of(s, holder), lonely, PLAIN)
                    put(out, best + k, max(out[best + k] * 10.0, worth), 10.0)
                    put(out, best + players + k, out[best + players + k] * 6.0 + 1.0, 6.0)
                    if last:
                        flag(out, best + 2 * players + k, True)
