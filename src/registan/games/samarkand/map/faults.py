"""Checks of a board file. Each fault says where it is, what is wrong and how to fix it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registan.core.box import LONGEST_KEY
from registan.core.box import shortened as shown
from registan.core.errors import BadInput
from registan.core.messages import say
from registan.games.samarkand.map import joins, outline, toml_lines
from registan.games.samarkand.map.symbols import SYMBOLS

FAMILIES, GOODS, MOST_SPACES = 10, 33, 128
PLAYERS = (2, 5)
LEAST_FAMILIES = 6
"""With fewer, no family could have five partners (S19)."""
DOWRY = (1, 20)
CORNERS = (3, 200)
ALL_CORNERS = 5000
"""Corners of all outlines together: more than any map needs, and few enough to check and draw quickly."""
FARTHEST = 100_000
MOST_FAULTS = 1000
"""After so many, no more are looked for."""
MOST_NAMED = 5
"""How many spaces a message names."""


def least_families(players: int) -> int:
    """Return how many families a board for so many players must have: two for each, and enough for both endings."""
    return max(LEAST_FAMILIES, 2 * players)


def least_goods(players: int) -> int:
    """Return how many goods such a board must have: enough for a limit of five cards each (S7, S9)."""
    return 5 * players + 3


Table = dict[str, object]
Rule = Callable[[toml_lines.Path, object], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a board file: the line (if known), the path of the value, and what is wrong and how to fix it."""

    line: int | None
    path: toml_lines.Path
    key: str
    """The key of the table that the path leads into, if it has one."""
    why: BadInput

    def place(self, lang: str = "en") -> str:
        """Return the path as text: space 'tyre', neighbours."""
        words = [str(part + 1) if isinstance(part, int) else part for part in self.path]
        if len(words) > 1 and words[0] in _LISTS:
            kind = _LISTS[words[0]]
            called = say(lang, f"samarkand.fault.{kind}", key=self.key) if self.key else " ".join(words[:2])
            words[:2] = [called]
        return ", ".join(words) or say(lang, "samarkand.fault.file")

    def text(self, lang: str = "en") -> str:
        """Return the fault in a language."""
        where = f"{say(lang, 'error.line', n=self.line)}, " if self.line else ""
        return f"{where}{self.place(lang)}: {self.why.text(lang)}"

    def __str__(self) -> str:
        return self.text()


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
        self.corners = 0

    def check(self) -> list[Fault]:
        """Return all faults in the order of their lines."""
        head: dict[str, Rule] = {"key": self.word, "name": self.names, **dict.fromkeys(_LISTS, self.any)}
        if "players" in self.data:
            head["players"] = self.seats
        self.table((), self.data, head)
        spaces, families, goods = (self.tables(key) for key in ("spaces", "families", "goods"))
        family_keys, good_keys = self.family_keys(), self.good_keys()
        for i, space in enumerate(spaces[:MOST_SPACES]):
            self.space(("spaces", i), space)
        for i, family in enumerate(families[: 2 * FAMILIES]):
            self.table(("families", i), family, family_keys)
        for i, good in enumerate(goods[: 2 * GOODS]):
            self.table(("goods", i), good, good_keys)
        if len(spaces) > MOST_SPACES:
            self.fault(("spaces", MOST_SPACES), "most_spaces", most=MOST_SPACES, n=len(spaces))
        self.count("families", families, least_families, FAMILIES)
        self.count("goods", goods, least_goods, GOODS)
        for kind, tables in (("spaces", spaces), ("families", families), ("goods", goods)):
            self.different(kind, tables, "key")
        self.different("goods", goods, "number")
        self.stand("families", families, "start")
        self.stand("goods", goods, "space")
        starts = {f["start"]: f.get("key") for f in families if isinstance(f.get("start"), str)}
        for i, good in enumerate(goods):
            if isinstance(at := good.get("space"), str) and at in starts:
                self.fault(("goods", i, "space"), "on_start", space=shown(at), family=shown(starts[at]))
        self.mutual()
        self.reachable()
        return sorted(self.faults, key=lambda fault: (fault.line is None, fault.line or 0))

    # Places

    def fault(self, path: toml_lines.Path, why: str, **values: Any) -> None:
        """Add a fault: the message `error.samarkand.board.<why>`."""
        if len(self.faults) >= MOST_FAULTS:
            return
        told = BadInput(f"error.samarkand.board.{why}", **values)
        self.faults.append(Fault(toml_lines.line_of(self.lines, path), path, self.called(path), told))

    def called(self, path: toml_lines.Path) -> str:
        """Return the key of the table that a path leads into, for quoting; empty if it has none."""
        if len(path) < 2 or path[0] not in _LISTS or not isinstance(path[1], int):
            return ""
        tables = self.data.get(str(path[0]))
        table = tables[path[1]] if isinstance(tables, list) and path[1] < len(tables) else None
        key = table.get("key") if isinstance(table, dict) else None
        return shown(key) if isinstance(key, str) else ""

    def count(self, kind: str, tables: list[Table], least: Callable[[int], int], most: int) -> None:
        """Check how many families or goods there are: all, or fewer if the board says for how many players it is."""
        if kind not in self.data or len(tables) == most:
            return
        players = self.data.get("players")
        if type(players) is not int:
            self.fault((kind,), "count", want=most, n=len(tables))
        elif PLAYERS[0] <= players <= PLAYERS[1] and not least(players) <= len(tables) <= most:
            self.fault((kind,), "count_for", players=players, low=least(players), high=most, n=len(tables))

    # Tables and single values

    def tables(self, key: str) -> list[Table]:
        """Return the tables under a key; anything else is a fault and returned as an empty table."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.fault((key,), "tables", key=key)
            return []
        for i, table in enumerate(value):
            if not isinstance(table, dict):
                self.fault((key, i), "table", found=shown(table), key=key)
            elif not table:
                self.fault((key, i), "empty")
        return [table if isinstance(table, dict) else {} for table in value]

    def table(self, path: toml_lines.Path, table: Table, keys: dict[str, Rule]) -> None:
        """Check that a table has exactly these keys, and check their values."""
        for key, rule in keys.items():
            if key in table:
                rule((*path, key), table[key])
            elif table or not path:
                self.fault(path, "missing", key=repr(key))
        for key in table:
            if key not in keys:
                self.fault((*path, key), "unknown", keys=", ".join(keys))

    def any(self, path: toml_lines.Path, value: object) -> None:
        """Accept anything: it is checked elsewhere."""

    def word(self, path: toml_lines.Path, value: object) -> None:
        """Check a key: a short text without spaces."""
        good = isinstance(value, str) and value.isprintable() and re.fullmatch(r"[^\s\"'\\]+", value)
        if not good or len(str(value).encode()) > LONGEST_KEY:
            self.fault(path, "word", most=LONGEST_KEY, found=shown(value))

    def spot(self, path: toml_lines.Path, value: object) -> None:
        """Check the key of a space; that it is empty is told elsewhere (`stand`)."""
        if value != "":
            self.word(path, value)

    def names(self, path: toml_lines.Path, value: object) -> None:
        """Check a name in both languages."""
        if not isinstance(value, dict):
            self.fault(path, "names", want='{ en = "…", fr = "…" }', found=shown(value))
            return
        self.table(path, value or {"": ""}, {"en": self.title, "fr": self.title})

    def title(self, path: toml_lines.Path, value: object) -> None:
        """Check a name that is shown to people."""
        if not isinstance(value, str) or not value.strip() or len(value) > 60 or not value.isprintable():
            self.fault(path, "title", most=60, found=shown(value))

    def whole(self, path: toml_lines.Path, value: object, least: int, most: int) -> None:
        """Check an integer."""
        if type(value) is not int or not least <= value <= most:
            self.fault(path, "whole", low=least, high=most, found=shown(value))

    def seats(self, path: toml_lines.Path, value: object) -> None:
        """Check for how many players a board is."""
        self.whole(path, value, *PLAYERS)

    def point(self, path: toml_lines.Path, value: object, corner: int | None = None) -> outline.Point | None:
        """Check a pair of coordinates."""
        if isinstance(value, list) and len(value) == 2:
            x, y = value
            if type(x) in (int, float) and type(y) in (int, float) and abs(x) <= FARTHEST and abs(y) <= FARTHEST:
                return float(x), float(y)
        why = "point" if corner is None else "corner"
        self.fault(path, why, i=corner, low=f"-{FARTHEST}", high=str(FARTHEST), found=shown(value))
        return None

    def family_keys(self) -> dict[str, Rule]:
        """Return the keys of a family."""

        def colour(path: toml_lines.Path, value: object) -> None:
            if not isinstance(value, str) or not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
                self.fault(path, "colour", found=shown(value))

        def symbol(path: toml_lines.Path, value: object) -> None:
            if not isinstance(value, str) or value not in SYMBOLS:
                self.fault(path, "symbol", found=shown(value), symbols=", ".join(sorted(SYMBOLS)))

        def dowry(path: toml_lines.Path, value: object) -> None:
            self.whole(path, value, *DOWRY)

        word = self.word
        return {"key": word, "name": self.names, "colour": colour, "symbol": symbol, "start": self.spot, "dowry": dowry}

    def good_keys(self) -> dict[str, Rule]:
        """Return the keys of a good."""

        def number(path: toml_lines.Path, value: object) -> None:
            self.whole(path, value, 1, min(GOODS, most))

        listed = self.data.get("goods")
        # On a board with its own number of goods they are numbered without gaps, as cards are.
        most = len(listed) if "players" in self.data and isinstance(listed, list) else GOODS

        return {"number": number, "key": self.word, "name": self.names, "space": self.spot}

    # Spaces

    def space(self, path: toml_lines.Path, space: Table) -> None:
        """Check a single space, and remember what could be parsed."""
        found: dict[str, object] = {}

        def kind(path: toml_lines.Path, value: object) -> None:
            if value not in ("land", "water"):
                self.fault(path, "kind", found=shown(value))

        def neighbours(path: toml_lines.Path, value: object) -> None:
            if not isinstance(value, list) or len(value) > MOST_SPACES or not all(isinstance(k, str) for k in value):
                self.fault(path, "keys", found=shown(value))
                return
            found["neighbours"] = value
            for key in sorted(key for key, times in Counter(value).items() if times > 1):
                self.fault(path, "twice", space=shown(key))

        def centre(path: toml_lines.Path, value: object) -> None:
            found["centre"] = self.point(path, value)

        def ring(path: toml_lines.Path, value: object) -> None:
            found["outline"] = self.ring(path, value)

        keys = {"key": self.word, "name": self.names, "kind": kind, "neighbours": neighbours, "centre": centre}
        self.table(path, space, {**keys, "outline": ring})
        corners, middle = found.get("outline"), found.get("centre")
        if isinstance(corners, list):
            self.simple((*path, "outline"), corners)
            if isinstance(middle, tuple) and not outline.holds(corners, middle):
                self.fault((*path, "centre"), "outside", at=list(middle))
        key = space.get("key")
        if isinstance(key, str) and key not in self.kinds:
            self.kinds[key] = space.get("kind")
            self.where[key] = int(path[1])
            if isinstance(listed := found.get("neighbours"), list):
                self.neighbours[key] = listed

    def ring(self, path: toml_lines.Path, value: object) -> list[outline.Point] | None:
        """Check that an outline is a list of corners, and not one too many for the board."""
        if not isinstance(value, list) or not CORNERS[0] <= len(value) <= CORNERS[1]:
            self.fault(path, "corners", low=CORNERS[0], high=CORNERS[1])
            return None
        before, self.corners = self.corners, self.corners + len(value)
        if self.corners > ALL_CORNERS:
            if before <= ALL_CORNERS:
                self.fault(path, "all_corners", most=ALL_CORNERS)
            return None
        corners = [self.point(path, corner, i + 1) for i, corner in enumerate(value)]
        good = [corner for corner in corners if corner is not None]
        return good if len(good) == len(corners) else None

    def simple(self, path: toml_lines.Path, corners: list[outline.Point]) -> None:
        """Check that an outline is a simple polygon."""
        wrong = outline.flaw(corners)
        if wrong is None:
            return
        kind, i, j = wrong
        if kind == "repeat":
            self.fault(path, "repeat", i=i + 1, at=list(corners[i]), j=j + 1)
        elif kind == "spike":
            self.fault(path, "spike", i=i + 1, at=list(corners[i]))
        else:
            self.fault(path, "crossing", i=i + 1, at=list(corners[i]), j=j + 1, other=list(corners[j]))

    # Checks across several tables

    def different(self, kind: str, tables: list[Table], key: str) -> None:
        """Check that no two tables have the same value."""
        first: dict[object, int] = {}
        for i, table in enumerate(tables):
            value = table.get(key)
            if not isinstance(value, (str, int)) or value == "":
                continue
            if value in first:
                line = toml_lines.line_of(self.lines, (kind, first[value], key))
                self.fault((kind, i, key), "used", value=shown(value), line=line)
            first.setdefault(value, i)

    def stand(self, kind: str, tables: list[Table], key: str) -> None:
        """Check that the spaces named here are land, and all different."""
        for i, table in enumerate(tables):
            at = table.get(key)
            if not isinstance(at, str):
                continue
            if not at:
                self.fault((kind, i, key), "nowhere")
            elif at not in self.kinds:
                self.fault((kind, i, key), "no_space", space=shown(at))
            elif self.kinds[at] == "water":
                self.fault((kind, i, key), "water", space=shown(at))
        self.different(kind, tables, key)

    def mutual(self) -> None:
        """Check that neighbours exist and name each other; one slip is one fault."""
        for key, listed in self.neighbours.items():
            if key in listed:
                self.fault(self.near(key), "itself", space=shown(key))
        for key, missing, meant in joins.strangers(self.neighbours, self.kinds):
            if meant:
                self.fault(self.near(key), "meant", space=shown(missing), meant=shown(meant))
            else:
                self.fault(self.near(key), "no_neighbour", space=shown(missing))
        for key, others, names_them in joins.one_sided(self.neighbours, self.kinds):
            if len(others) == 1 and names_them:
                line = toml_lines.line_of(self.lines, self.near(others[0]))
                self.fault(self.near(key), "in_return", other=shown(others[0]), space=shown(key), line=line)
            else:
                why = "names_many" if names_them else "named_by_many"
                told = [shown(other) for other in others[:MOST_NAMED]] + ["…"] * (len(others) > MOST_NAMED)
                self.fault(self.near(key), why, space=shown(key), others=", ".join(told))

    def near(self, key: str) -> toml_lines.Path:
        """Return the path of a space's neighbours."""
        return ("spaces", self.where[key], "neighbours")

    def reachable(self) -> None:
        """Check that all spaces are connected; each part that is not counts as one fault."""
        for part in joins.parts(self.neighbours)[1:]:
            self.fault(self.near(part[0]), "apart", n=len(part))


_LISTS = {"families": "family", "goods": "good", "spaces": "space"}
