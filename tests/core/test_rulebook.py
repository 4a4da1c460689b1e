"""The rulebook: every rule has a text in both languages and a test; figures are positions of real games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.figures import positions, stored, view_of

from registan.core.game import Game
from registan.core.messages import LANGUAGES
from registan.core.registry import find, keys
from registan.core.rulebook import rule_texts, rules_by_id, rules_page

TESTS = Path(__file__).resolve().parent.parent / "games"


EVERY_GAME = pytest.mark.parametrize("game", [pytest.param(find(key), id=key) for key in keys()])


def ids(game: Game) -> list[str]:
    return [game.rule_id(number) for number in range(1, game.rule_count + 1)]


@EVERY_GAME
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_has_a_text(game: Game, lang: str) -> None:
    texts = rules_by_id(game.folder, lang)
    assert list(texts) == ids(game)  # each once, in order, and no others
    assert all(len(text) > 20 and "\n" not in text for text in texts.values())
    assert len(re.findall(r"^\*\*[A-Z]\d+\.\*\*", rules_page(game.folder, lang), re.M)) == game.rule_count


@EVERY_GAME
def test_the_languages_do_not_say_the_same_words(game: Game) -> None:
    for id_ in ids(game):
        assert len(set(rule_texts(game, id_).values())) == len(LANGUAGES)


@EVERY_GAME
def test_every_rule_has_a_test_that_names_it(game: Game) -> None:
    named: set[str] = set()
    for path in sorted((TESTS / game.key).glob("*.py")):
        for name in re.findall(r"^def test((?:_[a-z]\d+)+)_", path.read_text("utf-8"), re.M):
            named.update(part.upper() for part in name.split("_") if part)
    assert [id_ for id_ in ids(game) if id_ not in named] == []
    assert sorted(named - set(ids(game))) == []


@EVERY_GAME
def test_the_positions_of_the_figures_are_what_the_engine_gives(game: Game) -> None:
    for name, position in positions(game.key).items():
        assert stored(game.key)[name] == view_of(game.key, position), f"python tools/figures.py makes {name} again"


@EVERY_GAME
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_show_every_figure_where_both_languages_have_it(game: Game, lang: str) -> None:
    figure = r"^!\[[^\]]+\]\(figure:([\w-]+)\)$"
    places = re.findall(rf"^\*\*([A-Z]\d+)|{figure}", rules_page(game.folder, "en", figures=True), re.M)
    assert re.findall(rf"^\*\*([A-Z]\d+)|{figure}", rules_page(game.folder, lang, figures=True), re.M) == places
    assert [name for _, name in places if name] == list(positions(game.key))
    assert "figure:" not in rules_page(game.folder, lang)
    assert not any("figure:" in text for text in rules_by_id(game.folder, lang).values())
