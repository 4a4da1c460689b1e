"""K11, K13: discards are face up until the next deal, which fills up the hands."""

from __future__ import annotations

import random

import pytest

import registan
from tests.games.khiva.table import CARDS, any_turn, deal, flat, now, play_any, put, turn, walk

AFTER = pytest.mark.parametrize(
    ("players", "turns", "kept", "size", "aside"), [(2, 3, 2, 8, 9), (3, 4, 1, 5, 10), (4, 4, 1, 5, 5), (5, 4, 1, 5, 0)]
)


def test_k11_cards_are_discarded_face_up_after_their_camel_has_moved() -> None:
    match = deal("white-2", "white-4", "black-1")
    turn(match, "white-2", "white-4", "black-1")
    assert match.view()["discarded"] == []
    assert [seat["played"] for seat in match.view()["seats"]] == [["white-2"], ["white-4"], ["black-1"]]
    walk(match)
    assert match.view()["discarded"] == ["white-2", "white-4"]
    assert [seat["played"] for seat in match.view()["seats"]] == [[], [], ["black-1"]]
    walk(match)
    for seat in (-1, 0, 1, 2):
        assert match.view(seat)["discarded"] == ["white-2", "white-4", "black-1"]


def test_k11_not_before_the_effect_of_the_place_is_done() -> None:
    match = deal("white-4", "white-5", "black-1")
    put(match, gems=[3, 0, 0])
    turn(match, "white-4", "white-5", "black-1")
    walk(match)
    assert match.view()["asked"] == "take"
    assert match.view()["discarded"] == []


def test_k11_discards_stay_open_until_the_next_deal() -> None:
    match = registan.new("khiva", 3, seed=8)
    for n in (0, 3, 6, 9):
        assert len(match.view(1)["discarded"]) == n
        any_turn(match)
    assert match.view(1)["discarded"] == []


@AFTER
def test_k13_after_the_last_turn_of_a_deal_hands_are_filled_up(
    players: int, turns: int, kept: int, size: int, aside: int
) -> None:
    match = registan.new("khiva", players, seed=9)
    for n in range(turns):
        assert (match.view()["deal"], match.view()["turn"], match.view()["turns"]) == (1, n + 1, turns)
        any_turn(match)
    assert (match.view()["deal"], match.view()["turn"]) == (2, 1)
    *_, before, after = match.record(states=True)["moves"]
    assert after["chance"] == "deal"
    assert [len(hand) for hand in before["state"]["hands"]] == [kept] * players
    assert [len(hand) for hand in after["hands"]] == [size - kept] * players
    for had, dealt, has in zip(before["state"]["hands"], after["hands"], after["state"]["hands"]):
        assert set(has) == set(had) | set(dealt)
        assert len(has) == size
    everywhere = flat(after["state"]["hands"])
    assert len(everywhere) == len(set(everywhere)) == 25 - aside
    assert match.waiting == list(range(players))


@AFTER
def test_k13_no_deal_comes_before(players: int, turns: int, kept: int, size: int, aside: int) -> None:
    match = registan.new("khiva", players, seed=10)
    for _ in range(turns - 1):
        any_turn(match)
    assert all("chance" not in line for line in match.record()["moves"])
    assert len(now(match)["hands"][0]) == size - (turns - 1) * (2 if players == 2 else 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_k13_discards_and_cards_set_aside_come_back(players: int) -> None:
    seen: set[str] = set()
    for seed in range(25):
        match, chance = registan.new("khiva", players, seed=seed), random.Random(seed)
        while match.state.deals == 1:
            play_any(match, chance)
        seen |= set(flat(match.record()["moves"][-1]["hands"]))
    assert seen == set(CARDS)


def test_k13_with_two_players_four_other_cards_are_shown() -> None:
    match = registan.new("khiva", 2, seed=11)
    first = match.view()["shown"]
    while match.state.deals == 1:
        any_turn(match)
    shown = match.view()["shown"]
    assert match.record()["moves"][-1]["shown"] == shown != first
    assert len(set(shown)) == 4
    assert not set(shown) & set(flat(now(match)["hands"]))


def test_k13_cards_kept_are_not_dealt_again() -> None:
    for seed in range(10):
        match = registan.new("khiva", 4, seed=seed)
        while match.state.deals == 1:
            any_turn(match)
        *_, before, after = match.record(states=True)["moves"]
        assert not set(flat(before["state"]["hands"])) & set(flat(after["hands"]))
