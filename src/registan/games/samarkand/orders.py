"""Samarkand: standing orders for sales (S14), so that a player need not be asked for each card.

For every card in hand a player may order "sell", "keep" or "ask". Nobody else learns that the holder of a card is
asked, or whether an order gave the answer.
"""

from __future__ import annotations

from registan.core.errors import BadInput
from registan.core.game import Box, Json, Record, Timed
from registan.games.samarkand.state import KEEP, SALE, SELL

SEALED = False
TICKS = ()
ORDERS = ("sell", "keep", "ask")


def give(box: Box, hidden: Record, seat: int, orders: Json) -> Json:
    """Return orders by the number of the good; raise BadInput for an invalid one."""
    kept: dict[int, str] = {}
    last = int(box.record.goods)
    for written, order in orders.items():
        try:
            good = int(written)
        except ValueError:
            good = 0
        if not 1 <= good <= last or order not in ORDERS:
            raise BadInput("error.samarkand.order", good=written, n=last, order=order, orders=", ".join(ORDERS))
        kept[good] = order
    return {str(good): order for good, order in sorted(kept.items())}


def stands(box: Box, hidden: Record, seat: int, kept: Json) -> bool:
    """Return True: these orders stand until the player withdraws them."""
    return True


def answer(box: Box, hidden: Record, seat: int, kept: Json) -> int | None:
    """Return the action that the orders choose, None if the player must be asked."""
    if hidden.over or hidden.phase != SALE or int(hidden.waiting) != 1 << seat:
        return None
    good = int(hidden.good)
    order = kept.get(str(good + 1), "ask")
    return None if order == "ask" else (SELL if order == "sell" else KEEP) + good


def show(kept: Json) -> Json:
    """Return the orders by the number of the good."""
    return kept


def quiet(box: Box, s: Record) -> int | None:
    """S14: nobody else learns that the holder of a card is asked; meanwhile it is assumed to be kept."""
    # Called after every move: NumPy reads a field faster by key than as an attribute.
    return KEEP + int(s["good"]) if s["phase"] == SALE else None


def timed(box: Box, s: Record) -> Timed | None:
    """Return None: no decision runs against a real clock."""
    return None
