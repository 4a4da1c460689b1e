"""Le Marché de Samarkand: what naming an item certainly brings (M7, M12 to M14, M19 to M22)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Box, Ints, Json, Record
from registan.games.souk.box import TYPE_NAMES
from registan.games.souk.scoring import capacity, carried, harmony, presents
from registan.games.souk.state import (
    CAMEL,
    CARDS,
    COUNT,
    NAME,
    OFFERS,
    ROUNDS,
    STOP,
    VALUES,
    WAIT,
    has,
    may_name,
    may_stop,
)

PAID, FINED, STOPS, ENDS, ITEMS = 0, 1, 2, 3, 4
"""What a move brings: dirhams paid, whether as a fine, whether it is a stop, whether the game ends; then items."""
ITEM, SELLER, DISPUTED, ROOMLESS, POINTS, BEFORE, AFTER = 0, 1, 2, 3, 4, 5, 8
"""For each item: what it is, its seller + 1, what it adds; presents, harmony and empty places before and after."""
COLUMNS = 11
BRINGS = ITEMS + COLUMNS * (CAMEL + 1 - NAME)
CAMEL_ITEM = 100
"""A camel as an item; goods are 1 + type * 10 + value."""


@compiled
def brings(box: Record, s: Record, seat: int, action: int, out: Ints) -> None:
    """What stopping at a price and naming an item brings; riches (M18) and disputes (M13) are open."""
    if s.phase == OFFERS:
        return
    out[ENDS] = 1 if s.rounds == ROUNDS and s.price == 1 else 0  # M17: nothing is sold below 1
    if action == WAIT:
        return
    out[STOPS] = 1 if action == STOP else 0
    out[PAID] = s.price
    if s.money[seat] < s.price:
        out[PAID] = min(int(box.fine), int(s.money[seat]))  # M14
        out[FINED] = 1
        return
    kept = carried(box, s, seat)
    for item in range(NAME, CAMEL + 1):
        if item == action or (action == STOP and may_name(s, seat, item)):
            start = ITEMS + (item - NAME) * COLUMNS
            buy(box, s, seat, item, kept, out[start : start + COLUMNS])


@compiled
def buy(box: Record, s: Record, seat: int, item: int, kept: int, out: Ints) -> None:
    """What an item adds to the score of the goods carried home, M19 to M22."""
    rivals = may_stop(s) if s.phase == COUNT else int(s.stopped)
    for other in range(s.players):
        if other != seat and other != item - NAME and has(rivals, other):
            out[DISPUTED] = 1 if seat != s.doyen else 0  # M12, M13
    goods = int(s.goods[seat])
    room = capacity(s, seat)
    parts(box, s, seat, kept, room, out, BEFORE)
    points = int(out[BEFORE]) + int(out[BEFORE + 1]) + int(out[BEFORE + 2])
    # Change the state as if it were bought, then restore it.
    if item == CAMEL:
        out[ITEM] = CAMEL_ITEM
        s.held[seat, s.camel] += 1
        parts(box, s, seat, carried(box, s, seat), room + int(s.camel), out, AFTER)
        s.held[seat, s.camel] -= 1
    else:
        stall = item - NAME
        card = int(s.for_sale[stall]) - 1
        out[ITEM] = 1 + int(s.kind[stall]) * VALUES + int(box.values[card])
        out[SELLER] = stall + 1 if stall < s.players else 0
        s.goods[seat] = goods | (1 << (stall * CARDS + card))
        parts(box, s, seat, carried(box, s, seat), room, out, AFTER)
    out[POINTS] = int(out[AFTER]) + int(out[AFTER + 1]) + int(out[AFTER + 2]) - points
    if item != CAMEL and room <= bits(goods):
        # There is no room for it: what would it add if the camels could carry it?
        out[ROOMLESS] = 1
        parts(box, s, seat, int(s.goods[seat]), 0, out, AFTER)
        parts(box, s, seat, goods, 0, out, BEFORE)
    s.goods[seat] = goods


@compiled
def parts(box: Record, s: Record, seat: int, kept: int, room: int, out: Ints, start: int) -> None:
    """M20 to M22: what the goods carried home score, and what empty places on camels cost."""
    out[start] = presents(box, s, seat, kept)
    out[start + 1] = harmony(box, s, kept)
    out[start + 2] = -int(box.empty) * max(0, room - bits(kept))


def brought(box: Box, row: tuple[int, ...]) -> Json | None:
    """Return what a move brings."""
    paid, fined, stops, ends = row[:ITEMS]
    pays = [[paid, "dirham"]] if paid else []
    starts = range(ITEMS, BRINGS, COLUMNS)
    items = [_item(paid, ends, row[start : start + COLUMNS]) for start in starts if row[start]]
    if items and not stops:
        return items[0]
    words = {word for item in items for word in item["open"]} | ({"choice", "riches"} if stops and items else set())
    entry = {
        "pays": pays,
        "open": ["riches"] if fined else [word for word in ("choice", "dispute", "riches") if word in words],
        "ends": bool(ends),
        "fine": bool(fined),
        "items": items,
    }
    return {name: value for name, value in entry.items() if value} or None


@lru_cache(1 << 12)
def _item(paid: int, ends: int, row: tuple[int, ...]) -> Json:
    """Return what naming an item brings."""
    item, seller, disputed, roomless, points = row[:BEFORE]
    name: Any = "camel"
    if item != CAMEL_ITEM:
        kind, value = divmod(item - 1, VALUES)
        name = [TYPE_NAMES[kind], value]
    changes = zip(row[BEFORE:AFTER], row[AFTER:])
    entry = {
        "points": points,
        "gets": [[1, "camel" if item == CAMEL_ITEM else "goods"]],
        "pays": [[paid, "dirham"]],
        "others": [[seller - 1, paid, "dirham"]] if seller else [],
        "open": ["dispute", "riches"] if disputed else ["riches"],
        "ends": bool(ends),
        "item": name,
        "parts": {part: list(change) for part, change in zip(("presents", "harmony", "empty"), changes)},
        "roomless": bool(roomless),
    }
    return {name: value for name, value in entry.items() if value}
