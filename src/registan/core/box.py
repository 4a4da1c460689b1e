"""Reading a box: a TOML file whose faults are reported with their line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from registan.core import toml
from registan.core.errors import BadBox, BadInput, RegistanError
from registan.core.game import Box, Game, Record


def blank(kind: np.dtype[Any]) -> Record:
    """Return an empty record of that type."""
    return np.zeros(1, kind)[0]


LONGEST_KEY = 32
"""Bytes of the key of a box."""


def shortened(value: object) -> str:
    """Return a value for quoting in a message, shortened if long."""
    said = repr(value)
    return said if len(said) <= 40 else f"{said[:37]}..."


class BoxFile:
    """A TOML file that returns values of the right type, or raises BadBox with the line and what is wrong."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.sha256 = hashlib.sha256(data).hexdigest()
        try:
            self.text = data.decode("utf-8")
            self.values: dict[str, Any] = toml.loads(self.text)
        except UnicodeDecodeError as error:
            raise BadBox(name, data[: error.start].count(b"\n") + 1, BadInput("error.box.utf8")) from None
        except (ValueError, RecursionError) as error:  # mostly TOMLDecodeError, sometimes its causes
            found = re.search(r"\(at line (\d+), column \d+\)$", str(error))
            line = int(found[1]) if found else self.text.count("\n") + 1
            why = re.sub(r" \(at .*\)$", "", str(error))
            raise BadBox(name, line, BadInput("error.box.toml", why=why)) from None

    def bad(self, key: str, why: str) -> BadBox:
        """Return the error for a top-level key, with its line."""
        return self._at(key, f"{key}: {why}")

    def wrong(self, key: str, said: str, **values: object) -> BadBox:
        """Return the same in both languages: the message `error.box.<said>`."""
        return self._at(key, BadInput(f"error.box.{said}", key=key, **values))

    def _at(self, key: str, why: RegistanError | str) -> BadBox:
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.match(rf'\s*(\[+\s*)?"?{re.escape(key)}"?\s*[=.\]]', line):
                return BadBox(self.name, number, why)
        return BadBox(self.name, None, why)

    def only(self, *keys: str) -> None:
        """Raise BadBox for other keys: they are probably misspelt."""
        for key in self.values:
            if key not in keys:
                raise self.wrong(key, "unknown", keys=", ".join(keys))

    def get(self, key: str) -> Any:
        """Return the value of a required key."""
        if key not in self.values:
            raise BadBox(self.name, None, BadInput("error.box.missing", key=key))
        return self.values[key]

    def text_of(self, key: str) -> str:
        """Return a text."""
        value = self.get(key)
        if not isinstance(value, str) or not value:
            raise self.wrong(key, "text")
        return value

    def key(self) -> str:
        """Return the key of the box: a short text without blanks or quotes."""
        value = self.text_of("key")
        if len(value.encode()) > LONGEST_KEY or not value.isprintable() or re.search(r"[\s\"'\\/]", value):
            raise self.wrong("key", "key", most=LONGEST_KEY, value=shortened(value))
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """Return an integer between low and high."""
        return self._whole(key, self.get(key), low, high)

    def numbers(self, key: str, low: int, high: int, least: int, most: int) -> list[int]:
        """Return a list of `least` to `most` integers, each between low and high."""
        values = self.get(key)
        if not isinstance(values, list) or not least <= len(values) <= most:
            raise self.wrong(key, "list" if least == most else "list_between", least=least, most=most)
        return [self._whole(key, value, low, high) for value in values]

    def _whole(self, key: str, value: Any, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(key, "whole", value=shortened(value), low=low, high=high)
        return value


_parsed: dict[tuple[str, str, bytes], Box] = {}
PARSED = 16
"""How many boxes are kept once they have been read and checked."""


class BoxFault(Protocol):
    """A fault of a box file: its line, and where in the data it is."""

    @property
    def line(self) -> int | None:
        """The line, if it is known."""
        ...

    @property
    def path(self) -> tuple[str | int, ...]:
        """The keys and indexes that lead to the value, as far as they are known."""
        ...

    def text(self, lang: str = "en") -> str:
        """Return the fault in a language."""
        ...


@dataclass(frozen=True)
class _OnlyFault:
    """The first fault of a box, of a game whose `box.py` does not look for more."""

    fault: BadBox

    @property
    def line(self) -> int | None:
        return self.fault.line

    @property
    def path(self) -> tuple[str | int, ...]:
        return ()

    def text(self, lang: str = "en") -> str:
        return self.fault.text(lang)


def box_faults(game: Game, contents: str) -> Sequence[BoxFault]:
    """Return the faults of the text of a box file: all of them (`box.faults` of a game), or the first."""
    name = f"{game.key}.toml"
    look = getattr(game.part("box"), "faults", None)
    if look is not None:
        found: Sequence[BoxFault] = look(contents, name)
        return found
    try:
        game.load_box(contents.encode("utf-8", "replace"), name)
    except BadBox as fault:
        return [_OnlyFault(fault)]
    return []


def find_box(game: Game, wanted: str | Path | None = None) -> Box:
    """Return a box of a game: the default, one of its own by key, or the file at a path.

    A file is read every time, but parsed only if its contents are new.
    """
    data, name = box_file(game, wanted)
    key = game.package, name, hashlib.sha256(data).digest()
    box = _parsed.pop(key, None) or game.load_box(data, name)
    _parsed[key] = box  # the latest last
    if len(_parsed) > PARSED:
        del _parsed[next(iter(_parsed))]
    return box


def box_file(game: Game, wanted: str | Path | None = None) -> tuple[bytes, str]:
    """Return the bytes of a box and the name of its file, for `load_box`."""
    if wanted is None:
        wanted = next(iter(game.boxes))
    path = game.boxes.get(str(wanted), Path(wanted))
    try:
        return path.read_bytes(), path.name
    except (OSError, ValueError):
        raise BadInput("error.no_box", box=wanted, boxes=", ".join(game.boxes)) from None
