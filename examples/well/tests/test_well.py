"""The rules of The Well, one test each. `registan check` and Registan's conformance suite do the rest."""

from __future__ import annotations

import pytest

from registan.core.box import find_box
from registan.core.errors import BadMove, IllegalMove
from registan.core.match import Match
from registan_well import GAME

BOX = find_box(GAME)


def evening(*hands: list[int], water: int = 8) -> Match:
    return Match(GAME, BOX, len(hands)).apply_setup({"hands": list(hands), "water": water})


def lead(match: Match, *camels: int) -> list[int]:
    """Let every seat lead a camel; return the points of each."""
    for seat, camel in enumerate(camels):
        match.play(seat, {"do": "lead", "camel": camel})
    return [score["total"] for score in match.scores()]


def test_w1_everybody_has_three_camels_and_the_well_holds_up_to_four_each() -> None:
    match = Match(GAME, BOX, 5).deal()
    assert [len(hand) for hand in match.record()["setup"]["hands"]] == [3] * 5
    assert 1 <= match.record()["setup"]["water"] <= 20
    with pytest.raises(BadMove):
        evening([1, 2, 7], [1, 1, 1])


def test_w2_everybody_chooses_at_once_from_the_hand() -> None:
    match = evening([1, 2, 3], [4, 5, 6])
    assert match.waiting == [0, 1]
    with pytest.raises(IllegalMove, match="W2"):
        match.play(0, {"do": "lead", "camel": 6})
    match.play(0, {"do": "lead", "camel": 3})
    assert match.view(1)["waiting"] == [1]
    assert match.log(1) == []


def test_w3_w4_the_least_thirst_drinks_first_and_equals_drink_together() -> None:
    assert lead(evening([6, 1, 1], [2, 1, 1], [5, 1, 1], water=8), 6, 2, 5) == [0, 2, 5]
    assert lead(evening([4, 1, 1], [4, 1, 1], [1, 1, 1], water=8), 4, 4, 1) == [0, 0, 1]


def test_w5_in_the_morning_everybody_draws_a_camel_that_only_the_owner_sees() -> None:
    match = evening([1, 1, 1], [2, 2, 2])
    lead(match, 1, 2)
    morning = match.record()["moves"][-1]
    assert [len(drawn) for drawn in morning["drawn"]] == [1, 1]
    assert match.log(0)[-1]["drawn"] == [morning["drawn"][0], []]
    assert len(match.view(0)["hand"]) == 3


def test_w6_after_eight_nights_the_most_points_win() -> None:
    match = Match(GAME, BOX, 3).deal()
    while not match.over:
        match.play_action(match.waiting[0], match.actions(match.waiting[0])[0])
    totals = [score["total"] for score in match.scores()]
    assert match.winners() == [seat for seat in range(3) if totals[seat] == max(totals)]
    assert sum("chance" in line for line in match.record()["moves"]) == 7
    with pytest.raises(IllegalMove, match="W6"):
        match.play(0, {"do": "lead", "camel": 1})
