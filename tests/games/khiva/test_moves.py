"""Moves as they are written: what cannot be read is named, and what can be is told in both languages."""

from __future__ import annotations

from typing import Any

import pytest

import registan
from registan.core.errors import BadMove
from registan.core.match import Match
from registan.games.khiva import GAME
from registan.games.khiva.state import CHOICE, code_of
from tests.games.khiva.table import BOX, CARDS, TEAPOTS, deal, pile_of_carpets, turn

CHOOSING = [
    ({"do": "choose", "play": ["white-1"]}, "give"),
    ({"do": "choose", "play": "white-1", "give": ["white-2"]}, "play"),
    ({"do": "choose", "play": [], "give": ["white-2"]}, "play"),
    ({"do": "choose", "play": ["white-1", "white-2"], "give": ["white-3"]}, "1 card"),
    ({"do": "choose", "play": ["white-1"], "give": ["violet-2"]}, "violet-2"),
    ({"do": "choose", "play": ["white-1"], "give": ["white-6"]}, "white-6"),
    ({"do": "choose", "play": ["white-1"], "give": [["white-2"]]}, "white-2"),
    ({"do": "choose", "play": ["white-1"], "give": [7]}, "7"),
]
OTHERS = [
    ({"do": "move", "camel": "violet", "gems": 0}, "violet"),
    ({"do": "move", "camel": ["white"], "gems": 0}, "white"),
    ({"do": "move", "gems": 0}, "None"),
    ({"do": "move", "camel": "white"}, "None"),
    ({"do": "move", "camel": "white", "gems": -1}, "-1"),
    ({"do": "move", "camel": "white", "gems": 5}, "5"),
    ({"do": "move", "camel": "white", "gems": True}, "True"),
    ({"do": "move", "camel": "white", "gems": 1.0}, "1.0"),
    ({"do": "take", "what": "pepper"}, "pepper"),
    ({"do": "take", "what": ["salt"]}, "salt"),
    ({"do": "take"}, "None"),
    ({"do": "marry", "family": "levant"}, "marry"),
    ({"do": "offer", "value": 5}, "offer"),
    ({}, "None"),
    ([], "obje"),
    (None, "obje"),
]


@pytest.mark.parametrize(("move", "named"), CHOOSING + OTHERS)
def test_what_cannot_be_a_move_is_named(move: Any, named: str) -> None:
    match = registan.new("khiva", 3, seed=1)
    with pytest.raises(BadMove) as error:
        match.play(0, move)
    assert named in error.value.text("en")
    assert named in error.value.text("fr").replace("carte", "card")
    assert match.moves_played == 0


@pytest.mark.parametrize("cards", [["white-1"], ["white-1", "white-1"], ["white-1", "white-2", "white-3"]])
def test_with_two_players_it_takes_two_different_cards(cards: list[str]) -> None:
    match = deal("white-1 white-2 white-3 white-4", "")
    with pytest.raises(BadMove, match="2 different cards"):
        match.play(0, {"do": "choose", "play": cards, "give": ["white-4", "white-3"]})


def test_another_camel_than_the_one_that_moves_is_named() -> None:
    match = deal("white-1", "blue-1", "pink-1")
    turn(match, "white-1", "blue-1", "pink-1")
    with pytest.raises(BadMove, match="pink camel is not the one that moves now; the white one is"):
        match.play(0, {"do": "move", "camel": "pink", "gems": 0})


@pytest.mark.parametrize("players", [2, 3])
def test_every_action_is_written_and_read_back(players: int) -> None:
    match = registan.new("khiva", players, seed=2)
    for action in match.actions(0):
        move = GAME.moves.write(BOX, match.state, 0, action)
        assert GAME.moves.read(BOX, match.state, move) == action
        assert CHOICE <= action < GAME.rules.actions(players)
        assert GAME.moves.read(BOX, match.state, {**move, "play": move["play"][::-1]}) == action
    assert code_of(0, players) == 0  # nothing sealed yet


def setup(**changed: Any) -> dict[str, Any]:
    """Return the set-up of a game for three with something changed."""
    hands = [list(CARDS[:5]), list(CARDS[5:10]), list(CARDS[10:15])]
    return {"hands": hands, "teapots": list(TEAPOTS), "carpets": pile_of_carpets(""), **changed}


HANDS = setup()["hands"]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"teapots": None}, "22 teapots"),
        ({"teapots": [2] * 22}, "22 teapots"),
        ({"teapots": [float(value) for value in TEAPOTS]}, "22 teapots"),
        ({"teapots": list(TEAPOTS[1:])}, "22 teapots"),
        ({"carpets": None}, "15 carpets"),
        ({"carpets": 7}, "15 carpets"),
        ({"carpets": [["white", 3]] * 15}, "15 carpets"),
        ({"carpets": [["white", 6], *pile_of_carpets("")[1:]]}, "15 carpets"),
        ({"carpets": [["white"], *pile_of_carpets("")[1:]]}, "15 carpets"),
        ({"carpets": [[["white"], 3], *pile_of_carpets("")[1:]]}, "15 carpets"),
        ({"hands": None}, "3 hands of 5 cards"),
        ({"hands": HANDS[:2]}, "3 hands of 5 cards"),
        ({"hands": [*HANDS[:2], "white-1"]}, "5 different cards"),
        ({"hands": [*HANDS[:2], HANDS[2][:4]]}, "5 different cards"),
        ({"hands": [*HANDS[:2], HANDS[0]]}, "white-1 is dealt twice"),
        ({"hands": [*HANDS[:2], [None] * 5]}, "no card “None”"),
    ],
)
def test_what_cannot_be_a_set_up_is_named(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(BadMove, match=named):
        Match(GAME, BOX, 3).apply_setup(setup(**changed))
    assert Match(GAME, BOX, 3).apply_setup(setup()).waiting == [0, 1, 2]


def test_with_two_players_the_set_up_shows_four_cards() -> None:
    two = setup(hands=[list(CARDS[:8]), list(CARDS[8:16])])
    for shown in (None, list(CARDS[16:19]), list(CARDS[15:19])):
        with pytest.raises(BadMove):
            Match(GAME, BOX, 2).apply_setup({**two, "shown": shown})
    match = Match(GAME, BOX, 2).apply_setup({**two, "shown": list(CARDS[16:20])})
    assert match.view()["shown"] == list(CARDS[16:20])


TOLD = [
    (
        {"seat": 0, "do": "choose", "play": ["white-4"], "give": ["pink-1"]},
        "Ann plays white 4 and gives pink 1 to the left.",
        "Ann joue blanc 4 et donne rose 1 à gauche.",
    ),
    (
        {"seat": 0, "do": "choose", "play": ["white-4", "blue-2"], "give": 2},
        "Ann plays white 4 and blue 2 and gives 2 cards to the left.",
        "Ann joue blanc 4 et bleu 2 et donne 2 cartes à gauche.",
    ),
    ({"do": "choose", "play": ["white-4"], "give": 1}, "play white 4, give 1 card", "jouer blanc 4, donner 1 carte"),
    (
        {"seat": 0, "do": "move", "camel": "black", "gems": 0},
        "Ann moves the black camel.",
        "Ann fait avancer le chameau noir.",
    ),
    (
        {"seat": 0, "do": "move", "camel": "black", "gems": 2},
        "Ann moves the black camel and spends 2 gems.",
        "Ann fait avancer le chameau noir et dépense 2 pierres.",
    ),
    (
        {"do": "move", "camel": "pink", "gems": 1},
        "move the pink camel further for 1 gem",
        "faire avancer le chameau rose plus loin pour 1 pierre",
    ),
    (
        {"seat": 0, "do": "take", "what": "salt"},
        "Ann buys the top sack of salt.",
        "Ann achète le sac de sel du dessus.",
    ),
    ({"do": "take", "what": "carpet"}, "take the top carpet", "prendre le tapis du dessus"),
    ({"seat": 0, "do": "take", "what": "nothing"}, "Ann finds nothing to take.", "Ann ne trouve rien à prendre."),
    ({"chance": "deal", "hands": []}, "The cards are shuffled and dealt.", "Les cartes sont mélangées et distribuées."),
]


@pytest.mark.parametrize(("line", "english", "french"), TOLD)
def test_lines_are_told_in_both_languages(line: dict[str, Any], english: str, french: str) -> None:
    assert GAME.tell(BOX, line, "en", lambda seat: "Ann") == english
    assert GAME.tell(BOX, line, "fr", lambda seat: "Ann") == french
