"""S23, S24: the bag and second marriages of a game of two."""

from __future__ import annotations

import pytest

from registan.core.match import Match
from tests.games.samarkand.table import FAMILY_KEYS, deal, give, hold, marry, now, place, refused


def last(match: Match) -> dict[str, object]:
    line: dict[str, object] = match.record()["moves"][-1]
    return line


def test_s23_one_tile_of_each_family_and_the_others_in_the_bag() -> None:
    match = deal([], [])
    assert now(match)["domains"] == dict.fromkeys(FAMILY_KEYS, 1)
    assert match.view()["bag"] == 10


@pytest.mark.parametrize("players", [3, 4, 5])
def test_s23_no_bag_with_more_players(players: int) -> None:
    match = deal(*([[]] * players))
    marry(match, "egypt")
    assert match.view()["bag"] == 0
    assert last(match)["do"] == "discard"


def test_s23_a_tile_goes_to_its_family_if_anybody_has_married_into_it() -> None:
    match = deal([], [], bag="egypt china")
    marry(match, "egypt")  # the marriage just made counts
    assert last(match) == {"chance": "tile", "family": "egypt"}
    assert now(match)["domains"]["egypt"] == 1
    assert match.view()["removed"] == []
    assert match.waiting == [1]


def test_s23_otherwise_it_leaves_the_game_for_all_to_see() -> None:
    match = deal([], [], bag="china egypt")
    marry(match, "egypt")
    assert last(match) == {"chance": "tile", "family": "china"}
    assert now(match)["domains"]["china"] == 1
    for seat in (-1, 0, 1):
        assert match.view(seat)["removed"] == ["china"]
    marry(match, "china")  # the other tile is still there
    assert now(match)["domains"]["china"] == 0
    assert last(match) == {"chance": "tile", "family": "egypt"}
    assert now(match)["domains"]["egypt"] == 1  # the other player's marriage counts


def test_s23_the_tile_is_the_last_line_of_the_turn() -> None:
    match = deal([], [], bag="egypt")
    marry(match, "egypt", drop=None)
    assert match.view()["bag"] == 10
    assert match.waiting == [0]
    match.play(0, {"do": "discard", "cards": []})
    done = [line.get("do") or line["chance"] for line in match.record()["moves"]]
    assert done == ["marry", "discard", "tile"]


def test_s23_also_after_a_marriage_without_cards() -> None:
    match = deal([1, 2], [], bag="egypt")
    hold(match, 0, *range(3, 11))
    marry(match, "egypt")
    done = [line.get("do") or line["chance"] for line in match.record()["moves"]]
    assert done == ["marry", "tile"]


def test_s23_not_after_an_expansion_nor_from_an_empty_bag() -> None:
    match = deal([], [], bag="egypt")
    give(match, 0, "levant")
    place(match, "levant", "b1")
    assert match.view()["bag"] == 10
    match = deal([], [], dirhams=[100, 100])
    for family in FAMILY_KEYS:
        marry(match, family, drop=None)
        if match.view()["asked"] == "discard":
            seat = match.waiting[0]
            match.play(seat, match.legal(seat)[-1])
    assert match.view()["bag"] == 0
    assert match.record()["moves"][-1]["chance"] == "tile"
    second = next(move for move in match.legal(match.waiting[0]) if move["do"] == "marry")
    marry(match, second["family"])
    assert "chance" not in last(match)


def test_s24_a_second_marriage_into_the_same_family_is_a_marriage_like_any_other() -> None:
    match = deal([], [], bag="egypt china", dirhams=[20, 20])
    marry(match, "egypt")
    marry(match, "levant")
    marry(match, "egypt", drop=None)
    table = now(match)
    assert table["tiles"][0] == ["egypt", "egypt"]
    assert table["treasuries"]["egypt"] == 6
    assert table["dirhams"][0] == 14
    assert table["domains"]["egypt"] == 0
    assert len(table["hands"][0]) == 2 + 3 + 3
    match.play(0, {"do": "discard", "cards": []})
    marry(match, "china")
    assert refused(match, 0, {"do": "marry", "family": "egypt"}) == "S6"


def test_s24_only_if_a_tile_is_there() -> None:
    match = deal([], [], bag="china levant")
    marry(match, "egypt")
    marry(match, "levant")
    assert refused(match, 0, {"do": "marry", "family": "egypt"}) == "S6"
