"""The souk at a table: the live count (M15) and sealed orders."""

from __future__ import annotations

import pytest

from registan.core.errors import BadInput, BadMove
from registan.tables import events as e
from registan.tables.bots import Choice, questions, reply
from registan.tables.clocks import catch_up
from registan.tables.pace import Pace
from registan.tables.requests import Answer, Order, Play, Propose, Resume, Undo
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import match_of, new_table, same, traffic

LIVE = Pace(kind="live", bank=60, increment=5, tick=2)


def market(pace: Pace | None = None) -> tuple[Table, list[e.Event]]:
    """Return a souk where all have offered a card at 3000."""
    table, log = new_table("souk", 4, pace=pace)
    for seat in range(4):
        log += Play(seat=seat, move=match_of(table).legal(seat)[0]).carry_out(table, f"p{seat}", 3000)
    return table, log


def price(table: Table) -> int:
    return int(match_of(table).state.price)


def test_the_price_is_a_function_of_the_time() -> None:
    table, log = market(LIVE)
    assert (price(table), table.counting) == (10, 3000)
    assert table.next_deadline() == 5000
    assert catch_up(table, 4999) == []
    log += catch_up(table, 5000)
    assert (price(table), table.counting) == (9, 5000)
    log += catch_up(table, 9500)  # two more have passed when somebody looks
    assert [event.at for event in log[-2:]] == [7000, 9000]
    assert (price(table), table.counting) == (7, 9000)
    assert same(table, replay(log))


def test_after_a_long_sleep_of_the_house_the_count_goes_on_where_it_was() -> None:
    table, _ = market(LIVE)
    assert len(catch_up(table, 3_600_000)) == 1
    assert (price(table), table.counting) == (9, 3_600_000)


def test_stops_within_a_tick_are_simultaneous_and_secret() -> None:
    table, log = market(LIVE)
    before = {seat: traffic(table, seat) for seat in table.audiences}
    log += Play(seat=2, move={"do": "stop"}).carry_out(table, "p2", 3500)
    assert [seat for seat in table.audiences if traffic(table, seat) != before[seat]] == [2]
    assert show(table, 2)["stopped"] is True
    with pytest.raises(BadInput, match="stopped at this price"):
        Play(seat=2, move={"do": "stop"}).carry_out(table, "p2", 3600)
    log += Play(seat=0, move={"do": "stop"}).carry_out(table, "p0", 4999)
    log += catch_up(table, 5000)
    assert show(table, 1)["view"]["stopped"] == [0, 2]
    assert show(table, 1)["view"]["waiting"] == [0, 2]
    assert table.counting is None
    assert table.next_deadline() == 5000 + 64_000  # a second was used, the increment is 5
    for seat in (0, 2):
        log += Play(seat=seat, move={"do": "name", "item": "camel"}).carry_out(table, f"p{seat}", 6000)
    assert price(table) == 9
    assert show(table, 3)["counting"] == 6000
    assert same(table, replay(log))


def test_a_stop_may_be_taken_back_before_the_tick_is_over() -> None:
    table, _ = market(LIVE)
    Play(seat=2, move={"do": "stop"}).carry_out(table, "p2", 3500)
    Undo(seat=2).carry_out(table, "p2", 3600)
    catch_up(table, 5000)
    assert price(table) == 9


def test_one_does_not_wait_where_the_clock_does() -> None:
    table, _ = market(LIVE)
    with pytest.raises(BadInput, match="clock counts"):
        Play(seat=2, move={"do": "wait"}).carry_out(table, "p2", 3500)


def test_a_bot_that_waits_lets_the_clock_count() -> None:
    table, _ = market(LIVE)
    table.add(e.Lapsed(at=3100, seat=1))
    (question,) = questions(table)
    assert reply(table, question, Choice(0, "random"), 3200) == []
    assert reply(table, question, Choice(1, "random"), 3200)
    assert table.stops == {1}
    assert questions(table) == []


def test_a_pause_stops_the_count() -> None:
    table, _ = market(LIVE)
    Propose(seat=0, what="pause").carry_out(table, "p0", 4000)
    for seat in (1, 2, 3):
        Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 4000)
    assert catch_up(table, 50_000) == []
    Resume(seat=1).carry_out(table, "p1", 60_000)
    assert table.next_deadline() == 61_000


def test_sealed_orders_answer_until_something_unforeseen() -> None:
    table, log = market()
    for seat in (0, 1, 2):
        log += Order(seat=seat, orders={"do": "wait", "down_to": 4}).carry_out(table, f"p{seat}", 3100)
    assert match_of(table).waiting == [3]
    log += Order(seat=3, orders={"do": "stop", "price": 7, "item": "camel"}).carry_out(table, "p3", 3200)
    # All waited down to 7, seat 3 stopped there and named the camel: a sale nobody had foreseen.
    assert price(table) == 6
    assert match_of(table).waiting == [0, 1, 2, 3]
    assert table.orders == {}
    assert same(table, replay(log))


def test_an_order_is_the_seats_own_affair() -> None:
    table, _ = market()
    told = dict(table.seqs)
    Play(seat=0, move={"do": "wait"}).carry_out(table, "p0", 3100)
    Order(seat=0, orders={}).carry_out(table, "p0", 3200)
    assert table.seqs[1] == told[1] + 1
    Order(seat=1, orders={"do": "wait", "down_to": 4}).carry_out(table, "p1", 3300)
    assert show(table, 1)["orders"] == {"price": 4, "stops": False}
    assert show(table, 2)["orders"] == {}
    with pytest.raises(BadMove):
        Order(seat=2, orders={"do": "wait", "down_to": 11}).carry_out(table, "p2", 3400)
    with pytest.raises(BadInput, match="orders"):
        Order(seat=0, orders={"do": "wait"}).carry_out(new_table("khiva")[0], "p0", 3000)
    with pytest.raises(BadInput, match="orders"):
        Order(seat=0, orders={"do": "wait", "down_to": 3}).carry_out(market(LIVE)[0], "p0", 3100)


def test_taking_back_a_sealed_answer_leaves_the_orders_of_others() -> None:
    table, _ = market()
    Order(seat=0, orders={"do": "wait", "down_to": 4}).carry_out(table, "p0", 3100)
    Order(seat=1, orders={"do": "wait", "down_to": 4}).carry_out(table, "p1", 3100)
    Undo(seat=0).carry_out(table, "p0", 3200)
    assert set(table.orders) == {1}
    assert match_of(table).waiting == [0, 2, 3]
