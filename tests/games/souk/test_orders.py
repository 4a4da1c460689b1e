"""Sealed orders: what they answer, and what cancels them."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from registan.core.errors import BadMove, IllegalMove, RegistanError
from registan.core.game import Json, Timed
from registan.games.souk import orders, secrets
from registan.games.souk.moves import write
from registan.games.souk.orders import CANCELLED, DONE, STANDS
from registan.games.souk.state import STOP, WAIT
from tests.games.souk.market import BOX, Market

JEWELS = ["jewels", 7]


def market_with(line: dict[str, Any], players: int = 4, **more: Any) -> tuple[Market, Json]:
    """A market at price 10 in which seat 0 has given an order; the doyen is the last seat."""
    market = Market(players, doyen=players - 1, **more)
    market.offer(*(5, 7, 1, 2, 3)[:players])
    return market, orders.give(BOX, market.match.hidden(0)[0], 0, line)


def answered(market: Market, order: Json) -> Any:
    """Return what the order of seat 0 answers now, as a move; None if the player is asked."""
    action = orders.answer(BOX, market.match.hidden(0)[0], 0, order)
    return None if action is None else write(BOX, market.state, 0, action)


def status(market: Market, order: Json) -> str:
    hidden = market.match.hidden(0)[0]
    assert orders.stands(BOX, hidden, 0, order) == (orders.status(hidden, order) == STANDS)
    return orders.status(hidden, order)


def test_an_order_waits_down_to_its_price_and_asks_there() -> None:
    market, order = market_with({"do": "wait", "down_to": 7})
    for price in (10, 9, 8):
        market.wait(price)
        assert answered(market, order) == {"do": "wait"}
        assert status(market, order) == STANDS
    market.wait(7)
    assert answered(market, order) is None
    assert status(market, order) == DONE


def test_an_order_down_to_0_waits_to_the_end_of_the_round() -> None:
    market, order = market_with({"do": "wait", "down_to": 0})
    for price in range(10, 0, -1):
        market.wait(price)
        assert answered(market, order) == {"do": "wait"}
    market.end_round()
    assert answered(market, order) is None
    assert status(market, order) == DONE


def test_an_order_stops_at_its_price_and_names_its_card() -> None:
    market, order = market_with({"do": "stop", "price": 7, "item": JEWELS})
    while market.match.waiting and market.state.price > 6:
        for seat in market.match.waiting:
            market.match.play(seat, answered(market, order) if seat == 0 else {"do": "wait"})
    assert market.goods(0) == [JEWELS]
    assert market.lines[-2:] == [{"price": 7, "stops": [0]}, {"seat": 0, "do": "name", "item": JEWELS}]
    assert status(market, order) == DONE
    assert answered(market, order) is None


def test_an_order_can_stop_at_once_and_for_the_camel() -> None:
    market, order = market_with({"do": "stop", "price": 10, "item": "camel"})
    assert answered(market, order) == {"do": "stop"}


def test_who_has_answered_is_not_answered_for_again() -> None:
    market, order = market_with({"do": "wait", "down_to": 7})
    market.match.play(0, {"do": "wait"})
    assert answered(market, order) is None
    assert status(market, order) == STANDS


def test_others_who_stop_at_the_very_price_do_not_cancel() -> None:
    """The card is still there when it is to be named, and that is what was ordered."""
    market, order = market_with({"do": "stop", "price": 7, "item": JEWELS})
    market.wait(7)
    for seat in range(4):
        market.match.play(seat, {"do": "stop" if seat in (0, 2) else "wait"})
    assert answered(market, order) == {"do": "name", "item": JEWELS}


def test_a_stop_by_hand_is_named_by_hand() -> None:
    market, order = market_with({"do": "stop", "price": 7, "item": JEWELS})
    for seat in range(4):
        market.match.play(seat, {"do": "stop" if seat == 0 else "wait"})
    assert answered(market, order) is None


EVENTS: dict[str, dict[int, Any]] = {
    "the card wanted is sold": {2: JEWELS},
    "another card is sold": {2: ["carpets", 2]},
    "one's own card is sold": {2: ["fruit", 5]},
    "a dispute about the card wanted": {2: JEWELS, 3: JEWELS},
    "a dispute about another card": {1: ["spices", 1], 3: ["spices", 1]},
    "the camel is bought and a new one comes": {1: "camel"},
    "a dispute about the camel": {1: "camel", 2: "camel"},
}
ORDERS: list[dict[str, Any]] = [
    {"do": "wait", "down_to": 3},
    {"do": "wait", "down_to": 0},
    {"do": "stop", "price": 3, "item": JEWELS},
]


@pytest.mark.parametrize("line", ORDERS, ids=["wait", "wait to the end", "stop"])
@pytest.mark.parametrize("names", EVENTS.values(), ids=EVENTS)
def test_what_was_not_foreseen_cancels(names: dict[int, Any], line: dict[str, Any]) -> None:
    market, order = market_with(line, players=5)
    market.wait(8)
    assert status(market, order) == STANDS
    market.stop(8, names)
    assert status(market, order) == CANCELLED
    assert answered(market, order) is None


@pytest.mark.parametrize("line", ORDERS, ids=["wait", "wait to the end", "stop"])
def test_a_camel_that_looks_like_the_last_one_cancels_too(line: dict[str, Any]) -> None:
    for names in ({1: "camel"}, {1: "camel", 2: "camel"}):
        market, order = market_with(line, camels=[4, 4, 4, 4, 2, 2, 2, 2, 3, 3, 3, 3, 5, 5, 5, 5])
        market.stop(8, names)
        market.state.camel = 4  # also when it was shuffled
        assert status(market, order) == CANCELLED


@pytest.mark.parametrize("line", ORDERS, ids=["wait", "wait to the end", "stop"])
def test_a_fine_cancels_but_a_stop_that_changes_nothing_does_not(line: dict[str, Any]) -> None:
    market = Market()
    market.own(1, 3)
    market.own(2, 0)
    market.offer(5, 7, 1, 2)
    order = orders.give(BOX, market.match.hidden(0)[0], 0, line)
    market.stop(9, {2: JEWELS})  # without a dirham
    assert status(market, order) == STANDS
    assert answered(market, order) == {"do": "wait"}
    market.stop(8, {1: "camel"})  # 3 dirhams are not 8
    assert status(market, order) == CANCELLED


def test_an_order_does_not_outlive_its_round() -> None:
    market, order = market_with({"do": "stop", "price": 3, "item": JEWELS})
    market.state.price = 1
    market.end_round().offer()
    assert status(market, order) == CANCELLED
    assert answered(market, order) is None


def test_orders_follow_from_what_the_seat_may_know() -> None:
    """In another world that looks the same to the seat an order is the same, and it does not fall."""
    line = {"do": "stop", "price": 3, "item": JEWELS}
    market, order = market_with(line)
    rng = np.arange(1, 5, dtype=np.uint64)
    world = market.match.hidden(0)[0]
    secrets.guess(BOX.record, world, 0, rng)
    assert world.tobytes() != market.state.tobytes()
    secrets.hide(BOX.record, world, 0)
    assert orders.give(BOX, world, 0, line) == order
    assert orders.status(world, order) == STANDS
    market.match.play(2, {"do": "stop"})  # sealed
    assert status(market, order) == STANDS


def test_an_order_is_plain_data_and_shows_where_it_ends() -> None:
    _, order = market_with({"do": "stop", "price": 3, "item": JEWELS})
    assert msgspec.json.decode(msgspec.json.encode(order)) == order
    assert orders.show(order) == {"price": 3, "stops": True}
    assert orders.show(market_with({"do": "wait", "down_to": 3})[1]) == {"price": 3, "stops": False}


def test_m15_every_price_is_a_question_against_the_clock() -> None:
    market = Market()
    assert orders.timed(BOX, market.state) is None  # cards are offered without a clock
    market.offer()
    assert orders.timed(BOX, market.state) == Timed((int(market.state.rounds), 10), WAIT, STOP)
    market.wait(9)
    assert orders.timed(BOX, market.state) == Timed((int(market.state.rounds), 9), WAIT, STOP)
    market.match.play(0, {"do": "stop"})
    for seat in (1, 2, 3):
        market.match.play(seat, {"do": "wait"})
    assert orders.timed(BOX, market.state) is None  # who stopped names a card


@pytest.mark.parametrize(
    "line",
    [
        {"do": "wait"},
        {"do": "wait", "down_to": 10},
        {"do": "wait", "down_to": -1},
        {"do": "wait", "down_to": "3"},
        {"do": "wait", "down_to": True},
        {"do": "stop", "item": JEWELS},
        {"do": "stop", "price": 0, "item": JEWELS},
        {"do": "stop", "price": 11, "item": JEWELS},
        {"do": "stop", "price": 5, "item": ["jewels", 5]},
        {"do": "stop", "price": 5, "item": ["wool", 5]},
        {"do": "stop", "price": 5},
        {"do": "name", "item": JEWELS},
        {},
        [],
        None,
    ],
)
def test_an_order_that_makes_no_sense_is_refused(line: Any) -> None:
    market = Market().offer(5, 7, 1, 2)
    with pytest.raises(BadMove) as error:
        orders.give(BOX, market.match.hidden(0)[0], 0, line)
    assert error.value.text("en") != error.value.text("fr")


def test_an_order_may_not_name_ones_own_card() -> None:
    market = Market().offer(5, 7, 1, 2)
    with pytest.raises(IllegalMove) as error:
        orders.give(BOX, market.match.hidden(0)[0], 0, {"do": "stop", "price": 5, "item": ["fruit", 5]})
    assert error.value.rule == "M7"


def test_an_order_is_given_only_when_asked_for_a_price() -> None:
    market = Market()
    line = {"do": "wait", "down_to": 3}
    with pytest.raises(RegistanError):
        orders.give(BOX, market.match.hidden(0)[0], 0, line)
    market.offer()
    market.match.play(0, {"do": "wait"})
    with pytest.raises(RegistanError):
        orders.give(BOX, market.match.hidden(0)[0], 0, line)
