"""Samarkand: the records of a box and of a game in progress.

Cards are goods, number - 1, and hands are sets of cards as bits. Sets of families are bits too. A set of spaces is
three words of 43 bits: signed words without their sign bit mix with other numbers in compiled code. Piles have their
top at the end, followed by zeros for what was taken; a card or a tile in a pile is its number + 1.
"""

from __future__ import annotations

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import SEATS, Record, record_type

FAMILIES, GOODS, SPACES, CAMELS, MARKERS = 10, 33, 128, 12, 5
"""Families, goods and spaces are the most that a board can have; the box says how many there are. A family that is not
on the board has no camel on the map, so whatever counts camels, tiles or partners need not know the box."""
WORD, SET = 43, 3

TURN, SECOND, SALE, DISCARD = 0, 1, 2, 3
"""The decisions: the action of a turn, a second camel, a sale (S14), what to discard."""
DECK, TILE = 1, 2
"""The events: the reshuffle (S9), the tile from the bag (S23)."""
ALL_TRADE, FIVE_PARTNERS, ALL_PASSED = 1, 2, 4
"""How a game can end, as bits."""

MARRY, PLACE = 0, FAMILIES
END = PLACE + FAMILIES * SPACES
PASS, SELL = END + 1, END + 2
KEEP = SELL + GOODS
DROP = KEEP + GOODS
"""Actions: MARRY + family, PLACE + family * 128 + space, SELL or KEEP + card, DROP + what is discarded (`drop_of`)."""
ACTIONS = DROP + 1 + GOODS + GOODS * (GOODS - 1) // 2

RESHUFFLES = 5
"""The most in a game on any board: each marriage that draws removes a card from deck and discards for good, and at
least 4 are always left there."""

BOX = record_type(
    [
        ("near", "i8", (SPACES, SET)),
        ("land", "i8", (SET,)),
        ("with_good", "i8", (SET,)),
        ("spaces", "i2"),
        ("families", "i2"),
        ("goods", "i2"),
        ("good_at", "i1", (SPACES,)),  # the good's card + 1
        ("space_of", "i2", (GOODS,)),
        ("start", "i2", (FAMILIES,)),
        ("dowry", "i1", (FAMILIES,)),
        ("far", "u1", (SPACES, GOODS)),  # steps from a space to a good's
    ]
)

STATE = record_type(
    [
        ("rng", "u8", (4,)),
        ("route", "i8", (FAMILIES, SET)),  # where a family's camels are
        ("hand", "i8", (SEATS,)),
        ("sold", "i8", (SEATS,)),
        ("dropped", "i8", (SEATS,)),  # the discard pile, by who discarded
        ("put_back", "i8", (RESHUFFLES, SEATS)),  # by reshuffle: whose discards went into the deck, latest only
        ("met", "i2", (FAMILIES,)),
        ("tiles", "i2", (SEATS,)),
        ("twice", "i2", (SEATS,)),  # S24: families of which a second tile is held
        ("removed", "i2"),
        ("dirhams", "i2", (SEATS,)),
        ("treasury", "i2", (FAMILIES,)),
        ("supply", "i2"),  # income less payments
        ("players", "i1"),
        ("waiting", "i1"),
        ("due", "i1"),
        ("over", "i1"),
        ("hidden_money", "i1"),
        ("phase", "i1"),
        ("turn", "i1"),
        ("family", "i1"),  # the family that is expanding
        ("camels", "i1"),  # placed in this turn
        ("good", "i1"),  # the good whose card may be sold
        ("to_draw", "i1"),
        ("passes", "i1"),
        ("domain", "i1", (FAMILIES,)),  # tiles not taken
        ("goods", "i1", (SEATS,)),
        ("relations", "i1", (SEATS,)),
        ("held", "i1", (SEATS,)),  # cards in hand and in the discard pile, public even where the sets are not
        ("drops", "i1", (SEATS,)),
        ("drawn", "i1", (RESHUFFLES, SEATS)),  # by reshuffle: cards drawn since, up to the next one
        ("shuffles", "i1"),
        ("deck_left", "i1"),
        ("bag_left", "i1"),
        ("deck", "i1", (GOODS,)),
        ("bag", "i1", (FAMILIES,)),
        ("first", "i1"),  # before `setup`: 1 + the start player, 0 to draw lots
    ]
)


def actions(players: int) -> int:
    """Return the number of possible actions."""
    return ACTIONS


@compiled
def limit(box: Record, players: int) -> int:
    """S7, S9: how many cards, in hand and sold, a player may have: 10, or so few that whoever has fewer can draw 3."""
    return min(10, (int(box.goods) - 3) // int(players))


@compiled
def all_cards(box: Record) -> int:
    """Return the set of all cards of a board."""
    return (1 << int(box.goods)) - 1


@compiled
def takes_part(s: Record, family: int) -> bool:
    """Whether a family is on this board: each has a camel on its start space, from the setup on."""
    return (int(s.route[family, 0]) | int(s.route[family, 1]) | int(s.route[family, 2])) != 0


@compiled
def drop_of(a: int, b: int) -> int:
    """Return the action that discards cards a < b; b, or both, are -1 for none."""
    if a < 0:
        return DROP
    if b < 0:
        return DROP + 1 + a
    return DROP + 1 + GOODS + b * (b - 1) // 2 + a


@compiled
def dropped_by(action: int) -> int:
    """Return the set of cards that an action discards."""
    code = action - DROP
    if code == 0:
        return 0
    if code <= GOODS:
        return 1 << (code - 1)
    code -= 1 + GOODS
    b = 1
    while b * (b + 1) // 2 <= code:
        b += 1
    return (1 << b) | (1 << (code - b * (b - 1) // 2))


@compiled
def stands(s: Record, family: int, space: int) -> bool:
    """Whether a family has a camel on a space."""
    return bool((int(s.route[family, space // WORD]) >> (space % WORD)) & 1)


@compiled
def is_land(box: Record, space: int) -> bool:
    """Whether a space is land."""
    return bool((int(box.land[space // WORD]) >> (space % WORD)) & 1)


@compiled
def reserve(s: Record, family: int) -> int:
    """Return how many camels of a family are not on the map."""
    on_map = 0
    for w in range(SET):
        on_map += bits(int(s.route[family, w]))
    return CAMELS - on_map


@compiled
def crowded(s: Record) -> tuple[int, int, int]:
    """Return the spaces that hold two camels."""
    return crowded_word(s, 0), crowded_word(s, 1), crowded_word(s, 2)


@compiled
def crowded_word(s: Record, w: int) -> int:
    """Return one word of the set of spaces that hold two camels."""
    one = 0
    two = 0
    for family in range(FAMILIES):
        here = int(s.route[family, w])
        two |= one & here
        one |= here
    return two


@compiled
def free(box: Record, s: Record, family: int, taken: tuple[int, int, int]) -> tuple[int, int, int]:
    """S11: the spaces next to a camel of the family that have none of its camels and are not crowded (`taken`)."""
    a = 0
    b = 0
    c = 0
    for w in range(SET):
        here = int(s.route[family, w])
        while here:
            space = w * WORD + lowest(here)
            here &= here - 1
            a |= int(box.near[space, 0])
            b |= int(box.near[space, 1])
            c |= int(box.near[space, 2])
    a &= ~(int(s.route[family, 0]) | taken[0])
    b &= ~(int(s.route[family, 1]) | taken[1])
    c &= ~(int(s.route[family, 2]) | taken[2])
    return a, b, c


@compiled
def hand_count(s: Record, seat: int) -> int:
    """S7: the cards that count against the limit, in hand and sold."""
    return int(s.held[seat]) + bits(int(s.sold[seat]))
