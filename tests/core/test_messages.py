"""Messages are complete in both languages, and every error says where it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import registan
from registan.core.errors import BadBox, BadInput, BadMove, BadRecord, RegistanError
from registan.core.messages import LANGUAGES, catalogue, language, listing, number, places, say
from registan.core.registry import find, keys

GAMES = [find(key) for key in keys()]
"""Every game is loaded, and its messages with it; a guide brings its own."""
GUIDES = [game.part("guide") for game in GAMES]
SOURCE = Path(registan.__file__).parent
SPEAKERS = {"RegistanError": 0, "BadInput": 0, "BadMove": 0, "say": 1}
"""The functions that take the key of a message, and which argument it is."""


@cache
def spoken() -> list[tuple[str, ast.expr, set[str] | None]]:
    """Return where messages are used: file and line, key, and the names of what is filled in (None if unknown)."""
    return list(scan())


def scan() -> Iterator[tuple[str, ast.expr, set[str] | None]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            at = SPEAKERS.get(node.func.id)
            if at is None or len(node.args) <= at:
                continue
            names = {word.arg for word in node.keywords}
            known = None if None in names else {name for name in names if name is not None}
            for key in branches(node.args[at]):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", key, known


def branches(key: ast.expr) -> list[ast.expr]:
    return [*branches(key.body), *branches(key.orelse)] if isinstance(key, ast.IfExp) else [key]


def test_both_catalogues_have_the_same_messages() -> None:
    english, french = catalogue("en"), catalogue("fr")
    assert sorted(english) == sorted(french)
    assert all(text.strip() for lang in LANGUAGES for text in catalogue(lang).values())


def test_both_languages_ask_for_the_same() -> None:
    french = catalogue("fr")
    differ = [key for key, text in catalogue("en").items() if set(places(text)) != set(places(french.get(key, "")))]
    assert differ == []


def test_every_message_that_is_used_exists() -> None:
    missing = []
    for where, key, _ in spoken():
        if isinstance(key, ast.Constant):
            found = key.value in catalogue("en")
        elif isinstance(key, ast.JoinedStr):
            parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in key.values]
            found = any(re.fullmatch("".join(parts), known) for known in catalogue("en"))
        else:
            continue  # a name: put together elsewhere
        if not found:
            missing.append(f"{where}: {ast.unparse(key)}")
    assert missing == []


def test_every_place_of_a_message_is_filled() -> None:
    empty = []
    for where, key, names in spoken():
        if isinstance(key, ast.Constant) and names is not None and key.value in catalogue("en"):
            lacking = set(places(catalogue("en")[key.value])) - names
            empty += [f"{where}: {key.value}: {name}" for name in sorted(lacking)]
    assert empty == []


def test_the_scan_sees_the_messages() -> None:
    keys = {key.value for _, key, _ in spoken() if isinstance(key, ast.Constant)}
    assert {"error.no_game", "error.seat", "error.khiva.camel", "khiva.tell.deal"} <= keys


def test_plurals_follow_the_language() -> None:
    assert [say("en", "khiva.cards", n=n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [say("fr", "khiva.cards", n=n) for n in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]
    assert list(places("{who} has {n, plural, one {# gem of {x}} other {# gems}}"))[:1] == ["who"]
    assert sorted(places("{n, plural, one {a} other {b}} {who}")) == ["n", "who"]


def test_numbers_are_written_as_the_language_has_them() -> None:
    assert [number(lang, 3.46) for lang in LANGUAGES] == ["3.5", "3,5"]
    assert number("fr", 1, digits=2) == "1,00"


def test_lists_are_joined_as_one_says_them() -> None:
    assert listing("en", []) == ""
    assert listing("en", ["a"]) == "a"
    assert listing("en", ["a", "b", "c"]) == "a, b and c"
    assert listing("fr", ["a", "b"]) == "a et b"


@pytest.mark.parametrize(
    ("asked", "environment", "spoken"),
    [
        ("fr", {}, "fr"),
        ("en", {"LANG": "fr_FR.UTF-8"}, "en"),
        (None, {"LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        (None, {"LC_MESSAGES": "fr_CA"}, "fr"),
        (None, {}, "en"),
        (None, {"LANG": "de_DE"}, "en"),
    ],
)
def test_the_language_is_the_one_asked_for_or_that_of_the_environment(
    asked: str | None, environment: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language(asked) == spoken


def test_errors_speak_both_languages() -> None:
    error = BadInput("error.players", game="khiva", low=2, high=5, n=7)
    assert str(error) == error.text("en") == "khiva is played by 2 to 5, not by 7."
    assert error.text("fr") == "khiva se joue de 2 à 5, pas à 7."


def test_an_error_of_a_box_knows_file_and_line() -> None:
    error = BadBox("my.toml", 7, "no good")
    assert (error.file, error.line, error.why) == ("my.toml", 7, "no good")
    assert str(error) == "my.toml:7: no good"
    assert str(BadBox("my.toml", None, "no good")) == "my.toml: no good"


def test_an_error_of_a_record_knows_line_move_and_why() -> None:
    why = BadMove("error.record.line")
    error = BadRecord(3, 14, why)
    assert (error.line, error.move, error.why) == (3, 14, why)
    assert str(error) == "line 3, move 14: A line must be an object."
    assert error.text("fr") == "ligne 3, coup 14: Une ligne doit être un objet."
    assert str(BadRecord(None, None, "so")) == "so"
    assert isinstance(error, RegistanError)
