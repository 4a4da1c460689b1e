"""All texts of the project, in both languages: typography, plural forms, and no message that nobody uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from registan.core.registry import find, keys

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "src" / "registan", ROOT / "web" / "src", ROOT / "examples"]
NO_BREAK, NARROW = "\u00a0", "\u202f"

RULES = {
    "a straight apostrophe": r"\w'\w",
    "three dots instead of an ellipsis": r"\.\.\.",
    "a space before an ellipsis": r"\s…",
    "two spaces": r"  ",
}
FRENCH = {
    "no narrow space before ; ! ?": rf"(?<=[^{NARROW}{{])[;!?](?!\w)",
    "no space without a break before a colon": rf"(?<=[^{NO_BREAK}\w/]):(?![\w/])|(?<=[a-zà-ÿ}}»)]):(?!//|\w)",
    "no space without a break inside « »": rf"«(?!{NO_BREAK})|(?<!{NO_BREAK})»",
}
COUNTED = (
    "points|dirhams|cards|camels|gems|moves|seats|players|minutes|days|hours|seconds|tables|games|turns|rounds|deals|"
    "lines|spaces|markers|tiles|sacks|teapots|shuffles|events|decisions|people|"
    "cartes|coups|chameaux|pierres|parties|places|jours|heures|secondes|tours|manches|donnes|lignes|cases|tuiles|sacs|"
    "joueurs|personnes|décisions"
)
UNCOUNTED = re.compile(rf"\{{(?!who|camel|card)\w+\}} (?:{COUNTED})\b")
"""A number in front of a plural that does not follow it: “1 points”."""
ALWAYS_MANY = (
    "web.players",
    "web.new.box.good",
    "workshop.open.for",
    "workshop.balance.players",
    "terminal.samarkand.deck",
    "error.",
    "cli.",
    "lab.",
)
"""Messages whose numbers are never 1: sizes of a box, numbers of players, averages."""


def catalogues(lang: str) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.json")):
            if "messages" in path.parts and (path.stem == lang or path.parent.name == lang):
                yield path


@cache
def texts(lang: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in catalogues(lang):
        found |= json.loads(path.read_text("utf-8"))
    return found


def shown(text: str) -> str:
    """Return a text without what is syntax in it: forms of plurals, and examples of JSON."""
    text = re.sub(r"\{\w+, plural, one \{([^{}]*)\} other \{([^{}]*)\}\}", r"\1 \2", text)
    return re.sub(r'\{"[^}]*\}|\[[^\]]*\]', "JSON", text)


def test_the_catalogues_are_found() -> None:
    assert len(list(catalogues("en"))) == len(list(catalogues("fr"))) > 10
    assert sorted(texts("en")) == sorted(texts("fr"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_typography(lang: str) -> None:
    rules = RULES | (FRENCH if lang == "fr" else {})
    faults = [
        f"{key}: {fault}: {text!r}"
        for key, text in texts(lang).items()
        for fault, pattern in rules.items()
        if re.search(pattern, shown(text))
    ]
    assert faults == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Quoi ?", "no narrow space before ; ! ?"),
        ("Quoi?", "no narrow space before ; ! ?"),
        ("{who} : {n}", "no space without a break before a colon"),
        ("fin: non", "no space without a break before a colon"),
        ("« mot »", "no space without a break inside « »"),
    ],
)
def test_the_typography_of_french_is_noticed(text: str, fault: str) -> None:
    assert [name for name, pattern in FRENCH.items() if re.search(pattern, shown(text))] == [fault]


@pytest.mark.parametrize("key", keys())
def test_the_names_of_games_are_written_well(key: str) -> None:
    said = shown(find(key).name["fr"])
    assert [fault for fault, pattern in {**RULES, **FRENCH}.items() if re.search(pattern, said)] == []


def test_numbers_have_a_singular() -> None:
    faults = [
        f"{key}: {text!r}"
        for lang in ("en", "fr")
        for key, text in texts(lang).items()
        if not key.startswith(ALWAYS_MANY) and UNCOUNTED.search(text)
    ]
    assert faults == []


LITERAL = re.compile(r'"([a-z][^"\s]*\.[^"\s]+)"')
TEMPLATE = re.compile(r'f"([^"\n]+)"|`([^`\n]+)`')


@cache
def used() -> tuple[frozenset[str], list[re.Pattern[str]]]:
    """Return the keys that appear in the code, and patterns for those that it puts together."""
    whole: set[str] = set()
    made = [
        re.compile(r"\w+\.(box|option)\.[^ ]+"),  # the form for a new table says which of the two
        re.compile(r"system\..+"),  # what the operating system says, with spaces
    ]
    for folder in FOLDERS:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".ts", ".svelte")):
            code = path.read_text("utf-8")
            whole.update(LITERAL.findall(code))
            for template in filter(None, (one for found in TEMPLATE.findall(code) for one in found)):
                parts = re.split(r"\$?\{[^{}]*\}", template)
                if re.fullmatch(r"[\w.]*\.[\w.]*", "".join(parts)) and len("".join(parts)) > 2:
                    made.append(re.compile("[^ ]+".join(map(re.escape, parts))))
    return frozenset(whole), made


def test_every_message_is_used() -> None:
    whole, made = used()
    unused = [key for key in texts("en") if key not in whole and not any(one.fullmatch(key) for one in made)]
    assert unused == []


def test_a_message_that_nobody_uses_is_noticed() -> None:
    whole, made = used()
    assert "web.table.paused" in whole
    for stray in ("web.nobody", "house.nobody", "error.house.nobody"):
        assert stray not in whole
        assert not any(one.fullmatch(stray) for one in made)
