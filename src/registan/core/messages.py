"""Messages in English and French: a folder for each language, and one in each game's folder.

A message may contain `{name}` and `{n, plural, one {turn} other {turns}}` (where `#` is the number), a subset of the
ICU message format.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "fr")
FOLDER = Path(__file__).resolve().parent.parent / "messages"

_PLURAL = re.compile(r"\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}")
_VALUE = re.compile(r"\{(\w+)\}")


_games: list[Path] = []


def add_folder(folder: Path) -> None:
    """Add the messages of a game, if any: a folder with `<lang>.json`."""
    _games.append(folder)
    catalogue.cache_clear()


@cache
def catalogue(lang: str) -> dict[str, str]:
    """Return all messages of a language by key, including those of all games loaded so far."""
    texts: dict[str, str] = {}
    for path in [*sorted((FOLDER / lang).glob("*.json")), *(folder / f"{lang}.json" for folder in _games)]:
        if path.exists():
            texts |= json.loads(path.read_text("utf-8"))
    return texts


def say(lang: str, key: str, /, **values: object) -> str:
    """Return a message with its placeholders filled."""

    def plural(match: re.Match[str]) -> str:
        n = values[match[1]]
        assert isinstance(n, int)
        # CLDR: English has one for 1 only, French for 0 and 1.
        one = n in (0, 1) if lang == "fr" else n == 1
        return match[2 if one else 3].replace("#", str(n))

    return _VALUE.sub(lambda m: str(values[m[1]]), _PLURAL.sub(plural, catalogue(lang)[key]))


def say_optional(lang: str, key: str, /, **values: object) -> str | None:
    """Return a message, None if it does not exist: games may leave some out."""
    return say(lang, key, **values) if key in catalogue(lang) else None


def part_name(lang: str, game: str, part: str) -> str:
    """Return the name of a part of the score: the message `<game>.part.<part>`, or the part itself."""
    return say_optional(lang, f"{game}.part.{part}") or say_optional(lang, f"part.{part}") or part


def field_name(lang: str, game: str, field: str) -> str:
    """Return what a field of a view is called: the message `<game>.view.<field>`, or else just the field."""
    return say_optional(lang, f"{game}.view.{field}") or field.replace("_", " ")


def ending_reasons(lang: str, game: str, over: int) -> list[str]:
    """Return why a game ended: the message `<game>.ending.<over>`, or the messages for each bit of `over`, if any."""
    bits = [1 << i for i in range(over.bit_length()) if over >> i & 1]
    whole = say_optional(lang, f"{game}.ending.{over}")
    return [whole] if whole else [text for bit in bits if (text := say_optional(lang, f"{game}.ending.{bit}"))]


def places(text: str) -> Iterator[str]:
    """Yield the names of a message's placeholders."""
    yield from (m[1] for m in _PLURAL.finditer(text))
    yield from (m[1] for m in _VALUE.finditer(_PLURAL.sub(lambda m: m[2] + m[3], text)))


def listing(lang: str, parts: list[str]) -> str:
    """Return parts as a list in a sentence: "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return say(lang, "list.last", first=", ".join(parts[:-1]), last=parts[-1])


_FRENCH = str.maketrans({",": "\N{NARROW NO-BREAK SPACE}", ".": ","})


def number(lang: str, value: float, digits: int = 1) -> str:
    """Return a number as a language writes it: 1,234.5 in English, 1\u202f234,5 in French."""
    text = f"{value:,.{digits}f}"
    return text.translate(_FRENCH) if lang == "fr" else text


def language(asked: str | None = None) -> str:
    """Return the language to use: the one asked for, else that of the environment, else English."""
    wish = asked or os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "en"
    return "fr" if wish.lower().startswith("fr") else "en"
