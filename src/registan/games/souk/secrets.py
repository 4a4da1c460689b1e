"""Le Marché de Samarkand: who knows what (M24), with a perfect memory.

Money. Everybody starts with the same sum, and every payment is public: who bought what from whom at what price, who
paid half in a dispute, who was fined for naming a card without being able to pay. Whether somebody can pay follows from
what that player has, and so does whether a dirham is left for the fine. So a perfect memory knows all money although it
is behind screens: `hide` keeps it, and the bank's till.

Goods and camels. Camels are face up when they are bought, and so are the goods that the option `hidden_purchases` hides
afterwards: `hide` keeps who has what. What a seller has left follows by elimination, and so do the contents of the
camel pile and the bank's.

Secret are the order of these two piles, from the first card on (a camel that returns after a dispute is shuffled in),
and sealed answers until the last one is given. Who has answered is public. `view` shows only what is visible on the
table, which is less.
"""

from __future__ import annotations

import numpy as np

from registan.core import chance as dice
from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.souk.rules import ONE_IN
from registan.games.souk.state import (
    ACTIONS,
    CAMEL,
    CAMELS,
    CAPACITIES,
    CARDS,
    COUNT,
    NAME,
    NAMES,
    OFFER,
    OFFERS,
    STOP,
    WAIT,
    has,
    may_name,
    may_stop,
)


@compiled
def hide(box: Record, s: Record, seat: int) -> None:
    """Blank everything that the seat (or SPECTATOR) cannot know."""
    for i in range(4):
        s.rng[i] = 0
    for i in range(CAMELS):
        s.camels[i] = 0
    for i in range(CARDS):
        s.bank[i] = 0
    for other in range(s.players):
        if other != seat:
            s.sealed[other] = 0


@compiled
def guess(box: Record, s: Record, seat: int, rng: Ints) -> None:
    """Deal what `hide` blanked at random, consistent with what the seat knows."""
    guess_camels(box, s, rng)
    if s.players == 3:
        guess_bank(box, s, rng)
    if s.waiting != 0:
        for other in range(s.players):
            if other != seat and not has(int(s.waiting), other) and was_asked(s, other):
                s.sealed[other] = 1 + guess_answer(box, s, other, rng)
    for i in range(4):
        s.rng[i] = (dice.draw(rng) << 31) ^ dice.draw(rng)


@compiled
def reshuffle(box: Record, s: Record, rng: Ints) -> None:
    """Shuffle the piles; everything else is known to a perfect memory, except sealed answers."""
    guess_camels(box, s, rng)
    if s.players == 3:
        guess_bank(box, s, rng)
    for i in range(4):
        s.rng[i] = (dice.draw(rng) << 31) ^ dice.draw(rng)


@compiled
def guess_camels(box: Record, s: Record, rng: Ints) -> None:
    """The pile holds the camels that are neither face up nor with players."""
    count = np.zeros(CAPACITIES, np.int64)
    for i in range(box.camel_count):
        count[box.camels[i]] += 1
    count[s.camel] -= 1
    n = 0
    for size in range(1, CAPACITIES):
        for seat in range(s.players):
            count[size] -= s.held[seat, size]
        for _ in range(count[size]):
            s.camels[n] = size
            n += 1
    dice.shuffle(rng, s.camels, n)


@compiled
def guess_bank(box: Record, s: Record, rng: Ints) -> None:
    """M2: the bank's pile holds what its stall has not yet turned up."""
    left = int(s.left[3])
    n = 0
    for card in range(CARDS):
        if (left >> card) & 1:
            s.bank[n] = box.values[card]
            n += 1
    dice.shuffle(rng, s.bank, n)


@compiled
def was_asked(s: Record, seat: int) -> bool:
    """Whether the seat was asked the open question."""
    if s.phase == OFFERS:
        return True
    return has(may_stop(s) if s.phase == COUNT else int(s.stopped), seat)


@compiled
def guess_answer(box: Record, s: Record, seat: int, rng: Ints) -> int:
    """Return what a seat may have answered, much as a random player would."""
    if s.phase == COUNT:
        return STOP if dice.below(rng, ONE_IN) == 0 else WAIT
    if s.phase == NAMES:
        n = 0
        for item in range(NAME, CAMEL + 1):
            if may_name(s, seat, item):
                n += 1
        skip = dice.below(rng, n)
        for item in range(NAME, CAMEL + 1):
            if may_name(s, seat, item):
                if skip == 0:
                    return item
                skip -= 1
    left = int(s.left[seat])
    for _ in range(dice.below(rng, bits(left))):
        left &= left - 1
    return OFFER + int(box.values[bits((left & -left) - 1)])


@compiled
def seen(box: Record, s: Record, seat: int, actor: int, action: int) -> int:
    """Return what the seat observes when the actor acts, as a number; the seat cannot tell equal numbers apart.

    A sealed answer tells others nothing; the last one reveals all of them.
    """
    mine = 1 + action if actor == seat else 0
    if int(s.waiting) != 1 << actor:
        return mine
    for other in range(s.players):
        answer = 1 + action if other == actor else int(s.sealed[other])
        mine = mine * (ACTIONS + 1) + answer
    return mine


@compiled
def reveals(box: Record, s: Record, seat: int, action: int) -> bool:
    """M5 to M7: the last of several answers opens all. M10: so does a camel turned up after one was bought."""
    if int(s.waiting) != 1 << seat:
        return False
    for other in range(s.players):
        if other != seat and was_asked(s, other):
            return True
    return bool(action == CAMEL and s.camels_left > 0)


@compiled
def unseal(box: Record, s: Record, seat: int) -> None:
    """M5, M6, M7: to a seat that is thinking, the others have not answered yet."""
    for other in range(s.players):
        if other != seat and was_asked(s, other):
            s.sealed[other] = 0
            s.waiting |= 1 << other
