"""K18: what is public and what is hidden, with a perfect memory."""

from __future__ import annotations

import random

import numpy as np
import pytest

import registan
from registan.core import chance as dice
from registan.core.game import SPECTATOR, Record
from registan.core.match import Match
from registan.games.khiva import GAME, checks
from tests.games.khiva.table import (
    BOX,
    any_turn,
    choose,
    deal,
    finish_turn,
    leave,
    now,
    own,
    play_any,
    put,
    turn,
    walk,
    whole_turn,
)

EVERYBODY = (SPECTATOR, 0, 1, 2)


def test_k18_a_hand_is_seen_by_its_owner_alone() -> None:
    match = registan.new("khiva", 3, seed=1)
    hands = now(match)["hands"]
    for seat in range(3):
        text = str(match.view(seat))
        assert match.view(seat)["hand"] == hands[seat]
        assert all(card not in text for other in range(3) if other != seat for card in hands[other])
    assert match.view()["hand"] is None
    assert not any(card in str(match.view()) for hand in hands for card in hand)


def test_k18_open_are_camels_gems_salt_undelivered_carpets_and_pile_sizes() -> None:
    match = deal("", "", "", teapots=[7, 2, 2, 2, 3])
    own(match, 1, undelivered="pink-4", salt=1)
    put(match, camels={"white": (2, 3)}, gems=[1, 0, 4])
    for seat in EVERYBODY:
        view = match.view(seat)
        assert view["camels"]["white"] == {"place": [2, 3], "teapot": 7}
        assert [s["gems"] for s in view["seats"]] == [1, 0, 4]
        assert view["seats"][1]["undelivered"] == [["pink", 4]]
        assert view["seats"][1]["salt"] == [10]
        assert view["piles"] == {"teapots": 17, "carpets": 14, "top_carpet": "white", "salt": [9, 8, 7, 6]}


def test_k18_of_others_teapots_and_delivered_carpets_only_the_number_is_seen() -> None:
    match = deal("", "", "")
    own(match, 1, teapots=[4, 6], delivered="pink-4")
    for seat in (SPECTATOR, 0, 2):
        shown = match.view(seat)["seats"][1]
        assert (shown["teapots"], shown["delivered"], shown["points"]) == (2, 1, None)
    mine = match.view(1)["seats"][1]
    assert (mine["teapots"], mine["delivered"], mine["points"]) == ([4, 6], [["pink", 4]], 14)


def test_k18_with_open_scores_everybody_sees_them() -> None:
    match = deal("", "", "", open_scores=True)
    own(match, 1, teapots=[4, 6], delivered="pink-4")
    put(match, gems=[0, 2, 0])
    for seat in EVERYBODY:
        shown = match.view(seat)["seats"][1]
        assert (shown["teapots"], shown["delivered"], shown["points"]) == ([4, 6], [["pink", 4]], 16)
    assert match.record()["options"] == {"open_scores": True}


def test_k18_after_the_end_all_tokens_are_turned_up() -> None:
    match = deal("white-1", "blue-1", "pink-1")
    leave(match, carpets=0)
    whole_turn(match, "white-1", "blue-1", "pink-1")
    assert match.over
    assert [s["points"] for s in match.view()["seats"]] == [s["total"] for s in match.scores()]
    assert len(match.view(0)["seats"][2]["delivered"]) == 15
    assert match.view()["piles"]["top_carpet"] is None


def test_k18_the_log_shows_given_cards_to_giver_and_receiver_alone() -> None:
    match = deal("white-1 pink-1", "blue-1 pink-2", "green-1 pink-3")
    whole_turn(match, "white-1 > pink-1", "blue-1 > pink-2", "green-1 > pink-3")
    assert [[line.get("give") for line in match.log(seat)[:3]] for seat in EVERYBODY] == [
        [1, 1, 1],
        [["pink-1"], 1, ["pink-3"]],
        [["pink-1"], ["pink-2"], 1],
        [1, ["pink-2"], ["pink-3"]],
    ]
    assert all(line["play"] for seat in EVERYBODY for line in match.log(seat)[:3])
    assert match.log(2)[3:] == match.record()["moves"][3:]


def test_k18_the_log_of_a_deal_shows_the_own_cards_alone() -> None:
    match = registan.new("khiva", 3, seed=2)
    while match.state.deals == 1:
        any_turn(match)
    dealt = match.record()["moves"][-1]
    assert match.log(1)[-1] == {"chance": "deal", "hands": [4, dealt["hands"][1], 4]}
    assert match.log()[-1] == {"chance": "deal", "hands": [4, 4, 4]}


def test_k18_hiding_blanks_hands_piles_sealed_choices_and_the_dice() -> None:
    match = registan.new("khiva", 4, seed=3)
    match.play(0, match.legal(0)[0])
    hidden = match.hidden(1)[0]
    assert hidden.hand.tolist()[1] == match.state.hand[1]
    assert all(hidden.hand[other] == 0 for other in (0, 2, 3))
    assert not hidden.plays.any()
    assert not hidden.gave.any()
    assert not hidden.teapots.any()
    assert not hidden.rng.any()
    assert np.count_nonzero(hidden.carpet_pile) == 1


def test_k18_who_forgets_nothing_knows_what_was_given_and_what_the_neighbour_kept() -> None:
    match = registan.new("khiva", 4, seed=4)
    while match.state.deals == 1:
        any_turn(match)
    any_turn(match)
    s, known = match.state, match.hidden(1)[0]
    assert known.gave[0].tolist() == [s.gave[0, 0], s.gave[0, 1], 0, 0, 0]  # what came from the right, what went left
    assert known.kept.tolist() == [0, s.kept[1], s.kept[2], 0, 0]  # the last card given is all the neighbour had left
    assert not match.hidden()[0].gave.any()


def same(a: Record, b: Record) -> bool:
    return bool(a.tobytes() == b.tobytes())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_k18_a_guess_fits_all_that_a_seat_knows(players: int) -> None:
    rng = np.zeros(4, np.uint64)
    dice.seed(rng, 18, players)
    for seed in range(2):
        match, chance = registan.new("khiva", players, seed=seed), random.Random(seed)
        while not match.over:
            if chance.random() < 0.4 or match.state.deals > 1:
                fits(match, chance.randrange(-1, players), rng)
            play_any(match, chance)
        fits(match, SPECTATOR, rng)


def fits(match: Match, seat: int, rng: Record) -> None:
    """A guess looks the same to the seat, and is a possible table."""
    known = match.hidden(seat)[0]
    guessed = known.copy()
    GAME.secrets.guess(BOX.record, guessed, seat, rng)
    assert checks.faults(BOX.record, guessed) == 0
    GAME.secrets.hide(BOX.record, guessed, seat)
    assert same(guessed, known)
    again = known.copy()
    GAME.secrets.hide(BOX.record, again, seat)
    assert same(again, known)


def test_k18_guesses_differ_and_leave_no_card_out() -> None:
    match, rng = registan.new("khiva", 3, seed=5), np.zeros(4, np.uint64)
    dice.seed(rng, 1, 1)
    held, tops = set(), set()
    for _ in range(120):
        guessed = match.hidden(0)[0]
        GAME.secrets.guess(BOX.record, guessed, 0, rng)
        held |= {card for card in range(25) if int(guessed.hand[1]) >> card & 1}
        tops.add(int(guessed.carpet_pile[14]))
    assert held == {card for card in range(25) if not int(match.state.hand[0]) >> card & 1}
    assert len(tops) == 3  # the colour is seen, any of its three values may lie there


def seen(match: Match, seat: int, actor: int, action: int) -> int:
    return GAME.secrets.seen(BOX.record, match.state, seat, actor, action)


def test_k18_what_is_seen_of_a_choice() -> None:
    match = deal("white-1 pink-1", "blue-1 pink-2", "green-1 pink-3")
    one, other = match.actions(0)[:2]  # the same card played, another one given
    assert [seen(match, seat, 0, one) == seen(match, seat, 0, other) for seat in EVERYBODY] == [True, False, True, True]
    choose(match, 1, "blue-1 > pink-2")
    choose(match, 2, "green-1 > pink-3")
    # The last answer is shown at once: its owner and who receives the card see the difference.
    assert [seen(match, seat, 0, one) == seen(match, seat, 0, other) for seat in EVERYBODY] == [
        True,
        False,
        False,
        True,
    ]
    match.play_action(0, one)
    assert [seen(match, seat, 0, 0) for seat in EVERYBODY] == [0, 0, 0, 0]


def test_k18_moves_on_the_table_are_seen_by_all() -> None:
    match = deal("white-1", "blue-1", "green-1")
    put(match, gems=[2, 0, 0])
    turn(match, "white-1", "blue-1", "green-1")
    assert {seen(match, seat, 0, 2) for seat in EVERYBODY} == {2}
    walk(match, 2)
    finish_turn(match)
    logs = [[line for line in match.log(seat) if line["do"] == "move"] for seat in EVERYBODY]
    assert logs == [logs[0]] * 4
    assert logs[0][0] == {"seat": 0, "do": "move", "camel": "white", "gems": 2}


def test_k18_a_covered_carpet_may_be_any_that_nobody_has() -> None:
    match, rng = deal("", "", "", carpets="pink-3", options={"carpets": "hidden"}), np.zeros(4, np.uint64)
    dice.seed(rng, 1, 1)
    tops = set()
    for _ in range(200):
        guessed = match.hidden(0)[0]
        assert not guessed.carpet_pile.any()
        GAME.secrets.guess(BOX.record, guessed, 0, rng)
        assert checks.faults(BOX.record, guessed) == 0
        tops.add(int(guessed.carpet_pile[14]))
    assert len(tops) == 15
