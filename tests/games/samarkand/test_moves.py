"""Moves, set-ups, chance and lines as the record and people have them."""

from __future__ import annotations

from typing import Any

import pytest

from registan.core.chance import Stream
from registan.core.errors import BadMove
from registan.core.game import Json
from registan.core.match import Match
from registan.core.messages import LANGUAGES, catalogue
from registan.games.samarkand import GAME, text
from tests.games.samarkand.table import BOX, deal, marry, random_game
from tests.games.samarkand.test_marrying import short_deck


def test_every_action_is_read_as_it_is_written() -> None:
    s = deal([], []).state
    for action in range(GAME.rules.actions(2)):
        if 10 <= action < 1290 and (action - 10) % 128 >= len(BOX.names.spaces):
            continue
        assert GAME.moves.read(BOX, s, GAME.moves.write(BOX, s, 0, action)) == action
    assert GAME.rules.actions(2) == 1920


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"do": "dance"},
        {"do": "marry"},
        {"do": "marry", "family": "rome"},
        {"do": "marry", "family": 3},
        {"do": "place", "family": "levant", "space": "z9"},
        {"do": "place", "family": "levant", "space": None},
        {"do": "sell"},
        {"do": "sell", "good": 34},
        {"do": "keep", "good": True},
        {"do": "discard"},
        {"do": "discard", "cards": 3},
        {"do": "discard", "cards": [0]},
        {"do": "discard", "cards": [3, 3]},
        {"do": "discard", "cards": [3, 4, 5]},
        {"do": "discard", "cards": ["3"]},
    ],
)
def test_what_is_no_move_is_refused(move: Json) -> None:
    with pytest.raises(BadMove):
        deal([], [], []).play(0, move)


def test_the_order_of_discards_means_nothing() -> None:
    s = deal([], []).state
    assert GAME.moves.read(BOX, s, {"do": "discard", "cards": [9, 2]}) == GAME.moves.read(
        BOX, s, {"do": "discard", "cards": [2, 9]}
    )


def setup(players: int, **changes: Any) -> Json:
    written: Json = random_game(players, 1, upto=0).record()["setup"]
    return {**written, **changes}


@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (3, {"board": "oasis"}),
        (3, {"first": 3}),
        (3, {"first": None}),
        (3, {"hands": [[1, 2], [3, 4]]}),
        (3, {"hands": [[1], [2], [3]]}),
        (3, {"hands": [[1, 1], [2, 3], [4, 5]]}),
        (3, {"hands": [[1, 2], [2, 3], [4, 5]]}),
        (3, {"hands": [[1, 2], [3, 34], [4, 5]]}),
        (3, {"deck": [1, 2, 3]}),
        (3, {"deck": None}),
        (3, {"bag": ["egypt"]}),
        (2, {"bag": None}),
        (2, {"bag": ["egypt"] * 10}),
        (2, {"bag": list("abcdefghij")}),
    ],
)
def test_what_is_no_setup_is_refused(players: int, changes: Json) -> None:
    match = Match(GAME, BOX, players, {}, Stream.from_seed(1))
    with pytest.raises(BadMove):
        match.apply_setup(setup(players, **changes))


def test_a_setup_is_laid_out_as_written() -> None:
    for players in (2, 5):
        dealt = random_game(players, 9, upto=0)
        again = Match(GAME, BOX, players).apply_setup(dealt.record()["setup"])
        again.state.rng[:] = dealt.state.rng
        assert again.state.tobytes() == dealt.state.tobytes()


def test_a_tile_must_be_the_one_on_top_of_the_bag() -> None:
    match = deal([], [], bag="egypt china")
    match.act(0, GAME.moves.read(BOX, match.state, {"do": "marry", "family": "egypt"}))
    match.act(0, GAME.moves.read(BOX, match.state, {"do": "discard", "cards": []}))
    for line in ({"chance": "deck", "cards": []}, {"chance": "tile"}, {"chance": "tile", "family": "china"}):
        with pytest.raises(BadMove):
            match.apply_event(line)
    match.apply_event({"chance": "tile", "family": "egypt"})
    assert match.waiting == [1]


def test_a_new_deck_must_be_the_discards() -> None:
    match = short_deck(left=1, discarded=6)
    pile = GAME.moves.write_state(BOX, match.state)["hands"]
    match.act(0, GAME.moves.read(BOX, match.state, {"do": "marry", "family": "egypt"}))
    cards = [card for card in range(1, 34) if int(match.state.dropped[1]) >> card - 1 & 1]
    lines: list[Json] = [
        {"chance": "tile", "family": "egypt"},
        {"chance": "deck"},
        {"chance": "deck", "cards": cards[1:]},
        {"chance": "deck", "cards": [*cards[1:], pile[0][0]]},
    ]
    for line in lines:
        with pytest.raises(BadMove):
            match.apply_event(line)
    match.apply_event({"chance": "deck", "cards": cards})
    assert match.waiting == [0]
    assert set(cards[:2]) < set(GAME.moves.write_state(BOX, match.state)["hands"][0])


def test_nobody_moves_without_a_seat() -> None:
    match = deal([], [], [])
    with pytest.raises(BadMove):
        GAME.moves.replay(BOX, match.state, {}, match.act)
    assert GAME.moves.question(BOX, match.state, []) is None


def test_every_line_can_be_told_in_both_languages() -> None:
    for lang in LANGUAGES:
        told = set()
        for players in (2, 5):
            match = random_game(players, 2)
            for seat in (-1, 0):
                for line in match.log(seat):
                    said = text.tell(BOX, line, lang, lambda n: f"<{n}>")
                    assert ("{" in said) is False
                    assert said.endswith(".") or not line
                    told.add(line.get("do") or line.get("chance"))
            for move in random_game(players, 2, upto=30).legal(0):
                assert text.tell(BOX, move, lang, str)
        assert {"marry", "place", "end", "sell", "discard", "tile", "deck"} <= told
        for line in (
            {"seat": 0, "do": "pass"},
            {"do": "pass"},
            {"do": "keep", "good": 3},
            {"do": "discard", "cards": []},
        ):
            assert text.tell(BOX, line, lang, str)
    assert text.tell(BOX, {}, "en", str) == ""


def test_words_use_the_names_of_the_board() -> None:
    assert text.tell(BOX, {"seat": 1, "do": "marry", "family": "khazaria"}, "en", lambda n: "Ada").startswith("Ada ")
    assert "E5" in text.tell(BOX, {"do": "place", "family": "levant", "space": "e5"}, "fr", str)
    assert text.good(BOX, 34, "en") == "34"
    assert text.name(BOX, "family", "atlantis", "en") == "atlantis"


def test_messages_are_there_in_both_languages() -> None:
    keys = [{key for key in catalogue(lang) if "samarkand" in key} for lang in LANGUAGES]
    assert keys[0] == keys[1]
    assert len(keys[0]) > 30


def test_the_view_is_json_and_says_whom_it_is_for() -> None:
    match = deal([1, 2], [], [])
    marry(match, "egypt", drop=None)
    assert match.view(0)["asked"] == "discard"
    assert len(match.view(0)["legal"]) == 16
    assert match.view(1)["legal"] == []
    assert match.view()["seat"] is None
    assert match.view(2)["seat"] == 2
