"""Lessons: every game's are played through by the engine, and a lesson that says something untrue is refused."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from registan.core.game import Game
from registan.core.match import Match
from registan.core.messages import LANGUAGES
from registan.core.record import replay
from registan.core.registry import find, keys
from registan.tables.lessons import BadLesson, names_of, play_through, read, seconds
from registan.tables.patch import apply
from registan_well import GAME as WELL
from tests.test_texts import FRENCH, RULES

CORPUS = Path(__file__).resolve().parents[1] / "conformance" / "corpus"
LESSONS = [(game, name) for game in [*map(find, keys()), WELL] for name in names_of(game)]
IDS = [f"{game.key}-{name}" for game, name in LESSONS]
lessons = pytest.mark.parametrize(("game", "name"), LESSONS, ids=IDS)


def texts(script: Any, lang: str) -> list[str]:
    """Return every text in one language below a lesson, or a part of it."""
    if isinstance(script, dict):
        own = [script[lang]] if set(script) == set(LANGUAGES) else []
        return own + [text for value in script.values() for text in texts(value, lang)]
    return [text for value in script for text in texts(value, lang)] if isinstance(script, list) else []


def raw(game: Game, name: str) -> dict[str, Any]:
    return tomllib.loads((game.folder / "lessons" / f"{name}.toml").read_text("utf-8"))


def test_every_game_here_has_a_lesson() -> None:
    assert {game.key for game, _ in LESSONS} >= {*keys(), "well"}


@lessons
def test_the_engine_confirms_every_step(game: Game, name: str) -> None:
    lesson = play_through(game, name)
    for scene in lesson.scenes:
        moment = scene.first
        for step in scene.steps:
            assert step.ask is None or step.ask in moment["view"]["legal"]
            for patch in step.patches:
                moment = apply(moment, patch)
            assert moment["you"] == moment["view"]["seat"] == scene.seat
        if scene.record is not None:  # the short game begins where the lesson ends
            assert moment["view"] == replay(scene.record, find_any(game)).view(scene.seat)
    assert lesson.scenes[-1].record is not None


def find_any(game: Game) -> Any:
    return lambda key, version=None: game if key == game.key else find(key, version)


def kinds(game: Game) -> set[str]:
    """Return every kind of move that was possible in stored games, or in one of the example game."""
    if game is WELL:
        return {"lead"}
    found: set[str] = set()
    for line in (CORPUS / f"{game.key}.jsonl").read_text("utf-8").splitlines():
        match = Collecting.of(json.loads(line))
        found |= match.kinds
    return found


class Collecting(Match):
    """A match that remembers which kinds of moves were made."""

    kinds: set[str]

    @classmethod
    def of(cls, record: dict[str, Any]) -> Collecting:
        match = replay(record, find, kind=cls)
        assert isinstance(match, Collecting)
        return match

    def act(self, seat: int, action: int) -> None:
        """Play an action and remember its kind."""
        self.__dict__.setdefault("kinds", set()).add(self.game.moves.write(self.box, self.state, seat, action)["do"])
        super().act(seat, action)


@pytest.mark.parametrize("game", {game.key: game for game, _ in LESSONS}.values(), ids=lambda game: game.key)
def test_whoever_plays_the_lessons_has_made_every_kind_of_move(game: Game) -> None:
    asked = {step.ask["do"] for name in names_of(game) for s in read(game, name).scenes for step in s.steps if step.ask}
    assert asked == kinds(game)


@lessons
def test_a_lesson_takes_some_minutes_and_each_step_is_short(game: Game, name: str) -> None:
    script = read(game, name)
    steps = [step for scene in script.scenes for step in scene.steps]
    if game is not WELL:
        assert 8 <= len(steps) <= 14
        assert all(5 * 60 <= seconds(script, lang) <= 8 * 60 for lang in LANGUAGES)
    assert all(len(text.split()) <= 80 for lang in LANGUAGES for text in texts(raw(game, name), lang))


@lessons
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_typography_of_lessons(game: Game, name: str, lang: str) -> None:
    rules = RULES | (FRENCH if lang == "fr" else {})
    said = texts(raw(game, name), lang)
    assert said
    assert [(text, fault) for text in said for fault, pattern in rules.items() if re.search(pattern, text)] == []


# What a lesson gets wrong is found.


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the example game, whose lesson may be spoilt."""
    shutil.copytree(WELL.folder, tmp_path / "well")
    monkeypatch.setitem(WELL.__dict__, "folder", tmp_path / "well")
    return tmp_path / "well" / "lessons" / "first.toml"


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("water = 9 }", "water = 99 }", "scene 1: .*99"),
        ("water = 9, hand", "water = 8, hand", "step 1: the view has water = 9, not 8"),
        ("ask = { do = \"lead\", camel = 5 }", "ask = { do = \"lead\", camel = 4 }", "not in the list.*: W2"),
        ("brings = { points = 5 }", "brings = { points = 6 }", "step 2: the move brings points = 5, not 6"),
        ("{ seat = 1, do = \"lead\", camel = 3 }", "{ seat = 1, do = \"lead\", camel = 1 }", "step 2: .*W2"),
        ("drawn = [[3], [2], [5]], water = 4 },\n]", "drawn = [[3], [2]], water = 4 },\n]", "step 2: .*drawn"),
        ("move = { do = \"lead\", camel = 4 }\nrule", "move = { do = \"lead\", camel = 2 }\nrule", "it is legal"),
        ('rule = "W2"', 'rule = "W3"', "not refused with W3"),
        ('rules = ["W5"]', 'rules = ["W9"]', "step 3: there is no rule W9"),
        ('bots = "novice"', 'bots = "genius"', "scene 1: .*genius"),
        ("guided = 2", "guide = 2", "unknown field `guide`"),
        ("[[scenes]]", "[[scenes", "at line 3"),
    ],
)  # fmt: skip
def test_a_lesson_that_is_wrong_says_where(copied: Path, right: str, wrong: str, said: str) -> None:
    text = copied.read_text("utf-8")
    assert right in text
    copied.write_text(text.replace(right, wrong, 1), "utf-8")
    with pytest.raises(BadLesson, match=said):
        play_through(WELL, "first")


def test_a_game_without_lessons_has_none(copied: Path) -> None:
    shutil.rmtree(copied.parent)
    assert names_of(WELL) == []


def test_a_short_game_does_not_begin_in_the_middle_of_a_question(copied: Path) -> None:
    text = copied.read_text("utf-8")
    cut = text[: text.index("  { seat = 2, do")] + text[text.index(']\nrules = ["W3"]') :]
    copied.write_text(cut[: cut.rindex("[[scenes.steps]]")], "utf-8")
    with pytest.raises(BadLesson, match="answered already"):
        play_through(WELL, "first")
