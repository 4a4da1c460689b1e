"""The souk: what an action seems to be worth at a glance, in points. Looks only at what the seat can see.

Everybody's goods, camels and money can be known (see the game's `secrets.py`), so the same estimate serves for oneself
and for the others: what is it worth to me, and down to which price will the others leave it to me?
"""

from __future__ import annotations

from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.souk.scoring import capacity
from registan.games.souk.state import (
    CAMEL,
    CARDS,
    COUNT,
    HARMONY,
    NAME,
    OFFER,
    OFFERS,
    ROUNDS,
    STOP,
    bits,
    card_of,
    has,
    may_name,
    stalls,
)

EACH_STALL = 1 | 1 << CARDS | 1 << 2 * CARDS | 1 << 3 * CARDS | 1 << 4 * CARDS
"""The first card of every stall: a number for each stall fits into a set of goods, ten bits wide."""
FIELD = (1 << CARDS) - 1

DRIFT = 2.2
"""Dirhams by which the distance between two players may change in a round."""
SPEND, ENOUGH = 1.4, 6.0
"""Points that much money can still buy in a round, and the money that buys half of them."""
FILL = 0.75
"""How soon other types catch up with one that has more cards."""
LUCK = 0.4
"""Share of the cards still to come of a value that one hopes to get."""
BUY, HOPE, SPREAD = 1.2, 0.8, 0.25
"""Goods and places on camels one hopes to buy in a round, and how far off that may be."""
FUTURE, KEEP = 0.2, 0.9
"""Points still to come in a round; how much better the goods one keeps are than those one leaves behind."""
BOLD, HASTE, SURE = 0.2, 0.08, 0.5
"""How likely a rival stops: for the highest price that seems worth it, more for each dirham below, and at most."""
USUAL = int(4)
"""A usual price: what a dirham is worth to others is measured by it."""
STAKE = 0.1
"""The share of its worth that one wants to gain by buying something."""
RISK = 0.35
"""How likely it is that another who stopped names the same card."""
REVENUE, HELP, SAVE = 0.15, 0.2, 0.45
"""What to offer: for the price it brings, against what it helps the buyer, and against what it may bring later."""


@compiled
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write what each of n legal actions seems to be worth to the seat into `out`."""
    if s.phase == COUNT:
        out[0] = 0.0
        out[1] = stop_worth(box, s, seat)
    elif s.phase == OFFERS:
        for i in range(n):
            out[i] = offer_worth(box, s, seat, int(actions[i]) - OFFER)
    else:
        for i in range(n):
            out[i] = name_worth(box, s, seat, int(actions[i]))


@compiled
def tally(box: Record, goods: int) -> tuple[int, int]:
    """Return the number of cards and the sum of values of each stall, in fields of ten bits."""
    counts = 0
    sums = 0
    for card in range(CARDS):
        ones = (goods >> card) & EACH_STALL
        counts += ones
        sums += ones * int(box.values[card])
    return counts, sums


@compiled
def presents_hope(s: Record, seat: int, counts: int, sums: int, rounds: int) -> float:
    """The best type as presents (M20), less for each card that other types lack to have as many."""
    lack = 1.0 / (1.0 + FILL * rounds)
    best = 0.0
    for stall in range(stalls(s)):
        points = (sums >> (stall * CARDS)) & FIELD
        if points > best:
            count = (counts >> (stall * CARDS)) & FIELD
            missing = 0
            for other in range(stalls(s)):
                if other != seat:
                    missing += max(0, count - ((counts >> (other * CARDS)) & FIELD))
            best = max(best, points * (1.0 - lack * missing))
    return best


@compiled
def harmony_hope(box: Record, s: Record, have: int, coming: int) -> float:
    """The points for cards of one value (M21), between the lines of the table for those one hopes to get."""
    count = have + LUCK * coming
    whole = int(count)
    if whole >= HARMONY - 1:
        return float(box.harmony[s.harmony, HARMONY - 1])
    low = float(box.harmony[s.harmony, whole])
    return low + (count - whole) * (float(box.harmony[s.harmony, whole + 1]) - low)


@compiled
def still_to_come(s: Record, seat: int) -> int:
    """Return the goods that others have yet to offer."""
    coming = 0
    for stall in range(stalls(s)):
        if stall != seat:
            coming |= int(s.left[stall]) << (stall * CARDS)
    return coming


@compiled
def one_more(box: Record, s: Record, seat: int, goods: int, card: int) -> float:
    """What one more card of that value adds to the harmony one hopes for."""
    same = 0
    for i in range(CARDS):
        if box.values[i] == box.values[card]:
            same |= EACH_STALL << i
    have = bits(goods & same)
    hoped = bits(still_to_come(s, seat) & same)
    return harmony_hope(box, s, have + 1, hoped) - harmony_hope(box, s, have, hoped)


@compiled
def carried_hope(box: Record, points: float, cards: int, room: int, rounds: int) -> float:
    """What is left of points for goods when only so many can be carried (M19), less for empty places (M22)."""
    final = cards + BUY * rounds
    share = (room + HOPE * rounds) / max(1.0, final)
    points += FUTURE * rounds
    if share < 1.0:
        points *= share * (1.0 + KEEP * (1.0 - share))
    empty = room - final
    spread = SPREAD * rounds
    if empty <= -spread:
        return points
    if empty < spread:
        empty = (empty + spread) ** 2 / (4.0 * spread)
    return points - float(box.empty) * empty


@compiled
def standing(box: Record, s: Record, seat: int) -> tuple[int, int, int, float, float]:
    """Return the tally of a seat's goods, its room, the presents it hopes for, and how it will carry them home."""
    rounds = ROUNDS - int(s.rounds)
    goods = int(s.goods[seat])
    counts, sums = tally(box, goods)
    room = capacity(s, seat)
    presents = presents_hope(s, seat, counts, sums, rounds)
    return counts, sums, room, presents, carried_hope(box, presents, bits(goods), room, rounds)


@compiled
def goods_worth(
    box: Record, s: Record, seat: int, stall: int, card: int, at: tuple[int, int, int, float, float]
) -> float:
    """What a card adds to what the seat hopes for."""
    counts, sums, room, _, now = at
    goods = int(s.goods[seat])
    rounds = ROUNDS - int(s.rounds)
    counts += 1 << (stall * CARDS)
    sums += int(box.values[card]) << (stall * CARDS)
    points = presents_hope(s, seat, counts, sums, rounds) + one_more(box, s, seat, goods, card)
    return carried_hope(box, points, bits(goods) + 1, room, rounds) - now


@compiled
def item_worth(box: Record, s: Record, seat: int, item: int, at: tuple[int, int, int, float, float]) -> float:
    """What having the item adds to what the seat hopes for."""
    if item < CAMEL:
        return goods_worth(box, s, seat, item - NAME, int(s.for_sale[item - NAME]) - 1, at)
    _, _, room, presents, now = at
    rounds = ROUNDS - int(s.rounds)
    return carried_hope(box, presents, bits(int(s.goods[seat])), room + int(s.camel), rounds) - now


@compiled
def wealth(box: Record, s: Record, seat: int, money: float) -> float:
    """The riches (M18) one hopes for with that much money, and what it can yet buy."""
    rounds = ROUNDS - int(s.rounds)
    drift = 0.5 + DRIFT * rounds
    place = 0.0
    for other in range(s.players):
        if other != seat:
            ahead = float(s.money[other]) - money
            place += max(0.0, min(1.0, 0.5 + (ahead - 0.5) / (2.0 * drift)))
    whole = min(int(place), int(s.players) - 2)
    high = float(box.riches[s.players, whole])
    low = float(box.riches[s.players, whole + 1])
    return high + (place - whole) * (low - high) + SPEND * rounds * money / (money + ENOUGH)


@compiled
def dirham(box: Record, s: Record, seat: int, price: int) -> float:
    """What each dirham of a price costs the seat, in points."""
    money = float(s.money[seat])
    return (wealth(box, s, seat, money) - wealth(box, s, seat, max(0.0, money - price))) / price


@compiled
def limit(box: Record, s: Record, seat: int, worth: float) -> float:
    """The highest price that something worth so many points is worth to the seat."""
    return min(worth / max(0.05, dirham(box, s, seat, USUAL)), float(s.money[seat]))


@compiled
def lead(box: Record, s: Record, seat: int, item: int, worth: float, each: float) -> float:
    """How much better it is to stop for the item now than to wait for a lower price, which others may not do."""
    limits = 0  # of the others, in fields of ten bits, in sixteenths of a dirham
    highest = 0.0
    for other in range(s.players):
        if other != seat and other != item - NAME and s.money[other] + 1 >= s.price:
            here = limit(box, s, other, item_worth(box, s, other, item, standing(box, s, other)))
            highest = max(highest, here)
            limits |= min(int(16.0 * max(0.0, here)), FIELD) << (other * CARDS)
    if s.price > highest + 1.0:
        return -each  # nobody else stops: a lower price is sure
    best = 0.0
    stop = 0.0
    wait = 0.0
    for price in range(1, int(s.price) + 1):
        doyen = 0.0  # how likely the doyen stops for it (M12), and
        free = 1.0  # how likely none of the others does
        for other in range(s.players):
            below = ((limits >> (other * CARDS)) & FIELD) / 16.0 - price
            if below >= 0.0:
                stops = min(SURE, BOLD + HASTE * below)
                if other == s.doyen:
                    doyen = stops
                else:
                    free *= 1.0 - stops
        stop = worth - price * each
        if seat != s.doyen:
            stop = (1.0 - doyen) * (free * stop - (1.0 - free) * ((price + 1) // 2) * each)  # M13
        wait = (1.0 - doyen) * free * best
        best = max(stop, wait)
    return stop - wait


@compiled
def stop_worth(box: Record, s: Record, seat: int) -> float:
    """What stopping now is worth, compared with waiting for a lower price."""
    price = int(s.price)
    if s.money[seat] < price:
        return -float(box.fine)  # M14
    at = standing(box, s, seat)
    worth = -9.0
    wanted = CAMEL
    for item in range(NAME, CAMEL + 1):
        if may_name(s, seat, item):
            here = item_worth(box, s, seat, item, at)
            if here > worth:
                worth = here
                wanted = item
    each = dirham(box, s, seat, price)
    gain = worth - price * each
    if gain <= STAKE * worth:
        return min(gain, -0.01)
    return lead(box, s, seat, wanted, worth, each)


@compiled
def name_worth(box: Record, s: Record, seat: int, item: int) -> float:
    """What naming the item is worth, with a dispute in mind (M12, M13)."""
    price = int(s.price)
    if s.money[seat] < price:
        return 0.0
    each = dirham(box, s, seat, price)
    gain = item_worth(box, s, seat, item, standing(box, s, seat)) - price * each
    if seat == s.doyen:
        return gain
    for other in range(s.players):
        if other != seat and has(int(s.stopped), other) and other != item - NAME and s.money[other] >= price:
            if limit(box, s, other, item_worth(box, s, other, item, standing(box, s, other))) >= price:
                lost = 0.0 if other == s.doyen else -0.5 * price * each
                gain += RISK * (lost - gain)
    return gain


@compiled
def offer_worth(box: Record, s: Record, seat: int, value: int) -> float:
    """What offering a card of that value is worth: the price it may bring, and how much it helps the buyer."""
    card = card_of(box, int(s.left[seat]), value)
    brings = 0.0
    helps = 0.0
    for other in range(s.players):
        if other != seat:
            worth = goods_worth(box, s, other, seat, card, standing(box, s, other))
            brings = max(brings, limit(box, s, other, worth))
            helps = max(helps, worth)
    return REVENUE * brings - HELP * helps - SAVE * value
