"""The souk: what an action seems worth at a glance, in points. Uses only what the seat can see.

With a perfect memory, everybody knows who has which goods, camels and money (see `secrets.py`). So the same estimate
serves for the seat and its rivals: what is this worth to me, and down to which price will they leave it to me?

`weigh` looks with the eye `PLAIN`, `glance` with any; `registan train glance` tunes one by self-play, and what it
found is in `glance.json`.
"""

from __future__ import annotations

from typing import NamedTuple

from registan.core.bits import bits
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
    has,
    may_name,
    stalls,
)

CARELESS = (0.4, 1.5)
"""Carelessness and blunder of the novice of version 1, in points (`bots.novice`); scores are low here."""
TUNING = {"greedy": 0.9}
"""Where the search differs from the default `bots.search_bot.Tuning`; `master@1` plays with it, so it stays."""

EACH_STALL = 1 | 1 << CARDS | 1 << 2 * CARDS | 1 << 3 * CARDS | 1 << 4 * CARDS
"""The first card of every stall. As in a set of goods, each stall or seat has ten bits."""
FIELD = (1 << CARDS) - 1

USUAL = 4  # the price at which to estimate what a dirham is worth to others


class Eye(NamedTuple):
    """What the glance goes by."""

    save: float
    """Points per value for offering a card later, when it is needed more."""
    drift: float
    """Dirhams by which the distance between two players may change in a round."""
    spend: float
    enough: float
    """Points that money can still buy in a round, and how much money buys half of them."""
    fill: float
    luck: float
    """How soon other types catch up with one that has more cards; the share of future cards a seat hopes to get."""
    buy: float
    hope: float
    """Goods, and places on camels, that a seat hopes to buy in a round."""
    future: float
    """Points for goods that a seat hopes to buy in a round."""
    bold: float
    haste: float
    sure: float
    """How likely a rival is to stop at the highest price worth it, how much more for each dirham less, and at most."""
    stake: float
    risk: float
    """The gain wanted from a purchase, as a share of its worth; how likely another who stopped is to name the same."""


PLAIN = Eye(
    save=0.4, drift=2.2, spend=1.4, enough=6.0, fill=0.75, luck=0.4, buy=1.2, hope=0.8, future=0.2, bold=0.2,
    haste=0.08, sure=0.5, stake=0.15, risk=0.35,
)  # fmt: skip
"""Found by self-play among many variants, with 3, 4 and 5 players."""
STEPS = Eye(
    save=0.08, drift=0.4, spend=0.3, enough=1.2, fill=0.15, luck=0.08, buy=0.25, hope=0.15, future=0.1, bold=0.04,
    haste=0.02, sure=0.1, stake=0.04, risk=0.07,
)  # fmt: skip
"""How far tuning first looks to both sides."""


@compiled
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat."""
    glance(box, s, seat, actions, n, out, PLAIN)


@compiled
def glance(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, eye: Eye) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat, to that eye."""
    if s.phase == COUNT:
        out[0] = 0.0
        out[1] = stop_worth(box, s, seat, eye)
        return
    for i in range(n):
        action = int(actions[i])
        out[i] = eye.save * (OFFER - action) if s.phase == OFFERS else name_worth(box, s, seat, action, eye)


@compiled
def tally(box: Record, goods: int) -> tuple[int, int]:
    """Return the number of cards and the sum of values of each stall."""
    counts = 0
    sums = 0
    for card in range(CARDS):
        ones = (goods >> card) & EACH_STALL
        counts += ones
        sums += ones * int(box.values[card])
    return counts, sums


@compiled
def presents_hope(s: Record, seat: int, counts: int, sums: int, eye: Eye) -> float:
    """The best type as presents (M20), less for each card that other types are short of it."""
    lack = 1.0 / (1.0 + eye.fill * (ROUNDS - int(s.rounds)))
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
def harmony_hope(box: Record, s: Record, have: int, coming: int, eye: Eye) -> float:
    """The points for cards of one value (M21), interpolated for those that the seat hopes to get."""
    count = min(have + eye.luck * coming, HARMONY - 1.0)
    whole = min(int(count), HARMONY - 2)
    low = float(box.harmony[s.harmony, whole])
    return low + (count - whole) * (float(box.harmony[s.harmony, whole + 1]) - low)


@compiled
def harmony_gain(box: Record, s: Record, seat: int, card: int, eye: Eye) -> float:
    """What one more card of that value adds to the expected harmony."""
    same = 0
    for i in range(CARDS):
        if box.values[i] == box.values[card]:
            same |= 1 << i
    coming = 0
    for stall in range(stalls(s)):
        if stall != seat:
            coming += bits(int(s.left[stall]) & same)
    have = bits(int(s.goods[seat]) & (same * EACH_STALL))
    return harmony_hope(box, s, have + 1, coming, eye) - harmony_hope(box, s, have, coming, eye)


@compiled
def carried_hope(box: Record, s: Record, points: float, cards: int, room: int, eye: Eye) -> float:
    """What is left of the points for goods if only some can be carried (M19), less for empty places (M22)."""
    rounds = ROUNDS - int(s.rounds)
    final = cards + eye.buy * rounds
    share = (room + eye.hope * rounds) / max(1.0, final)
    points += eye.future * rounds
    if share < 1.0:
        points *= share * (2.0 - share)  # the worst goods are left behind
    return points - float(box.empty) * max(0.0, room - final)


@compiled
def standing(box: Record, s: Record, seat: int, eye: Eye) -> tuple[int, int, int, float, float]:
    """Return the tally of a seat's goods, its capacity, the presents it hopes for, and what it hopes to carry home."""
    goods = int(s.goods[seat])
    counts, sums = tally(box, goods)
    room = capacity(s, seat)
    presents = presents_hope(s, seat, counts, sums, eye)
    return counts, sums, room, presents, carried_hope(box, s, presents, bits(goods), room, eye)


@compiled
def item_worth(box: Record, s: Record, seat: int, item: int, at: tuple[int, int, int, float, float], eye: Eye) -> float:
    """What the item adds to what the seat hopes for."""
    counts, sums, room, points, now = at
    cards = bits(int(s.goods[seat]))
    if item == CAMEL:
        return carried_hope(box, s, points, cards, room + int(s.camel), eye) - now
    stall = item - NAME
    card = int(s.for_sale[stall]) - 1
    counts += 1 << (stall * CARDS)
    sums += int(box.values[card]) << (stall * CARDS)
    points = presents_hope(s, seat, counts, sums, eye) + harmony_gain(box, s, seat, card, eye)
    return carried_hope(box, s, points, cards + 1, room, eye) - now


@compiled
def wealth(box: Record, s: Record, seat: int, money: float, eye: Eye) -> float:
    """The riches (M18) to hope for with that much money, and what it can still buy."""
    rounds = ROUNDS - int(s.rounds)
    drift = 0.5 + eye.drift * rounds
    place = 0.0
    for other in range(s.players):
        if other != seat:
            ahead = float(s.money[other]) - money
            place += max(0.0, min(1.0, 0.5 + (ahead - 0.5) / (2.0 * drift)))
    whole = min(int(place), int(s.players) - 2)
    high = float(box.riches[s.players, whole])
    low = float(box.riches[s.players, whole + 1])
    return high + (place - whole) * (low - high) + eye.spend * rounds * money / (money + eye.enough)


@compiled
def dirham(box: Record, s: Record, seat: int, price: int, eye: Eye) -> float:
    """What each dirham of a price costs the seat, in points."""
    money = float(s.money[seat])
    return (wealth(box, s, seat, money, eye) - wealth(box, s, seat, max(0.0, money - price), eye)) / price


@compiled
def limit(box: Record, s: Record, seat: int, item: int, eye: Eye) -> float:
    """The highest price that the item seems worth to the seat."""
    worth = item_worth(box, s, seat, item, standing(box, s, seat, eye), eye)
    return min(max(0.0, worth) / max(0.05, dirham(box, s, seat, USUAL, eye)), float(s.money[seat]))


@compiled
def lead(box: Record, s: Record, seat: int, item: int, worth: float, each: float, eye: Eye) -> float:
    """How much better it is to stop for the item now than to wait for a lower price, which others may not do."""
    limits = 0  # in sixteenths of a dirham
    highest = 0.0
    for other in range(s.players):
        # A rival who cannot pay even the next price is no reason to stop at this one.
        if other != seat and other != item - NAME and s.money[other] + 1 >= s.price:
            price = limit(box, s, other, item, eye)
            highest = max(highest, price)
            limits |= min(int(16.0 * price), FIELD) << (other * CARDS)
    if s.price > highest + 1.0:
        return -each  # nobody else stops now
    best = stop = wait = 0.0
    for price in range(1, int(s.price) + 1):
        doyen = 0.0  # how likely the doyen is to stop for it, and
        free = 1.0  # how likely none of the others is
        for other in range(s.players):
            below = ((limits >> (other * CARDS)) & FIELD) / 16.0 - price
            if below >= 0.0:
                stops = min(eye.sure, eye.bold + eye.haste * below)
                if other == s.doyen:
                    doyen = stops
                else:
                    free *= 1.0 - stops
        stop = worth - price * each
        if seat != s.doyen:  # M12, M13
            stop = (1.0 - doyen) * (free * stop - (1.0 - free) * ((price + 1) // 2) * each)
        wait = (1.0 - doyen) * free * best
        best = max(stop, wait)
    return stop - wait


@compiled
def stop_worth(box: Record, s: Record, seat: int, eye: Eye) -> float:
    """What stopping now is worth, compared with waiting for a lower price."""
    price = int(s.price)
    if s.money[seat] < price:
        return -float(box.fine)  # M14
    at = standing(box, s, seat, eye)
    worth = -9.0
    wanted = CAMEL
    for item in range(NAME, CAMEL + 1):
        if may_name(s, seat, item):
            here = item_worth(box, s, seat, item, at, eye)
            if here > worth:
                worth = here
                wanted = item
    each = dirham(box, s, seat, price, eye)
    gain = worth - price * each
    return lead(box, s, seat, wanted, worth, each, eye) if gain > eye.stake * worth else min(gain, -0.01)


@compiled
def name_worth(box: Record, s: Record, seat: int, item: int, eye: Eye) -> float:
    """What naming the item is worth, with a dispute in mind (M12, M13)."""
    price = int(s.price)
    if s.money[seat] < price:
        return 0.0
    each = dirham(box, s, seat, price, eye)
    gain = item_worth(box, s, seat, item, standing(box, s, seat, eye), eye) - price * each
    for other in range(s.players):
        rival = other != seat and other != item - NAME and seat != s.doyen and has(int(s.stopped), other)
        if rival and limit(box, s, other, item, eye) >= price:
            lost = 0.0 if other == s.doyen else -0.5 * price * each
            gain += eye.risk * (lost - gain)
    return gain
