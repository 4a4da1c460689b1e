"""Samarkand: standing orders for sales (S14), so that a player need not be asked for each card.

For every card in hand a player may say beforehand "sell", "keep" or "ask". Orders are the player's own affair: they
belong to the seat, not to the game, and nobody can tell an answer given by an order from one given by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from registan.core.errors import BadInput
from registan.core.game import Line, Record
from registan.games.samarkand.moves import numbers
from registan.games.samarkand.state import GOODS, SALE

ORDERS = ("sell", "keep", "ask")


def checked(orders: Mapping[int, str]) -> dict[int, str]:
    """Return orders by the number of the good, without those that say nothing new; raise BadInput for a wrong one."""
    for good, order in orders.items():
        if type(good) is not int or not 1 <= good <= GOODS or order not in ORDERS:
            raise BadInput("error.samarkand.order", good=good, order=order, orders=", ".join(ORDERS))
    return {good: order for good, order in orders.items() if order != "ask"}


def standing(hidden: Record, seat: int, orders: Mapping[int, str]) -> dict[int, str]:
    """Return the order for each card in the seat's hand, "ask" where there is none."""
    return {good: orders.get(good, "ask") for good in numbers(int(hidden.hand[seat]))}


def answer(hidden: Record, seat: int, orders: Mapping[int, str]) -> Line | None:
    """Return the move that the orders make in a state as the seat knows it, None if the seat must be asked itself."""
    if hidden.over or hidden.phase != SALE or int(hidden.waiting) != 1 << seat:
        return None
    good = int(hidden.good) + 1
    order = orders.get(good, "ask")
    return None if order == "ask" else {"do": order, "good": good}
