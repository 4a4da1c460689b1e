"""Fitting labels: how wide a text is, and how large it can be inside an outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from registan.games.samarkand.map.outline import Point, fits

# Widths relative to the font size, too wide rather than too narrow, as the reader's fonts are unknown.
_NARROW, _WIDE = "ijlftrI'’.,-()| ", "mwMWÆŒ@%"


def text_width(text: str) -> float:
    """Return the approximate width of a text at font size 1."""
    width = 0.0
    for letter in text:
        if letter in _NARROW:
            width += 0.34
        elif letter in _WIDE:
            width += 0.88
        else:
            width += 0.72 if letter.isupper() else 0.52
    return width


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a label: its text, its size relative to the label's, and the width of what precedes it."""

    text: str
    scale: float = 1.0
    before: float = 0.0
    height: float = 1.12

    @property
    def width(self) -> float:
        """Return the width of the row at label size 1."""
        return self.before + text_width(self.text) * self.scale


@dataclass(frozen=True, slots=True)
class Placed:
    """A placed label: the middle of its box, its size and its slant in degrees."""

    rows: tuple[Row, ...]
    middle: Point
    size: float
    slant: float = 0.0

    @property
    def height(self) -> float:
        """Return the height of the whole label."""
        return self.size * sum(row.height for row in self.rows)

    @property
    def bottom(self) -> float:
        """Return its lower edge, if it is not slanted."""
        return self.middle[1] + self.height / 2


def broken(text: str) -> list[tuple[str, ...]]:
    """Return the ways to set a name: on one line, or broken at a space."""
    words = text.split(" ")
    return [(text,), *((" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words)))]


def turned(points: Sequence[Point], around: Point, degrees: float) -> list[Point]:
    """Return points rotated around a point."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return [
        (around[0] + (x - around[0]) * c - (y - around[1]) * s, around[1] + (x - around[0]) * s + (y - around[1]) * c)
        for x, y in points
    ]


def stacked(rows: Sequence[Row]) -> list[tuple[float, float, float]]:
    """Return width, height and distance below the label's middle of each row at size 1, widest first."""
    top = -sum(row.height for row in rows) / 2
    boxes = []
    for row in rows:
        boxes.append((row.width, row.height, top + row.height / 2))
        top += row.height
    return sorted(boxes, reverse=True)


def place(
    outline: Sequence[Point],
    centre: Point,
    layouts: Sequence[tuple[Row, ...]],
    sizes: tuple[float, float],
    slants: Sequence[float],
    reach: float,
    edge: float,
) -> Placed:
    """Return the best of several layouts: the largest that fits near the centre, else the first at the least size.

    `sizes` are the least and the most, `reach` is how far from the centre it may be, `edge` is its distance from the
    outline. An earlier layout, a smaller slant and a place nearer the centre win unless another has clearly larger
    letters.
    """
    least, most = sizes
    steps = [0.0, -0.33, 0.33, -0.66, 0.66, -1.0, 1.0]
    offsets = sorted(((dx * reach, dy * reach) for dx in steps for dy in steps), key=lambda o: o[0] ** 2 + o[1] ** 2)
    best, best_worth = Placed(layouts[0], centre, least), 0.0
    for slant in slants:
        ring = turned(outline, centre, -slant)
        for rank, rows in enumerate(layouts):
            boxes = stacked(rows)
            dear = 1.0 - 0.04 * rank - abs(slant) / 220
            for dx, dy in offsets:
                worth = dear - 0.08 * (abs(dx) + abs(dy)) / reach
                size = max(least, best_worth / worth + least / 25)
                middle = (centre[0] + dx, centre[1] + dy)
                while size <= most and all(
                    fits(ring, (middle[0], middle[1] + at * size), wide * size + 2 * edge, high * size + edge)
                    for wide, high, at in boxes
                ):
                    best = Placed(rows, turned([middle], centre, slant)[0], size, slant)
                    best_worth = size * worth
                    size += least / 25
    return best
