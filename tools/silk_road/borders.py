# mypy: disable-error-code="import-untyped,import-not-found"
"""From the raw division to the lines on the map: borders are drawn once and shared by both sides.

The division is split into arcs, each between two crossings and with the same owners along its length. Every arc is
smoothed, simplified and rounded once; then the arcs are joined again. So outlines tile without gaps or overlaps.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, pi, sin
from zlib import crc32

from shapely import LineString, Polygon, STRtree, box, polygonize, prepare, unary_union
from shapely.ops import linemerge

from tools.silk_road.coast import polygons

XY = tuple[float, float]

# A border shorter than this is hard to see: its ends are pushed apart if they can move.
VISIBLE = 20.0
# Spaces that share less than this only touch.
TOUCH = 3.0
# How far a land border may deviate from the straight line, and how finely coasts are drawn.
WANDER = 3.2
COAST_DETAIL = 0.7


@dataclass
class Arc:
    """A piece of border: its points, and the one or two spaces it belongs to."""

    line: list[XY]
    sides: tuple[str, ...]
    soft: bool

    @property
    def length(self) -> float:
        """Length along the line."""
        return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(self.line))


def trace(shapes: dict[str, Polygon], soft: frozenset[str]) -> list[Arc]:
    """Split a partition into arcs. Arcs between two `soft` spaces may be moved and redrawn; the others are coast."""
    lines = unary_union([shape.boundary for shape in shapes.values()])
    merged = linemerge(list(getattr(lines, "geoms", [lines])))
    keys = list(shapes)
    tree = STRtree([shapes[key] for key in keys])
    arcs: list[Arc] = []
    for line in getattr(merged, "geoms", [merged]):
        middle = line.interpolate(0.5, normalized=True).buffer(0.01)
        near = (keys[i] for i in tree.query(middle, predicate="intersects"))
        sides = tuple(sorted(key for key in near if shapes[key].boundary.intersects(middle)))
        arcs.append(Arc([(x, y) for x, y in line.coords], sides, len(sides) == 2 and soft.issuperset(sides)))
    arcs.sort(key=lambda arc: (arc.sides, arc.line[0]))
    return arcs


def node(point: XY) -> XY:
    """Return the name of a crossing."""
    return round(point[0], 3), round(point[1], 3)


def shift(line: list[XY], by: XY) -> list[XY]:
    """Move the first point of a line, the rest less and less, the last not at all."""
    steps = [0.0]
    for a, b in pairwise(line):
        steps.append(steps[-1] + hypot(b[0] - a[0], b[1] - a[1]))
    whole = steps[-1] or 1.0
    return [(x + by[0] * (1 - s / whole), y + by[1] * (1 - s / whole)) for (x, y), s in zip(line, steps, strict=True)]


def spread(arcs: list[Arc], rounds: int = 12) -> None:
    """Push apart the ends of soft arcs that are too short to be seen."""
    for _ in range(rounds):
        ends: dict[XY, list[tuple[Arc, int]]] = {}
        for arc in arcs:
            ends.setdefault(node(arc.line[0]), []).append((arc, 0))
            ends.setdefault(node(arc.line[-1]), []).append((arc, -1))
        moves: dict[XY, XY] = {}
        for arc in arcs:
            (x0, y0), (x1, y1) = arc.line[0], arc.line[-1]
            chord = hypot(x1 - x0, y1 - y0)
            if not arc.soft or not 0 < chord < VISIBLE:
                continue
            for name, sign in ((node(arc.line[0]), -1.0), (node(arc.line[-1]), 1.0)):
                if all(other.soft for other, _ in ends[name]):
                    step = sign * (VISIBLE - chord) / chord * 0.25
                    old = moves.get(name, (0.0, 0.0))
                    moves[name] = (old[0] + step * (x1 - x0), old[1] + step * (y1 - y0))
        for name, by in moves.items():
            for arc, end in ends[name]:
                if end == 0:
                    arc.line = shift(arc.line, by)
                else:
                    arc.line = shift(arc.line[::-1], by)[::-1]


def wander(arc: Arc, amount: float) -> list[XY]:
    """Redraw a straight border with waves that fade out at both ends, the same each time."""
    line = LineString(arc.line)
    dice = random.Random(crc32("|".join(arc.sides).encode()))
    waves = [(k, dice.uniform(-1.0, 1.0) / k**0.8, dice.uniform(0, 2 * pi)) for k in (1, 2, 3, 4, 5)]
    height = min(amount, 0.055 * line.length)
    count = max(3, round(line.length / 5.5))
    points: list[XY] = []
    for i in range(count + 1):
        t = i / count
        here, before, after = (
            line.interpolate(max(0.0, min(1.0, u)), normalized=True) for u in (t, t - 0.04, t + 0.04)
        )
        dx, dy = after.x - before.x, after.y - before.y
        norm = hypot(dx, dy) or 1.0
        swing = height * sin(pi * t) ** 0.7 * sum(a * sin(k * pi * 1.3 * t * line.length / 60 + p) for k, a, p in waves)
        points.append((here.x - dy / norm * swing, here.y + dx / norm * swing))
    points[0], points[-1] = arc.line[0], arc.line[-1]
    return points


def simplified(points: list[XY], tolerance: float) -> list[XY]:
    """Drop the points that hardly change a line."""
    return [(x, y) for x, y in LineString(points).simplify(tolerance).coords]


def draw(arcs: list[Arc], water: frozenset[str], rough_coast: bool) -> None:
    """Give every arc its final shape, with one decimal. `rough_coast` treats coasts like borders (invented boards)."""
    for arc in arcs:
        wet = sum(side in water for side in arc.sides)
        if len(arc.sides) == 2 and (wet == 0 or (rough_coast and wet == 1)):
            arc.line = simplified(wander(arc, WANDER * (1.6 if wet else 1.0)), 0.35)
        elif len(arc.sides) == 2 and wet == 2:
            arc.line = simplified(wander(arc, WANDER * 0.8), 0.35)
        else:
            arc.line = simplified(arc.line, COAST_DETAIL)
        rounded = [(round(x, 1), round(y, 1)) for x, y in arc.line]
        arc.line = [rounded[0], *(b for a, b in pairwise(rounded) if a != b)]


def assemble(arcs: list[Arc], shapes: dict[str, Polygon]) -> dict[str, Polygon]:
    """Join the arcs again and find out which outline belongs to which space."""
    faces = polygons(polygonize([LineString(arc.line) for arc in arcs]))
    found: dict[str, Polygon] = {}
    for face in faces:
        key = max(shapes, key=lambda k: shapes[k].intersection(face).area)
        if key in found:
            raise ValueError(f"{key}: its outline fell into pieces near {face.centroid.wkt}")
        found[key] = face
    if missing := set(shapes) - set(found):
        raise ValueError(f"no outline came out for {sorted(missing)}")
    for key, face in found.items():
        if not face.is_valid or face.interiors:
            raise ValueError(f"{key}: its outline is not one simple polygon")
    return {key: found[key] for key in shapes}


def lengths(arcs: list[Arc]) -> dict[tuple[str, str], float]:
    """Return how much border each pair of neighbours shares; spaces that touch only at a corner are not neighbours."""
    shared: dict[tuple[str, str], float] = {}
    for arc in arcs:
        if len(arc.sides) == 2:
            pair = (arc.sides[0], arc.sides[1])
            shared[pair] = shared.get(pair, 0.0) + arc.length
    return {pair: length for pair, length in shared.items() if length >= TOUCH}


def centre(shape: Polygon, aspect: float = 1.3, step: float = 2.5) -> tuple[XY, float]:
    """Return where to put a label in an outline, and half the height of the largest box of this aspect there.

    Of the places with nearly the most room, take the one nearest to the middle.
    """
    prepare(shape)
    x0, y0, x1, y1 = shape.bounds
    spots = [
        (x0 + i * step, y0 + j * step) for i in range(1, int((x1 - x0) / step)) for j in range(1, int((y1 - y0) / step))
    ]

    def fits(spot: XY, size: float) -> bool:
        x, y = spot
        inside: bool = shape.contains(box(x - size * aspect, y - size, x + size * aspect, y + size))
        return inside

    room = 0.0
    for spot in spots:
        while fits(spot, room + 0.5):
            room += 0.5
    middle = shape.centroid
    near = sorted(spots, key=lambda spot: hypot(spot[0] - middle.x, spot[1] - middle.y))
    best = next((spot for spot in near if fits(spot, 0.97 * room)), (middle.x, middle.y))
    return (round(best[0], 1), round(best[1], 1)), room
