"""K17 and the note for two players: two cards each, also of one colour."""

from __future__ import annotations

from tests.games.khiva.table import active, deal, finish_turn, now, put, take, turn, walk


def test_k17_two_own_cards_may_have_the_same_colour() -> None:
    match = deal("white-2 white-4", "blue-1 pink-1")
    assert {"do": "choose", "play": ["white-2", "white-4"], "give": ["black-4", "black-5"]} in match.legal(0)
    turn(match, "white-2 white-4", "blue-1 pink-1")
    assert active(match) == ("white", 0)


def test_k17_the_winners_own_second_card_earns_a_gem() -> None:
    match = deal("white-2 white-4", "blue-1 pink-1")
    turn(match, "white-2 white-4", "blue-1 pink-1")
    assert now(match)["gems"] == [1, 0]
    walk(match)
    assert now(match)["camels"]["white"] == [0, 2]  # by the lower card, and only once
    assert active(match) == ("blue", 1)


def test_k17_the_lowest_of_four_moves_the_camel_and_three_are_paid() -> None:
    match = deal("green-4 green-5", "green-2 green-3")
    turn(match, "green-4 green-5", "green-2 green-3")
    assert active(match) == ("green", 1)
    assert now(match)["gems"] == [2, 1]


def test_k17_a_player_may_lose_both_cards() -> None:
    match = deal("green-4 pink-5", "green-2 pink-3")
    turn(match, "green-4 pink-5", "green-2 pink-3")
    assert active(match) == ("green", 1)
    walk(match)
    assert active(match) == ("pink", 1)
    finish_turn(match)
    assert now(match)["gems"][0] == 2
    assert match.waiting == [0, 1]  # the next turn


def test_k17_a_player_may_move_two_camels_in_a_turn() -> None:
    match = deal("white-1 black-2", "green-2 green-3")
    turn(match, "white-1 black-2", "green-2 green-3")
    movers = []
    while match.view()["asked"] == "move":
        movers.append(active(match))
        walk(match)
    assert movers == [("white", 0), ("green", 1), ("black", 0)]


def test_k12_k17_the_gem_for_the_rejected_own_card_boosts_the_other_one_at_once() -> None:
    """The rulebook's note for two players."""
    match = deal("white-2 white-4", "blue-1 pink-1")
    turn(match, "white-2 white-4", "blue-1 pink-1")
    assert [move["gems"] for move in match.legal(0)] == [0, 1]
    walk(match, 1)
    assert now(match)["camels"]["white"] == [0, 3]
    assert now(match)["gems"][0] == 2  # none left of the first, two from the shop


def test_k12_k17_the_gem_for_the_rejected_own_card_buys_salt_at_once() -> None:
    """The rulebook's note for two players, for salt: two gems before the turn, the third is the consolation."""
    match = deal("white-4 white-5", "blue-1 pink-1")
    put(match, gems=[2, 0])
    turn(match, "white-4 white-5", "blue-1 pink-1")
    walk(match)
    assert [move["what"] for move in match.legal(0)] == ["salt", "carpet"]
    take(match, "salt")
    assert now(match)["salt"][0] == [10]
    assert now(match)["gems"][0] == 0
