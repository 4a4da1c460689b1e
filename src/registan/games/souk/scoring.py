"""Le Marché de Samarkand: the score, M18 to M23, with an exact search for the best goods to carry home.

A player with more goods than the camels carry chooses what to leave (M19). For each type that could be scored as
presents (M20), a table is filled value by value: the best harmony plus presents of that type, for every number of cards
kept of each type. The best entry in which that type has the fewest cards is then traced back to the cards.
"""

from __future__ import annotations

import numpy as np

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import SEATS, Ints, Record
from registan.games.souk.state import CAPACITIES, CARDS, HARMONY, STALLS, VALUES, stalls

SCORES = ("total", "riches", "presents", "harmony", "empty")
WEIGHT = 256
"""Among equal choices the one with the most presents wins; no sum of points is as large as this."""


@compiled
def scores(box: Record, s: Record, out: Ints) -> None:
    """M18 to M22: riches, presents, harmony, and what empty places on camels cost."""
    for seat in range(s.players):
        kept = carried(box, s, seat)
        out[seat, 1] = riches(box, s, seat)
        out[seat, 2] = presents(box, s, seat, kept)
        out[seat, 3] = harmony(box, s, kept)
        out[seat, 4] = -int(box.empty) * max(0, capacity(s, seat) - bits(kept))  # M22
        out[seat, 0] = out[seat, 1] + out[seat, 2] + out[seat, 3] + out[seat, 4]


@compiled
def winners(box: Record, s: Record) -> int:
    """M23: most points; ties are shared."""
    parts = np.zeros((SEATS, 5), np.int64)
    scores(box, s, parts)
    best = 0
    who = 0
    for seat in range(s.players):
        if who == 0 or parts[seat, 0] > best:
            best = int(parts[seat, 0])
            who = 0
        if parts[seat, 0] == best:
            who |= 1 << seat
    return who


@compiled
def riches(box: Record, s: Record, seat: int) -> int:
    """M18: a place is the number of richer players, so that ties share the higher place and skip the next."""
    place = 0
    for other in range(s.players):
        if s.money[other] > s.money[seat]:
            place += 1
    return int(box.riches[s.players, place])


@compiled
def capacity(s: Record, seat: int) -> int:
    """M19: how many goods the camels of a seat can carry."""
    total = 0
    for size in range(CAPACITIES):
        total += size * int(s.held[seat, size])
    return total


@compiled
def of_stall(goods: int, stall: int) -> int:
    """Return the cards of one stall in a set of goods."""
    return (goods >> (stall * CARDS)) & ((1 << CARDS) - 1)


@compiled
def presents(box: Record, s: Record, seat: int, kept: int) -> int:
    """M20: the best of the types, except the seat's own, of which the fewest cards are carried."""
    fewest = CARDS + 1
    best = 0
    for stall in range(stalls(s)):
        if stall == seat:
            continue
        cards = of_stall(kept, stall)
        points = 0
        for card in range(CARDS):
            if (cards >> card) & 1:
                points += int(box.values[card])
        count = bits(cards)
        if count < fewest or (count == fewest and points > best):
            fewest = count
            best = points
    return best


@compiled
def harmony(box: Record, s: Record, kept: int) -> int:
    """M21: points for each value by the number of its cards over all types."""
    total = 0
    for value in range(1, VALUES):
        count = 0
        for card in range(CARDS):
            if box.values[card] == value:
                for stall in range(STALLS):
                    count += (kept >> (stall * CARDS + card)) & 1
        total += harmony_of(box, s, count)
    return total


@compiled
def harmony_of(box: Record, s: Record, count: int) -> int:
    """M21: the points for that many cards of one value."""
    return int(box.harmony[s.harmony, min(count, HARMONY - 1)])


@compiled
def carried(box: Record, s: Record, seat: int) -> int:
    """M19, M23: the goods that a seat carries home, chosen for the best total if the camels cannot carry all."""
    goods = int(s.goods[seat])
    room = capacity(s, seat)
    if bits(goods) <= room:
        return goods  # M19: nothing is left behind while there is room
    if room == 0:
        return 0
    # The seat's cards, counted by value and type.
    own = np.zeros((VALUES, STALLS), np.int64)
    sizes = np.zeros(STALLS, np.int64)
    types = 0
    steps = np.zeros(STALLS, np.int64)  # distance in the table of one more card of a type
    states = 1
    for stall in range(stalls(s)):
        if stall == seat:
            continue
        for card in range(CARDS):
            if (goods >> (stall * CARDS + card)) & 1:
                own[box.values[card], types] += 1
                sizes[types] += 1
        steps[types] = states
        states *= sizes[types] + 1
        types += 1
    table = np.zeros((VALUES, states), np.int64)
    keep = np.zeros((VALUES, STALLS), np.int64)
    best = 0
    for scored in range(types):
        fill(box, s, own, types, steps, scored, table)
        end, points = best_end(table, sizes, types, room, scored)
        if points > best:
            best = points
            trace(box, s, own, types, steps, scored, table, end, keep)
    return set_of(box, s, seat, goods, keep)


@compiled
def fill(box: Record, s: Record, own: Ints, types: int, steps: Ints, scored: int, table: Ints) -> None:
    """Fill the table, one row per value: 0 if no choice leads there, otherwise 1 + the best points so far."""
    counts = np.zeros(STALLS, np.int64)
    states = table.shape[1]
    for value in range(1, VALUES):
        for state in range(states):
            table[value, state] = 0
    for state in range(1, states):
        table[0, state] = 0
    table[0, 0] = 1
    top = 0  # no choice leads beyond this
    for value in range(1, VALUES):
        choices = 1
        for j in range(types):
            choices *= own[value, j] + 1
        for choice in range(choices):
            decode(own, value, types, choice, counts)
            step, points = worth(box, s, value, types, steps, scored, counts)
            for state in range(top + 1):
                before = table[value - 1, state]
                if before != 0:
                    table[value, state + step] = max(table[value, state + step], before + points)
        for j in range(types):
            top += own[value, j] * steps[j]


@compiled
def decode(own: Ints, value: int, types: int, choice: int, counts: Ints) -> None:
    """Write how many cards of a value a choice keeps of each type."""
    for j in range(types):
        counts[j] = choice % (own[value, j] + 1)
        choice //= own[value, j] + 1


@compiled
def worth(box: Record, s: Record, value: int, types: int, steps: Ints, scored: int, counts: Ints) -> tuple[int, int]:
    """Return where in the table keeping these cards of a value leads, and the points it adds."""
    step = 0
    kept = 0
    for j in range(types):
        step += counts[j] * steps[j]
        kept += counts[j]
    present = value * int(counts[scored])
    return step, (present + harmony_of(box, s, kept)) * WEIGHT + present


@compiled
def best_end(table: Ints, sizes: Ints, types: int, room: int, scored: int) -> tuple[int, int]:
    """Return the best entry that fills the camels and has no type with fewer cards than the scored one, if any."""
    end = -1
    best = 0
    for state in range(table.shape[1]):
        if table[VALUES - 1, state] <= best:
            continue
        rest = state
        total = 0
        fewest = CARDS
        count = 0
        for j in range(types):
            here = rest % (sizes[j] + 1)
            rest //= sizes[j] + 1
            total += here
            fewest = min(fewest, here)
            if j == scored:
                count = here
        if total == room and count == fewest:
            end = state
            best = table[VALUES - 1, state]
    return end, best


@compiled
def trace(
    box: Record, s: Record, own: Ints, types: int, steps: Ints, scored: int, table: Ints, end: int, keep: Ints
) -> None:
    """Follow an entry back to the start: how many cards of each value and type are kept."""
    counts = np.zeros(STALLS, np.int64)
    state = end
    for value in range(VALUES - 1, 0, -1):
        choice = 0
        found = False
        while not found:
            decode(own, value, types, choice, counts)
            step, points = worth(box, s, value, types, steps, scored, counts)
            choice += 1
            if step <= state and table[value - 1, state - step] != 0:
                found = bool(table[value - 1, state - step] + points == table[value, state])
        for j in range(types):
            keep[value, j] = counts[j]
        state -= step


@compiled
def set_of(box: Record, s: Record, seat: int, goods: int, keep: Ints) -> int:
    """Return the set of goods with these numbers of cards of each value and type, the first of equal ones."""
    kept = 0
    j = 0
    for stall in range(stalls(s)):
        if stall == seat:
            continue
        for card in range(CARDS):
            one = 1 << (stall * CARDS + card)
            if goods & one and keep[box.values[card], j] > 0:
                keep[box.values[card], j] -= 1
                kept |= one
        j += 1
    return kept
