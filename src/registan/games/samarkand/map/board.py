"""The board: families, goods and spaces, read from a TOML file. Every fault is reported with its place."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from registan.core import toml
from registan.core.errors import BadBox, BadInput
from registan.core.messages import say
from registan.games.samarkand.map.faults import PLAYERS, Checker, Fault
from registan.games.samarkand.map.outline import Point

__all__ = ["BadBoard", "Board", "Family", "Fault", "Good", "Name", "Space", "faults", "load"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name in both languages."""

    en: str
    fr: str

    def text(self, lang: str) -> str:
        """Return the name in a language, in English if there is none."""
        return self.fr if lang == "fr" else self.en


@dataclass(frozen=True, slots=True)
class Family:
    """A merchant family: its start space and its dowry."""

    key: str
    name: Name
    colour: str
    symbol: str
    start: str
    dowry: int


@dataclass(frozen=True, slots=True)
class Good:
    """A good and its space."""

    number: int
    key: str
    name: Name
    space: str


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the map, its neighbours and how it is drawn."""

    key: str
    name: Name
    kind: Literal["land", "water"]
    neighbours: tuple[str, ...]
    centre: Point
    outline: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A valid board. Goods are sorted by number; families and spaces are in the order of the file."""

    key: str
    name: Name
    families: tuple[Family, ...]
    goods: tuple[Good, ...]
    spaces: tuple[Space, ...]
    sha256: str
    players: int = 5
    """The most who can play on it."""

    def indexes(self) -> dict[str, int]:
        """Return the index of each space in `spaces`."""
        return {space.key: i for i, space in enumerate(self.spaces)}


class BadBoard(BadBox):
    """A board file with faults: it reads as the first one, and has all."""

    def __init__(self, file: str, faults: list[Fault]) -> None:
        self.faults = faults
        super().__init__(file, faults[0].line, faults[0].why)

    def text(self, lang: str = "en") -> str:
        """Return the first fault in `lang`, with its place."""
        first = self.faults[0]
        return say(lang, "error.box", place=self.place, why=f"{first.place(lang)}: {first.why.text(lang)}")


def faults(text: str, name: str = "board") -> list[Fault]:
    """Return all faults of a board file, in the order of its lines.

    `name` is the name of the file, for messages without a line.
    """
    return _read(text, name)[1]


def load(source: Path | str | bytes, name: str | None = None) -> Board:
    """Return the board in a file or its bytes; raise `BadBox` with the first fault."""
    called = name or (str(source) if isinstance(source, (Path, str)) else "board")
    try:
        raw = source if isinstance(source, bytes) else Path(source).read_bytes()
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadBox(called, line, BadInput("error.box.utf8")) from None
    except OSError as error:
        raise BadBox(called, None, BadInput("error.box.read", why=error.strerror or error)) from None
    data, found = _read(text, called)
    if found:
        raise BadBoard(called, found)
    return _board(data, hashlib.sha256(raw).hexdigest())


def _read(text: str, name: str) -> tuple[dict[str, object], list[Fault]]:
    """Return the raw data of a board file and its faults."""
    try:
        data: dict[str, object] = toml.loads(text)
    except RecursionError:
        return {}, [Fault(None, (name,), "", BadInput("error.samarkand.board.deep"))]
    except ValueError as error:
        # TOMLDecodeError is a ValueError; numbers with thousands of digits raise a plain ValueError.
        place = re.search(r" \(at line (\d+), column \d+\)$| \(at end of document\)$", str(error))
        line = int(place[1]) if place and place[1] else (text.count("\n") + 1 if place else None)
        said = str(error)[: place.start()] if place else str(error)
        return {}, [Fault(line, (name,), "", BadInput("error.samarkand.board.toml", why=said))]
    return data, Checker(text, data).check()


def _board(data: dict[str, object], digest: str) -> Board:
    """Make a board of checked data."""

    def tables(key: str) -> list[dict[str, object]]:
        value = data[key]
        assert isinstance(value, list)
        return value

    def name(entry: dict[str, object]) -> Name:
        value = entry["name"]
        assert isinstance(value, dict)
        return Name(str(value["en"]), str(value["fr"]))

    def point(value: object) -> Point:
        assert isinstance(value, list)
        return float(value[0]), float(value[1])

    def items(value: object) -> list[object]:
        assert isinstance(value, list)
        return value

    families = tuple(
        Family(str(f["key"]), name(f), str(f["colour"]), str(f["symbol"]), str(f["start"]), int(str(f["dowry"])))
        for f in tables("families")
    )
    goods = (Good(int(str(g["number"])), str(g["key"]), name(g), str(g["space"])) for g in tables("goods"))
    spaces = tuple(
        Space(
            key=str(s["key"]),
            name=name(s),
            kind="water" if s["kind"] == "water" else "land",
            neighbours=tuple(str(n) for n in items(s["neighbours"])),
            centre=point(s["centre"]),
            outline=tuple(point(p) for p in items(s["outline"])),
        )
        for s in tables("spaces")
    )
    in_order = tuple(sorted(goods, key=lambda good: good.number))
    players = int(str(data.get("players", PLAYERS[1])))
    return Board(str(data["key"]), name(data), families, in_order, spaces, digest, players)
