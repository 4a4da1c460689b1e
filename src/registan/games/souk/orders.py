"""Le Marché de Samarkand: sealed orders, so that a round of the count (M15) is not ten questions per player.

An order is given while the price is counted: "wait down to 3" (`{"do": "wait", "down_to": 3}`), or "stop at 5 for
this card if it is still there" (`{"do": "stop", "price": 5, "item": ["jewels", 7]}`). It answers for its seat as long
as only the price changes. A sale, a dispute, a fine or a new camel is unforeseen: the order is cancelled and the player
is asked again. A stop that changes nothing, by somebody without a dirham, does not cancel it; nor do stops of others at
the price of the order, because its card is still there. An order to wait ends at its price, where the player is asked;
down to 0 it lasts to the end of the round.

At a live table a clock counts the price down instead (M15): each price is a decision with a time limit.
"""

from __future__ import annotations

import hashlib
from typing import Any

from registan.core.errors import BadMove, IllegalMove
from registan.core.game import Box, Json, Record, Timed
from registan.core.rulebook import rule_texts
from registan.core.rules import game_of
from registan.games.souk.moves import read_item
from registan.games.souk.state import COUNT, NAMES, STOP, WAIT, has, may_name

SEALED = True
TICKS = (4.0, 2.0)
"""How long each price may last at a live table."""
STANDS, DONE, CANCELLED = "stands", "done", "cancelled"
"""The status of an order."""


def give(box: Box, hidden: Record, seat: int, orders: Json) -> Json:
    """Return the order to store; raise BadMove if it is invalid, IllegalMove if it may not name its item."""
    if hidden.phase != COUNT or not has(int(hidden.waiting), seat):
        raise BadMove("error.souk.order.now")
    now = int(hidden.price)
    given: Any = orders
    do = given.get("do") if isinstance(given, dict) else None
    if do == "wait":
        price = orders.get("down_to")
        if type(price) is not int or not 0 <= price < now:
            raise BadMove("error.souk.order.down_to", down_to=price, price=now - 1)
        return _kept(hidden, price, None)
    if do != "stop":
        raise BadMove("error.unknown_move", game="souk", do=do, moves="wait, stop")
    price = orders.get("price")
    if type(price) is not int or not 0 < price <= now:
        raise BadMove("error.souk.order.price", price=price, now=now)
    item = read_item(box, hidden, orders.get("item"))
    if not may_name(hidden, seat, item):
        raise IllegalMove("M7", rule_texts(game_of(hidden), "M7"))
    return _kept(hidden, price, item)


def _kept(hidden: Record, price: int, item: int | None) -> Json:
    """Return an order that ends at a price: to name an item, or to be asked."""
    return {"round": int(hidden.rounds), "price": price, "item": item, "table": _table(hidden)}


def _table(hidden: Record) -> str:
    """Return a digest of all that the seat knows, except the price and who has answered."""
    seen = hidden.copy()
    seen.phase = COUNT
    seen.price = seen.waiting = seen.stopped = 0
    seen.sealed[:] = 0
    return hashlib.sha256(seen.tobytes()).hexdigest()


def status(hidden: Record, kept: Json) -> str:
    """Return the status of an order: it stands, is done, or was cancelled by something unforeseen."""
    if hidden.rounds != kept["round"]:
        return DONE if kept["price"] == 0 else CANCELLED
    if hidden.price < kept["price"]:
        return DONE
    if _table(hidden) != kept["table"]:
        return CANCELLED
    return DONE if kept["item"] is None and hidden.price == kept["price"] else STANDS


def stands(box: Box, hidden: Record, seat: int, kept: Json) -> bool:
    """Whether an order still stands."""
    return status(hidden, kept) == STANDS


def answer(box: Box, hidden: Record, seat: int, kept: Json) -> int | None:
    """Return the action that an order chooses, None if the player must be asked."""
    if not has(int(hidden.waiting), seat) or status(hidden, kept) != STANDS:
        return None
    if hidden.phase == NAMES:
        item: int | None = kept["item"] if hidden.price == kept["price"] else None
        return item
    return STOP if hidden.price == kept["price"] else WAIT


def show(kept: Json) -> Json:
    """Return where an order ends, and whether it stops there."""
    return {"price": kept["price"], "stops": kept["item"] is not None}


def quiet(box: Box, s: Record) -> int | None:
    """Return None: everybody knows who is asked."""
    return None


def timed(box: Box, s: Record) -> Timed | None:
    """M15: each price is a decision against the clock; doing nothing lets it pass."""
    if s.over or s.phase != COUNT:
        return None
    return Timed((int(s.rounds), int(s.price)), WAIT, STOP)
