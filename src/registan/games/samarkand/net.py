"""Samarkand: what the nets look at: how the game stands for a seat, with few numbers.

Which camels stand where is left out: how near the families are to goods in hand, by kinds of cards, and what each
action brings (`policy`), say most of it. With all that is known (`observe`) a net learned less in the same time.
"""

from __future__ import annotations

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.observation import Block, beside, flag, mark, put
from registan.games.samarkand.bot import lonely_families
from registan.games.samarkand.eye import PLAIN
from registan.games.samarkand.policy import points_of
from registan.games.samarkand.prospects import CARD, FAR, NOW, POINTS, THERE, Prospects, prospects, turns_left
from registan.games.samarkand.state import FAMILIES, GOODS, MARKERS, SET, TURN, WORD, hand_count, limit, reserve

VERSION = 2
SCALE = 20.0
"""Points that are a clear win."""
GLANCE = 0.7
"""How much is added to the preference of the net that chooses for a point that an action seems worth at a glance."""
TRAIN = {"inputs": 80, "choices": 14, "lamda": 0.95, "rate": 1e-3, "alone": 0.3, "greedy": 0.5}
"""Where learning differs from the default `lab.train.settings`."""
LONELY, RIVAL, KINDS, OWN = FAMILIES + 1, 6, 24, 7


def layout(players: int) -> tuple[Block, ...]:
    """Return what each input is."""
    return (
        Block("turn", (players,), "whose turn it is"),
        Block("phase", (4,), "the decision: a turn, a second camel, a sale, discards"),
        Block("lonely", (LONELY,), "how many families have met no other"),
        Block("partners", (MARKERS + 1,), "the most partners of a family"),
        Block("left", (1,), "turns left as estimated", 8),
        Block("meetings", (1,), "meetings so far, each counted twice", 40),
        Block("deck", (1,), "cards in the deck", GOODS),
        Block("dirhams", (1,), "dirhams", 40),
        Block("goods", (1,), "goods markers", 20),
        Block("relations", (1,), "relationship markers", 20),
        Block("cards", (2,), "cards in hand, and below the limit", 10),
        Block("full", (1,), "1 at the limit"),
        Block("worth", (2,), "points for cards in hand now, and what they promise", 60),
        Block("lead", (4,), "ahead of the best rival, as it stands and as promised: in all, and if ahead", 20, -1),
        Block(
            "rivals",
            (players - 1, RIVAL),
            "by rival: behind, dirhams, cards, families, room, what a card brings",
            1,
            -1,
        ),
        Block("kinds", (KINDS,), "cards in hand by camels on their space and steps of the nearest families", 2),
        Block("own", (OWN,), "the seat's families: camels, treasuries, partners; and those it could marry into", 1),
    )


@compiled
def inputs(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the inputs into `out`, which is all 0; return how many there are."""
    players = int(s.players)
    left = turns_left(s, PLAIN)
    cards = prospects(box, s, seat, int(s.hand[seat]), left, PLAIN)
    i = mark(out, 0, players, beside(int(s.turn), players - seat, players))
    i = mark(out, i, 4, int(s.phase))
    i = mark(out, i, LONELY, lonely_families(s))
    most = meetings = 0
    for family in range(FAMILIES):
        partners = bits(int(s.met[family]))
        most = max(most, partners)
        meetings += partners
    i = mark(out, i, MARKERS + 1, min(most, MARKERS))
    now = later = 0.0
    for k in range(cards.size):
        now += cards.held[k, POINTS]
        later += cards.held[k, NOW]
    room = limit(box, players) - hand_count(s, seat)
    i = put(out, i, left, 8.0)
    i = put(out, i, float(meetings), 40.0)
    i = put(out, i, float(s.deck_left), float(GOODS))
    i = put(out, i, float(s.dirhams[seat]), 40.0)
    i = put(out, i, float(s.goods[seat]), 20.0)
    i = put(out, i, float(s.relations[seat]), 20.0)
    i = put(out, i, float(s.held[seat]), 10.0)
    i = put(out, i, float(max(0, room)), 10.0)
    i = flag(out, i, room <= 0)
    i = put(out, i, now, 60.0)
    i = put(out, i, later, 60.0)
    mine = points_of(s, seat)
    best = rivals(box, s, seat, mine + later, out, i + 4)
    put(out, i, mine + now - best, 20.0)
    put(out, i + 1, mine + later - best, 20.0)
    put(out, i + 2, max(0.0, mine + now - best), 20.0)
    put(out, i + 3, max(0.0, mine + later - best), 20.0)
    i += 4 + RIVAL * (players - 1)
    kinds(s, seat, cards, out, i)
    own(box, s, seat, out, i + KINDS)
    return i + KINDS + OWN


@compiled
def quiet(box: Record, s: Record) -> bool:
    """Whether a turn begins."""
    return bool(s.phase == TURN)


@compiled
def rivals(box: Record, s: Record, seat: int, mine: float, out: Ints, i: int) -> float:
    """Write how the rivals stand, the next one first; return what the best of them may count on."""
    players = int(s.players)
    known = int(s.hand[seat])
    for other in range(players):
        known |= int(s.sold[other])
    best = -99.0
    for k in range(1, players):
        other = beside(seat, k, players)
        each = random_card(box, s, other, known)
        total = points_of(s, other) + each * float(s.held[other])
        best = max(best, total)
        i = put(out, i, mine - total, 40.0)
        i = put(out, i, float(s.dirhams[other]), 40.0)
        i = put(out, i, float(s.held[other]), 10.0)
        i = put(out, i, float(bits(int(s.tiles[other]))), 10.0)
        i = put(out, i, float(max(0, limit(box, players) - hand_count(s, other))), 10.0)
        i = put(out, i, each, 8.0)
    return best


@compiled
def random_card(box: Record, s: Record, seat: int, known: int) -> float:
    """Return what a card that nobody has seen brings a seat as camels stand now, on average."""
    unseen = ((1 << int(box.goods)) - 1) & ~known
    total = 0.0
    for family in range(FAMILIES):
        member = (int(s.tiles[seat]) >> family) & 1
        for w in range(SET):
            here = int(s.route[family, w]) & int(box.with_good[w])
            while here:
                card = int(box.good_at[w * WORD + lowest(here)]) - 1
                here &= here - 1
                if (unseen >> card) & 1:
                    total += 1.0 + 3.0 * member
    return total / max(1.0, float(bits(unseen)))


@compiled
def kinds(s: Record, seat: int, cards: Prospects, out: Ints, i: int) -> None:
    """Count the cards in hand by the camels on their space, whose they are, and how near the next ones are."""
    for k in range(cards.size):
        there = int(cards.held[k, THERE])
        mine = int((cards.held[k, POINTS] - there) / 3.0 + 0.5)
        first, second, foreign = nearest(s, seat, cards, int(cards.held[k, CARD]))
        if there == 2:
            kind = mine
        elif there == 1 and mine == 1:
            kind = 3 + min(second, 4)
        elif there == 1:
            kind = 8 + min(first, 5)
        else:
            kind = 14 + min(first, 5)
            other = i + 19 + min(foreign, 4)
            out[other] = min(1.0, out[other] + 0.5)
        out[i + kind] = min(1.0, out[i + kind] + 0.5)


@compiled
def nearest(s: Record, seat: int, cards: Prospects, card: int) -> tuple[int, int, int]:
    """Return the steps to a good of the seat's two nearest families that are not there, and of the nearest other."""
    first = second = foreign = FAR
    for family in range(FAMILIES):
        steps = int(cards.reach[family, card])
        if steps == 0:
            continue
        if (int(s.tiles[seat]) >> family) & 1:
            if steps < first:
                second, first = first, steps
            else:
                second = min(second, steps)
        else:
            foreign = min(foreign, steps)
    return first, second, foreign


@compiled
def own(box: Record, s: Record, seat: int, out: Ints, i: int) -> None:
    """Write what the seat's families still have, and how many it could marry into."""
    stock = paying = open_meetings = lonely = money = left = able = 0.0
    for family in range(FAMILIES):
        if (int(s.tiles[seat]) >> family) & 1:
            camels = float(reserve(s, family))
            stock += camels
            paying += 1.0 if camels > 0.0 and s.treasury[family] > 0 else 0.0
            open_meetings += float(MARKERS - bits(int(s.met[family])))
            lonely += 1.0 if s.met[family] == 0 else 0.0
            money += float(s.treasury[family])
        elif s.domain[family] > 0:
            left += 1.0
            able += 1.0 if s.dirhams[seat] >= box.dowry[family] else 0.0
    i = put(out, i, stock, 60.0)
    i = put(out, i, paying, 5.0)
    i = put(out, i, open_meetings, 20.0)
    i = put(out, i, lonely, 5.0)
    i = put(out, i, money, 40.0)
    i = put(out, i, left, 10.0)
    put(out, i, able, 10.0)
