"""What is noted while games are played, because the last state does not tell it any more.

Khiva: how often a seat moved each camel, brought it home, and stopped at each shop. Souk: what was bought at which
price. Samarkand's last state tells all that is asked of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.compiled import chosen_by_record, compiled
from registan.core.game import Ints, Record
from registan.games import khiva, samarkand, souk
from registan.games.khiva.state import COLOURS, COUNTER, MOVE, SHOPS
from registan.games.souk.state import CAPACITIES, NAMES, VALUES, bits

MOVED, HOME, STOPS = 0, COLOURS, 2 * COLOURS
"""Khiva: places in the tally of a seat, by camel, by camel and by shop from 0 (the last one is the counter)."""
PRICES = 100
"""No box has a higher price than 99."""
GOODS_AT, CAMELS_AT, VALUES_BOUGHT, CAMELS_BOUGHT = 0, PRICES, 2 * PRICES, 2 * PRICES + VALUES
"""Souk: by price, by price, by value of the goods and by capacity of the camel."""

WIDTH = {"khiva": STOPS + COUNTER, "souk": CAMELS_BOUGHT + CAPACITIES, "samarkand": 0}
"""How many places the tally of a seat has."""


@compiled
def _khiva(box: Record, s: Record, before: Record, seat: int, tally: Ints) -> None:
    """Note where the camel that the seat moved has stopped."""
    if before.phase == MOVE:
        camel = int(before.camel)
        place = int(s.place[camel])
        tally[seat, MOVED + camel] += 1
        tally[seat, HOME + camel] += place == 0
        tally[seat, STOPS + ((place - 1) % SHOPS if place != 0 else SHOPS)] += 1


@compiled
def _souk(box: Record, s: Record, before: Record, seat: int, tally: Ints) -> None:
    """Note what everybody bought when the names were opened."""
    if before.phase != NAMES or s.phase == NAMES:
        return
    price = int(before.price)
    for buyer in range(s.players):
        bought = int(s.goods[buyer]) & ~int(before.goods[buyer])
        tally[buyer, GOODS_AT + price] += bits(bought)
        for card in range(50):
            if (bought >> card) & 1:
                tally[buyer, VALUES_BOUGHT + int(box.values[card % 10])] += 1
        for capacity in range(CAPACITIES):
            if s.held[buyer, capacity] > before.held[buyer, capacity]:
                tally[buyer, CAMELS_AT + price] += 1
                tally[buyer, CAMELS_BOUGHT + capacity] += 1


@compiled
def _samarkand(box: Record, s: Record, before: Record, seat: int, tally: Ints) -> None:
    """Note nothing."""


_notes: dict[Any, Callable[..., None]] = {
    khiva.rules.STATE: _khiva,
    souk.rules.STATE: _souk,
    samarkand.rules.STATE: _samarkand,
}


def _choose(state: Any) -> Callable[..., None]:
    from numba import from_dtype

    return next(f for dtype, f in _notes.items() if from_dtype(dtype) == state)


@chosen_by_record(_choose)
def note(box: Record, s: Record, before: Record, seat: int, tally: Ints) -> None:
    """Note in `tally[seat, place]` what followed from the seat's action, from the state before it and the one after."""
    _notes[s.dtype](box, s, before, seat, tally)
