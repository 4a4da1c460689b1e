"""The score, M18 to M23: the rulebook's example, and a brute force that knows nothing of our way to choose."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from registan.core.compiled import INTERPRET, jit
from registan.core.engine import Engine
from registan.games.souk import GAME
from registan.games.souk.rules import scores
from registan.games.souk.scoring import carried
from registan.games.souk.state import CARDS
from tests.games.souk.market import BOX, Market

TABLES = {"table": {2: 1, 3: 2, 4: 4, 5: 8}, "example": {2: 2, 3: 3, 4: 4, 5: 8}}
VALUES = [1, 1, 1, 2, 2, 3, 3, 4, 5, 7]
BOUGHT = [["jewels", 7], ["jewels", 5], ["carpets", 5], ["carpets", 1], ["carpets", 2], ["spices", 5], ["spices", 1]]


def valerie(camels: list[int], harmony: str = "table") -> dict[str, int]:
    """The rulebook's example: seat 0 sells fruit and has 8 dirhams against 10, 6 and 5."""
    market = Market(harmony=harmony)
    market.own(0, 8, BOUGHT, camels)
    for seat, dirhams in ((1, 10), (2, 6), (3, 5)):
        market.own(seat, dirhams)
    return market.scores()[0]


def test_m18_m20_m21_m22_the_example_of_the_rulebook() -> None:
    score = valerie([5, 4])
    assert (score["riches"], score["presents"], score["harmony"], score["empty"]) == (3, 12, 3, -4)
    assert score["total"] == 14
    assert valerie([5, 4], harmony="example")["total"] == 16


def test_m19_the_example_with_other_camels() -> None:
    score = valerie([3, 3])
    assert (score["riches"], score["presents"], score["harmony"], score["empty"]) == (3, 12, 3, 0)
    assert score["total"] == 18
    assert valerie([3, 3], harmony="example")["total"] == 20


@pytest.mark.parametrize(
    ("money", "points"),
    [
        ([9, 7, 5, 3], [5, 3, 1, 0]),
        ([3, 9, 9, 5], [0, 5, 5, 1]),
        ([9, 7, 7, 5], [5, 3, 3, 0]),
        ([9, 9, 9, 2], [5, 5, 5, 0]),
        ([9, 7, 5, 5], [5, 3, 1, 1]),
        ([0, 0, 0, 0], [5, 5, 5, 5]),
        ([1, 2, 3, 4, 5], [0, 0, 1, 3, 5]),
        ([9, 7, 5], [3, 1, 0]),
        ([9, 9, 5], [3, 3, 0]),
        ([9, 5, 5], [3, 1, 1]),
    ],
)
def test_m18_riches_and_their_ties(money: list[int], points: list[int]) -> None:
    market = Market(len(money))
    for seat, dirhams in enumerate(money):
        market.own(seat, dirhams)
    assert [score["riches"] for score in market.scores()] == points


def test_m19_nothing_is_discarded_while_the_camels_suffice() -> None:
    """Without the second carpet it would be jewels and spices that tie with carpets, but it stays."""
    market = Market()
    market.own(0, 0, [["jewels", 1], ["carpets", 7], ["carpets", 5], ["spices", 1]], [4])
    assert market.scores()[0]["presents"] == 1
    market = Market()
    market.own(0, 0, [["jewels", 1], ["carpets", 7], ["carpets", 5], ["spices", 1]], [3])
    assert market.scores()[0]["presents"] == 7


def test_m19_without_camels_nothing_is_carried() -> None:
    market = Market()
    market.own(0, 0, BOUGHT)
    score = market.scores()[0]
    assert (score["presents"], score["harmony"], score["empty"]) == (0, 0, 0)


def test_m20_a_type_without_a_card_scores_nothing() -> None:
    market = Market()
    market.own(0, 0, [["jewels", 7], ["carpets", 5]], [2])
    assert market.scores()[0]["presents"] == 0
    three = Market(3)
    three.own(0, 0, [["jewels", 7], ["spices", 5]], [2])
    assert three.scores()[0]["presents"] == 0  # the bank's type is in play
    three.own(0, 0, [["jewels", 7], ["spices", 5], ["carpets", 3]], [3])
    assert three.scores()[0]["presents"] == 7


def test_m20_the_fewest_cards_count_not_the_fewest_points() -> None:
    market = Market()
    market.own(0, 0, [["jewels", 1], ["jewels", 1], ["carpets", 7], ["spices", 1], ["spices", 2]], [5])
    assert market.scores()[0]["presents"] == 7


@pytest.mark.parametrize(
    ("option", "points"), [("table", [0, 0, 1, 2, 4, 8, 16, 16]), ("example", [0, 0, 2, 3, 4, 8, 16, 16])]
)
def test_m21_harmony_by_table_and_by_example(option: str, points: list[int]) -> None:
    ones = [[name, 1] for name in ("jewels", "spices", "carpets") for _ in range(3)]
    for count, wanted in enumerate(points):
        market = Market(harmony=option)
        market.own(0, 0, ones[:count], [5, 4])
        assert market.scores()[0]["harmony"] == wanted


def test_m22_each_empty_place_costs_two() -> None:
    market = Market()
    market.own(0, 0, [["jewels", 1]], [5, 3])
    assert market.scores()[0]["empty"] == -14
    market.own(1, 0, [], [2])
    assert market.scores()[1]["empty"] == -4


def test_m23_most_points_win_and_ties_are_shared() -> None:
    market = Market()
    for seat, dirhams in enumerate((3, 9, 9, 4)):
        market.own(seat, dirhams)
    assert market.match.winners() == [1, 2]
    market.own(1, 9, [["fruit", 1], ["spices", 1]], [2])
    assert market.match.winners() == [1]
    for seat in range(4):
        market.own(seat, 5, [], [5, 5])  # everybody loses points alike
    assert market.match.winners() == [0, 2, 3]  # seat 1 has still an older camel


def brute_force(goods: list[tuple[int, int]], types: list[int], buffer: int, table: dict[int, int]) -> int:
    """Return the best presents and harmony over every way to fill the room, tried one by one."""
    best = -1
    for kept in combinations(goods, min(buffer, len(goods))):
        by_type = {t: [value for kind, value in kept if kind == t] for t in types}
        fewest = min(len(cards) for cards in by_type.values())
        presents = max(sum(cards) for cards in by_type.values() if len(cards) == fewest)
        counts = Counter(value for _, value in kept)
        harmony = sum(16 if n > 5 else table.get(n, 0) for n in counts.values())
        best = max(best, presents + harmony)
    return best


def random_hand(market: Market, rng: Any) -> tuple[list[tuple[int, int]], list[int], int]:
    """Give seat 0 random goods and camels; return them."""
    s = market.state
    types = [1, 2, 3, 4] if s.players == 5 else [1, 2, 3]
    cards = [(t, c) for t in types for c in range(CARDS)]
    # Mostly few of a type or of a value, so that choices are close.
    weights = np.array([rng.random() for _ in types])[[t - 1 for t, _ in cards]]
    picked = rng.choice(len(cards), int(rng.integers(1, 11)), replace=False, p=weights / weights.sum())
    s.goods[0] = 0
    for i in picked:
        s.goods[0] |= 1 << cards[i][0] * CARDS + cards[i][1]
    s.held[0] = 0
    for size in rng.integers(2, 6, int(rng.integers(0, 4))):
        s.held[0, size] += 1
    buffer = int(sum(size * int(s.held[0, size]) for size in range(10)))
    return [(cards[i][0], VALUES[cards[i][1]]) for i in picked], types, buffer


@pytest.mark.no_cover  # brute force takes long to trace
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("harmony", ["table", "example"])
def test_m19_m20_m23_the_choice_is_the_best_there_is(players: int, harmony: str) -> None:
    market = Market(players, harmony=harmony)
    rng = np.random.default_rng(players)
    hands = 60 if INTERPRET else 1000
    states, dealt = np.zeros(hands, GAME.rules.STATE), []
    for i in range(hands):
        dealt.append(random_hand(market, rng))
        states[i] = market.state
    points = Engine(GAME, BOX, compiled=True).scores(states)
    tight = 0
    for s, (goods, types, buffer), (_, _, presents, harmonious, empty) in zip(states, dealt, points[:, 0]):
        assert presents + harmonious == brute_force(goods, types, buffer, TABLES[harmony])
        kept = jit(carried)(BOX.record, s, 0)
        assert kept & ~int(s.goods[0]) == 0
        assert kept.bit_count() == min(buffer, len(goods))
        assert empty == -2 * max(0, buffer - len(goods))
        tight += 0 < buffer < len(goods)
    assert tight > hands / 10


def test_m23_both_modes_choose_alike() -> None:
    market = Market(5)
    rng = np.random.default_rng(1)
    for _ in range(60):
        goods, types, buffer = random_hand(market, rng)
        out = np.zeros((5, 5), np.int64)
        scores(BOX.record, market.state, out)
        assert out[0, 2] + out[0, 3] == brute_force(goods, types, buffer, TABLES["table"])
        assert carried(BOX.record, market.state, 0) == jit(carried)(BOX.record, market.state, 0)


def test_the_score_says_what_it_comes_from() -> None:
    from registan.games.souk.moves import score_details

    market = Market()
    market.own(0, 8, BOUGHT, [3, 3])
    assert score_details(BOX, market.state, 0) == {
        "dirhams": 8,
        "capacity": 6,
        "carried": [["jewels", 5], ["jewels", 7], ["spices", 1], ["spices", 5], ["carpets", 1], ["carpets", 5]],
    }
