"""What a browser needs of a board of Samarkand: spaces, goods, families, and the map drawn in a language."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, Parameter

from registan.core.registry import find
from registan.games.samarkand.map.atlas import Drawing
from registan.games.samarkand.map.board import Board, Name, Space, load
from registan.games.samarkand.map.labels import Placed
from registan.games.samarkand.map.outline import Point, fits
from registan.games.samarkand.map.symbols import SYMBOLS

Key = FromPath[Annotated[str, Parameter(max_length=40)]]
Box = tuple[float, float, float, float]
Line = dict[str, Any]

AGE = 600
"""Seconds that a browser may use a board without asking whether it is still the same."""
CAMEL = (32.0, 28.0)
"""The room of a camel on a board a thousand units wide."""
STEPS = 15
"""Places tried for a camel along each side of the box around a space."""
FEW = 40
"""The best places for one camel, of which the best two are then found."""


class Survey(Drawing):
    """A board being drawn that remembers where everything was written, so that camels can stand beside it."""

    def __init__(self, board: Board, lang: str) -> None:
        super().__init__(board, lang)
        self.here = ""
        self.written: dict[str, Placed] = {}
        self.discs: dict[str, tuple[float, float, float]] = {}

    def label(self, space: Space) -> str:
        """Return what stands in a space."""
        self.here = space.key
        return super().label(space)

    def rows(self, label: Placed, halo: str = "#f6edd6", last: str | None = None, **style: str | float) -> str:
        """Return the text of a label."""
        self.written[self.here] = label
        return super().rows(label, halo, last, **style)

    def disc(self, at: Point, radius: float, fill: str, stroke: str, line: float) -> str:
        """Return a round token; the first of a space is the one it is known by."""
        self.discs.setdefault(self.here, (*at, radius))
        return super().disc(at, radius, fill, stroke, line)

    def boxes(self, space: Space) -> list[tuple[float, Box]]:
        """Return what is written in a space as boxes (left, top, width, height), with how much it matters."""
        label = self.written[space.key]
        found: list[tuple[float, Box]] = []
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
        """Return where two camels can stand, the left one first: inside, side by side, and hiding little."""
        w, h = CAMEL[0] * self.unit, CAMEL[1] * self.unit
        boxes = self.boxes(space)

        def cost(at: Point) -> float:
            here = (at[0] - w / 2, at[1] - h / 2, w, h)
            hidden = sum(weight * _overlap(here, box) for weight, box in boxes)
            return hidden / (w * h) * 3 + hypot(at[0] - middle[0], at[1] - middle[1]) / w * 0.35

        middle = self.written[space.key].middle
        points = [at for at in _grid(space.outline) if fits(space.outline, at, w * 0.86, h * 0.86)]
        few = sorted(points or [space.centre], key=cost)[:FEW]
        # A space too small for two keeps them as far apart as it can.
        pairs = [(a, b) for a, b in combinations(few, 2) if abs(a[0] - b[0]) >= w * 0.9 or abs(a[1] - b[1]) >= h * 0.9]
        if not pairs:
            x, y = few[0]
            return (x - w * 0.36, y), (x + w * 0.36, y)
        best = min(pairs, key=lambda pair: cost(pair[0]) + cost(pair[1]) + _apart(*pair) / w * 0.5)
        left, right = sorted(best)
        return left, right


def _overlap(a: Box, b: Box) -> float:
    """Return the area that two boxes share."""
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0.0, wide) * max(0.0, high)


def _apart(a: Point, b: Point) -> float:
    """Return how far two camels are from standing side by side."""
    return hypot(a[0] - b[0], 2 * (a[1] - b[1]))


def _grid(outline: Sequence[Point]) -> list[Point]:
    """Return points all over the box around an outline."""
    x0, y0 = min(x for x, _ in outline), min(y for _, y in outline)
    x1, y1 = max(x for x, _ in outline), max(y for _, y in outline)
    steps = [(i + 0.5) / STEPS for i in range(STEPS)]
    return [(x0 + (x1 - x0) * i, y0 + (y1 - y0) * j) for i in steps for j in steps]


def _both(name: Name) -> Line:
    return {"en": name.en, "fr": name.fr}


def _at(*numbers: float) -> list[float]:
    return [round(number, 1) for number in numbers]


def shown(board: Board, lang: str) -> Line:
    """Return a board as browsers are told: keys and names, how it is connected, and how it is drawn in a language."""
    survey = Survey(board, lang)
    drawing = survey.svg()
    margin = 26 * survey.unit
    return {
        "key": board.key,
        "name": _both(board.name),
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
            for space in board.spaces
        ],
        "goods": [
            {"number": good.number, "key": good.key, "name": _both(good.name), "space": good.space}
            for good in board.goods
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
            for family in board.families
        ],
        "symbols": {family.symbol: SYMBOLS.get(family.symbol, "") for family in board.families},
        "drawing": drawing,
    }


@lru_cache(maxsize=8)
def _packed(path: Path, lang: str) -> tuple[bytes, str]:
    """Return a board as compressed JSON, and its tag."""
    plain = msgspec.json.encode(shown(load(path), lang))
    return gzip.compress(plain, 9, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:24]}"'


@get("/api/boards/{key:str}", sync_to_thread=True)
def get_board(
    request: Request[Any, Any, Any], key: Key, lang: FromQuery[Literal["en", "fr"]] = "en"
) -> Response[bytes]:
    """A board of Samarkand: spaces, goods, families, and the map drawn in a language."""
    path = find("samarkand").boxes.get(key)
    if path is None:
        raise NotFoundException
    packed, tag = _packed(path, lang)
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={AGE}", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, media_type=MediaType.JSON, headers=headers)
