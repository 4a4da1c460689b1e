"""S16 to S22: relationships, the end of the game and the score."""

from __future__ import annotations

import numpy as np
import pytest

from registan.core.match import Match
from registan.games.samarkand import GAME
from tests.games.samarkand.table import (
    BOX,
    FAMILY_KEYS,
    deal,
    end,
    give,
    hold,
    marry,
    now,
    number,
    over,
    place,
    refused,
    send,
)


def met(match: Match, a: str, b: str) -> bool:
    """Tell whether two families have met."""
    return b in match.view()["families"][a]["partners"] and a in match.view()["families"][b]["partners"]


@pytest.mark.parametrize(
    ("there", "way", "space"),
    [
        ("egypt", ["b1"], "b1"),  # plain land
        ("egypt", ["c2", "b2", "a2"], "a2"),  # a goods space
        ("egypt", ["b1"], "c1"),  # a start space
    ],
)
def test_s16_families_meet_on_land_of_every_kind(there: str, way: list[str], space: str) -> None:
    match = deal([], [], [])
    give(match, 0, "levant")
    if space == "c1":
        send(match, "levant", "b1")
    else:
        send(match, there, *way)
    place(match, "levant", space)
    assert met(match, "levant", there)


def test_s16_on_water_they_never_meet() -> None:
    match = deal([], [], [])
    give(match, 0, "byzant")
    send(match, "egypt", "d1")
    place(match, "byzant", "d1")
    assert not met(match, "byzant", "egypt")
    assert now(match)["camels"]["d1"] == ["egypt", "byzant"]
    assert now(match)["dirhams"] == [10, 10, 10]
    assert now(match)["relations"] == [0, 0, 0]


def test_s16_a_camel_in_the_next_space_is_no_meeting() -> None:
    match = deal([], [], [])
    give(match, 0, "levant")
    place(match, "levant", "b1")
    assert not met(match, "levant", "egypt")


def test_s17_s18_example_the_first_relationship_and_its_bonuses() -> None:
    """Three for each in-law of the family that came, one for each of the other; who has both gets both."""
    match = deal([], [], [], [])
    give(match, 0, "levant", "egypt")
    give(match, 1, "levant")
    give(match, 2, "egypt")
    send(match, "egypt", "b1")
    place(match, "levant", "b1")
    table = now(match)
    assert table["dirhams"] == [14, 13, 11, 10]
    assert table["relations"] == [2, 0, 0, 0]
    assert table["markers"] == {**dict.fromkeys(FAMILY_KEYS, 5), "levant": 4, "egypt": 4}


def test_s17_only_the_first_meeting_of_a_pair_counts() -> None:
    match = deal([], [], [])
    give(match, 0, "levant")
    send(match, "egypt", "b1", "b2")
    send(match, "levant", "b1")
    place(match, "levant", "b2")
    assert now(match)["dirhams"] == [10, 10, 10]
    assert now(match)["relations"] == [0, 0, 2]  # those that `send` gave away


def test_s17_two_tiles_of_one_family_pay_once() -> None:
    match = deal([], [])
    s = match.state
    s.bag[:] = [*[tile for tile in s.bag if tile != number("levant") + 1], 0]
    s.bag_left -= 1
    s.domain[number("levant")] += 1
    give(match, 0, "levant", "levant")
    send(match, "egypt", "b1")
    place(match, "levant", "b1")
    assert now(match)["dirhams"] == [13, 10]
    assert now(match)["tiles"][0] == ["levant", "levant"]


def test_s18_the_active_player_takes_the_markers_though_others_are_in_laws() -> None:
    match = deal([], [], [])
    give(match, 0, "levant")
    give(match, 1, "levant", "egypt")
    send(match, "egypt", "b1")
    place(match, "levant", "b1")
    assert now(match)["relations"] == [2, 0, 0]


def fifth_and_sixth() -> Match:
    """Return a table where Persia (e3) has met four families and can meet two more in one turn."""
    match = deal([], [], [])
    give(match, 0, "persia", treasury=3)
    send(match, "persia", "e2", "f3")
    send(match, "byzant", "e2")
    send(match, "tigris", "f1", "f2", "f3")
    send(match, "persia", "e4", "d4")
    send(match, "khazaria", "d5", "d4", "d3")
    send(match, "sogdia", "g4", "f4", "e4")
    send(match, "arabia", "a4", "b4", "c4")
    send(match, "sindh", "f6", "f5", "e5")
    return match


def test_s18_s19_a_sixth_relationship_in_the_same_turn() -> None:
    """The fifth ends the game, but a second camel is still offered; the stack is empty then, the bonus paid."""
    match = fifth_and_sixth()
    assert len(match.view()["families"]["persia"]["partners"]) == 4
    give(match, 1, "sindh")
    place(match, "persia", "c4")
    assert met(match, "persia", "arabia")
    assert now(match)["markers"]["persia"] == 0
    assert now(match)["relations"][0] == 2
    assert not over(match)
    assert match.view()["asked"] == "second"
    place(match, "persia", "e5")
    assert met(match, "persia", "sindh")
    table = now(match)
    assert table["markers"]["persia"] == 0
    assert table["relations"][0] == 3  # only the marker of Sindh is there
    assert table["dirhams"][:2] == [16, 11]
    assert over(match)
    assert match.view()["ended_by"] == ["five_partners"]


def test_s19_five_partners_end_the_game_at_once() -> None:
    match = fifth_and_sixth()
    place(match, "persia", "c4")
    end(match)
    assert over(match)
    assert match.waiting == []
    assert match.legal(1) == []
    assert refused(match, 1, {"do": "marry", "family": "egypt"}) == "S19"


def all_but(match: Match) -> None:
    """Let every family but Levant and Egypt meet another one."""
    send(match, "byzant", "e2")
    send(match, "persia", "e2")
    send(match, "tigris", "g2", "g3")
    send(match, "sogdia", "g4", "g3")
    send(match, "china", "a5", "a4")
    send(match, "arabia", "a4")
    send(match, "khazaria", "e6")
    send(match, "sindh", "f6", "e6")


def test_s19_the_game_ends_when_every_family_has_a_partner() -> None:
    match = deal([], [], [])
    give(match, 0, "levant")
    all_but(match)
    send(match, "egypt", "b1")
    assert not over(match)
    place(match, "levant", "b1")
    assert over(match)
    assert match.view()["ended_by"] == ["all_trade"]


def test_s19_not_while_one_family_has_none() -> None:
    match = deal([], [], [])
    give(match, 0, "levant")
    all_but(match)
    place(match, "levant", "a2")
    assert not over(match)
    assert match.waiting == [1]


def test_s19_the_end_waits_for_the_sale_that_the_second_camel_brings() -> None:
    match = deal([], [], [3])
    give(match, 0, "levant", treasury=1)
    all_but(match)
    send(match, "egypt", "b1")
    place(match, "levant", "b1")
    place(match, "levant", "a2")
    assert not over(match)
    assert match.waiting == [2]
    match.play(2, {"do": "sell", "good": 3})
    assert over(match)
    assert now(match)["dirhams"][2] == 13


def test_s20_example_the_flax_card_worth_five() -> None:
    """One camel of a family of one's own and one of another: four and one."""
    match = deal([5], [], [])
    give(match, 0, "levant")
    send(match, "levant", "b1", "b2", "c2")
    send(match, "egypt", "c2")
    assert match.scores()[0]["cards"] == 5


@pytest.mark.parametrize(
    ("tiles", "camels", "points"),
    [
        ([], [], 0),
        (["levant"], [], 0),
        ([], ["egypt"], 1),
        ([], ["egypt", "levant"], 2),
        (["egypt"], ["egypt"], 4),
        (["egypt"], ["egypt", "levant"], 5),
        (["egypt", "levant"], ["egypt", "levant"], 8),
    ],
)
def test_s20_a_card_scores_for_the_camels_on_its_space(tiles: list[str], camels: list[str], points: int) -> None:
    match = deal([5, 33], [], [])
    give(match, 0, *tiles)
    ways = {"egypt": ["c2"], "levant": ["b1", "b2", "c2"]}
    for family in camels:
        send(match, family, *ways[family])
    assert match.scores()[0]["cards"] == points


def test_s20_two_tiles_count_once_and_a_sold_card_nothing() -> None:
    match = deal([5], [])
    s = match.state
    s.bag[:] = [*[tile for tile in s.bag if tile != number("egypt") + 1], 0]
    s.bag_left -= 1
    s.domain[number("egypt")] += 1
    give(match, 0, "egypt", "egypt")
    hold(match, 0, sold=[4])
    send(match, "egypt", "c2", "b2")
    assert match.scores()[0]["cards"] == 4


def test_s21_markers_and_dirhams_are_a_point_each() -> None:
    match = deal([], [], [1])
    give(match, 2, "tigris")
    send(match, "egypt", "c2", "b2", "b1")
    send(match, "levant", "b1")
    send(match, "tigris", "f1")
    assert match.scores()[2] == {"cards": 4, "goods": 3, "relations": 2, "dirhams": 10, "total": 19}


def test_s22_most_points_win_and_ties_share() -> None:
    match = deal([], [], [], dirhams=[10, 12, 12])
    assert match.winners() == [1, 2]
    match = deal([], [], [], dirhams=[13, 12, 12])
    assert match.winners() == [0]
    marry(match, "persia")
    assert match.winners() == [1, 2]
    out = np.zeros((5, 5), np.int64)
    GAME.rules.scores(BOX.record, match.state, out)
    assert out[:3, 0].tolist() == [7, 12, 12]
