"""S1 to S5: how a game begins, and whose turn it is."""

from __future__ import annotations

import numpy as np
import pytest

import registan
from registan.core.chance import Stream
from registan.core.errors import BadInput
from registan.core.match import Match
from registan.games.samarkand import GAME
from tests.games.samarkand.table import BOX, FAMILY_KEYS, GOODS, deal, give, marry, now, place, refused, send


def dealt(players: int, seed: int) -> Match:
    """Return a game set up by chance."""
    return Match(GAME, BOX, players, {}, Stream.from_seed(seed)).deal()


EVERYWHERE = [f"{c}{r}" for c in "abcdefgh" for r in range(1, 8)]


def test_s1_each_family_has_a_camel_on_its_start_and_the_rest_in_its_domain() -> None:
    table = now(deal([], [], []))
    starts = {family.start: [family.key] for family in BOX.names.board.families}
    assert table["camels"] == starts
    assert table["left"] == dict.fromkeys(FAMILY_KEYS, 11)
    assert table["domains"] == dict.fromkeys(FAMILY_KEYS, 2)
    assert table["markers"] == dict.fromkeys(FAMILY_KEYS, 5)
    assert table["treasuries"] == dict.fromkeys(FAMILY_KEYS, 0)


def test_s2_each_goods_marker_lies_on_its_space() -> None:
    match = deal([], [], [])
    assert match.view()["goods"] == list(range(1, 34))
    assert now(match)["goods"] == [0, 0, 0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_s3_two_cards_each_and_the_rest_is_the_deck(players: int) -> None:
    setup = dealt(players, 3).record()["setup"]
    assert [len(hand) for hand in setup["hands"]] == [2] * players
    assert sorted([*setup["deck"], *(card for hand in setup["hands"] for card in hand)]) == list(range(1, 34))


def test_s3_cards_are_dealt_at_random() -> None:
    hands = {str(dealt(4, seed).record()["setup"]["hands"]) for seed in range(20)}
    assert len(hands) == 20


def test_s4_ten_dirhams_and_a_start_player_by_lot() -> None:
    assert now(deal([], [], [], []))["dirhams"] == [10, 10, 10, 10]
    firsts = [dealt(4, seed).waiting[0] for seed in range(200)]
    assert np.bincount(firsts, minlength=4).min() > 25


def test_s4_the_start_player_may_be_named() -> None:
    for seat in range(3):
        match, drawn = registan.new("samarkand", 3, seed=5, first=seat), registan.new("samarkand", 3, seed=5)
        assert match.waiting == [seat]
        assert match.record()["setup"] == {**drawn.record()["setup"], "first": seat}, "nothing else changes"
        assert match.record()["options"] == {}
        by_record = registan.replay(match.record())
        by_record.state.rng[:] = match.state.rng
        assert by_record.state.tobytes() == match.state.tobytes(), "states do not tell who was named"
    with pytest.raises(BadInput):
        registan.new("samarkand", 3, first=3)


def test_s4_play_goes_clockwise() -> None:
    match = deal([], [], [], first=1)
    asked = []
    for family in FAMILY_KEYS[:4]:
        asked += match.waiting
        marry(match, family)
    assert asked == [1, 2, 0, 1]


def test_s4_nobody_plays_out_of_turn() -> None:
    match = deal([], [], [], first=1)
    assert refused(match, 0, {"do": "marry", "family": "egypt"}) == "S4"
    marry(match, "egypt", drop=None)
    assert refused(match, 2, {"do": "discard", "cards": []}) == "S4"


def test_s5_a_turn_is_one_marriage_or_one_expansion() -> None:
    match = deal([], [], [])
    for move in ({"do": "end"}, {"do": "discard", "cards": []}, {"do": "sell", "good": 5}, {"do": "pass"}):
        assert refused(match, 0, move) == "S5"
    marry(match, "egypt")
    assert match.waiting == [1]


def poor() -> Match:
    """Return a table of three where nobody can marry and seat 0 alone has a family."""
    match = deal([], [], [], dirhams=[0, 0, 0])
    give(match, 0, "levant")
    return match


def test_s5_who_can_do_nothing_passes_and_nobody_else_may() -> None:
    match = poor()
    assert refused(match, 0, {"do": "pass"}) == "S5"
    place(match, "levant", "b1")
    assert match.waiting == [1]
    assert match.legal(1) == [{"do": "pass"}]
    match.play(1, {"do": "pass"})
    assert match.waiting == [2]
    assert match.legal(2) == [{"do": "pass"}]


def test_s5_the_game_ends_when_all_pass_one_after_another() -> None:
    match = deal([], [], [], dirhams=[0, 0, 0], first=2)
    for seat in (2, 0):
        match.play(seat, {"do": "pass"})
        assert not match.over
    match.play(1, {"do": "pass"})
    assert match.over
    assert match.view()["ended_by"] == ["all_passed"]
    assert match.waiting == []


def test_s5_any_action_starts_the_count_of_passes_anew() -> None:
    match = poor()
    for space in ("b1", "a2", "b2"):
        place(match, "levant", space)
        match.play(1, {"do": "pass"})
        match.play(2, {"do": "pass"})
    assert not match.over
    assert match.waiting == [0]


def test_s5_one_passes_also_with_a_family_that_cannot_move() -> None:
    match = poor()
    send(match, "levant", "b1", "a2")
    send(match, "arabia", "a2", "b3", "b2")
    assert match.legal(0) != [{"do": "pass"}]
    # With all twelve camels on the map the family is of no more use.
    match = poor()
    send(match, "levant", "a2", "b2", "c2", "c3", "b3", "d3", "d4", "c4", "b4", "a4", "a5")
    assert match.legal(0) == [{"do": "pass"}]


def test_the_grid_is_what_it_seems() -> None:
    assert len(EVERYWHERE) == len(BOX.names.spaces) == 56
    assert GOODS[5] == "c2"
    assert GOODS[22] == "e5"
    assert GAME.rules.STATE.itemsize <= 1024
