"""Le Marché de Samarkand: actions, events and states as written in the game record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from registan.core.errors import BadMove
from registan.core.game import SEATS, Box, Json, Record
from registan.games.souk.box import TYPE_NAMES
from registan.games.souk.rules import begin, end_round, go_on
from registan.games.souk.scoring import capacity, carried
from registan.games.souk.state import (
    CAMEL,
    CARDS,
    COUNT,
    NAME,
    OFFER,
    ROUND_END,
    STALLS,
    STOP,
    VALUES,
    WAIT,
    has,
    stalls,
)

UNORDERED = frozenset({"goods", "camels"})
FREE = frozenset({"for_sale"})


def goods_name(box: Box, s: Record, stall: int, card: int) -> list[Any]:
    """Return a goods card as written in the record: type and value."""
    return [TYPE_NAMES[int(s.kind[stall])], box.unpacked.values[card]]


def goods_names(box: Box, s: Record, goods: int) -> list[list[Any]]:
    """Return the goods in a set."""
    named = []
    while goods:
        stall, card = divmod((goods & -goods).bit_length() - 1, CARDS)
        named.append(goods_name(box, s, stall, card))
        goods &= goods - 1
    return named


def for_sale(box: Box, s: Record) -> list[list[Any]]:
    """Return the goods that are for sale."""
    return [goods_name(box, s, i, int(s.for_sale[i]) - 1) for i in range(STALLS) if s.for_sale[i]]


def camels_of(s: Record, seat: int) -> list[int]:
    """Return the capacities of a seat's camels."""
    return [size for size, count in enumerate(s.held[seat]) for _ in range(int(count))]


def seats_in(members: int) -> list[int]:
    """Return the seats in a set."""
    return [seat for seat in range(SEATS) if has(members, seat)]


def write(box: Box, s: Record, seat: int, action: int) -> Json:
    """Return an action as written in the record, without the seat."""
    if action > OFFER:
        return {"do": "offer", "value": action - OFFER}
    if action in (WAIT, STOP):
        return {"do": "stop" if action == STOP else "wait"}
    if action == CAMEL:
        return {"do": "name", "item": "camel"}
    stall = action - NAME
    return {"do": "name", "item": goods_name(box, s, stall, int(s.for_sale[stall]) - 1)}


def read(box: Box, s: Record, move: Json) -> int:
    """Return the number of a written move; raise BadMove if it cannot be one of this game."""
    do = move.get("do")
    if do == "offer":
        value = move.get("value")
        if type(value) is not int or not 0 < value < VALUES:
            raise BadMove("error.souk.value", value=value)
        return OFFER + value
    if do == "wait":
        return WAIT
    if do == "stop":
        return STOP
    if do == "name":
        return read_item(box, s, move.get("item"))
    raise BadMove("error.unknown_move", game="souk", do=do, moves="offer, wait, stop, name")


def read_item(box: Box, s: Record, item: Any) -> int:
    """Return the action of naming an item: "camel", or goods that are for sale."""
    if item == "camel":
        return CAMEL
    if not isinstance(item, list) or len(item) != 2 or item[0] not in TYPE_NAMES or type(item[1]) is not int:
        raise BadMove("error.souk.item", item=item)
    for stall in range(stalls(s)):
        if s.for_sale[stall] and goods_name(box, s, stall, int(s.for_sale[stall]) - 1) == item:
            return NAME + stall
    raise BadMove("error.souk.not_for_sale", item=f"{item[0]} {item[1]}")


def question(box: Box, s: Record, answers: list[tuple[int, int]]) -> list[tuple[Json, Json]] | None:
    """A price is one line if somebody stopped there and none otherwise; everything else is one line per seat."""
    if s.phase != COUNT:
        return None
    stops = [seat for seat, action in answers if action == STOP]
    if not stops:
        return []
    return [({"price": int(s.price), "stops": stops}, {"may_stop": [seat for seat, _ in answers]})]


def replay(box: Box, s: Record, line: Json, play: Callable[[int, int], None]) -> None:
    """Play a line of the count: everybody waits down to its price, where the listed seats stop."""
    price, stops = line.get("price"), line.get("stops", [])
    if s.phase != COUNT:
        raise BadMove("error.record.unexpected")
    if type(price) is not int or not 0 <= price <= s.price:
        raise BadMove("error.souk.price", price=price, now=int(s.price))
    if not isinstance(stops, list) or len(stops) != len({str(seat) for seat in stops}) or bool(stops) != (price > 0):
        raise BadMove("error.souk.stops")
    while s.price > price:
        for seat in seats_in(int(s.waiting)):
            play(seat, WAIT)
    asked = seats_in(int(s.waiting))
    for seat in stops:
        if seat not in asked:
            play(seat, STOP)  # refused, with the reason
    for seat in asked:
        play(seat, STOP if seat in stops else WAIT)


def write_setup(box: Box, s: Record) -> Json:
    """Return the setup: types, the bank's cards, camels from the top (the first is face up), and the first doyen."""
    setup: Json = {"types": [TYPE_NAMES[int(s.kind[seat])] for seat in range(s.players)]}
    if s.players == 3:
        setup |= {"bank": TYPE_NAMES[int(s.kind[3])], "bank_cards": [int(value) for value in s.bank[::-1]]}
    return setup | {"camels": [int(s.camel), *pile(s)], "doyen": int(s.doyen)}


def pile(s: Record) -> list[int]:
    """Return the pile of camels from the top."""
    return [int(size) for size in s.camels[: s.camels_left][::-1]]


def apply_setup(box: Box, s: Record, setup: Json) -> None:
    """Set up a blank state as written."""
    types = setup.get("types")
    bank = [setup.get("bank")] if s.players == 3 else []
    if not isinstance(types, list) or len(types) != s.players:
        raise BadMove("error.souk.types", n=int(s.players), types=", ".join(TYPE_NAMES))
    kinds = [TYPE_NAMES.index(name) for name in (*types, *bank) if name in TYPE_NAMES]
    if len(set(kinds)) != stalls(s):
        raise BadMove("error.souk.types", n=int(s.players), types=", ".join(TYPE_NAMES))
    s.kind[: len(kinds)] = kinds
    if s.players == 3:
        cards: Any = setup.get("bank_cards")
        if not _same(cards, box.record.values):
            raise BadMove("error.souk.bank_cards", n=CARDS)
        s.bank[:] = cards[::-1]
    count = int(box.record.camel_count)
    camels: Any = setup.get("camels")
    if not _same(camels, box.record.camels[:count]):
        raise BadMove("error.souk.camels", n=count)
    s.camels[:count] = camels[::-1]
    doyen = setup.get("doyen")
    if type(doyen) is not int or not 0 <= doyen < s.players:
        raise BadMove("error.souk.doyen", last=int(s.players) - 1)
    s.doyen = doyen
    begin(box.record, s)


def _same(values: Any, wanted: Any) -> Any:
    """Whether a written list holds exactly these numbers, in any order."""
    numbers = isinstance(values, list) and all(type(value) is int for value in values)
    return numbers and sorted(values) == sorted(int(value) for value in wanted)


def write_event(box: Box, before: Record, s: Record) -> Json:
    """Return the line of a reshuffle (M13) with the pile before the next camel is turned up, or of a round (M11)."""
    if before.due == ROUND_END:
        return {"price": 0}
    return {"chance": "camels", "order": ([int(s.camel)] if s.camel else []) + pile(s)}


def apply_event(box: Box, s: Record, line: Json) -> None:
    """Carry out the event that is due as written."""
    if s.due == ROUND_END:
        if line.get("price") != 0 or line.keys() - {"price", "state"}:
            raise BadMove("error.souk.round_end")
        end_round(s)
        return
    order: Any = line.get("order")
    if line.get("chance") != "camels" or not _same(order, s.camels[: s.camels_left]):
        raise BadMove("error.souk.order", n=int(s.camels_left))
    s.camels[: s.camels_left] = order[::-1]
    s.due = 0
    go_on(s)


def write_state(box: Box, s: Record) -> Json:
    """Return the whole state, secrets included."""
    seats = range(s.players)
    return {
        "dirhams": [int(s.money[seat]) for seat in seats],
        "goods": [goods_names(box, s, int(s.goods[seat])) for seat in seats],
        "camels": [camels_of(s, seat) for seat in seats],
        "for_sale": for_sale(box, s),
        "camel": int(s.camel) or None,
        "doyen": int(s.doyen),
        "round": int(s.rounds),
    }


def score_details(box: Box, s: Record, seat: int) -> Json:
    """Return what a seat's score comes from: dirhams, the camels' capacity, and the goods carried home (M19)."""
    return {
        "dirhams": int(s.money[seat]),
        "capacity": capacity(s, seat),
        "carried": goods_names(box, s, carried(box.record, s, seat)),
    }


def comparable(score: Json) -> Json:
    """Equally good choices (M19, M20) may carry different goods and split presents and harmony differently."""
    same = {name: score.get(name) for name in ("riches", "empty", "total", "dirhams", "capacity")}
    goods, presents, harmony = score.get("carried"), score.get("presents"), score.get("harmony")
    if isinstance(goods, list) and type(presents) is int and type(harmony) is int:
        same |= {"carried": len(goods), "goods": presents + harmony}
    return same


def forgotten(s: Record, lines: Iterable[Json]) -> Collection[int]:
    """M8: with hidden purchases, the lines of the count in earlier rounds cannot be looked up again.

    A round is past when the cards of the next are turned up: a sale at price 1 ends its round at once, and everybody
    must still be able to read it. What was for sale stays, and so do the ends of rounds.
    """
    if not s.hidden_purchases or s.over:
        return ()
    past: set[int] = set()
    count: set[int] = set()
    for i, line in enumerate(lines):
        if line.get("do") == "offer":
            past |= count
        elif line.get("price") != 0:
            count.add(i)
    return past


def redact(line: Json, seat: int, players: int) -> Json:
    """Return a line as the seat may read it: without the order of the camels."""
    return {**line, "order": len(line["order"])} if "order" in line else line
