"""Le Marché de Samarkand: the rules M1 to M17 as plain functions over the state; `scoring.py` has the rest."""

from __future__ import annotations

from registan.core.bits import bits
from registan.core.chance import below, shuffle
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.souk.scoring import SCORES, scores, winners
from registan.games.souk.state import (
    CAMEL,
    CARDS,
    COUNT,
    NAME,
    NAMES,
    OFFER,
    OFFERS,
    RESHUFFLE,
    ROUND_END,
    ROUNDS,
    STALLS,
    STATE,
    STOP,
    TEN_ROUNDS,
    TYPES,
    VALUES,
    WAIT,
    actions,
    card_of,
    has,
    may_name,
    may_stop,
    on_sale,
    stalls,
)

__all__ = [
    "MOST",
    "SCORES",
    "STATE",
    "act",
    "actions",
    "breaks",
    "chance",
    "legal",
    "pick",
    "scores",
    "setup",
    "winners",
]

MOST = 10
ONE_IN = 20
"""A random player stops at one in this many prices."""


@compiled
def setup(box: Record, s: Record) -> None:
    """M1 to M4: types, dirhams, the bank's pile, camels and the first doyen."""
    for i in range(TYPES):
        s.kind[i] = i
    shuffle(s.rng, s.kind, TYPES)  # M1: dealt at random
    for i in range(stalls(s), TYPES):
        s.kind[i] = 0
    if s.players == 3:
        for card in range(CARDS):
            s.bank[card] = box.values[card]
        shuffle(s.rng, s.bank, CARDS)  # M2
    for i in range(box.camel_count):
        s.camels[i] = box.camels[i]
    shuffle(s.rng, s.camels, int(box.camel_count))  # M3
    s.doyen = below(s.rng, int(s.players))  # M4: always drawn, so that naming a doyen changes nothing else
    if s.first != 0:
        s.doyen = int(s.first) - 1
        s.first = 0
    begin(box, s)


@compiled
def begin(box: Record, s: Record) -> None:
    """Begin the first round, after everything random has been dealt."""
    for seat in range(s.players):
        s.money[seat] = box.dirhams[s.players]  # M1, M2
    for stall in range(stalls(s)):
        s.left[stall] = (1 << CARDS) - 1
    s.camels_left = box.camel_count
    turn_up_camel(s)  # M3
    s.rounds = 1
    ask_offers(s)


@compiled
def ask_offers(s: Record) -> None:
    """M5: every seller is asked for a card; the bank just turns one up."""
    s.phase = OFFERS
    s.waiting = (1 << int(s.players)) - 1


@compiled
def turn_up_camel(s: Record) -> None:
    """M3, M5, M10, M13: the top camel of the pile, if there is one and none is face up."""
    if s.camel == 0 and s.camels_left > 0:
        s.camels_left -= 1
        s.camel = s.camels[s.camels_left]
        s.camels[s.camels_left] = 0


@compiled
def breaks(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of the rule that an action breaks, 0 if it is legal."""
    if s.over != 0:
        return 17  # M17: the game has ended
    asked = has(int(s.waiting), seat)
    if s.phase == OFFERS:
        if not asked or action <= OFFER or action >= OFFER + VALUES:
            return 5  # M5: every seller offers one card, and nothing else is asked now
        return 0 if card_of(box, int(s.left[seat]), action - OFFER) >= 0 else 5  # M5: a card still there
    if s.phase == COUNT:
        return 0 if asked and action in (WAIT, STOP) else 6  # M6: a seat that could name something may stop
    return 0 if asked and may_name(s, seat, action) else 7  # M7


@compiled
def legal(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
    if s.over != 0 or not has(int(s.waiting), seat):
        return 0
    if s.phase == COUNT:
        out[0], out[1] = WAIT, STOP
        return 2
    count = 0
    if s.phase == OFFERS:
        left = int(s.left[seat])
        last = 0
        for card in range(CARDS):
            value = int(box.values[card])
            if (left >> card) & 1 and value != last:
                out[count] = OFFER + value
                count += 1
                last = value
        return count
    for item in range(NAME, CAMEL + 1):
        if may_name(s, seat, item):
            out[count] = item
            count += 1
    return count


@compiled
def pick(box: Record, s: Record, seat: int, rng: Ints, out: Ints) -> int:
    """Return a legal action at random: rarely a stop, every card equally likely."""
    if s.phase == COUNT:
        return STOP if below(rng, ONE_IN) == 0 else WAIT
    return int(out[below(rng, legal(box, s, seat, out))])


@compiled
def act(box: Record, s: Record, seat: int, action: int) -> None:
    """Seal a legal answer; the last one reveals all and carries them out, up to the next decision or event."""
    s.sealed[seat] = 1 + action
    s.waiting = int(s.waiting) & ~(1 << seat)
    if s.waiting != 0:
        return
    if s.phase == OFFERS:
        open_market(box, s)
    elif s.phase == COUNT:
        open_stops(s)
    else:
        settle(box, s)


@compiled
def open_market(box: Record, s: Record) -> None:
    """M5: the chosen cards, the bank's and a camel are turned up, and the count begins."""
    for stall in range(stalls(s)):
        if stall < s.players:
            value = int(s.sealed[stall]) - 1 - OFFER
            s.sealed[stall] = 0
        else:
            top = bits(int(s.left[stall])) - 1
            value = int(s.bank[top])
            s.bank[top] = 0
        card = card_of(box, int(s.left[stall]), value)
        s.left[stall] = int(s.left[stall]) & ~(1 << card)
        s.for_sale[stall] = 1 + card
    turn_up_camel(s)
    s.price = box.highest_price
    s.phase = COUNT
    ask_price(s)


@compiled
def ask_price(s: Record) -> None:
    """M6: all who may stop are asked; when the price is 0 or nobody may stop, the count is over."""
    s.waiting = may_stop(s) if s.price > 0 else 0
    if s.waiting == 0:
        s.price = 0
        s.due = ROUND_END


@compiled
def open_stops(s: Record) -> None:
    """M15, M16: stops are revealed, and those who stopped choose at once; without any, the count goes on."""
    stopped = 0
    for seat in range(s.players):
        if s.sealed[seat] == 1 + STOP:
            stopped |= 1 << seat
        s.sealed[seat] = 0
    if stopped == 0:
        s.price -= 1
        ask_price(s)
    else:
        s.phase = NAMES
        s.stopped = stopped
        s.waiting = stopped


@compiled
def settle(box: Record, s: Record) -> None:
    """M7, M12 to M14: the names are revealed, fines are paid, and each card that was named is sold or disputed."""
    price = int(s.price)
    able = 0
    for seat in range(s.players):
        if has(int(s.stopped), seat):
            if s.money[seat] >= price:  # M14: judged for all before anything is paid
                able |= 1 << seat
            else:
                fine = min(int(box.fine), int(s.money[seat]))
                s.money[seat] -= fine
                s.till += fine
    for item in range(NAME, CAMEL + 1):
        wanted = 0
        for seat in range(s.players):
            if has(able, seat) and s.sealed[seat] == 1 + item:
                wanted |= 1 << seat
        if wanted:
            sell(s, item, wanted)
    for seat in range(s.players):
        s.sealed[seat] = 0
    s.stopped = 0
    if s.due == 0:
        go_on(s)


@compiled
def sell(s: Record, item: int, wanted: int) -> None:
    """M7, M12, M13: the card goes to the only buyer, or to the doyen, or there is a dispute."""
    price = int(s.price)
    if wanted & (wanted - 1) == 0 or has(wanted, int(s.doyen)):
        buyer = int(s.doyen)  # M12
        if not has(wanted, buyer):
            buyer = bits(wanted - 1)  # the only bit: its seat is the number of bits below it
        pay(s, buyer, item, price)
        if item == CAMEL:
            s.held[buyer, s.camel] += 1  # M8
            s.camel = 0
        else:
            s.goods[buyer] |= 1 << ((item - NAME) * CARDS + int(s.for_sale[item - NAME]) - 1)  # M8
            s.for_sale[item - NAME] = 0
        return
    for seat in range(s.players):
        if has(wanted, seat):
            pay(s, seat, item, (price + 1) // 2)  # M13: half the price, rounded up
    if item == CAMEL:
        s.camels[s.camels_left] = s.camel
        s.camels_left += 1
        s.camel = 0
        s.due = RESHUFFLE
    else:
        s.for_sale[item - NAME] = 0  # M13: it leaves the game


@compiled
def pay(s: Record, seat: int, item: int, dirhams: int) -> None:
    """M7: a buyer's money goes to the seller; for camels and the bank's goods, to the bank."""
    s.money[seat] -= dirhams
    if item - NAME < s.players:
        s.money[item - NAME] += dirhams
    else:
        s.till += dirhams


@compiled
def go_on(s: Record) -> None:
    """M9, M10: a new camel if one is missing while goods are left, and the count goes on one lower."""
    if on_sale(s):
        turn_up_camel(s)
    s.phase = COUNT
    s.price -= 1
    ask_price(s)


@compiled
def chance(box: Record, s: Record) -> None:
    """Carry out the event that is due: the camels are shuffled (M13), or a round ends (M11)."""
    if s.due == RESHUFFLE:
        shuffle(s.rng, s.camels, int(s.camels_left))
        s.due = 0
        go_on(s)
    else:
        end_round(s)


@compiled
def end_round(s: Record) -> None:
    """M11: unsold goods leave the game; M4: the next doyen; M17: ten rounds are the game."""
    for stall in range(STALLS):
        s.for_sale[stall] = 0
    s.due = 0
    s.rounds += 1
    s.doyen = (int(s.doyen) + 1) % int(s.players)
    s.phase = OFFERS
    if s.rounds > ROUNDS:
        s.over = TEN_ROUNDS
    else:
        ask_offers(s)
