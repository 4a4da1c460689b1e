"""The guide: what it says comes from the view of the seat, in both languages, in every position of random games."""

from __future__ import annotations

import random

import pytest

from registan import new
from registan.advice.guide import situation
from registan.core.game import Game
from registan.core.messages import LANGUAGES
from registan.core.registry import find, keys
from registan_well import GAME as WELL

SEEDS = range(2)


@pytest.mark.no_cover
@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("seed", SEEDS)
def test_every_decision_is_explained_in_both_languages(key: str, seed: int) -> None:
    dice = random.Random(seed)
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
        match.play(seat, dice.choice(legal))
    assert len(set(first.values())) == len(first) > 2, "each kind of decision has words of its own"


def test_a_game_without_a_guide_has_its_question_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Game = WELL
    assert situation(game, None, {"asked": "lead"}) == {"en": [], "fr": []}  # type: ignore[arg-type]


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
