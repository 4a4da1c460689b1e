"""S10 to S15: camels, and the goods they find."""

from __future__ import annotations

import pytest

from registan.core.match import Match
from registan.games.samarkand import GAME
from tests.games.samarkand.table import BOX, deal, end, give, hold, marry, now, place, refused, send, spaces


def expanding(treasury: int = 0, *hands: list[int]) -> Match:
    """Return a table of three where seat 0 is married to the Levant (a1), with so much in its treasury."""
    match = deal(*(hands or ([], [], [])))
    give(match, 0, "levant", treasury=treasury)
    return match


def test_s10_only_a_family_whose_tile_one_holds() -> None:
    match = expanding()
    assert refused(match, 0, {"do": "place", "family": "egypt", "space": "b1"}) == "S10"
    place(match, "levant", "b1")
    assert now(match)["camels"]["b1"] == ["levant"]
    assert now(match)["left"]["levant"] == 10


def test_s10_without_a_dirham_in_the_treasury_there_is_one_camel() -> None:
    match = expanding()
    place(match, "levant", "b1")
    assert match.waiting == [1]


def test_s10_example_two_camels_for_one_dirham_of_the_treasury() -> None:
    match = deal([], [], [])
    marry(match, "levant")
    marry(match, "china")
    marry(match, "china")
    assert now(match)["treasuries"]["levant"] == 4
    place(match, "levant", "b1")
    assert match.waiting == [0]
    assert match.view()["asked"] == "second"
    place(match, "levant", "a2")
    table = now(match)
    assert table["treasuries"]["levant"] == 3
    assert table["dirhams"][0] == 6  # never from the player
    assert table["left"]["levant"] == 9
    assert match.waiting == [1]


def test_s10_a_second_camel_may_be_left_and_then_costs_nothing() -> None:
    match = expanding(2)
    place(match, "levant", "b1")
    end(match)
    assert now(match)["treasuries"]["levant"] == 2
    assert match.waiting == [1]


def test_s10_the_second_camel_is_of_the_same_family_and_there_is_no_third() -> None:
    match = expanding(5)
    give(match, 0, "egypt", treasury=5)
    place(match, "levant", "b1")
    assert refused(match, 0, {"do": "place", "family": "egypt", "space": "c2"}) == "S10"
    assert refused(match, 0, {"do": "marry", "family": "china"}) == "S10"
    assert refused(match, 0, {"do": "pass"}) == "S10"
    place(match, "levant", "a2")
    assert match.waiting == [1]


def test_s10_the_family_must_have_the_camels() -> None:
    match = expanding(5)
    send(match, "levant", "a2", "b2", "c2", "c3", "b3", "d3", "d4", "c4", "b4", "a4")
    assert now(match)["left"]["levant"] == 1
    place(match, "levant", "a5")
    assert match.waiting == [1]  # no second one is offered
    marry(match, "egypt")
    marry(match, "egypt")
    assert refused(match, 0, {"do": "place", "family": "levant", "space": "b1"}) == "S10"


@pytest.mark.parametrize("shut_in", [False, True])
def test_s10_a_second_camel_needs_a_free_space_when_the_first_is_settled(shut_in: bool) -> None:
    match = expanding(3)
    send(match, "egypt", "b1", "b2")
    send(match, "byzant", "d1", "c1", "b1", "b2")
    send(match, "china", "a5", "a4", *(["a3"] if shut_in else []))
    assert spaces(match, "levant") == {"a2"}
    place(match, "levant", "a2")
    assert match.waiting == ([1] if shut_in else [0])
    if not shut_in:
        assert spaces(match, "levant") == {"a3"}


def test_s11_next_to_a_camel_of_its_colour() -> None:
    match = expanding()
    assert spaces(match, "levant") == {"b1", "a2"}
    assert refused(match, 0, {"do": "place", "family": "levant", "space": "b2"}) == "S11"
    assert refused(match, 0, {"do": "place", "family": "levant", "space": "h7"}) == "S11"
    send(match, "levant", "a2", "b2")
    assert spaces(match, "levant") == {"b1", "a3", "b3", "c2"}


def test_s11_never_two_of_one_colour() -> None:
    match = expanding()
    send(match, "levant", "b1")
    assert refused(match, 0, {"do": "place", "family": "levant", "space": "b1"}) == "S11"
    assert refused(match, 0, {"do": "place", "family": "levant", "space": "a1"}) == "S11"


def test_s11_never_more_than_two_camels() -> None:
    match = expanding()
    send(match, "egypt", "b1", "c2", "b2", "a2")
    send(match, "arabia", "a2")
    assert spaces(match, "levant") == {"b1"}
    assert refused(match, 0, {"do": "place", "family": "levant", "space": "a2"}) == "S11"


def test_s11_start_spaces_and_water_are_open_to_all() -> None:
    match = expanding()
    send(match, "levant", "b1", "b2")
    assert {"c1", "b3"} < spaces(match, "levant")


def test_s11_the_second_camel_may_but_need_not_touch_the_first() -> None:
    match = expanding(2)
    place(match, "levant", "b1")
    assert spaces(match, "levant") == {"c1", "b2", "a2"}


def test_s12_the_first_camel_is_settled_before_the_second() -> None:
    """The sale comes before the second camel, and the bonus of a relationship as well."""
    match = expanding(2, [], [3], [])
    place(match, "levant", "a2")
    assert match.waiting == [1]
    match.play(1, {"do": "sell", "good": 3})
    assert now(match)["dirhams"][1] == 13
    assert match.waiting == [0]
    assert match.view()["asked"] == "second"
    match = expanding(2)
    send(match, "egypt", "b1")
    place(match, "levant", "b1")
    assert match.view()["asked"] == "second"
    assert now(match)["dirhams"][0] == 13


def test_s13_the_first_camel_takes_the_goods_marker() -> None:
    match = expanding()
    place(match, "levant", "a2")
    assert now(match)["goods"] == [1, 0, 0]
    assert 3 not in match.view()["goods"]


def test_s14_the_holder_may_sell_for_three_dirhams_active_or_not() -> None:
    for holder in range(3):
        hands: list[list[int]] = [[], [], []]
        hands[holder] = [3]
        match = expanding(0, *hands)
        place(match, "levant", "a2")
        assert match.waiting == [holder]
        assert match.legal(holder) == [{"do": "sell", "good": 3}, {"do": "keep", "good": 3}]
        match.play(holder, {"do": "sell", "good": 3})
        table = now(match)
        assert table["dirhams"][holder] == 13
        assert table["sold"][holder] == [3]
        assert 3 not in table["hands"][holder]
        assert match.waiting == [1]


def test_s14_example_the_diamond_kept() -> None:
    """Its holder hopes for more camels of the own family there: the card stays in hand, and no money is paid."""
    match = deal([], [], [22])
    give(match, 0, "khazaria")
    give(match, 2, "khazaria")
    send(match, "khazaria", "d5")
    place(match, "khazaria", "e5")
    match.play(2, {"do": "keep", "good": 22})
    table = now(match)
    assert table["dirhams"] == [10, 10, 10]
    assert 22 in table["hands"][2]
    assert match.scores()[2]["cards"] == 4


def test_s14_a_sold_card_counts_and_cannot_be_discarded_and_scores_nothing() -> None:
    match = expanding(0, [3], [], [])
    place(match, "levant", "a2")
    match.play(0, {"do": "sell", "good": 3})
    assert match.scores()[0]["cards"] == 0
    marry(match, "egypt")
    marry(match, "egypt")
    marry(match, "china", drop=None)
    assert refused(match, 0, {"do": "discard", "cards": [3]}) == "S8"


def test_s14_only_at_that_moment() -> None:
    match = expanding(0, [3], [], [])
    place(match, "levant", "a2")
    assert refused(match, 0, {"do": "sell", "good": 4}) == "S14"
    assert refused(match, 0, {"do": "end"}) == "S14"
    match.play(0, {"do": "keep", "good": 3})
    marry(match, "egypt")
    marry(match, "egypt")
    assert refused(match, 0, {"do": "sell", "good": 3}) == "S5"


def test_s14_nobody_is_asked_when_nobody_holds_the_card() -> None:
    match = expanding(0, [1], [2], [4])
    hold(match, 1, sold=[3])
    place(match, "levant", "a2")
    assert match.waiting == [1]
    assert match.view()["asked"] == "turn"


def test_s15_a_second_camel_takes_no_marker_and_allows_no_sale() -> None:
    match = expanding(0, [], [3], [])
    send(match, "arabia", "a2")
    place(match, "levant", "a2")
    assert now(match)["goods"] == [0, 0, 1]  # the one that `send` gave away
    assert match.waiting == [1]
    assert match.view(1)["asked"] == "turn"


@pytest.mark.parametrize("phase", ["turn", "second"])
def test_s14_others_hear_what_they_would_hear_if_nobody_were_asked(phase: str) -> None:
    treasury = 2 if phase == "second" else 0
    asked, not_asked = expanding(treasury, [], [], [3]), expanding(treasury, [], [], [])
    for match in (asked, not_asked):
        place(match, "levant", "a2")
    for seat in (0, 1):
        for action in range(GAME.rules.actions(3)):
            rules = [GAME.rules.breaks(BOX.record, match.state, seat, action) for match in (asked, not_asked)]
            assert rules[0] == rules[1] or rules == [14, 0]
