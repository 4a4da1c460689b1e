"""Checks of a board file. Each fault says where it is, what is wrong and how to fix it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from registan.games.samarkand.map import outline, toml_lines

FAMILIES, GOODS, MOST_SPACES = 10, 33, 128
DOWRY = (1, 20)
CORNERS = (3, 200)
LONGEST_KEY = 32
FARTHEST = 100_000

Table = dict[str, object]
Rule = Callable[[toml_lines.Path, object], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a board file: the line (if known), the place as text, and what to do about it."""

    line: int | None
    place: str
    why: str

    def __str__(self) -> str:
        where = f"line {self.line}, " if self.line else ""
        return f"{where}{self.place}: {self.why}"


def shown(value: object) -> str:
    """Return a value for quoting in a message, shortened if long."""
    said = repr(value)
    return said if len(said) <= 40 else f"{said[:37]}..."


class Checker:
    """Checks the data of a board and collects every fault."""

    def __init__(self, text: str, data: Table) -> None:
        self.data = data
        self.lines = toml_lines.lines(text)
        self.faults: list[Fault] = []
        # What could be parsed, for checks across several tables.
        self.kinds: dict[str, object] = {}
        self.where: dict[str, int] = {}
        self.neighbours: dict[str, list[str]] = {}

    def check(self) -> list[Fault]:
        """Return all faults in the order of their lines."""
        self.table((), self.data, {"key": self.word, "name": self.names, **dict.fromkeys(_LISTS, self.any)})
        spaces, families, goods = (self.tables(key) for key in ("spaces", "families", "goods"))
        for i, space in enumerate(spaces):
            self.space(("spaces", i), space)
        for i, family in enumerate(families):
            self.table(("families", i), family, self.family_keys())
        for i, good in enumerate(goods):
            self.table(("goods", i), good, self.good_keys())
        if len(spaces) > MOST_SPACES:
            self.fault(("spaces", MOST_SPACES), f"a board has at most {MOST_SPACES} spaces; these are {len(spaces)}")
        for kind, tables, wanted in (("families", families, FAMILIES), ("goods", goods, GOODS)):
            if kind in self.data and len(tables) != wanted:
                self.fault((kind,), f"there must be {wanted} of them; these are {len(tables)}")
        for kind, tables in (("spaces", spaces), ("families", families), ("goods", goods)):
            self.different(kind, tables, "key")
        self.different("goods", goods, "number")
        self.stand("families", families, "start")
        self.stand("goods", goods, "space")
        starts = {f["start"]: f.get("key") for f in families if isinstance(f.get("start"), str)}
        for i, good in enumerate(goods):
            if isinstance(at := good.get("space"), str) and at in starts:
                self.fault(
                    ("goods", i, "space"), f"{shown(at)} is the start of {shown(starts[at])}; choose another space"
                )
        self.mutual()
        self.reachable()
        return sorted(self.faults, key=lambda fault: (fault.line is None, fault.line or 0))

    # Places

    def fault(self, path: toml_lines.Path, why: str) -> None:
        """Add a fault."""
        self.faults.append(Fault(toml_lines.line_of(self.lines, path), self.place(path), why))

    def place(self, path: toml_lines.Path) -> str:
        """Return a path as text: the space 'tyre', neighbours."""
        words: list[str] = []
        for i, part in enumerate(path):
            if isinstance(part, int) and i == 1 and path[0] in _LISTS:
                tables = self.data.get(str(path[0]))
                table = tables[part] if isinstance(tables, list) and part < len(tables) else None
                key = table.get("key") if isinstance(table, dict) else None
                words[-1] = (
                    f"{_LISTS[str(path[0])]} {shown(key)}" if isinstance(key, str) else f"{words[-1]} {part + 1}"
                )
            else:
                words.append(str(part + 1) if isinstance(part, int) else part)
        return ", ".join(words) or "the file"

    # Tables and single values

    def tables(self, key: str) -> list[Table]:
        """Return the tables under a key; anything else is a fault and returned as an empty table."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.fault((key,), f"must be a list of tables; write each as [[{key}]]")
            return []
        for i, table in enumerate(value):
            if not isinstance(table, dict):
                self.fault((key, i), f"must be a table, not {shown(table)}; write it as [[{key}]]")
            elif not table:
                self.fault((key, i), "there is nothing in this table; fill it, or remove its line")
        return [table if isinstance(table, dict) else {} for table in value]

    def table(self, path: toml_lines.Path, table: Table, keys: dict[str, Rule]) -> None:
        """Check that a table has exactly these keys, and check their values."""
        for key, rule in keys.items():
            if key in table:
                rule((*path, key), table[key])
            elif table or not path:
                self.fault(path, f"{key!r} is missing; add it")
        for key in table:
            if key not in keys:
                self.fault((*path, key), f"this key is unknown; known here are {', '.join(keys)}")

    def any(self, path: toml_lines.Path, value: object) -> None:
        """Accept anything: it is checked elsewhere."""

    def word(self, path: toml_lines.Path, value: object) -> None:
        """Check a key: a short text without spaces."""
        good = isinstance(value, str) and value.isprintable() and re.fullmatch(r"[^\s\"'\\]+", value)
        if not good or len(str(value).encode()) > LONGEST_KEY:
            self.fault(path, f"must be a text of 1 to {LONGEST_KEY} bytes without blanks or quotes, not {shown(value)}")

    def names(self, path: toml_lines.Path, value: object) -> None:
        """Check a name in both languages."""
        if not isinstance(value, dict):
            self.fault(path, f'must be {{ en = "…", fr = "…" }}, not {shown(value)}')
            return
        self.table(path, value or {"": ""}, {"en": self.title, "fr": self.title})

    def title(self, path: toml_lines.Path, value: object) -> None:
        """Check a name that is shown to people."""
        if not isinstance(value, str) or not value.strip() or len(value) > 60 or not value.isprintable():
            self.fault(path, f"must be a text of 1 to 60 characters, not {shown(value)}")

    def whole(self, path: toml_lines.Path, value: object, least: int, most: int) -> None:
        """Check an integer."""
        if type(value) is not int or not least <= value <= most:
            self.fault(path, f"must be a whole number from {least} to {most}, not {shown(value)}")

    def point(self, path: toml_lines.Path, value: object, what: str) -> outline.Point | None:
        """Check a pair of coordinates."""
        if isinstance(value, list) and len(value) == 2:
            x, y = value
            if type(x) in (int, float) and type(y) in (int, float) and abs(x) <= FARTHEST and abs(y) <= FARTHEST:
                return float(x), float(y)
        self.fault(path, f"{what} must be [x, y], two numbers from -{FARTHEST} to {FARTHEST}, not {shown(value)}")
        return None

    def family_keys(self) -> dict[str, Rule]:
        """Return the keys of a family."""

        def colour(path: toml_lines.Path, value: object) -> None:
            if not isinstance(value, str) or not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
                self.fault(path, f'must be a colour such as "#b3261e", not {shown(value)}')

        def dowry(path: toml_lines.Path, value: object) -> None:
            self.whole(path, value, *DOWRY)

        word = self.word
        return {"key": word, "name": self.names, "colour": colour, "symbol": word, "start": word, "dowry": dowry}

    def good_keys(self) -> dict[str, Rule]:
        """Return the keys of a good."""

        def number(path: toml_lines.Path, value: object) -> None:
            self.whole(path, value, 1, GOODS)

        return {"number": number, "key": self.word, "name": self.names, "space": self.word}

    # Spaces

    def space(self, path: toml_lines.Path, space: Table) -> None:
        """Check a single space, and remember what could be parsed."""
        found: dict[str, object] = {}

        def kind(path: toml_lines.Path, value: object) -> None:
            if value not in ("land", "water"):
                self.fault(path, f'must be "land" or "water", not {shown(value)}')

        def neighbours(path: toml_lines.Path, value: object) -> None:
            if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
                self.fault(path, f"must be a list of keys of spaces, not {shown(value)}")
                return
            found["neighbours"] = value
            for key in sorted(key for key, times in Counter(value).items() if times > 1):
                self.fault(path, f"{shown(key)} stands here twice; remove one")

        def centre(path: toml_lines.Path, value: object) -> None:
            found["centre"] = self.point(path, value, "it")

        def ring(path: toml_lines.Path, value: object) -> None:
            if not isinstance(value, list) or not CORNERS[0] <= len(value) <= CORNERS[1]:
                self.fault(path, f"must be a list of {CORNERS[0]} to {CORNERS[1]} corners [x, y]")
                return
            corners = [self.point(path, corner, f"corner {i + 1}") for i, corner in enumerate(value)]
            found["outline"] = None if None in corners else corners

        keys = {"key": self.word, "name": self.names, "kind": kind, "neighbours": neighbours, "centre": centre}
        self.table(path, space, {**keys, "outline": ring})
        corners, middle = found.get("outline"), found.get("centre")
        if isinstance(corners, list):
            self.simple((*path, "outline"), corners)
            if isinstance(middle, tuple) and not outline.holds(corners, middle):
                self.fault((*path, "centre"), f"{list(middle)} lies outside the outline; move it inside")
        key = space.get("key")
        if isinstance(key, str) and key not in self.kinds:
            self.kinds[key] = space.get("kind")
            self.where[key] = int(path[1])
            if isinstance(listed := found.get("neighbours"), list):
                self.neighbours[key] = listed

    def simple(self, path: toml_lines.Path, corners: list[outline.Point]) -> None:
        """Check that an outline is a simple polygon."""
        wrong = outline.flaw(corners)
        if wrong is None:
            return
        kind, i, j = wrong
        if kind == "repeat":
            self.fault(path, f"corner {i + 1}, {list(corners[i])}, is repeated as corner {j + 1}; remove one")
        elif kind == "spike":
            self.fault(path, f"the line turns straight back at corner {i + 1}, {list(corners[i])}; remove the spike")
        else:
            at = f"{list(corners[i])} and corner {j + 1}, {list(corners[j])}"
            self.fault(
                path, f"it crosses or touches itself: the edges from corner {i + 1}, {at}, meet; reorder the corners"
            )

    # Checks across several tables

    def different(self, kind: str, tables: list[Table], key: str) -> None:
        """Check that no two tables have the same value."""
        first: dict[object, int] = {}
        for i, table in enumerate(tables):
            value = table.get(key)
            if not isinstance(value, (str, int)):
                continue
            if value in first:
                line = toml_lines.line_of(self.lines, (kind, first[value], key))
                self.fault((kind, i, key), f"{shown(value)} is already used on line {line}; each needs its own")
            first.setdefault(value, i)

    def stand(self, kind: str, tables: list[Table], key: str) -> None:
        """Check that the spaces named here are land, and all different."""
        for i, table in enumerate(tables):
            at = table.get(key)
            if not isinstance(at, str):
                continue
            if at not in self.kinds:
                self.fault((kind, i, key), f"there is no space {shown(at)}; add it or name another")
            elif self.kinds[at] == "water":
                self.fault((kind, i, key), f"{shown(at)} is water; name a land space")
        self.different(kind, tables, key)

    def mutual(self) -> None:
        """Check that neighbours exist and name each other."""
        for key, listed in self.neighbours.items():
            path = ("spaces", self.where[key], "neighbours")
            for other in dict.fromkeys(listed):
                if other == key:
                    self.fault(path, f"{shown(key)} is named as its own neighbour; remove it")
                elif other not in self.kinds:
                    self.fault(path, f"there is no space {shown(other)}; add it or remove it here")
                elif other in self.neighbours and key not in self.neighbours[other]:
                    line = toml_lines.line_of(self.lines, ("spaces", self.where[other], "neighbours"))
                    self.fault(
                        path,
                        f"{shown(other)} does not name {shown(key)} in return; add it on line {line} or remove it here",
                    )

    def reachable(self) -> None:
        """Check that every space is reachable from the first; a connection must be named at both ends."""
        if not self.neighbours:
            return
        first = next(iter(self.neighbours))
        seen, todo = {first}, [first]
        while todo:
            here = todo.pop()
            for other in self.neighbours[here]:
                if here in self.neighbours.get(other, []) and other not in seen:
                    seen.add(other)
                    todo.append(other)
        for key in self.neighbours:
            if key not in seen:
                self.fault(
                    ("spaces", self.where[key], "neighbours"),
                    f"no way leads from {shown(first)} to here; join it to the rest",
                )


_LISTS = {"families": "family", "goods": "good", "spaces": "space"}
