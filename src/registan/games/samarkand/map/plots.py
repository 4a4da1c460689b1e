"""Places in a space that do not overlap: for its emblem, for two camels, and for its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from registan.games.samarkand.map.labels import Placed, Row, broken, text_width, turned
from registan.games.samarkand.map.outline import Point

# Lengths are on a board a thousand units wide.
CELL = 2.0
"""The side of a cell of the raster of a space."""
CAMEL = (40.0, 35.0)
"""Width and height of a camel, if there is room."""
SIZES = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7)
"""What camels shrink to, in the order in which they are tried."""
LETTERS = 15.2
"""The size of letters that can be read when the whole map is on a laptop."""
LEAST = 4.0
"""The size of the smallest letters, for a closer look."""
CORE = 0.84
"""The part of a camel that must be inside its space: it stands upright, and its outline is no box."""
BESIDE = 0.88
"""How far apart two camels stand, as a part of their size."""
FEW = 200
"""How many positions of one thing are tried."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Plot:
    """Where things are in a space: the middle of the emblem and of two camels, the camels' width, and the name."""

    emblem: Point | None
    camels: tuple[Point, Point]
    width: float
    name: Placed


class Raster:
    """The cells inside an outline, and what is still free of them."""

    def __init__(self, outline: Sequence[Point], unit: float) -> None:
        self.cell = CELL * unit
        ring = np.array(outline)
        self.left, self.top = ring.min(axis=0)
        columns, lines = (np.ceil((ring.max(axis=0) - ring.min(axis=0)) / self.cell)).astype(int)
        x = self.left + (np.arange(columns) + 0.5) * self.cell
        y = (self.top + (np.arange(lines) + 0.5) * self.cell)[:, None]
        self.free: Flags = np.zeros((lines, columns), bool)
        for (ax, ay), (bx, by) in pairwise([outline[-1], *outline]):
            if ay != by:
                self.free ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * (bx - ax) / (by - ay))
        self.middle: Floats = np.array([(self.free.sum(0) * x).sum(), (self.free.sum(1) * y[:, 0]).sum()])
        self.middle /= max(1, self.free.sum())

    def fitting(self, width: float, height: float, part: float = 0.97) -> Floats:
        """Return the middles of all boxes of this size of which (almost) all cells are free."""
        wide, high = max(1, round(width / self.cell)), max(1, round(height / self.cell))
        lines, columns = self.free.shape
        if wide > columns or high > lines:
            return np.empty((0, 2))
        sums = np.pad(self.free.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        within = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
        found = np.argwhere(within >= part * wide * high)[:, ::-1]
        corners: Floats = found + np.array([wide / 2, high / 2])
        corners *= self.cell
        corners += (self.left, self.top)
        return corners

    def take(self, at: Point, width: float, height: float) -> None:
        """Mark a box as taken."""
        x0, y0 = (at[0] - width / 2 - self.left) / self.cell, (at[1] - height / 2 - self.top) / self.cell
        x1, y1 = x0 + width / self.cell, y0 + height / self.cell
        self.free[max(0, int(y0)) : max(0, int(np.ceil(y1))), max(0, int(x0)) : max(0, int(np.ceil(x1)))] = False

    def few(self, points: Floats) -> Floats:
        """Return some of many points, evenly: those on a wider grid."""
        while len(points) > FEW * 6:
            points = points[np.argsort(np.hypot(*(points - self.middle).T), kind="stable")[: len(points) // 2]]
        stride = 1
        some: Floats = points
        while len(some) > FEW:
            stride += 1
            cells = np.round((points - points.min(axis=0)) / self.cell).astype(int)
            some = points[(cells % stride == 0).all(axis=1)]
        return some


def sizes(lines: Sequence[str], letters: float) -> tuple[float, float]:
    """Return width and height of a name."""
    return max(map(text_width, lines)) * letters, len(lines) * letters * 1.12


def trio(ground: Raster, emblem: tuple[float, float], camel: tuple[float, float]) -> tuple[Point, Point, Point] | None:
    """Return places for an emblem and, below or beside it, for two camels; None if there is no room."""
    upper = ground.few(ground.fitting(*emblem))
    core = ground.few(ground.fitting(camel[0] * CORE, camel[1] * CORE))
    if not len(upper) or len(core) < 2:
        return None
    across = np.abs(core[:, None] - core[None])
    pairs = across[..., 0] * 0.25 + across[..., 1] * 0.8
    pairs[~((across[..., 0] >= camel[0] * BESIDE) | (across[..., 1] >= camel[1] * BESIDE))] = np.inf
    fixed = np.abs(upper - ground.middle).sum(1) * 0.2
    nearest = pairs.min()
    best, least = None, np.inf
    for i in np.argsort(fixed, kind="stable"):
        if fixed[i] + nearest >= least:
            break
        at = upper[i]
        gap = core - at
        clear = (np.abs(gap[:, 0]) >= (emblem[0] + camel[0]) / 2) | (np.abs(gap[:, 1]) >= (emblem[1] + camel[1]) / 2)
        if clear.sum() < 2:
            continue
        there = np.flatnonzero(clear)
        # Camels stand below the emblem, near it and in a row.
        each = np.hypot(*gap[there].T) * 0.3 + np.maximum(0, -gap[there, 1]) * 0.5
        if fixed[i] + nearest + 2 * each.min() >= least:
            continue
        cost = pairs[np.ix_(there, there)] + each[:, None] + each[None]
        one = int(cost.argmin())
        if (worst := cost.flat[one] + fixed[i]) < least:
            best, least = (at, *(core[there[j]] for j in divmod(one, len(there)))), worst
    if best is None:
        return None
    middle, *pair = ((float(x), float(y)) for x, y in best)
    return middle, min(pair), max(pair)


def named(ground: Raster, text: str, unit: float) -> Placed:
    """Return a name as large as it fits into what is free."""
    for letters in map(float, np.arange(LETTERS, LEAST, -0.7)):
        for lines in broken(text):
            points = ground.fitting(*sizes(lines, letters * unit))
            if len(points):
                at = points[np.argmin(np.abs(points - ground.middle).sum(1))]
                return Placed(tuple(map(Row, lines)), (float(at[0]), float(at[1])), letters * unit)
    return Placed((Row(text),), (float(ground.middle[0]), float(ground.middle[1])), LEAST * unit)


def plot(outline: Sequence[Point], text: str, emblem: tuple[float, float] | None, unit: float) -> Plot:
    """Divide a space on land: large camels and a readable name if there is room, else the name where it fits."""
    ground = Raster(outline, unit)
    wide, high = emblem or (0.0, 0.0)
    for scale in SIZES[:3]:
        camel = (CAMEL[0] * scale * unit, CAMEL[1] * scale * unit)
        for lines in broken(text):
            name = sizes(lines, LETTERS * unit)
            found = trio(ground, (max(name[0], wide), name[1] + high), camel)
            if found:
                (x, y), *pair = found
                placed = Placed(tuple(map(Row, lines)), (x, y - high / 2), LETTERS * unit)
                return Plot((x, y + name[1] / 2) if emblem else None, (pair[0], pair[1]), camel[0], placed)
    found = None
    for scale in SIZES:
        camel = (CAMEL[0] * scale * unit, CAMEL[1] * scale * unit)
        if found := trio(ground, (wide or unit, high or unit), camel):
            break
    if found is None:
        x, y = (float(at) for at in ground.middle)
        found = (x, y - camel[1] / 2 - high / 2), (x - camel[0] / 2, y), (x + camel[0] / 2, y)
    middle, one, other = found
    if emblem:
        ground.take(middle, wide, high)
    for at in (one, other):
        ground.take(at, *camel)
    return Plot(middle if emblem else None, (one, other), camel[0], named(ground, text, unit))


def afloat(outline: Sequence[Point], name: Placed, unit: float) -> Plot:
    """Divide a sea: the camels beside its name, which may be slanted."""
    ground = Raster(outline, unit)
    long = max(row.width for row in name.rows) * name.size
    steps = np.linspace(-long / 2, long / 2, 24)
    for at in turned([(name.middle[0] + step, name.middle[1]) for step in steps], name.middle, name.slant):
        ground.take(at, name.height, name.height)
    for scale in SIZES:
        camel = (CAMEL[0] * scale * unit, CAMEL[1] * scale * unit)
        if found := trio(ground, (unit, unit), camel):
            return Plot(None, (found[1], found[2]), camel[0], name)
    x, y = name.middle
    return Plot(None, ((x - camel[0] / 2, y), (x + camel[0] / 2, y)), camel[0], name)
