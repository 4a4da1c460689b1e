"""The guide: what it says comes from the view of the seat, in both languages, in every position of random games."""

from __future__ import annotations

import random

import pytest

from registan import new
from registan.advice.guide import foreseen, situation
from registan.core.game import Game
from registan.core.messages import LANGUAGES
from registan.core.registry import find, keys
from registan_well import GAME as WELL

SEEDS = range(2)


@pytest.mark.no_cover
@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("seed", SEEDS)
def test_every_decision_is_explained_in_both_languages(key: str, seed: int) -> None:
    dice, asked = random.Random(seed), random.Random(seed)
    match = new(key, players=find(key).usual, seed=seed)
    first: dict[str, str] = {}
    while not match.over:
        seat = match.waiting[0]
        legal, view = match.legal(seat), match.view(seat)
        if len(legal) > 1:
            said = situation(match.game, match.box, view)
            assert len({len(said[lang]) for lang in LANGUAGES}) == 1
            for lang in LANGUAGES:
                assert said[lang]
                assert len(said[lang]) == len(set(said[lang]))
                assert not any("{" in text or f"{key}." in text for text in said[lang])
            first.setdefault(view["asked"], said["en"][0])
            for move in asked.sample(legal, min(3, len(legal))):
                told = foreseen(match.game, match.box, view, move)
                for words in told.values():
                    assert set(words) in (set(), set(LANGUAGES))
                    assert not any("{" in text or f"{key}." in text for text in words.values())
        match.play(seat, dice.choice(legal))
    assert len(set(first.values())) == len(first) > 2, "each kind of decision has words of its own"


def test_a_game_without_a_guide_has_its_question_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Game = WELL
    assert situation(game, None, {"asked": "lead"}) == {"en": [], "fr": []}  # type: ignore[arg-type]


def test_a_card_that_may_be_beaten_says_by_how_many() -> None:
    match = new("khiva", players=3, seed=3)
    view = {**match.view(0), "discarded": ["white-1", "white-2"]}
    assert view["hand"] == ["white-5", "green-3", "green-5", "black-1", "black-3"]

    def told(card: str, give: str = "green-5") -> tuple[str, str]:
        move = {"do": "choose", "play": [card], "give": [give]}
        said = foreseen(match.game, match.box, view, move)
        return said["brings"]["en"], said["risks"].get("en", "")

    # Two of the lower whites are gone, two are somewhere; nothing is lower than a 1.
    assert told("white-5") == (
        "your counter: you get 1 teapot, +4 points, if nobody plays a lower white",
        "2 lower cards in white may be played: then you get only a gem",
    )
    assert told("black-1") == ("your shop 1: you get 1 gem, +1 point; nobody can play a lower black", "")
    assert "1 lower card in black" in told("black-3")[1]  # the 1 is in the own hand


def test_waiting_in_the_souk_brings_a_lower_price_and_risks_the_goods() -> None:
    match = new("souk", players=4, seed=1)
    while match.view(0)["asked"] == "offer":
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[0])
    view, wait = match.view(0), {"do": "wait"}
    said = foreseen(match.game, match.box, view, wait)
    assert said["brings"]["en"] == "the same for 9 dirhams, if it is still there"
    last = foreseen(match.game, match.box, {**view, "price": 1}, wait)
    assert last["risks"]["fr"].startswith("la manche finit")
    assert foreseen(match.game, match.box, view, {"do": "stop"}) == {"brings": {}, "risks": {}}  # that is certain


def test_the_end_is_seen_coming() -> None:
    match = new("khiva", players=3, seed=7)
    view = match.view(0)
    near = {**view, "piles": {**view["piles"], "carpets": 1}}
    before, after = (situation(match.game, match.box, one)["en"] for one in (view, near))
    assert set(after) - set(before) == {
        "A pile is nearly empty, so the game may end this turn. Finish what scores now."
    }


def test_the_fifth_meeting_and_the_last_families_are_named() -> None:
    match = new("samarkand", players=3, seed=7)
    view = match.view(match.waiting[0])
    families = {key: {**one, "partners": ["levant"]} for key, one in view["families"].items()}
    families["persia"]["partners"] = ["levant", "egypt", "sindh", "tigris"]
    families["china"]["partners"] = []
    said = situation(match.game, match.box, {**view, "families": families})["en"]
    assert "Persia has met four families. Its fifth meeting ends the game." in said
    assert any("have met nobody yet: China." in text for text in said)
