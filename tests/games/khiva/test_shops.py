"""K8 to K10, K12: what the shops and the counter give."""

from __future__ import annotations

import pytest

from registan.core.match import Match
from tests.games.khiva.table import deal, leave, now, own, put, refused, take, turn, walk, whole_turn


def at_shop(shop: int, gems: int = 0, path: int = 0, carpets: str = "") -> Match:
    """Return a table at which seat 0 has just moved the white camel to a shop of a path, having so many gems."""
    match = deal("white-1", "blue-1", "blue-2", carpets=carpets)
    start = (path, shop + 1) if path else (0, shop - 1)
    put(match, camels={"white": start} if start[1] else {}, gems=[gems, 0, 0])
    turn(match, "white-1", "blue-1", "blue-2")
    walk(match)
    assert now(match)["camels"]["white"] == [path, shop]
    return match


def test_k8_shop_1_gives_a_gem() -> None:
    assert now(at_shop(1))["gems"][0] == 1


def test_k8_shop_2_gives_the_top_carpet() -> None:
    after = now(at_shop(2, carpets="pink-4 blue-3"))
    assert after["undelivered"][0] == [["pink", 4]]
    assert after["gems"][0] == 0


def test_k8_shop_3_gives_two_gems() -> None:
    after = now(at_shop(3))
    assert after["gems"][0] == 2
    assert after["undelivered"][0] == []


def test_k8_at_shop_4_the_mover_chooses_salt_for_three_gems_or_a_carpet() -> None:
    match = at_shop(4, gems=4, carpets="green-5")
    assert match.waiting == [0]
    assert match.view()["asked"] == "take"
    assert match.legal(0) == [{"do": "take", "what": "salt"}, {"do": "take", "what": "carpet"}]
    take(match, "salt")
    assert (now(match)["salt"][0], now(match)["gems"][0], now(match)["undelivered"][0]) == ([10], 1, [])
    match.undo()
    take(match, "carpet")
    assert (now(match)["salt"][0], now(match)["gems"][0], now(match)["undelivered"][0]) == ([], 4, [["green", 5]])


def test_k8_salt_is_taken_from_the_highest_down() -> None:
    match = deal("white-4 blue-4 green-4", "black-1", "black-2")
    put(match, gems=[6, 0, 0])
    own(match, 1, salt=2)
    turn(match, "white-4", "black-1", "black-2")
    walk(match)
    take(match, "salt")
    assert now(match)["salt"] == [[8], [10, 9], []]
    assert match.view()["piles"]["salt"] == [7, 6]


@pytest.mark.parametrize("gems", [0, 1, 2])
def test_k8_without_three_gems_the_carpet_is_taken(gems: int) -> None:
    match = at_shop(4, gems=gems)
    assert match.legal(0) == [{"do": "take", "what": "carpet"}]
    assert refused(match, 0, {"do": "take", "what": "salt"}) == "K8"
    assert refused(match, 0, {"do": "take", "what": "nothing"}) == "K8"


def shop_4_with_piles(gems: int, carpets: int, salt: int) -> Match:
    match = deal("white-4 pink-2", "pink-1", "pink-3")
    leave(match, carpets=carpets, salt=salt)
    put(match, gems=[gems, 0, 0])
    turn(match, "white-4", "pink-1", "pink-3")
    walk(match)
    return match


@pytest.mark.parametrize(
    ("gems", "carpets", "salt", "legal"),
    [
        (3, 1, 1, ["salt", "carpet"]),
        (3, 0, 1, ["salt"]),
        (3, 1, 0, ["carpet"]),
        (2, 0, 1, ["nothing"]),
        (9, 0, 0, ["nothing"]),
    ],
)
def test_k8_one_of_the_two_must_be_taken_if_it_can_be(gems: int, carpets: int, salt: int, legal: list[str]) -> None:
    match = shop_4_with_piles(gems, carpets, salt)
    assert [m["what"] for m in match.legal(0)] == legal
    for what in {"salt", "carpet", "nothing"} - set(legal):
        assert refused(match, 0, {"do": "take", "what": what}) == "K8"
    before = now(match)
    take(match, legal[-1])
    if legal == ["nothing"]:
        assert {**now(match), "gems": 0} == {**before, "gems": 0}


def test_k8_an_empty_pile_of_carpets_gives_nothing_at_shop_2() -> None:
    match = deal("white-2", "pink-1", "pink-3")
    leave(match, carpets=0)
    turn(match, "white-2", "pink-1", "pink-3")
    walk(match)
    assert now(match)["undelivered"] == [[], [], []]


def test_k8_only_the_mover_is_asked_at_shop_4() -> None:
    match = at_shop(4, gems=3)
    assert match.legal(1) == []
    assert refused(match, 1, {"do": "take", "what": "carpet"}) == "K8"
    assert refused(match, 0, {"do": "move", "camel": "white", "gems": 0}) == "K8"
    assert refused(match, 0, {"do": "choose", "play": ["black-5"], "give": ["black-4"]}) == "K8"


@pytest.mark.parametrize("shop", [1, 2, 3])
def test_k8_the_effect_goes_to_the_mover_on_whoevers_path(shop: int) -> None:
    match = at_shop(shop, path=2, carpets="black-3")
    after = now(match)
    assert after["gems"] == [{1: 1, 2: 0, 3: 2}[shop], 0, 1]  # the last gem is for blue-2, rejected
    assert after["undelivered"] == [[["black", 3]] if shop == 2 else [], [], []]


def arriving(undelivered: str, teapots_left: int = 17) -> Match:
    """Return a table at which seat 0 is about to bring the white camel to the counter."""
    match = deal("white-1", "blue-1", "blue-2", teapots=[7, 2, 3, 4, 5, 6])
    own(match, 0, undelivered=undelivered)
    leave(match, teapots=teapots_left)
    put(match, camels={"white": (0, 4)})
    turn(match, "white-1", "blue-1", "blue-2")
    return match


def test_k9_at_the_counter_the_mover_takes_the_teapot_and_the_camel_goes_home_with_a_new_one() -> None:
    match = arriving("")
    walk(match)
    after = now(match)
    assert after["teapots"] == [[7], [], []]
    assert after["camels"]["white"] is None
    assert after["carrying"] == {"white": 6, "blue": 2, "green": 3, "pink": 4, "black": 5}
    assert match.view()["piles"]["teapots"] == 16


def test_k9_all_own_carpets_of_the_camels_colour_are_delivered_and_no_others() -> None:
    match = arriving("white-3 white-5 blue-4")
    own(match, 1, undelivered="white-4")
    walk(match)
    after = now(match)
    assert after["delivered"] == [[["white", 3], ["white", 5]], [], []]
    assert after["undelivered"] == [[["blue", 4]], [["white", 4]], []]


def test_k9_with_an_empty_pile_the_camel_carries_nothing() -> None:
    match = arriving("white-3", teapots_left=0)
    walk(match)
    after = now(match)
    assert after["carrying"]["white"] is None
    assert match.view()["camels"]["white"] == {"place": None, "teapot": None}
    assert after["teapots"][0] == [7]


def test_k9_a_camel_without_a_teapot_still_delivers_carpets() -> None:
    match = arriving("white-3", teapots_left=0)
    match.state.won[1, 7] += match.state.carrying[0] == 7
    match.state.carrying[0] = 0
    walk(match)
    assert now(match)["teapots"][0] == []
    assert now(match)["delivered"][0] == [["white", 3]]
    assert now(match)["camels"]["white"] is None


def test_k9_tokens_taken_at_the_counter_lie_face_down() -> None:
    match = arriving("white-3")
    walk(match)
    assert match.view(0)["seats"][0]["teapots"] == [7]
    assert match.view(0)["seats"][0]["delivered"] == [["white", 3]]
    assert match.view(1)["seats"][0]["teapots"] == match.view(1)["seats"][0]["delivered"] == 1


def test_k10_a_taken_carpet_lies_face_up_until_its_camel_comes_to_the_owners_counter() -> None:
    match = deal("white-2 blue-5 white-4", "blue-3 white-1", "pink-5", carpets="white-4")
    whole_turn(match, "white-2", "blue-3", "pink-5")
    for seat in (-1, 0, 1, 2):
        assert match.view(seat)["seats"][0]["undelivered"] == [["white", 4]]
    put(match, camels={"white": (1, 4)})
    whole_turn(match, "blue-5", "white-1", now(match)["hands"][2][0])
    assert len(now(match)["teapots"][1]) == 1  # it came to another's counter
    assert now(match)["undelivered"][0] == [["white", 4]]
    put(match, camels={"white": (0, 4)})
    turn(match, "white-4", now(match)["hands"][1][0], now(match)["hands"][2][0])
    walk(match)
    assert now(match)["undelivered"][0] == []
    assert now(match)["delivered"][0] == [["white", 4]]


def test_k12_gems_earned_in_a_turn_can_be_spent_at_once_on_steps() -> None:
    match = deal("white-3 green-2", "pink-4 pink-3")
    turn(match, "white-3 green-2", "pink-4 pink-3")
    walk(match)  # two gems at shop 3
    assert now(match)["gems"] == [2, 0]
    walk(match, 1)
    assert now(match)["camels"]["green"] == [0, 4]  # over the white camel
    assert now(match)["gems"][0] == 1


def test_k12_gems_earned_in_a_turn_can_be_spent_at_once_on_salt() -> None:
    match = deal("white-3 green-3", "pink-4 pink-3")
    put(match, gems=[1, 0])
    turn(match, "white-3 green-3", "pink-4 pink-3")
    walk(match)
    walk(match)
    assert now(match)["gems"][0] == 3
    take(match, "salt")
    assert now(match)["salt"][0] == [10]
    assert now(match)["gems"][0] == 0
