"""K14 to K16: how the game ends, what counts, and who wins."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from registan.core.match import Match
from registan.games.khiva import GAME
from registan.games.khiva.state import CARPETS_GONE, SALT_GONE, TEAPOTS_GONE
from tests.games.khiva.table import (
    BOX,
    active,
    any_turn,
    deal,
    finish_turn,
    leave,
    now,
    own,
    put,
    refused,
    take,
    turn,
    walk,
)


def test_k14_the_last_teapot_put_on_a_camel_ends_the_game_after_the_turn() -> None:
    match = deal("white-1", "blue-1", "pink-2")
    leave(match, teapots=1)
    put(match, camels={"white": (0, 4)})
    turn(match, "white-1", "blue-1", "pink-2")
    walk(match)
    assert match.view()["piles"]["teapots"] == 0
    assert not match.over  # the turn is finished, all camels included
    assert active(match) == ("blue", 1)
    walk(match)
    assert active(match) == ("pink", 2)
    walk(match)
    assert match.state.over == TEAPOTS_GONE
    assert now(match)["camels"]["pink"] == [2, 2]
    assert match.waiting == []
    assert match.view()["asked"] == "over"


def test_k14_the_last_carpet_taken_ends_the_game_after_the_turn() -> None:
    match = deal("white-2", "blue-1", "pink-3")
    leave(match, carpets=1)
    turn(match, "white-2", "blue-1", "pink-3")
    walk(match)
    assert not match.over
    finish_turn(match)
    assert match.state.over == CARPETS_GONE


def test_k14_the_last_salt_taken_ends_the_game_after_the_turn() -> None:
    match = deal("white-4", "blue-1", "pink-3")
    leave(match, salt=1)
    put(match, gems=[3, 0, 0])
    turn(match, "white-4", "blue-1", "pink-3")
    walk(match)
    take(match, "salt")
    assert now(match)["salt"][0] == [6]
    assert not match.over
    finish_turn(match)
    assert match.state.over == SALT_GONE


def test_k14_two_piles_may_be_emptied_in_one_turn() -> None:
    match = deal("white-2", "blue-4", "pink-3")
    leave(match, carpets=1, salt=1)
    put(match, gems=[0, 3, 0])
    turn(match, "white-2", "blue-4", "pink-3")
    walk(match)
    walk(match)
    take(match, "salt")
    finish_turn(match)
    assert match.state.over == CARPETS_GONE | SALT_GONE


def test_k14_the_last_tokens_still_in_the_piles_let_the_game_go_on() -> None:
    match = deal("white-1", "blue-1", "pink-1")
    leave(match, teapots=1, carpets=1, salt=1)
    turn(match, "white-1", "blue-1", "pink-1")
    finish_turn(match)
    assert not match.over
    assert match.waiting == [0, 1, 2]


def test_k14_no_deal_follows() -> None:
    match = deal("", "", "")
    for _ in range(3):
        any_turn(match)
    leave(match, carpets=0)
    any_turn(match)
    assert match.over
    assert "chance" not in match.record()["moves"][-1]
    assert [len(hand) for hand in now(match)["hands"]] == [1, 1, 1]


def test_k14_nothing_is_played_after_the_end() -> None:
    match = deal("white-1", "blue-1", "pink-1")
    leave(match, carpets=0)
    turn(match, "white-1", "blue-1", "pink-1")
    finish_turn(match)
    hand = now(match)["hands"][0]
    assert match.legal(0) == []
    assert refused(match, 0, {"do": "choose", "play": [hand[0]], "give": [hand[1]]}) == "K14"


def test_k15_the_published_score_of_42_points() -> None:
    match = deal("", "", "", teapots=[2, 2, 2, 3, 3])
    own(match, 1, salt=3)
    own(match, 0, teapots=[7, 6, 6, 5], salt=1, delivered="pink-4 blue-5", undelivered="black-5")
    put(match, gems=[2, 0, 0])
    assert match.scores()[0] == {"teapots": 24, "carpets": 9, "salt": 7, "gems": 2, "total": 42}


@pytest.mark.parametrize(
    ("what", "points"),
    [
        ({"teapots": [2, 7]}, 9),
        ({"delivered": "white-3 white-4 white-5 black-3"}, 15),
        ({"salt": 2}, 19),
        ({"undelivered": "white-5 pink-5"}, 0),
    ],
)
def test_k15_teapots_delivered_carpets_and_salt_count_their_value_and_undelivered_carpets_nothing(
    what: dict[str, str], points: int
) -> None:
    match = deal("", "", "", "", "", teapots=[3, 3, 4, 4, 5])
    own(match, 3, **what)  # type: ignore[arg-type]
    assert [score["total"] for score in match.scores()] == [0, 0, 0, points, 0]


def test_k15_a_gem_is_a_point() -> None:
    match = deal("", "")
    put(match, gems=[3, 11])
    assert [score["total"] for score in match.scores()] == [3, 11]
    assert match.scores()[1] == {"teapots": 0, "carpets": 0, "salt": 0, "gems": 11, "total": 11}


def standing(*seats: tuple[Sequence[int], int, int], first_salt: Sequence[int] = ()) -> Match:
    """Return a table at which each seat has (teapots, gems, sacks of salt)."""
    match = deal(*[""] * len(seats), teapots=[2, 3, 5, 6, 7])
    for seat in (*first_salt, *(s for s in range(len(seats)) if s not in first_salt)):
        teapots, _, salt = seats[seat]
        own(match, seat, teapots=teapots, salt=salt)
    put(match, gems=[gems for _, gems, _ in seats])
    return match


def test_k16_most_points_win() -> None:
    assert standing(([7], 0, 0), ([4], 4, 0), ([2, 2], 0, 0)).winners() == [1]
    assert standing(([7], 2, 0), ([4], 4, 0)).winners() == [0]


def test_k16_then_most_teapots_by_number_and_not_by_points() -> None:
    assert standing(([7], 1, 0), ([4, 2], 2, 0), ([6], 2, 0)).winners() == [1]


def test_k16_then_the_most_valuable_single_sack() -> None:
    # 9 + 8 is more salt than 10, but 10 is the best sack.
    match = standing(([4], 7, 1), ([4], 0, 2), ([3], 0, 0))
    assert [score["total"] for score in match.scores()] == [21, 21, 3]
    assert match.winners() == [0]
    match = standing(([4], 1, 1), ([4], 0, 1), first_salt=[1])
    assert [score["total"] for score in match.scores()] == [14, 14]
    assert match.winners() == [1]


def test_k16_points_come_before_teapots_and_teapots_before_salt() -> None:
    assert standing(([7, 7], 0, 0), ([2, 2, 3], 6, 0)).winners() == [0]
    assert standing(([7, 3], 0, 0), ([], 0, 1)).winners() == [0]


def test_k16_then_the_win_is_shared() -> None:
    assert standing(([4], 3, 0), ([4], 3, 0), ([6], 0, 0)).winners() == [0, 1]
    assert standing(*[([4], 3, 0)] * 4, ([3], 4, 0)).winners() == [0, 1, 2, 3, 4]
    assert deal("", "", "").winners() == [0, 1, 2]


def test_k16_the_result_stands_in_the_record() -> None:
    match = deal("white-1", "blue-1", "pink-1")
    leave(match, carpets=0)
    assert match.record()["scores"] is match.record()["winners"] is None
    turn(match, "white-1", "blue-1", "pink-1")
    finish_turn(match)
    assert match.record()["status"] == "finished"
    assert [score["gems"] for score in match.record()["scores"]] == [1, 1, 1]
    assert match.record()["winners"] == [2]  # who has delivered the carpets
    assert GAME.rules.winners(BOX.record, match.state) == 0b100
