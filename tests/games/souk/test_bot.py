"""The greedy bot in the souk: it buys what it can use at a price that is worth it, and peeks nowhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan.bots.greedy import looks_best
from registan.core import batch, chance
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine
from registan.games.souk import GAME
from registan.games.souk.bot import PLAIN
from registan.games.souk.rules import MOST, legal
from registan.games.souk.state import NAME, ROUNDS, TYPES
from tests.games.souk.market import BOX, Market

SET = [["jewels", 7], ["jewels", 5], ["spices", 1], ["spices", 2], ["carpets", 3]]
"""What a seller of fruit has who wants nothing as much as a second carpet: two jewels are worth 12 then."""


def weighed(s: Any, seat: int, compiled: bool = False) -> tuple[list[int], list[float]]:
    """Return the legal actions of a seat and what each seems to be worth."""
    buffer, worth, rng = np.zeros(MOST, np.int32), np.zeros(MOST), np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 1, 0)
    Engine(GAME, BOX, compiled=compiled).run(looks_best, np.array([s]), seat, rng, buffer, worth, 0.0, PLAIN)
    n = legal(BOX.record, s, seat, buffer)
    return [int(action) for action in buffer[:n]], [float(points) for points in worth[:n]]


def choice(market: Market, seat: int = 0) -> dict[str, Any]:
    """Return the move that seems best to the seat."""
    actions, worth = weighed(market.state, seat)
    return GAME.moves.write(BOX, market.state, seat, actions[int(np.argmax(worth))])


def stops_at(market: Market) -> int:
    """Return the price at which seat 0 stops if nobody else does, 0 if it never does."""
    for price in range(10, 0, -1):
        market.wait(price)
        if choice(market) == {"do": "stop"}:
            return price
    return 0


def last_round(*values: int, doyen: int = 0, camel: int = 2) -> Market:
    """Return the last market of a game, with these cards for sale; seat 0 is the poorest whatever it pays."""
    market = Market(doyen=doyen, camels=[camel, *sorted([2, 3, 4, 5] * 4, key=lambda size: size == camel)[:-1]])
    for seat in range(4):
        market.own(seat, 9 + 5 * seat)
    market.state.rounds = ROUNDS
    return market.offer(*values)


@pytest.mark.skipif(INTERPRET, reason="this is about machine code")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_is_hidden_does_not_matter(players: int) -> None:
    states = batch.sample(GAME, BOX, batch.blank(GAME, 1000, players), seed=players)
    for s in states:
        seat = int(s.waiting).bit_length() - 1
        hidden = np.array([s])
        batch.hide(BOX, hidden, seat)
        assert weighed(hidden[0], seat, compiled=True) == weighed(s, seat, compiled=True)


@pytest.mark.skipif(INTERPRET, reason="this is about machine code")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_machine_code_thinks_the_same(players: int) -> None:
    for s in batch.sample(GAME, BOX, batch.blank(GAME, 100, players), seed=10 + players):
        for seat in range(players):
            if int(s.waiting) >> seat & 1:
                actions, worth = weighed(s, seat)
                again, same = weighed(s, seat, compiled=True)
                assert actions == again
                assert worth == pytest.approx(same)
                assert all(abs(points) < 60 for points in worth)


def test_ten_is_too_much_for_a_card_that_is_worth_little() -> None:
    market = Market().offer(1, 1, 1, 1)
    assert choice(market) == {"do": "wait"}


def test_a_card_that_completes_the_best_set_is_bought() -> None:
    market = last_round(1, 1, 1, 1)
    market.own(0, 9, SET, [3, 3])
    assert 0 < stops_at(market) <= 9
    market.match.play(0, {"do": "stop"})
    for seat in market.match.waiting:
        market.match.play(seat, {"do": "wait"})
    assert choice(market) == {"do": "name", "item": ["carpets", 1]}


def test_a_price_that_only_oneself_can_pay_will_fall() -> None:
    market = last_round(1, 1, 1, 1)
    market.own(0, 9, SET, [3, 3])
    for seat in (1, 2, 3):
        market.own(seat, 0)
    assert stops_at(market) == 1


def test_who_cannot_pay_does_not_stop() -> None:
    market = last_round(1, 1, 1, 1)
    market.own(0, 0, SET, [3, 3])
    assert stops_at(market) == 0


def test_a_camel_is_bought_when_there_is_more_than_can_be_carried() -> None:
    market = last_round(1, 1, 1, 1, camel=3)
    market.own(0, 9, [*SET, ["carpets", 5]], [3])
    assert stops_at(market) > 0
    market.match.play(0, {"do": "stop"})
    for seat in market.match.waiting:
        market.match.play(seat, {"do": "wait"})
    assert choice(market) == {"do": "name", "item": "camel"}


def test_a_camel_that_stays_empty_is_left_alone() -> None:
    market = last_round(1, 1, 1, 1, camel=5)
    market.own(0, 9, [*SET, ["carpets", 5]], [3, 3])
    market.state.for_sale[:TYPES] = 0
    assert stops_at(market) == 0


def test_goods_are_of_no_use_without_a_camel_to_come() -> None:
    market = last_round(7, 7, 7, 7)
    market.own(0, 9, SET)
    market.state.camel = 0
    assert stops_at(market) == 0


def carpet_worth(doyen: int, stopping: set[int]) -> float:
    """Return what naming the carpet that seats 0 and 1 need seems to be worth to seat 0 when these seats stopped."""
    market = last_round(1, 1, 1, 1, doyen=doyen).wait(2)
    market.own(0, 20, SET, [3, 3])  # a little more than seat 2, so that a dirham matters
    market.own(1, 14, [["fruit", 7], ["fruit", 5], *SET[2:]], [3, 3])
    for seat in market.match.waiting:
        market.match.play(seat, {"do": "stop" if seat in stopping else "wait"})
    actions, worth = weighed(market.state, 0)
    return worth[actions.index(NAME + 3)]


def test_a_card_that_another_will_name_is_worth_less_but_to_the_doyen() -> None:
    assert carpet_worth(doyen=3, stopping={0}) > carpet_worth(doyen=3, stopping={0, 1})
    assert carpet_worth(doyen=0, stopping={0}) == carpet_worth(doyen=0, stopping={0, 1})


def test_a_dispute_that_the_doyen_wins_costs_nothing() -> None:
    assert carpet_worth(doyen=1, stopping={0, 1}) > carpet_worth(doyen=3, stopping={0, 1})


def test_high_cards_wait_until_somebody_has_money() -> None:
    market = Market()
    for seat in (1, 2, 3):
        market.own(seat, 0)
    assert choice(market) == {"do": "offer", "value": 1}
