"""Outlines of spaces: whether they are simple polygons and contain a point, and what fits into them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
_Exact = tuple[int, int]


def _exact(points: Sequence[Point]) -> list[_Exact]:
    """Return the points in thousandths, as integers, for exact comparisons."""
    return [(round(x * 1000), round(y * 1000)) for x, y in points]


def _side(a: _Exact, b: _Exact, p: _Exact) -> int:
    """Return on which side of the line from `a` to `b` a point is: 1, -1, or 0 on it."""
    turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return (turn > 0) - (turn < 0)


def _between(a: _Exact, b: _Exact, p: _Exact) -> bool:
    """Whether a point in line with `a` and `b` is between them."""
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def _meet(a: _Exact, b: _Exact, c: _Exact, d: _Exact) -> bool:
    """Whether the edges a-b and c-d touch or cross."""
    s1, s2, s3, s4 = _side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)
    if s1 != s2 and s3 != s4:
        return True
    return (
        (s1 == 0 and _between(a, b, c))
        or (s2 == 0 and _between(a, b, d))
        or (s3 == 0 and _between(c, d, a))
        or (s4 == 0 and _between(c, d, b))
    )


def flaw(points: Sequence[Point]) -> tuple[str, int, int] | None:
    """Return why an outline is not a simple polygon, with the two corners (from 0) concerned; None if it is one.

    The kinds are "repeat" (two consecutive corners are equal), "spike" (the line turns straight back at a corner) and
    "crossing" (the edges that start at the two corners meet).
    """
    ring = _exact(points)
    n = len(ring)
    for i in range(n):
        if ring[i] == ring[(i + 1) % n]:
            return "repeat", i, (i + 1) % n
    for i in range(n):
        a, b, c = ring[i - 1], ring[i], ring[(i + 1) % n]
        dot = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
        if _side(a, b, c) == 0 and dot < 0:
            return "spike", i, i
    # Sweep from left to right: only edges that overlap in x are compared.
    edges = sorted((min(ring[i][0], ring[(i + 1) % n][0]), max(ring[i][0], ring[(i + 1) % n][0]), i) for i in range(n))
    open_edges: list[tuple[int, int]] = []
    for left, right, i in edges:
        open_edges = [(end, j) for end, j in open_edges if end >= left]
        for _, j in open_edges:
            apart = (i - j) % n
            if apart in (1, n - 1):
                continue
            if _meet(ring[i], ring[(i + 1) % n], ring[j], ring[(j + 1) % n]):
                return "crossing", min(i, j), max(i, j)
        open_edges.append((right, i))
    return None


def holds(points: Sequence[Point], point: Point) -> bool:
    """Whether a point is inside an outline; on its edge is not inside."""
    ring, (p,) = _exact(points), _exact([point])
    inside = False
    for a, b in pairwise([ring[-1], *ring]):
        side = _side(a, b, p)
        if side == 0 and _between(a, b, p):
            return False
        if (a[1] > p[1]) != (b[1] > p[1]) and (side > 0) == (b[1] > a[1]):
            inside = not inside
    return inside


def fits(points: Sequence[Point], centre: Point, width: float, height: float) -> bool:
    """Whether an upright box around a centre is inside an outline."""
    cx, cy = centre
    x0, x1, y0, y1 = cx - width / 2, cx + width / 2, cy - height / 2, cy + height / 2
    inside = False
    ax, ay = points[-1]
    for bx, by in points:
        if (ay > cy) != (by > cy) and cx < ax + (cy - ay) * (bx - ax) / (by - ay):
            inside = not inside
        # Most edges are entirely on one side of the box; clip the others, and nothing may be left of them.
        beside = (
            (ax <= x0 and bx <= x0) or (ax >= x1 and bx >= x1) or (ay <= y0 and by <= y0) or (ay >= y1 and by >= y1)
        )
        if not beside and _inside((ax, ay), (bx, by), x0, x1, y0, y1):
            return False
        ax, ay = bx, by
    return inside


def _inside(a: Point, b: Point, x0: float, x1: float, y0: float, y1: float) -> bool:
    """Whether a part of the edge a-b is inside a box (Liang-Barsky clipping)."""
    (ax, ay), (bx, by) = a, b
    start, end = 0.0, 1.0
    for step, room in ((ax - bx, ax - x0), (bx - ax, x1 - ax), (ay - by, ay - y0), (by - ay, y1 - ay)):
        if step < 0:
            start = max(start, room / step)
        elif step > 0:
            end = min(end, room / step)
    return start < end
