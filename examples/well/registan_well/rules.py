"""The Well: the state of a game, and its rules."""

from __future__ import annotations

from registan.core.chance import below
from registan.core.compiled import compiled
from registan.core.game import SEATS, Ints, Record, record_type

THIRSTS = 6
MOST = THIRSTS
SCORES = ("total",)
MORNING, MORNINGS_GONE = 1, 1
"""The chance event (W5), and the only way the game ends (W6)."""

BOX = record_type([("nights", "i1"), ("cards", "i1"), ("water", "i1")])
STATE = record_type(
    [
        ("rng", "u8", (4,)),
        ("players", "i1"),
        ("waiting", "i1"),
        ("due", "i1"),
        ("over", "i1"),
        ("night", "i1"),
        ("water", "i1"),
        ("hand", "i1", (SEATS, THIRSTS)),  # how many cards of each thirst
        ("chosen", "i1", (SEATS,)),  # 1 + action; sealed until all have chosen
        ("points", "i2", (SEATS,)),
    ]
)


def actions(players: int) -> int:
    """Return the number of possible actions; action 0 is a camel with thirst 1."""
    return THIRSTS


@compiled
def setup(box: Record, s: Record) -> None:
    """W1: everybody draws camels, and the well fills."""
    for seat in range(s.players):
        for _ in range(box.cards):
            s.hand[seat, below(s.rng, THIRSTS)] += 1
    fill(box, s)


@compiled
def fill(box: Record, s: Record) -> None:
    """W1, W5: the well fills at random, and everybody is asked."""
    s.water = 1 + below(s.rng, int(box.water) * int(s.players))
    s.waiting = everybody(s)


@compiled
def everybody(s: Record) -> int:
    """W2: all choose at once."""
    return (1 << int(s.players)) - 1


@compiled
def breaks(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of the rule that an action breaks, 0 if it is legal."""
    if s.over != 0:
        return 6
    if not (int(s.waiting) >> seat) & 1:
        return 2
    return 0 if 0 <= action < THIRSTS and s.hand[seat, action] > 0 else 2


@compiled
def legal(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
    n = 0
    for action in range(THIRSTS):
        if breaks(box, s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


@compiled
def act(box: Record, s: Record, seat: int, action: int) -> None:
    """W2: choose in secret; the last choice reveals all."""
    s.chosen[seat] = 1 + action
    s.waiting = int(s.waiting) & ~(1 << seat)
    if s.waiting == 0:
        drink(s)
        s.night += 1
        if s.night == box.nights:
            s.over = MORNINGS_GONE
        else:
            s.due = MORNING


@compiled
def drink(s: Record) -> None:
    """W3, W4: from the least thirst up, as long as there is water for all with the same thirst."""
    for action in range(THIRSTS):
        thirsty = 0
        for seat in range(s.players):
            thirsty += s.chosen[seat] == 1 + action
        enough = thirsty * (1 + action) <= s.water
        if enough:
            s.water -= thirsty * (1 + action)
        for seat in range(s.players):
            if s.chosen[seat] == 1 + action:
                s.hand[seat, action] -= 1
                s.chosen[seat] = 0
                s.points[seat] += 1 + action if enough else 0


@compiled
def chance(box: Record, s: Record) -> None:
    """W5: everybody draws a camel, and the well fills again."""
    s.due = 0
    for seat in range(s.players):
        s.hand[seat, below(s.rng, THIRSTS)] += 1
    fill(box, s)


@compiled
def scores(box: Record, s: Record, out: Ints) -> None:
    """W4: the thirst of the camels that drank."""
    for seat in range(s.players):
        out[seat, 0] = s.points[seat]
