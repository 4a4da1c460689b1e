"""`--help`: whole pages, and every word of them in French too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cyclopts import App

from registan.cli import make_app
from registan.cli.help import help_texts

TEXTS = help_texts("fr")


def pages(app: App, *words: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command."""
    yield words
    for name in app:
        if not name.startswith("-"):
            yield from pages(app[name], *words, name)


PAGES = list(pages(make_app()))


def texts(words: tuple[str, ...]) -> dict[str, Any]:
    found = TEXTS
    for word in words:
        found = found[word]
    return found


def named(words: tuple[str, ...]) -> list[set[str]]:
    """Return the names of each parameter of a command."""
    app = make_app()
    for word in words:
        app = app[word]
    if app.default_command is None:
        return []
    return [{name.lstrip("-").lower() for name in argument.names} for argument in app.assemble_argument_collection()]


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_every_command_and_parameter_has_a_french_text(words: tuple[str, ...]) -> None:
    own = texts(words)
    assert own["about"]
    known = own.keys() | TEXTS["shared"].keys()
    missing = [names for names in named(words) if not {name.replace("-", "_") for name in names} & known]
    assert missing == []


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_no_french_text_is_left_over(words: tuple[str, ...]) -> None:
    known = {name.replace("-", "_") for names in named(words) for name in names}
    extra = {key for key, text in texts(words).items() if isinstance(text, str)} - known - {"about", "more"}
    assert extra == set()


def test_the_page_of_a_command_is_whole_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    for lang, words in {
        "en": ["Let bots play many games", "Ctrl-C stops it"],
        "fr": ["Arguments", "Options", "obligatoire"],
    }.items():
        args = ["simulate", "--help"]
        make_app(args, lang)(args, result_action="return_none")
        page = capsys.readouterr().out
        assert all(word in page for word in words)


def test_every_command_has_a_line_in_its_list() -> None:
    for words in PAGES:
        app = make_app(words[:-1])
        for word in words:
            app = app[word]
        assert app.help.strip(), " ".join(words)
