"""Reading a box: a TOML file whose faults are reported with their line."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from registan.core.errors import BadBox, BadInput
from registan.core.game import Box, Game, Record


def blank(kind: np.dtype[Any]) -> Record:
    """Return an empty record of that type."""
    return np.zeros(1, kind)[0]


class BoxFile:
    """A TOML file that returns values of the right type, or raises BadBox with the line and what is wrong."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.sha256 = hashlib.sha256(data).hexdigest()
        try:
            self.text = data.decode("utf-8")
            self.values: dict[str, Any] = tomllib.loads(self.text)
        except UnicodeDecodeError as error:
            raise BadBox(name, data[: error.start].count(b"\n") + 1, "not UTF-8 text") from None
        except (ValueError, RecursionError) as error:  # mostly TOMLDecodeError, sometimes its causes
            found = re.search(r"\(at line (\d+), column \d+\)$", str(error))
            line = int(found[1]) if found else self.text.count("\n") + 1
            why = re.sub(r" \(at .*\)$", "", str(error))
            raise BadBox(name, line, f"not TOML: {why}") from None

    def bad(self, key: str, why: str) -> BadBox:
        """Return the error for a top-level key, with its line."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.match(rf'\s*(\[+\s*)?"?{re.escape(key)}"?\s*[=.\]]', line):
                return BadBox(self.name, number, f"{key}: {why}")
        return BadBox(self.name, None, f"{key}: {why}")

    def only(self, *keys: str) -> None:
        """Raise BadBox for other keys: they are probably misspelt."""
        for key in self.values:
            if key not in keys:
                raise self.bad(key, f"unknown; known are {', '.join(keys)}")

    def get(self, key: str) -> Any:
        """Return the value of a required key."""
        if key not in self.values:
            raise BadBox(self.name, None, f"{key}: missing")
        return self.values[key]

    def text_of(self, key: str) -> str:
        """Return a text."""
        value = self.get(key)
        if not isinstance(value, str) or not value:
            raise self.bad(key, "must be a text")
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """Return an integer between low and high."""
        return self._whole(key, self.get(key), low, high)

    def numbers(self, key: str, low: int, high: int, least: int, most: int) -> list[int]:
        """Return a list of `least` to `most` integers, each between low and high."""
        values = self.get(key)
        if not isinstance(values, list) or not least <= len(values) <= most:
            amount = str(least) if least == most else f"{least} to {most}"
            raise self.bad(key, f"must be a list of {amount} whole numbers")
        return [self._whole(key, value, low, high) for value in values]

    def _whole(self, key: str, value: Any, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            raise self.bad(key, f"{value!r} is not a whole number from {low} to {high}")
        return value


_parsed: dict[tuple[str, str, bytes], Box] = {}
PARSED = 16
"""How many boxes are kept once they have been read and checked."""


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
