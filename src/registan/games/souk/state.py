"""Le Marché de Samarkand: the records of a box and of a game in progress.

Goods are sold at stalls: stall i is that of seat i, and with 3 players the bank has the fourth. A card of a stall is a
number from 0 to 9, its index in the box's list of values, lowest first; of cards with equal value the lowest number is
always sold first, so that equal tables are equal bytes. Sets of goods are bits, stall * 10 + card. Piles have their top
at the end, followed by zeros for what was taken.
"""

from __future__ import annotations

from registan.core.compiled import compiled
from registan.core.game import SEATS, Record, record_type

TYPES, CARDS, VALUES, ROUNDS = 5, 10, 10, 10
CAMELS, CAPACITIES, HARMONY, PLACES = 24, 10, 7, 5
STALLS = 5
OFFERS, COUNT, NAMES = 0, 1, 2
"""The decisions: the card to sell (M5), stop or wait at a price (M6), the card to buy (M7)."""
RESHUFFLE, ROUND_END = 1, 2
"""The events: the camels are shuffled (M13), the count has reached 0 (M11)."""
TEN_ROUNDS = 1
"""The only way a game ends."""

WAIT, STOP, NAME, CAMEL, OFFER = 0, 1, 2, 7, 7
"""Actions: wait, stop, NAME + stall, the camel, and OFFER + value of the card (1 to 9)."""
ACTIONS = OFFER + VALUES

BOX = record_type(
    [
        ("values", "i1", (CARDS,)),  # lowest first
        ("camels", "i1", (CAMELS,)),
        ("camel_count", "i1"),
        ("dirhams", "i1", (SEATS + 1,)),  # by number of players
        ("highest_price", "i1"),
        ("fine", "i1"),
        ("riches", "i1", (SEATS + 1, PLACES)),  # by number of players and place
        ("harmony", "i1", (2, HARMONY)),  # by the option and number of cards, the last for that many or more
        ("empty", "i1"),
    ]
)

STATE = record_type(
    [
        ("rng", "u8", (4,)),
        ("goods", "i8", (SEATS,)),  # sets of cards bought
        ("left", "i2", (STALLS,)),  # sets of cards that a stall has not yet turned up
        ("money", "i2", (SEATS,)),
        ("till", "i2"),  # what the bank has received
        ("players", "i1"),
        ("waiting", "i1"),
        ("due", "i1"),
        ("over", "i1"),
        ("hidden_purchases", "i1"),
        ("harmony", "i1"),
        ("phase", "i1"),
        ("rounds", "i1"),  # begun so far; 11 when the game is over
        ("price", "i1"),  # 0 before and after the count
        ("doyen", "i1"),
        ("stopped", "i1"),  # the seats that stopped at this price, as bits, while they name
        ("sealed", "i1", (SEATS,)),  # 1 + action of those who have answered the open question
        ("kind", "i1", (STALLS,)),  # the type of goods of each stall
        ("for_sale", "i1", (STALLS,)),  # 1 + card
        ("camel", "i1"),  # the capacity of the one face up
        ("camels_left", "i1"),
        ("camels", "i1", (CAMELS,)),  # the pile, by capacity
        ("bank", "i1", (CARDS,)),  # the bank's pile, by value
        ("held", "i1", (SEATS, CAPACITIES)),  # camels by capacity
        ("first", "i1"),  # before `setup`: 1 + the first doyen, 0 to draw lots
    ]
)


def actions(players: int) -> int:
    """Return the number of possible actions."""
    return ACTIONS


@compiled
def stalls(s: Record) -> int:
    """M1, M2: how many types are in play, one per player, plus the bank's with 3 players."""
    return 5 if s.players == 5 else 4


@compiled
def has(members: int, seat: int) -> bool:
    """Whether a seat is in a set of seats."""
    return bool((members >> seat) & 1)


@compiled
def card_of(box: Record, cards: int, value: int) -> int:
    """Return the first card of that value in a set of a stall's cards, -1 if there is none."""
    for card in range(CARDS):
        if (cards >> card) & 1 and box.values[card] == value:
            return card
    return -1


@compiled
def on_sale(s: Record) -> int:
    """Return the stalls whose card is still for sale, as bits."""
    found = 0
    for stall in range(STALLS):
        if s.for_sale[stall] != 0:
            found |= 1 << stall
    return found


@compiled
def may_stop(s: Record) -> int:
    """M6: the seats that could name something, the camel or goods that are not their own, as bits."""
    everybody = (1 << int(s.players)) - 1
    if s.camel != 0:
        return everybody
    goods = on_sale(s)
    if goods & (goods - 1):
        return everybody
    # With a single card left, only its seller cannot name it; the bank's stall is nobody's seat.
    return everybody & ~goods if goods else 0


@compiled
def may_name(s: Record, seat: int, item: int) -> bool:
    """M7: a face-up card, the camel or goods that are not the seat's own; `item` is the action."""
    if item == CAMEL:
        return bool(s.camel != 0)
    stall = item - NAME
    return bool(0 <= stall < STALLS and stall != seat and s.for_sale[stall] != 0)
