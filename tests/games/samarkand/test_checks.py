"""The checks that run over millions of games: each finds what it is there for."""

from __future__ import annotations

import pytest

from registan.games.samarkand import checks
from registan.games.samarkand.state import SALE, TILE
from tests.games.samarkand.table import BOX, deal, give, place, random_game, send


@pytest.mark.parametrize(
    ("check", "field", "at", "by"),
    [
        (
            1,
            "route",
            (
                0,
                0,
            ),
            1 << 20,
        ),  # a camel far from the others
        (
            1,
            "route",
            (
                0,
                0,
            ),
            -1,
        ),  # none on the start space
        (
            1,
            "route",
            (
                3,
                2,
            ),
            1,
        ),
        (3, "hand", (0,), 1 << 32),  # a card twice
        (3, "held", (0,), 1),
        (3, "deck_left", (), -1),
        (3, "drops", (1,), 1),
        (5, "relations", (0,), 1),
        (5, "met", (0,), 2),  # families that share no space
        (6, "goods", (2,), 1),
        (7, "dirhams", (0,), 1),
        (7, "dirhams", (0,), -20),
        (7, "treasury", (4,), -1),
        (8, "domain", (0,), 1),
        (8, "tiles", (0,), 1),
        (8, "twice", (0,), 1),
        (8, "bag_left", (), 1),
        (8, "removed", (), 1),
        (
            9,
            "put_back",
            (
                0,
                0,
            ),
            1,
        ),
        (9, "shuffles", (), 9),
        (10, "waiting", (), 1),
        (10, "due", (), TILE),
        (10, "phase", (), SALE),
        (10, "camels", (), 1),
        (10, "over", (), 1),
    ],
)
def test_each_check_finds_its_fault(check: int, field: str, at: tuple[int, ...], by: int) -> None:
    match = deal([1, 2], [3, 4], [5, 6])
    send(match, "egypt", "c2", "b2")
    send(match, "byzant", "e2", "d2", "c2")
    s = match.state
    if at:
        s[field][at] += by
    else:
        s[field] += by
    assert checks.faults(BOX.record, s) == check


def test_three_camels_on_a_space_are_a_fault() -> None:
    match = deal([], [], [])
    send(match, "egypt", "c2", "b2")
    send(match, "byzant", "d1", "c1", "b1", "b2")
    s = match.state
    s.route[0, 0] |= 1 << BOX.names.space_numbers["b2"] | 1 << BOX.names.space_numbers["a2"]
    assert checks.faults(BOX.record, s) == 2


def test_the_limit_is_checked_but_not_while_somebody_draws() -> None:
    match = deal([1, 2], [], [], [], [])
    s = match.state
    for card in range(3, 9):
        place_of = [int(c) for c in s.deck].index(card)
        s.deck[place_of : s.deck_left - 1] = s.deck[place_of + 1 : s.deck_left]
        s.deck_left -= 1
        s.deck[s.deck_left] = 0
        s.hand[0] |= 1 << card - 1
        s.held[0] += 1
    assert checks.faults(BOX.record, s) == 4
    s.phase = 3
    assert checks.faults(BOX.record, s) == 0


def test_a_sale_without_a_holder_is_a_fault() -> None:
    match = deal([3], [], [])
    give(match, 0, "levant")
    place(match, "levant", "a2")
    s = match.state
    assert checks.faults(BOX.record, s) == 0
    s.good = 31
    assert checks.faults(BOX.record, s) == 10
    s.good = int(s.deck[0]) - 1
    assert checks.faults(BOX.record, s) == 10


def test_former_discards_in_a_hand_must_have_been_drawn() -> None:
    match = random_game(4, 2)
    s = match.state
    assert s.shuffles > 0
    owner = next(seat for seat in range(4) if s.put_back[0, seat])
    other = (owner + 1) % 4
    s.put_back[0, owner] |= s.hand[other]
    s.drawn[:, other] = 0
    assert checks.faults(BOX.record, s) == 9
