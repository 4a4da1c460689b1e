"""Standing orders for sales (S14)."""

from __future__ import annotations

import pytest

from registan.core.errors import BadInput
from registan.games.samarkand.orders import answer, checked, standing
from tests.games.samarkand.table import give, lay, place


@pytest.mark.parametrize(
    ("orders", "move"),
    [
        ({}, None),
        ({3: "ask"}, None),
        ({4: "sell"}, None),
        ({3: "sell"}, {"do": "sell", "good": 3}),
        ({3: "keep", 4: "sell"}, {"do": "keep", "good": 3}),
    ],
)
def test_s14_an_order_answers_for_its_card(orders: dict[int, str], move: dict[str, object] | None) -> None:
    match = lay([], [3], [])
    give(match, 0, "levant")
    assert answer(match.hidden(1)[0], 1, orders) is None
    place(match, "levant", "a2")
    assert answer(match.hidden(1)[0], 1, orders) == move
    for other in (0, 2):
        assert answer(match.hidden(other)[0], other, {3: "sell"}) is None
    if move is not None:
        match.play(1, move)
        assert match.waiting == [1]


def test_s14_orders_are_for_cards_in_hand_and_default_to_asking() -> None:
    match = lay([3, 7], [], [])
    assert standing(match.hidden(0)[0], 0, {3: "sell", 9: "keep"}) == {3: "sell", 7: "ask"}


def test_orders_are_checked() -> None:
    assert checked({3: "sell", 4: "ask", 5: "keep"}) == {3: "sell", 5: "keep"}
    wrong_ones: list[dict[int, str]] = [{0: "sell"}, {34: "keep"}, {3: "burn"}, {True: "sell"}]
    for wrong in wrong_ones:
        with pytest.raises(BadInput):
            checked(wrong)
