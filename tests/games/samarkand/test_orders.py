"""Standing orders for sales (S14)."""

from __future__ import annotations

import pytest

from registan.core.errors import BadInput
from registan.core.game import Json
from registan.games.samarkand import orders
from tests.games.samarkand.table import BOX, deal, give, place


@pytest.mark.parametrize(
    ("given", "move"),
    [
        ({}, None),
        ({"3": "ask"}, None),
        ({"4": "sell"}, None),
        ({"3": "sell"}, {"do": "sell", "good": 3}),
        ({"3": "keep", "4": "sell"}, {"do": "keep", "good": 3}),
    ],
)
def test_s14_an_order_answers_for_its_card(given: Json, move: Json | None) -> None:
    match = deal([], [3], [])
    give(match, 0, "levant")
    kept = orders.give(BOX, match.hidden(1)[0], 1, given)
    assert orders.answer(BOX, match.hidden(1)[0], 1, kept) is None
    place(match, "levant", "a2")
    action = orders.answer(BOX, match.hidden(1)[0], 1, kept)
    assert (None if action is None else match.game.moves.write(BOX, match.state, 1, action)) == move
    for other in (0, 2):
        assert orders.answer(BOX, match.hidden(other)[0], other, {"3": "sell"}) is None
    if move is not None:
        match.play(1, move)
        assert match.waiting == [1]
    assert orders.stands(BOX, match.hidden(1)[0], 1, kept)


def test_s14_the_holder_is_asked_quietly_and_the_card_is_taken_to_be_kept() -> None:
    match = deal([], [3], [])
    give(match, 0, "levant")
    assert orders.quiet(BOX, match.state) is None
    place(match, "levant", "a2")
    action = orders.quiet(BOX, match.state)
    assert action is not None
    assert match.game.moves.write(BOX, match.state, 1, action) == {"do": "keep", "good": 3}


def test_orders_are_checked_and_sorted() -> None:
    match = deal([], [3], [])
    hidden = match.hidden(0)[0]
    kept = orders.give(BOX, hidden, 0, {"12": "sell", "5": "keep", "7": "ask"})
    assert list(orders.show(kept).items()) == [("5", "keep"), ("7", "ask"), ("12", "sell")]
    wrong_ones: list[Json] = [
        {"0": "sell"},
        {"34": "keep"},
        {"3": "burn"},
        {"x": "sell"},
        {"9" * 5000: "sell"},
        {"3": []},
    ]
    for wrong in wrong_ones:
        with pytest.raises(BadInput) as error:
            orders.give(BOX, hidden, 0, wrong)
        assert error.value.text("en") != error.value.text("fr")
