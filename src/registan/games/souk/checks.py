"""Le Marché de Samarkand: what must hold in every state, checked in millions of games; no rule depends on it."""

from __future__ import annotations

import numpy as np

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Record
from registan.games.souk.scoring import of_stall
from registan.games.souk.state import (
    CAMELS,
    CAPACITIES,
    CARDS,
    COUNT,
    NAMES,
    OFFERS,
    RESHUFFLE,
    ROUND_END,
    ROUNDS,
    STALLS,
    VALUES,
    has,
    may_stop,
    on_sale,
    stalls,
)


@compiled
def faults(box: Record, s: Record) -> int:
    """Return 0, or the number of the first check that fails."""
    dirhams = int(s.till)
    for seat in range(s.players):
        if s.money[seat] < 0:
            return 1
        dirhams += int(s.money[seat])
    if dirhams != int(box.dirhams[s.players]) * int(s.players):
        return 2
    if not goods_hold(s):
        return 3
    for seat in range(s.players):
        if of_stall(int(s.goods[seat]), seat):
            return 4
    if not camels_hold(box, s):
        return 5
    if not bank_holds(box, s):
        return 6
    if (s.waiting == 0) != (s.over != 0 or s.due != 0):
        return 7
    if not question_holds(box, s):
        return 8
    return 0 if seals_hold(s) else 9


@compiled
def goods_hold(s: Record) -> bool:
    """Every card is in one place, and every stall turns up one of its ten cards per round."""
    turned = int(s.rounds) - (1 if s.phase == OFFERS else 0)
    for stall in range(STALLS):
        if stall >= stalls(s):
            if s.left[stall] != 0 or s.for_sale[stall] != 0 or s.kind[stall] != 0:
                return False
            continue
        seen = int(s.left[stall])
        if bits(seen) != CARDS - turned or seen >> CARDS:
            return False
        if s.for_sale[stall] != 0:
            if (seen >> (int(s.for_sale[stall]) - 1)) & 1:
                return False
            seen |= 1 << (int(s.for_sale[stall]) - 1)
        for seat in range(s.players):
            cards = of_stall(int(s.goods[seat]), stall)
            if cards & seen:
                return False
            seen |= cards
        for other in range(stall):
            if s.kind[other] == s.kind[stall]:
                return False
    return True


@compiled
def camels_hold(box: Record, s: Record) -> bool:
    """The camels in the pile, face up and with players are those of the box."""
    count = np.zeros(CAPACITIES, np.int64)
    for i in range(box.camel_count):
        count[box.camels[i]] += 1
    for i in range(CAMELS):
        if (s.camels[i] != 0) != (i < s.camels_left):
            return False
        count[s.camels[i]] -= 1
    count[s.camel] -= 1
    for seat in range(s.players):
        for size in range(1, CAPACITIES):
            count[size] -= s.held[seat, size]
    for size in range(1, CAPACITIES):
        if count[size] != 0:
            return False
    return True


@compiled
def bank_holds(box: Record, s: Record) -> bool:
    """The bank's pile, with 3 players, is what its stall has left."""
    count = np.zeros(VALUES, np.int64)
    left = int(s.left[3]) if s.players == 3 else 0
    for card in range(CARDS):
        if (left >> card) & 1:
            count[box.values[card]] += 1
    for i in range(CARDS):
        if (s.bank[i] != 0) != (i < bits(left)):
            return False
        count[s.bank[i]] -= 1
    for value in range(1, VALUES):
        if count[value] != 0:
            return False
    return True


@compiled
def question_holds(box: Record, s: Record) -> bool:
    """The seats to move and the cards on the table fit the current decision."""
    everybody = (1 << int(s.players)) - 1
    if int(s.waiting) & ~everybody or s.doyen < 0 or s.doyen >= s.players:
        return False
    if (s.over != 0) != (s.rounds == ROUNDS + 1) or s.rounds < 1 or s.rounds > ROUNDS + 1:
        return False
    if s.phase == OFFERS:
        return bool(s.price == 0 and s.due == 0 and on_sale(s) == 0 and s.stopped == 0)
    if s.due == RESHUFFLE:
        return bool(s.phase == NAMES and s.price > 0 and s.camel == 0 and s.camels_left > 0)
    if s.due != 0 and (s.due != ROUND_END or s.price != 0):
        return False
    if s.camel == 0 and s.camels_left > 0 and on_sale(s):
        return False  # M10: while goods are left, there is a camel
    if s.phase == COUNT:
        if s.stopped != 0 or (s.price > 0) == (s.due != 0) or s.price > box.highest_price:
            return False
        return int(s.waiting) & ~may_stop(s) == 0
    return bool(s.stopped != 0) and (int(s.stopped) & ~may_stop(s)) | (int(s.waiting) & ~int(s.stopped)) == 0


@compiled
def seals_hold(s: Record) -> bool:
    """Seats that were asked and no longer are have a sealed answer, and nobody else has."""
    asked = 0
    if s.waiting != 0:
        asked = (1 << int(s.players)) - 1
        if s.phase == COUNT:
            asked = may_stop(s)
        elif s.phase == NAMES:
            asked = int(s.stopped)
    for seat in range(s.players):
        answered = has(asked, seat) and not has(int(s.waiting), seat)
        if (s.sealed[seat] != 0) != answered:
            return False
    return True
