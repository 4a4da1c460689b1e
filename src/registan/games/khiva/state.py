"""Khiva: the records of a box and of a game in progress.

Cards are numbers, colour * 5 + value - 1, and hands are sets of cards as bits. A place on a path is 1 + path * 4 +
shop - 1, and 0 is the Khiva board. Piles have their top at the end, followed by zeros for what was taken.
"""

from __future__ import annotations

from registan.core.bits import bits, lowest
from registan.core.chance import below
from registan.core.compiled import compiled
from registan.core.game import SEATS, Ints, Record, record_type

COLOURS, VALUES, CARDS, SHOPS, COUNTER = 5, 5, 25, 4, 5
TEAPOTS, CARPETS, SACKS = 32, 15, 5
TOP_COLOUR = 16
"""A carpet with only its colour visible is this plus the colour; a covered one is 0."""
ALL_CARDS = (1 << CARDS) - 1
CHOOSE, MOVE, TAKE = 0, 1, 2
DEAL = 1
TEAPOTS_GONE, CARPETS_GONE, SALT_GONE = 1, 2, 4
"""How a game can end, as bits."""

GEMS, SALT, CARPET, NOTHING, CHOICE = 0, 5, 6, 7, 8
"""Actions: GEMS + gems spent on a move, what to take at shop 4, and CHOICE + cards played and given."""
PAIRS = CARDS * (CARDS - 1) // 2

BOX = record_type(
    [
        ("icons", "i1", (VALUES,)),
        ("teapots", "i1", (TEAPOTS,)),
        ("teapot_count", "i1"),
        ("carpets", "i1", (3,)),
        ("salt", "i1", (SACKS,)),
        ("shop_1_gems", "i1"),
        ("shop_3_gems", "i1"),
        ("salt_price", "i1"),
    ]
)

STATE = record_type(
    [
        ("rng", "u8", (4,)),
        ("hand", "i4", (SEATS,)),
        ("plays", "i4", (4, SEATS)),  # by turn since the deal; sealed while the choice is open
        ("gave", "i4", (4, SEATS)),  # cards given to the next seat, by turn since the deal
        ("kept", "i4", (SEATS,)),  # the hand before the deal
        ("shown", "i4"),
        ("gems", "i2", (SEATS,)),
        ("undelivered", "i2", (SEATS,)),  # sets of carpets, colour * 3 + rank of value
        ("delivered", "i2", (SEATS,)),
        ("players", "u1"),
        ("waiting", "u1"),
        ("due", "u1"),
        ("over", "u1"),
        ("open_scores", "u1"),
        ("phase", "u1"),
        ("deals", "u1"),
        ("turn", "u1"),  # turns played since the deal
        ("camel", "u1"),
        ("place", "u1", (COLOURS,)),
        ("carrying", "i1", (COLOURS,)),
        ("teapots_left", "i1"),
        ("carpets_left", "i1"),
        ("salt_left", "i1"),
        ("salt", "u1", (SEATS,)),  # sets of sacks
        ("teapots", "i1", (TEAPOTS,)),
        ("carpet_pile", "i1", (CARPETS,)),  # number of the carpet + 1
        ("won", "i1", (SEATS, 10)),  # teapots by value
        ("carpets", "u1"),  # the option: 1 if the top carpet is covered
    ]
)


def actions(players: int) -> int:
    """Return the number of possible actions."""
    return CHOICE + (PAIRS * PAIRS if players == 2 else CARDS * CARDS)


@compiled
def one_of(cards: int, rng: Ints) -> int:
    """Return one card of a set at random, as a set."""
    for _ in range(below(rng, bits(cards))):
        cards &= cards - 1
    return cards & -cards


@compiled
def some_of(cards: int, n: int, rng: Ints) -> int:
    """Return n cards of a set at random."""
    chosen = 0
    for _ in range(n):
        chosen |= one_of(cards & ~chosen, rng)
    return chosen


@compiled
def pair(a: int, b: int) -> int:
    """Return the number of a pair of cards, a < b."""
    return b * (b - 1) // 2 + a


@compiled
def cards_of(code: int, players: int) -> int:
    """Return the cards that half of a choice's number stands for: one card, or a pair with two players."""
    if players != 2:
        return 1 << code
    b = 1
    while b * (b + 1) // 2 <= code:
        b += 1
    return (1 << b) | (1 << (code - b * (b - 1) // 2))


@compiled
def code_of(cards: int, players: int) -> int:
    """Return the number for half of a choice, the inverse of `cards_of`."""
    if cards == 0:
        return 0
    first = lowest(cards)
    return first if players != 2 else pair(first, lowest(cards & (cards - 1)))


@compiled
def codes(players: int) -> int:
    """Return how many numbers half of a choice can have."""
    return PAIRS if players == 2 else CARDS


@compiled
def turns_in_deal(players: int) -> int:
    """K13: how many turns are played before cards are dealt again."""
    return 3 if players == 2 else 4


@compiled
def hand_size(s: Record) -> int:
    """Return how many cards each seat holds now."""
    done = int(s.turn) + (1 if s.phase != CHOOSE else 0)
    return 8 - 2 * done if s.players == 2 else 5 - done


@compiled
def of_colour(cards: int, colour: int) -> int:
    """Return the cards of a colour in a set, as a set of values."""
    return (cards >> (colour * VALUES)) & 31
