"""K3: all at once, in secret, each plays one card and gives one."""

from __future__ import annotations

from itertools import permutations

import pytest

from registan.core.game import Json
from registan.core.match import Match
from tests.games.khiva.table import any_turn, choose, deal, finish_turn, now, refused, turn, walk, whole_turn


def choice(play: str, give: str) -> Json:
    return {"do": "choose", "play": play.split(), "give": give.split()}


def three() -> Match:
    return deal(
        "white-4 pink-1 black-1 black-2 black-3",
        "blue-5 pink-2 green-1 green-2 green-3",
        "blue-2 pink-3 white-1 white-2 white-3",
    )


def test_k3_everybody_is_asked_at_once_for_one_card_to_play_and_another_to_give() -> None:
    match = three()
    assert match.waiting == [0, 1, 2]
    for seat in match.waiting:
        moves = match.legal(seat)
        assert len(moves) == 5 * 4
        hand = now(match)["hands"][seat]
        assert all(m["play"] != m["give"] and {*m["play"], *m["give"]} <= set(hand) for m in moves)


def test_k3_given_cards_go_to_the_next_seat() -> None:
    match = three()
    turn(match, "white-4 > pink-1", "blue-5 > pink-2", "blue-2 > pink-3")
    assert [set(hand) for hand in now(match)["hands"]] == [
        {"black-1", "black-2", "black-3", "pink-3"},
        {"green-1", "green-2", "green-3", "pink-1"},
        {"white-1", "white-2", "white-3", "pink-2"},
    ]


def test_k3_a_card_that_is_being_given_cannot_be_played_this_turn() -> None:
    match = three()
    choose(match, 0, "white-4 > pink-1")
    assert refused(match, 1, choice("pink-1", "blue-5")) == "K3"
    assert "pink-1" not in now(match)["hands"][1]
    turn_rest = choice("blue-5", "pink-2"), choice("blue-2", "pink-3")
    match.play(1, turn_rest[0])
    match.play(2, turn_rest[1])
    assert refused(match, 1, choice("pink-1", "green-1")) == "K5"  # the camels come first
    finish_turn(match)
    match.play(1, choice("pink-1", "green-1"))  # the turn after


def test_k3_nothing_happens_before_the_last_has_chosen() -> None:
    match = three()
    before = now(match)
    choose(match, 2, "blue-2 > pink-3")
    choose(match, 0, "white-4 > pink-1")
    assert now(match) == before
    assert match.waiting == [1]
    assert match.view()["asked"] == "choose"
    choose(match, 1, "blue-5 > pink-2")
    assert match.view()["asked"] == "move"


def test_k3_choices_are_secret_until_all_have_chosen() -> None:
    ways = [three(), three()]
    choose(ways[0], 0, "white-4 > pink-1")
    choose(ways[1], 0, "black-1 > black-3")
    for seat in (1, 2, -1):
        assert ways[0].view(seat) == ways[1].view(seat)
        assert ways[0].log(seat) == ways[1].log(seat) == []
    assert ways[0].view(0)["chosen"] == {"play": ["white-4"], "give": ["pink-1"]}
    for match in ways:
        choose(match, 1, "blue-5 > pink-2")
        choose(match, 2, "blue-2 > pink-3")
    assert [seat["played"] for seat in ways[0].view()["seats"]] == [["white-4"], ["blue-5"], ["blue-2"]]
    assert ways[0].view(0)["chosen"] is None


def test_k3_the_order_of_answers_changes_nothing() -> None:
    ends = set()
    for order in permutations(range(3)):
        match = three()
        for seat in order:
            choose(match, seat, ("white-4 > pink-1", "blue-5 > pink-2", "blue-2 > pink-3")[seat])
        ends.add((match.state.tobytes(), str(match.record(legal=True, states=True))))
    assert len(ends) == 1


@pytest.mark.parametrize(
    ("play", "give"),
    [
        ("white-4", "white-4"),  # not another card
        ("blue-5", "white-4"),  # a neighbour's card
        ("white-4", "black-5"),  # a card that lies aside
    ],
)
def test_k3_one_plays_and_gives_two_different_cards_of_the_own_hand(play: str, give: str) -> None:
    assert refused(three(), 0, choice(play, give)) == "K3"


def test_k3_nobody_chooses_twice() -> None:
    match = three()
    choose(match, 0, "white-4 > pink-1")
    assert match.legal(0) == []
    assert refused(match, 0, choice("black-1", "black-2")) == "K3"


def test_k3_no_camel_moves_while_cards_are_chosen() -> None:
    match = three()
    assert refused(match, 0, {"do": "move", "camel": "white", "gems": 0}) == "K3"
    assert refused(match, 0, {"do": "take", "what": "carpet"}) == "K3"


def test_k3_with_two_players_two_cards_are_played_and_two_given() -> None:
    match = deal("white-1 white-2 blue-1 blue-2", "green-1 green-2 pink-1 pink-2")
    assert len(match.legal(0)) == 28 * 15
    turn(match, "white-1 blue-2 > white-2 blue-1", "green-1 pink-2 > green-2 pink-1")
    hands = now(match)["hands"]
    assert {"green-2", "pink-1"} <= set(hands[0])
    assert {"white-2", "blue-1"} <= set(hands[1])
    assert [len(hand) for hand in hands] == [6, 6]
    assert [seat["played"] for seat in match.view()["seats"]] == [["white-1", "blue-2"], ["green-1", "pink-2"]]


def test_k3_with_two_players_the_four_cards_are_different_ones_of_the_own_hand() -> None:
    match = deal("white-1 white-2 blue-1 blue-2", "green-1 green-2 pink-1 pink-2")
    assert refused(match, 0, choice("white-1 white-2", "white-2 blue-1")) == "K3"
    assert refused(match, 0, choice("white-1 white-2", "blue-1 pink-2")) == "K3"
    match.play(0, choice("white-1 white-2", "blue-1 blue-2"))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_k3_hands_shrink_by_what_is_played(players: int) -> None:
    match = deal(*[""] * players)
    for size in (8, 6, 4) if players == 2 else (5, 4, 3, 2):
        assert [seat["cards"] for seat in match.view()["seats"]] == [size] * players
        assert [len(hand) for hand in now(match)["hands"]] == [size] * players
        any_turn(match)


def test_k3_a_turn_is_written_in_the_order_of_the_seats() -> None:
    match = three()
    for seat, what in ((2, "blue-2 > pink-3"), (0, "white-4 > pink-1"), (1, "blue-5 > pink-2")):
        choose(match, seat, what)
    walk(match)
    lines = match.record()["moves"]
    assert [line["seat"] for line in lines] == [0, 1, 2, 0]
    assert lines[0] == {"seat": 0, "do": "choose", "play": ["white-4"], "give": ["pink-1"]}


def test_k3_cards_that_were_given_can_be_played_and_given_in_later_turns() -> None:
    match = three()
    whole_turn(match, "white-4 > pink-1", "blue-5 > pink-2", "blue-2 > pink-3")
    whole_turn(match, "pink-3 > black-1", "pink-1 > green-1", "pink-2 > white-1")
    assert match.view()["turn"] == 3
