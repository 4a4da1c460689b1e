"""The souk at a table: the live count (M15) and sealed orders."""

from __future__ import annotations

import pytest

from registan.core.errors import BadInput, BadMove
from registan.tables import events as e
from registan.tables import requests
from registan.tables.pace import Pace
from registan.tables.table import Table
from registan.tables.thinking import questions, reply
from registan.tables.views import show
from tests.tables.house import board_of, lay, same, traffic

LIVE = Pace(kind="live", bank=60, increment=5, tick=2)


def market(pace: Pace | None = None) -> tuple[Table, list[e.Event]]:
    """Return a souk where all have offered a card at 3000."""
    table, log = lay("souk", 4, pace=pace)
    for seat in range(4):
        log += requests.play(table, f"p{seat}", seat, board_of(table).legal(seat)[0], 3000)
    return table, log


def price(table: Table) -> int:
    return int(board_of(table).state.price)


def test_the_price_is_a_function_of_the_time() -> None:
    table, log = market(LIVE)
    assert (price(table), table.counting) == (10, 3000)
    assert table.next_deadline() == 5000
    assert requests.tick(table, 4999) == []
    log += requests.tick(table, 5000)
    assert (price(table), table.counting) == (9, 5000)
    log += requests.tick(table, 9500)  # two more have passed when somebody looks
    assert [event.at for event in log[-2:]] == [7000, 9000]
    assert (price(table), table.counting) == (7, 9000)
    assert same(table, Table(log))


def test_after_a_long_sleep_of_the_house_the_count_goes_on_where_it_was() -> None:
    table, _ = market(LIVE)
    assert len(requests.tick(table, 3_600_000)) == 1
    assert (price(table), table.counting) == (9, 3_600_000)


def test_stops_within_a_tick_are_simultaneous_and_secret() -> None:
    table, log = market(LIVE)
    before = {seat: traffic(table, seat) for seat in table.audiences}
    log += requests.play(table, "p2", 2, {"do": "stop"}, 3500)
    assert [seat for seat in table.audiences if traffic(table, seat) != before[seat]] == [2]
    assert show(table, 2)["stopped"] is True
    with pytest.raises(BadInput, match="stopped at this price"):
        requests.play(table, "p2", 2, {"do": "stop"}, 3600)
    log += requests.play(table, "p0", 0, {"do": "stop"}, 4999)
    log += requests.tick(table, 5000)
    assert show(table, 1)["view"]["stopped"] == [0, 2]
    assert show(table, 1)["view"]["waiting"] == [0, 2]
    assert table.counting is None
    assert table.next_deadline() == 5000 + 64_000  # a second was used, the increment is 5
    for seat in (0, 2):
        log += requests.play(table, f"p{seat}", seat, {"do": "name", "item": "camel"}, 6000)
    assert price(table) == 9
    assert show(table, 3)["counting"] == 6000
    assert same(table, Table(log))


def test_a_stop_may_be_taken_back_before_the_tick_is_over() -> None:
    table, _ = market(LIVE)
    requests.play(table, "p2", 2, {"do": "stop"}, 3500)
    requests.undo(table, "p2", 2, 3600)
    requests.tick(table, 5000)
    assert price(table) == 9


def test_one_does_not_wait_where_the_clock_does() -> None:
    table, _ = market(LIVE)
    with pytest.raises(BadInput, match="clock counts"):
        requests.play(table, "p2", 2, {"do": "wait"}, 3500)


def test_a_bot_that_waits_lets_the_clock_count() -> None:
    table, _ = market(LIVE)
    table.add(e.Lapsed(at=3100, seat=1))
    (question,) = questions(table)
    assert reply(table, question, 0, 3200) == []
    assert reply(table, question, 1, 3200)
    assert table.stops == {1}
    assert questions(table) == []


def test_a_pause_stops_the_count() -> None:
    table, _ = market(LIVE)
    requests.propose(table, "p0", 0, "pause", 4000)
    for seat in (1, 2, 3):
        requests.answer(table, f"p{seat}", seat, True, 4000)
    assert requests.tick(table, 50_000) == []
    requests.resume(table, "p1", 1, 60_000)
    assert table.next_deadline() == 61_000


def test_sealed_orders_answer_until_something_unforeseen() -> None:
    table, log = market()
    for seat in (0, 1, 2):
        log += requests.order(table, f"p{seat}", seat, {"do": "wait", "down_to": 4}, 3100)
    assert board_of(table).waiting == [3]
    log += requests.order(table, "p3", 3, {"do": "stop", "price": 7, "item": "camel"}, 3200)
    # All waited down to 7, seat 3 stopped there and named the camel: a sale nobody had foreseen.
    assert price(table) == 6
    assert board_of(table).waiting == [0, 1, 2, 3]
    assert table.sealed_orders == {}
    assert same(table, Table(log))


def test_an_order_is_the_seats_own_affair() -> None:
    table, _ = market()
    told = dict(table.told)
    requests.play(table, "p0", 0, {"do": "wait"}, 3100)
    requests.order(table, "p0", 0, {}, 3200)
    assert table.told[1] == told[1] + 1
    requests.order(table, "p1", 1, {"do": "wait", "down_to": 4}, 3300)
    assert show(table, 1)["orders"] == {"price": 4, "stops": False}
    assert show(table, 2)["orders"] == {}
    with pytest.raises(BadMove):
        requests.order(table, "p2", 2, {"do": "wait", "down_to": 11}, 3400)
    with pytest.raises(BadInput, match="orders"):
        requests.order(lay("khiva")[0], "p0", 0, {"do": "wait"}, 3000)
    with pytest.raises(BadInput, match="orders"):
        requests.order(market(LIVE)[0], "p0", 0, {"do": "wait", "down_to": 3}, 3100)


def test_taking_back_a_sealed_answer_leaves_the_orders_of_others() -> None:
    table, _ = market()
    requests.order(table, "p0", 0, {"do": "wait", "down_to": 4}, 3100)
    requests.order(table, "p1", 1, {"do": "wait", "down_to": 4}, 3100)
    requests.undo(table, "p0", 0, 3200)
    assert set(table.sealed_orders) == {1}
    assert board_of(table).waiting == [0, 2, 3]
