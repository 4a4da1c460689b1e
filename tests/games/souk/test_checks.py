"""The checks find what must not be: each of them, by its number."""

from __future__ import annotations

from typing import Any

import pytest

from registan.games.souk import checks
from registan.games.souk.state import ACTIONS, CARDS, NAMES, RESHUFFLE, ROUND_END, STOP, actions
from tests.games.souk.market import BOX, Market


@pytest.mark.parametrize(
    ("number", "field", "value", "place"),
    [
        (1, "money", -1, 0),
        (2, "money", 99, 0),
        (2, "till", 99, None),
        (3, "left", 0, 0),  # a stall with no cards left
        (3, "left", 1 << CARDS | 0xFF, 0),
        (3, "for_sale", 1, 0),  # fruit 1 is for sale, and was not turned up
        (3, "for_sale", 1, 4),  # nobody has that stall
        (3, "goods", 1, 1),
        (3, "goods", 1 << 8, 1),  # fruit 5 is for sale
        (3, "kind", 1, 0),  # two sell jewels
        (5, "camel", 0, None),
        (5, "camel", 5, None),
        (5, "camels_left", 14, None),
        (5, "held", 1, (0, 2)),
        (6, "bank", 1, 0),
        (7, "waiting", 0, None),
        (7, "due", ROUND_END, None),
        (7, "over", 1, None),
        (8, "waiting", 31, None),
        (8, "doyen", 4, None),
        (8, "price", 0, None),
        (8, "price", 11, None),
        (8, "stopped", 1, None),
        (8, "phase", NAMES, None),  # nobody has stopped
        (9, "sealed", 1 + STOP, 0),
        (9, "waiting", 7, None),
    ],
)
def test_what_must_not_be_is_found(number: int, field: str, value: int, place: Any) -> None:
    market = Market().offer(5, 7, 1, 2)
    assert checks.faults(BOX.record, market.state) == 0
    if place is None:
        market.state[field] = value
    else:
        market.state[field][place] = value
    assert checks.faults(BOX.record, market.state) == number


def test_rounds_and_events_that_do_not_fit_are_found() -> None:
    s = Market().state
    s.price = 5  # while offers are asked for
    assert checks.faults(BOX.record, s) == 8
    s = Market().offer().state
    s.waiting, s.due = 0, ROUND_END  # but the price is 10
    assert checks.faults(BOX.record, s) == 8
    s.due = RESHUFFLE  # and no camel came back
    assert checks.faults(BOX.record, s) == 8
    s = Market().state
    s.rounds, s.left[:4] = 11, 0
    assert checks.faults(BOX.record, s) == 8
    s = Market(camels=[2, 3, 4, 5] * 4).offer().state
    s.camels[15], s.camels_left, s.camel = s.camel, 16, 0  # M10: goods are left, but no camel
    assert checks.faults(BOX.record, s) == 8


def test_nobody_owns_a_card_of_the_own_type() -> None:
    s = Market().offer(5, 7, 1, 2).end_round().state
    s.goods[1] = 1 << 8  # fruit 5, which nobody bought
    assert checks.faults(BOX.record, s) == 0
    s.goods[:2] = 1 << 8, 0
    assert checks.faults(BOX.record, s) == 4


def test_the_banks_pile_is_what_it_has_left() -> None:
    s = Market(3).offer().state
    assert checks.faults(BOX.record, s) == 0
    s.bank[0] = 7
    assert checks.faults(BOX.record, s) == 6


def test_every_action_has_a_number_below_the_last() -> None:
    assert actions(3) == actions(5) == ACTIONS == 17
