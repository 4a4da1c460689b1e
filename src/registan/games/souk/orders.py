"""Le Marché de Samarkand: sealed orders, so that a round of the count (M15) is not ten questions a player.

An order is given while the price is counted: "wait down to 3" (`{"do": "wait", "down_to": 3}`), or "stop at 5 for
this card if it is still there" (`{"do": "stop", "price": 5, "item": ["jewels", 7]}`). It answers for its seat as long
as nothing on the table has changed but the price. A sale, a dispute, a fine, a new camel: each is something that it did
not foresee, so it is cancelled and the player is asked again. A stop that changed nothing, by somebody without a
dirham, is no such event; nor is it one when others stop at the very price of the order, for the card it names is still
there. An order to wait ends at its price, where the player is asked; down to 0 it lasts to the end of the round.

All this follows from what the seat may know: whatever state is given here, only `hide` of it is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from registan.core.errors import BadMove, IllegalMove
from registan.core.game import Box, Line, Record
from registan.core.rulebook import rule_texts
from registan.core.rules import game_of
from registan.games.souk.moves import read_item
from registan.games.souk.secrets import hide
from registan.games.souk.state import COUNT, NAMES, STOP, WAIT, has, may_name

STANDS, DONE, CANCELLED = "stands", "done", "cancelled"
"""What has become of an order."""


@dataclass(frozen=True)
class Order:
    """What a seat ordered, and the table it had before it."""

    seat: int
    round: int
    price: int
    """Where it ends: to stop there, or to be asked there."""
    item: int | None
    """The action of naming what it stops for, None to wait only."""
    table: bytes


def table(box: Box, s: Record, seat: int) -> bytes:
    """Return all that the seat knows, but how far the count has come and who has answered."""
    seen = s.copy()
    hide(box.record, seen, seat)
    seen.phase = COUNT
    seen.price = seen.waiting = seen.stopped = 0
    seen.sealed[:] = 0
    return bytes(seen.tobytes())


def give(box: Box, s: Record, seat: int, line: Line) -> Order:
    """Return the order written in a line; raise BadMove if it makes no sense, IllegalMove if it may not name that."""
    if s.phase != COUNT or not has(int(s.waiting), seat):
        raise BadMove("error.souk.order.now")
    now = int(s.price)
    given: Any = line
    do = given.get("do") if isinstance(given, dict) else None
    if do == "wait":
        price = line.get("down_to")
        if type(price) is not int or not 0 <= price < now:
            raise BadMove("error.souk.order.down_to", down_to=price, price=now - 1)
        return Order(seat, int(s.rounds), price, None, table(box, s, seat))
    if do != "stop":
        raise BadMove("error.unknown_move", game="souk", do=do, moves="wait, stop")
    price = line.get("price")
    if type(price) is not int or not 0 < price <= now:
        raise BadMove("error.souk.order.price", price=price, now=now)
    item = read_item(box, s, line.get("item"))
    if not may_name(s, seat, item):
        raise IllegalMove("M7", rule_texts(game_of(s), "M7"))
    return Order(seat, int(s.rounds), price, item, table(box, s, seat))


def status(box: Box, order: Order, s: Record) -> str:
    """Return what has become of an order: it stands, has done its work, or was cancelled by something unforeseen."""
    if s.rounds != order.round:
        return DONE if order.price == 0 else CANCELLED
    if s.price < order.price:
        return DONE
    if table(box, s, order.seat) != order.table:
        return CANCELLED
    return DONE if order.item is None and s.price == order.price else STANDS


def answer(box: Box, order: Order, s: Record) -> int | None:
    """Return the action with which an order answers for its seat, None if the player must be asked."""
    if not has(int(s.waiting), order.seat) or status(box, order, s) != STANDS:
        return None
    if s.phase == NAMES:
        return order.item if s.price == order.price else None
    return STOP if s.price == order.price else WAIT
