"""S6 to S9: marriages and the cards that come with them."""

from __future__ import annotations

from functools import cache

import pytest

from registan.core.match import Match
from registan.games.samarkand.state import RESHUFFLES
from tests.games.samarkand.table import deal, give, hold, honest, marry, now, place, refused


def test_s6_the_dowry_goes_to_the_treasury_and_a_tile_to_the_player() -> None:
    match = deal([], [], [])
    marry(match, "persia")
    table = now(match)
    assert table["dirhams"] == [4, 10, 10]
    assert table["treasuries"]["persia"] == 6
    assert table["tiles"] == [["persia"], [], []]
    assert table["domains"]["persia"] == 1


def test_s6_not_without_the_money() -> None:
    match = deal([], [], [], dirhams=[5, 10, 10])
    assert refused(match, 0, {"do": "marry", "family": "persia"}) == "S6"
    marry(match, "sogdia")
    assert now(match)["dirhams"][0] == 0


def test_s6_not_without_a_tile() -> None:
    match = deal([], [], [])
    give(match, 1, "egypt")
    give(match, 2, "egypt")
    assert refused(match, 0, {"do": "marry", "family": "egypt"}) == "S6"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_s6_not_twice_into_one_family_with_three_or_more(players: int) -> None:
    match = deal(*([[]] * players))
    give(match, 0, "egypt")
    assert refused(match, 0, {"do": "marry", "family": "egypt"}) == "S6"


def married(players: int, cards: int, sold: int = 0) -> Match:
    """Return a table where seat 0 has just married, having so many cards, some of them sold."""
    match = deal(*([[1, 2]] + [[]] * (players - 1)))
    rest = list(range(3, 3 + cards - 2))
    hold(match, 0, *rest[: len(rest) - sold], sold=rest[len(rest) - sold :])
    marry(match, "egypt", drop=None)
    return match


@pytest.mark.parametrize(("players", "most"), [(2, 10), (3, 10), (4, 7), (5, 6)])
def test_s7_the_card_limit(players: int, most: int) -> None:
    below = married(players, most - 1)
    assert below.view(0)["limit"] == most
    assert below.view(0)["asked"] == "discard"
    assert {len(move["cards"]) for move in below.legal(0)} == {2}
    assert refused(below, 0, {"do": "discard", "cards": [1]}) == "S7"
    assert refused(below, 0, {"do": "discard", "cards": []}) == "S7"
    at_limit = married(players, most)
    assert at_limit.view(0)["asked"] == "turn"
    assert len(now(at_limit)["hands"][0]) == most


def test_s7_s8_sold_cards_count_against_the_limit() -> None:
    match = married(4, 6, sold=3)
    assert len(now(match)["hands"][0]) == 3 + 3
    assert {len(move["cards"]) for move in match.legal(0)} == {2}
    assert married(4, 7, sold=5).waiting == [1]


def test_s7_s8_example_the_hand_limit_of_seven_with_four_players() -> None:
    """Six cards are below the limit: three are drawn, two must go, and seven stay."""
    match = married(4, 6)
    assert len(now(match)["hands"][0]) == 9
    match.play(0, {"do": "discard", "cards": [1, 2]})
    assert len(now(match)["hands"][0]) == 7
    assert match.view()["discards"] == 2
    assert match.waiting == [1]


def test_s8_three_cards_are_drawn_from_the_top() -> None:
    match = deal([1, 2], [], [], deck=[9, 8, 7, 6])
    marry(match, "egypt", drop=None)
    assert now(match)["hands"][0] == [1, 2, 7, 8, 9]
    assert match.view()["deck"] == 33 - 6 - 3


def test_s8_none_one_or_two_old_or_new_cards_are_discarded() -> None:
    match = deal([1, 2], [], [], deck=[9, 8, 7])
    marry(match, "egypt", drop=None)
    moves = [tuple(move["cards"]) for move in match.legal(0)]
    assert len(moves) == 1 + 5 + 10
    assert {(), (1,), (9,), (1, 2), (2, 9), (8, 9)} < set(moves)
    match.play(0, {"do": "discard", "cards": [2, 9]})
    assert now(match)["hands"][0] == [1, 7, 8]


def test_s8_only_cards_of_ones_own_that_are_not_sold() -> None:
    match = married(4, 5, sold=2)
    for cards in ([4], [5], [33], [1, 5]):
        assert refused(match, 0, {"do": "discard", "cards": cards}) == "S8"
    assert refused(match, 0, {"do": "marry", "family": "china"}) == "S8"
    assert refused(match, 0, {"do": "end"}) == "S8"


def short_deck(left: int, discarded: int, seed: int = 1) -> Match:
    """Return a table of three with so many cards in the deck and so many of seat 1's in the discard pile."""
    match = deal([], [], [], seed=seed)
    s = match.state
    deck = [int(card) for card in s.deck[: s.deck_left]]
    pile, rest = deck[:discarded], deck[discarded : len(deck) - left]
    for card in pile:
        s.dropped[1] |= 1 << card - 1
    s.drops[1] = discarded
    keep = deck[len(deck) - left :]
    s.deck[:] = keep + [0] * (33 - len(keep))
    s.deck_left = left
    for seat in range(1, 3):
        mine = [rest.pop() for _ in range(min(len(rest), 8))]
        for card in mine:
            s.hand[seat] |= 1 << card - 1
        s.held[seat] += len(mine)
    for card in rest:
        s.hand[0] |= 1 << card - 1
        s.held[0] += 1
    honest(match)
    return match


def test_s9_the_deck_is_made_anew_in_mid_draw_and_drawing_goes_on() -> None:
    match = short_deck(left=1, discarded=6)
    pile = match.state.dropped[1]
    marry(match, "egypt", drop=None)
    lines = match.record(states=True)["moves"]
    assert [line.get("do") or line["chance"] for line in lines] == ["marry", "deck"]
    assert sum(1 << card - 1 for card in lines[1]["cards"]) == pile
    before, after = (set(line["state"]["hands"][0]) for line in lines)
    assert after - before == set(lines[1]["cards"][:2])
    assert match.view(0)["deck"] == 4
    assert match.view(0)["discards"] == 0
    assert match.waiting == [0]


def test_s9_taking_the_last_card_does_not_reshuffle_yet() -> None:
    match = short_deck(left=3, discarded=6)
    marry(match, "egypt", drop=None)
    assert match.view()["deck"] == 0
    assert match.view()["discards"] == 6
    match.play(0, match.legal(0)[0])
    assert [line.get("chance") for line in match.record()["moves"]] == [None, None]
    hands = now(match)["hands"]
    assert len(hands[1]) == 10  # at the limit: no card is drawn, so nothing is shuffled
    marry(match, "egypt")
    assert match.view()["deck"] == 0
    assert match.waiting == [2]


def test_s9_every_order_of_the_new_deck_can_come_out() -> None:
    orders = set()
    for seed in range(40):
        match = short_deck(left=0, discarded=7, seed=seed)
        marry(match, "egypt", drop=None)
        orders.add(tuple(match.record()["moves"][1]["cards"]))
    assert len(orders) > 30


@pytest.mark.parametrize(("players", "most"), [(2, 10), (3, 10), (4, 7), (5, 6)])
def test_s9_no_game_has_more_reshuffles_than_the_state_can_remember(players: int, most: int) -> None:
    """Whatever is discarded: 20 marriages at most, each taking a card or more out of deck and discards for good."""

    @cache
    def reshuffles(deck: int, pile: int, marriages: int, buffer: int) -> int:
        best = 0
        for drop in (0, 1, 2):
            if marriages and 3 - drop <= buffer and deck + pile >= 3:
                if deck >= 3:
                    best = max(best, reshuffles(deck - 3, pile + drop, marriages - 1, buffer - 3 + drop))
                else:
                    best = max(best, 1 + reshuffles(deck + pile - 3, drop, marriages - 1, buffer - 3 + drop))
        return best

    assert reshuffles(33 - 2 * players, 0, 20, players * (most - 2)) <= RESHUFFLES


def test_s8_s9_discards_leave_the_hand_and_lie_face_down() -> None:
    match = deal([1, 2], [], [], deck=[9, 8, 7])
    marry(match, "egypt", drop=[2])
    assert match.log(1)[-1] == {"seat": 0, "do": "discard", "cards": 1}
    assert match.log(0)[-1] == {"seat": 0, "do": "discard", "cards": [2]}


def test_s6_an_expansion_needs_no_money() -> None:
    match = deal([], [], [], dirhams=[0, 0, 0])
    give(match, 0, "egypt")
    place(match, "egypt", "b1")
    assert now(match)["dirhams"] == [0, 0, 0]
