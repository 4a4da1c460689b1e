"""Boards for fewer players: as many families and goods as the board has, and the same rules."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import registan
from registan.core import batch
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.errors import BadBox, BadInput, BadMove
from registan.core.game import Box
from registan.core.match import Match
from registan.core.record import replay
from registan.core.registry import find
from registan.games.samarkand import GAME
from registan.games.samarkand.map.faults import least_families, least_goods
from registan.games.samarkand.state import ALL_TRADE, GOODS, RESHUFFLES, limit
from registan.games.samarkand.turns import ending
from tests.games.samarkand.small import small_board


def box_of(text: str) -> Box:
    return GAME.load_box(text.encode(), "small.toml")


BOX = box_of(small_board())


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("families", "goods", "most"), [(6, 18, 3), (7, 22, 3), (8, 23, 4), (10, 28, 5), (6, 13, 2), (10, 33, 5)]
)
def test_random_games_on_a_small_board_keep_every_invariant(families: int, goods: int, most: int) -> None:
    box = box_of(small_board(families, goods, most, 8, 6))
    for players in range(2, most + 1):
        for seed in range(3):
            engine = Engine(GAME, box, compiled=seed > 0)
            match = Match(GAME, box, players, {}, registan.core.chance.LabStream(seed, players), seed > 0).deal()
            rng = np.zeros(4, np.uint64)
            registan.core.chance.seed(rng, seed, 1)
            while not match.over:
                seat = match.waiting[0]
                match.play_action(seat, engine.pick(match._states, seat, rng))
                assert engine.faults(match._states) == 0
            assert match.state.shuffles <= RESHUFFLES
            unused = [int(match.state.domain[f]) for f in range(families, 10)]
            assert not any(unused)


def test_s19_all_families_of_the_board_must_trade_and_no_others() -> None:
    match = Match(GAME, BOX, 3).deal()
    s = match.state
    for family in range(5):
        s.met[family] = 1 << ((family + 1) % 5)
    assert ending(s) == 0
    s.met[5] = 1
    assert ending(s) == ALL_TRADE


def test_s7_the_limit_is_the_printed_one_on_a_full_board_and_lets_everybody_draw_on_a_small_one() -> None:
    full = find_box(GAME, None).record
    assert [limit(full, players) for players in (2, 3, 4, 5)] == [10, 10, 7, 6]
    assert [limit(BOX.record, players) for players in (2, 3)] == [7, 5]


@cache
def most_reshuffles(goods: int, players: int, limit_: int, deck: int, discards: int, marriages: int) -> int:
    """Return how often the discards can be reshuffled, whatever everybody keeps."""
    held = goods - deck - discards
    if held >= players * limit_ or not marriages:
        return 0
    again = deck < 3
    if again:
        assert deck + discards >= 4  # S9
        deck, discards = deck + discards - 3, 0
    else:
        deck -= 3
    rest = (most_reshuffles(goods, players, limit_, deck, discards + drop, marriages - 1) for drop in range(3))
    return again + max(rest)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_s9_no_board_reshuffles_more_often_than_the_state_remembers(players: int) -> None:
    for goods in range(least_goods(players), GOODS + 1):
        own = min(10, (goods - 3) // players)
        assert most_reshuffles(goods, players, own, goods - 2 * players, 0, 20) <= RESHUFFLES


def test_a_game_on_a_small_board_is_recorded_and_replayed() -> None:
    match = Match(GAME, BOX, 3).deal()
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[-1])
    record = match.record(states=True)
    assert set(record["moves"][-1]["state"]["left"]) == {f"f{i}" for i in range(6)}
    again = replay(record, find, small_board().encode())
    assert again.scores() == match.scores()
    assert max(card for hand in record["setup"]["hands"] for card in hand) <= 18


def test_a_two_player_game_has_the_families_of_the_board_in_the_bag() -> None:
    setup = Match(GAME, BOX, 2).deal().record()["setup"]
    assert sorted(setup["bag"]) == [f"f{i}" for i in range(6)]


def test_too_many_players_are_refused_in_both_languages() -> None:
    with pytest.raises(BadInput) as refused:
        Match(GAME, BOX, 4)
    assert refused.value.text("en") == "The box “small” is for 2 to 3 players, not for 4."
    assert "est prévue pour 2 à 3 personnes" in refused.value.text("fr")


def test_a_good_that_the_board_does_not_have_is_no_move() -> None:
    match = Match(GAME, BOX, 3).deal()
    with pytest.raises(BadMove, match="1 to 18"):
        match.play(match.waiting[0], {"do": "sell", "good": 19})


@pytest.mark.no_cover
@given(st.integers(2, 5), st.integers(0, 12), st.integers(0, 35))
@settings(max_examples=60, deadline=None)
def test_a_board_is_valid_with_enough_families_and_goods_for_its_players(
    players: int, families: int, goods: int
) -> None:
    families, goods = max(1, min(families, 10)), min(goods, 33)
    text = small_board(families, goods, players, 8, 6)
    if families >= least_families(players) and goods >= least_goods(players):
        assert box_of(text).players == range(2, players + 1)
    else:
        with pytest.raises(BadBox):
            box_of(text)


def test_a_board_that_does_not_say_for_how_many_it_is_must_be_a_full_one() -> None:
    with pytest.raises(BadBox, match="there must be 10 of them; these are 6"):
        box_of(small_board(players=None))


def test_batches_of_games_on_a_small_board() -> None:
    states = batch.blank(GAME, 20, 3)
    assert (batch.play(GAME, BOX, states, check=True) > 0).all()
