"""The rulebook's example: a white camel brought home, and a blue one that two players want."""

from __future__ import annotations

import pytest

from registan.core.match import Match
from tests.games.khiva.table import active, deal, now, put, take, turn, walk

SHE, ADIL, ALLISON = 0, 1, 2


def the_example(gems: int = 2) -> Match:
    """Adil asks the blue camel for 5 steps, Allison, who has some gems, for 2; the green one is on her path."""
    match = deal("white-4", "blue-5", "blue-2", teapots=[3, 5, 2, 4, 6, 7], carpets="green-4")
    put(match, camels={"pink": (SHE, 2), "blue": (ADIL, 2), "green": (ALLISON, 3)}, gems=[0, 0, gems])
    turn(match, "white-4", "blue-5", "blue-2")
    return match


def disputed(gems: int = 2) -> Match:
    match = the_example(gems)
    walk(match)
    return match


def test_k6_k9_the_white_camel_leaps_over_the_pink_one_to_the_counter() -> None:
    match = the_example()
    assert active(match) == ("white", SHE)
    walk(match)
    assert now(match)["teapots"][SHE] == [3]
    assert now(match)["camels"]["white"] is None
    assert now(match)["carrying"]["white"] == 7


def test_k4_the_blue_camel_follows_allison_and_adil_gets_a_gem() -> None:
    match = disputed()
    assert active(match) == ("blue", ALLISON)
    assert now(match)["gems"] == [0, 1, 2]


def test_k5_allison_has_three_choices() -> None:
    match = disputed()
    assert [move["gems"] for move in match.legal(ALLISON)] == [0, 1, 2]
    assert match.view(ADIL)["lands"] == [[ALLISON, 1], [ALLISON, 2], [ALLISON, 4]]


def test_k8_first_choice_spend_nothing_and_gain_a_gem_at_shop_1() -> None:
    match = disputed()
    walk(match, 0)
    assert now(match)["camels"]["blue"] == [ALLISON, 1]
    assert now(match)["gems"][ALLISON] == 3


def test_k8_second_choice_spend_a_gem_and_take_a_carpet_at_shop_2() -> None:
    match = disputed()
    walk(match, 1)
    assert now(match)["camels"]["blue"] == [ALLISON, 2]
    assert now(match)["gems"][ALLISON] == 1
    assert now(match)["undelivered"][ALLISON] == [["green", 4]]


@pytest.mark.parametrize(("gems", "choices"), [(5, ["salt", "carpet"]), (2, ["carpet"])])
def test_k6_k8_third_choice_spend_two_gems_and_leap_over_the_green_camel_to_shop_4(
    gems: int, choices: list[str]
) -> None:
    match = disputed(gems)
    walk(match, 2)
    assert now(match)["camels"]["blue"] == [ALLISON, 4]
    assert now(match)["camels"]["green"] == [ALLISON, 3]
    assert [move["what"] for move in match.legal(ALLISON)] == choices
    take(match, choices[0])
    assert now(match)["salt"][ALLISON] == ([10] if choices[0] == "salt" else [])
    assert now(match)["undelivered"][ALLISON] == ([["green", 4]] if choices[0] == "carpet" else [])
