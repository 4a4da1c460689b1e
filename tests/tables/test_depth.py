"""What people send is stored, compared and written again: none of it is nested so deeply that this would fail."""

from __future__ import annotations

import pytest

from registan.core.errors import BadInput
from registan.core.game import Json
from registan.tables.requests import Order, Play
from registan.tables.table import Table
from registan.tables.texts import DEPTH, flat
from registan.tables.views import show
from tests.tables.house import new_table


def nested(depth: int, kind: str) -> Json:
    value: Json | list[object] = {}
    for _ in range(depth - 1):
        value = {"a": value} if kind == "dict" else [value]
    return {"a": value}


@pytest.mark.parametrize("kind", ["dict", "list"])
def test_only_so_deep(kind: str) -> None:
    flat(nested(DEPTH - 1, kind))
    with pytest.raises(BadInput, match=str(DEPTH)):
        flat(nested(DEPTH, kind))
    with pytest.raises(BadInput):
        flat(nested(900, kind))


@pytest.mark.parametrize("kind", ["dict", "list"])
def test_a_plan_or_a_move_that_is_too_deep_is_refused_and_changes_nothing(kind: str) -> None:
    table, _ = new_table("samarkand", 2)
    idle = next(seat for seat in range(2) if not table.asked(seat))
    move = table.playing.legal(1 - idle)[0]

    def planned(depth: int) -> Table:
        draft = table.copy()
        plan = {"moves": [move], "if": [nested(depth, kind)]}
        Order(seat=idle, orders={"next": [plan]}).carry_out(draft, f"p{idle}", 3000)
        return draft

    assert show(planned(DEPTH - 5), idle)["next"]
    for depth in (DEPTH, 900):
        with pytest.raises(BadInput, match="deep"):
            planned(depth)
        with pytest.raises(BadInput, match="deep"):
            Play(seat=1 - idle, move={**move, "more": nested(depth, kind)}).carry_out(table, f"p{1 - idle}", 3000)
    assert show(table, idle)["next"] == []
