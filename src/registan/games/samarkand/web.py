"""What a browser needs of a board besides the view: spaces, goods, families, and the map drawn in a language."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import hypot
from typing import Any

from registan.core.game import Box
from registan.games.samarkand.map.atlas import Drawing
from registan.games.samarkand.map.board import Board, Name, Space
from registan.games.samarkand.map.labels import Placed
from registan.games.samarkand.map.outline import Point, fits
from registan.games.samarkand.map.symbols import SYMBOLS

Area = tuple[float, float, float, float]
"""Left, top, width, height."""

CAMEL = (32.0, 28.0)
"""Width and height of a camel on a board a thousand units wide."""
STEPS = 15
"""Positions to try for a camel along each side of the rectangle around a space."""
FEW = 40
"""How many of the best positions for one camel are considered for a pair."""


class Survey(Drawing):
    """A drawing that remembers where everything is, to place camels beside it."""

    def __init__(self, board: Board, lang: str) -> None:
        super().__init__(board, lang)
        self.here = ""
        self.written: dict[str, Placed] = {}
        self.discs: dict[str, tuple[float, float, float]] = {}

    def label(self, space: Space) -> str:
        """Return the label of a space as SVG."""
        self.here = space.key
        return super().label(space)

    def rows(self, label: Placed, halo: str = "#f6edd6", last: str | None = None, **style: str | float) -> str:
        """Return the text of a label as SVG."""
        self.written[self.here] = label
        return super().rows(label, halo, last, **style)

    def disc(self, at: Point, radius: float, fill: str, stroke: str, line: float) -> str:
        """Return a round token as SVG; the first one of a space is remembered."""
        self.discs.setdefault(self.here, (*at, radius))
        return super().disc(at, radius, fill, stroke, line)

    def areas(self, space: Space) -> list[tuple[float, Area]]:
        """Return the areas of what is written in a space, each with a weight."""
        label = self.written[space.key]
        found: list[tuple[float, Area]] = []
        y = label.middle[1] - label.height / 2
        for row in label.rows:
            height = row.height * label.size
            width = row.width * label.size * (0.9 if row.text else 0)
            found.append((2.0, (label.middle[0] - width / 2, y, width, height)))
            y += height
        if space.key in self.discs:
            x, y, r = self.discs[space.key]
            found.append((1.0 if space.key in self.starts else 2.0, (x - r, y - r, 2 * r, 2 * r)))
        return found

    def spots(self, space: Space) -> tuple[Point, Point]:
        """Return positions for two camels, the left one first: inside the space, side by side, hiding little."""
        w, h = CAMEL[0] * self.unit, CAMEL[1] * self.unit
        areas = self.areas(space)

        def cost(at: Point) -> float:
            here = (at[0] - w / 2, at[1] - h / 2, w, h)
            hidden = sum(weight * _overlap(here, area) for weight, area in areas)
            return hidden / (w * h) * 3 + hypot(at[0] - middle[0], at[1] - middle[1]) / w * 0.35

        middle = self.written[space.key].middle
        points = [at for at in _grid(space.outline) if fits(space.outline, at, w * 0.86, h * 0.86)]
        few = sorted(points or [space.centre], key=cost)[:FEW]
        # In a space too small for two, put them as far apart as possible.
        pairs = [(a, b) for a, b in combinations(few, 2) if abs(a[0] - b[0]) >= w * 0.9 or abs(a[1] - b[1]) >= h * 0.9]
        if not pairs:
            x, y = few[0]
            return (x - w * 0.36, y), (x + w * 0.36, y)
        best = min(pairs, key=lambda pair: cost(pair[0]) + cost(pair[1]) + _apart(*pair) / w * 0.5)
        left, right = sorted(best)
        return left, right


def _overlap(a: Area, b: Area) -> float:
    """Return how much two areas overlap."""
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0.0, wide) * max(0.0, high)


def _apart(a: Point, b: Point) -> float:
    """Return how far two camels are from being side by side."""
    return hypot(a[0] - b[0], 2 * (a[1] - b[1]))


def _grid(outline: Sequence[Point]) -> list[Point]:
    """Return points spread over the rectangle around an outline."""
    x0, y0 = min(x for x, _ in outline), min(y for _, y in outline)
    x1, y1 = max(x for x, _ in outline), max(y for _, y in outline)
    steps = [(i + 0.5) / STEPS for i in range(STEPS)]
    return [(x0 + (x1 - x0) * i, y0 + (y1 - y0) * j) for i in steps for j in steps]


def _both(name: Name) -> dict[str, str]:
    return {"en": name.en, "fr": name.fr}


def _at(*numbers: float) -> list[float]:
    return [round(number, 1) for number in numbers]


def board(box: Box, lang: str) -> dict[str, Any]:
    """Return the board of a box: keys and names, how spaces are connected, and the map drawn in a language."""
    drawn: Board = box.names.board
    survey = Survey(drawn, lang)
    drawing = survey.svg()
    margin = 26 * survey.unit
    return {
        "key": drawn.key,
        "name": _both(drawn.name),
        "lang": lang,
        "frame": _at(survey.left - margin, survey.top - margin, survey.width + 2 * margin, survey.height + 2 * margin),
        "unit": round(survey.unit, 4),
        "spaces": [
            {
                "key": space.key,
                "name": _both(space.name),
                "kind": space.kind,
                "neighbours": list(space.neighbours),
                "centre": _at(*space.centre),
                "outline": " ".join(f"{x:g},{y:g}" for x, y in space.outline),
                "spots": [_at(*spot) for spot in survey.spots(space)],
                "disc": _at(*survey.discs[space.key]) if space.key in survey.discs else None,
            }
            for space in drawn.spaces
        ],
        "goods": [
            {"number": good.number, "key": good.key, "name": _both(good.name), "space": good.space}
            for good in drawn.goods
        ],
        "families": [
            {
                "key": family.key,
                "name": _both(family.name),
                "colour": family.colour,
                "symbol": family.symbol,
                "start": family.start,
                "dowry": family.dowry,
            }
            for family in drawn.families
        ],
        "symbols": {family.symbol: SYMBOLS.get(family.symbol, "") for family in drawn.families},
        "drawing": drawing,
    }
