"""K1, K2: the table before the first turn."""

from __future__ import annotations

from collections import Counter

import pytest

import registan
from registan.core.errors import BadInput
from registan.games.khiva import GAME
from tests.games.khiva.table import BOX, CARDS, CARPETS, COLOURS, TEAPOTS, deal, flat, now

EVERY_COUNT = pytest.mark.parametrize("players", [2, 3, 4, 5])


@EVERY_COUNT
def test_k1_every_camel_starts_at_khiva_with_a_teapot_and_17_are_left(players: int) -> None:
    view = registan.new("khiva", players, seed=3).view()
    assert list(view["camels"]) == ["white", "blue", "green", "pink", "black"]
    assert all(camel["place"] is None and camel["teapot"] in range(2, 8) for camel in view["camels"].values())
    assert view["piles"]["teapots"] == 17
    assert view["piles"]["salt"] == [10, 9, 8, 7, 6]
    assert [seat["gems"] for seat in view["seats"]] == [0] * players


@EVERY_COUNT
def test_k1_the_box_is_complete(players: int) -> None:
    setup = registan.new("khiva", players, seed=4).record()["setup"]
    assert Counter(setup["teapots"]) == Counter(TEAPOTS)
    assert sorted(f"{colour}-{value}" for colour, value in setup["carpets"]) == sorted(CARPETS)


def test_k1_the_first_five_teapots_go_to_the_camels_in_their_order() -> None:
    match = deal("", "", "", teapots=[7, 2, 6, 3, 5, 4])
    assert now(match)["carrying"] == {"white": 7, "blue": 2, "green": 6, "pink": 3, "black": 5}
    assert match.record()["setup"]["teapots"][:6] == [7, 2, 6, 3, 5, 4]


def test_k1_piles_are_shuffled() -> None:
    setups = [registan.new("khiva", 3, seed=seed).record()["setup"] for seed in range(40)]
    assert len({tuple(setup["teapots"]) for setup in setups}) == 40
    assert len({str(setup["carpets"]) for setup in setups}) == 40
    assert {setup["carpets"][0][0] for setup in setups} == set(COLOURS)


def test_k1_of_the_top_carpet_the_colour_is_seen_and_not_the_value() -> None:
    for seat in (-1, 0, 1, 2):
        low, high = (deal("", "", "", carpets=top) for top in ("pink-3 pink-5", "pink-5 pink-3"))
        assert low.view(seat)["piles"] == {
            "teapots": 17,
            "carpets": 15,
            "top_carpet": "pink",
            "salt": [10, 9, 8, 7, 6],
        }
        assert low.hidden(seat).tobytes() == high.hidden(seat).tobytes()
    assert deal("", "", "", carpets="blue-3").view()["piles"]["top_carpet"] == "blue"


def test_k1_with_the_option_nothing_is_seen_of_the_top_carpet() -> None:
    for seat in (-1, 0, 1, 2):
        pink, blue = (deal("", "", "", carpets=top, options={"carpets": "hidden"}) for top in ("pink-3", "blue-5"))
        assert pink.view(seat)["piles"] == {"teapots": 17, "carpets": 15, "top_carpet": None, "salt": [10, 9, 8, 7, 6]}
        assert pink.hidden(seat).tobytes() == blue.hidden(seat).tobytes()


def test_k1_the_option_changes_nothing_but_what_is_seen() -> None:
    seen, covered = registan.new("khiva", 3, seed=4), registan.new("khiva", 3, seed=4, carpets="hidden")
    assert seen.record()["setup"] == covered.record()["setup"]
    assert covered.record()["options"] == {"carpets": "hidden"}
    with pytest.raises(BadInput):
        registan.new("khiva", 3, carpets="blue")


def test_k1_nobody_begins_so_nobody_can_be_named_to() -> None:
    with pytest.raises(BadInput) as refused:
        registan.new("khiva", 3, first=0)
    assert refused.value.key == "error.first"
    assert "khiva" in refused.value.text("en")
    assert "doyen" in refused.value.text("fr")


@pytest.mark.parametrize(("players", "each", "aside"), [(2, 8, 9), (3, 5, 10), (4, 5, 5), (5, 5, 0)])
def test_k2_the_cards_are_dealt(players: int, each: int, aside: int) -> None:
    match = registan.new("khiva", players, seed=5)
    hands = now(match)["hands"]
    dealt = [card for hand in hands for card in hand]
    assert [len(hand) for hand in hands] == [each] * players
    assert len(set(dealt)) == len(dealt) == 25 - aside
    assert set(dealt) <= set(CARDS)


def test_k2_with_two_players_four_of_the_nine_cards_aside_are_shown() -> None:
    match = registan.new("khiva", 2, seed=6)
    shown = match.view()["shown"]
    assert len(set(shown)) == 4
    assert not set(shown) & set(flat(now(match)["hands"]))
    assert match.view(0)["shown"] == match.view(1)["shown"] == shown == match.record()["setup"]["shown"]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_k2_with_more_players_no_card_is_shown(players: int) -> None:
    match = registan.new("khiva", players, seed=6)
    assert match.view()["shown"] == []
    assert "shown" not in match.record()["setup"]


def test_k2_every_card_comes_to_every_hand() -> None:
    seen: list[set[str]] = [set(), set(), set(), set()]
    for seed in range(60):
        for had, hand in zip(seen, now(registan.new("khiva", 4, seed=seed))["hands"]):
            had.update(hand)
    assert all(had == set(CARDS) for had in seen)


def test_k2_the_game_is_for_two_to_five() -> None:
    assert list(GAME.players) == [2, 3, 4, 5]
    assert int(BOX.record.teapot_count) == 22
