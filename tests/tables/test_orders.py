"""Tables use a game's `orders.py` without knowing the game."""

from __future__ import annotations

import inspect

import pytest

from registan.core.errors import BadInput
from registan.core.game import Orders
from registan.core.registry import find, keys
from registan.tables.pace import Pace
from registan.tables.requests import Order
from tests.tables.house import new_table

PARTS = [name for name, part in vars(Orders).items() if inspect.isfunction(part) and not name.startswith("_")]


@pytest.mark.parametrize("game", keys())
def test_the_orders_of_a_game_keep_to_the_protocol(game: str) -> None:
    rules = find(game).orders
    if rules is None:
        return
    for name in PARTS:
        wanted = list(inspect.signature(getattr(Orders, name)).parameters)[1:]
        assert list(inspect.signature(getattr(rules, name)).parameters) == wanted, name
    assert type(rules.SEALED) is bool
    assert all(Pace(kind="live", bank=60, tick=tick).checked(find(game)) for tick in rules.TICKS)


@pytest.mark.parametrize("game", keys())
def test_a_clock_asks_only_where_the_game_has_questions_for_it(game: str) -> None:
    pace = Pace(kind="live", bank=60, tick=2)
    rules = find(game).orders
    if rules is not None and rules.TICKS:
        assert pace.checked(find(game)) == pace
    else:
        with pytest.raises(BadInput, match="pace"):
            pace.checked(find(game))


def test_where_a_game_has_no_orders_only_plans_can_be_given() -> None:
    table, _ = new_table("khiva")
    with pytest.raises(BadInput, match="orders"):
        Order(seat=0, orders={"3": "sell"}).carry_out(table, "p0", 3000)
    assert Order(seat=0, orders={}).carry_out(table, "p0", 3000)
    assert table.orders == {}
