# mypy: disable-error-code="import-untyped,import-not-found"
"""Dividing land and sea among the places: one planar partition, every piece of which has one owner.

Each place claims what is nearest to it (a power diagram, with weights that make spaces about equally large). Land is
divided among land places only and water among water places only, and whatever a place would claim across a strait or
behind a headland goes to the neighbour it touches most: every space is one piece.
"""

from __future__ import annotations

from dataclasses import dataclass

from shapely import Point, Polygon, polygonize, unary_union
from shapely.geometry.base import BaseGeometry

from tools.silk_road.coast import polygons

XY = tuple[float, float]

# All lines are snapped to this grid, so that they meet exactly.
GRID = 0.001
# Weights beyond this would push places out of their own spaces.
HEAVIEST = 800.0


@dataclass
class Claim:
    """The claim of a place: its points on the board, its weight and its wanted size."""

    key: str
    points: list[XY]
    size: float = 1.0
    weight: float = 0.0


def half_plane(ring: list[XY], a: float, b: float, c: float) -> list[XY]:
    """Clip a convex ring to a·x + b·y <= c."""
    kept: list[XY] = []
    for i, (x1, y1) in enumerate(ring):
        x0, y0 = ring[i - 1]
        d0, d1 = a * x0 + b * y0 - c, a * x1 + b * y1 - c
        if d0 * d1 < 0:
            t = d0 / (d0 - d1)
            kept.append((x0 + t * (x1 - x0), y0 + t * (y1 - y0)))
        if d1 <= 0:
            kept.append((x1, y1))
    return kept


def claimed(claims: list[Claim], frame: Polygon) -> dict[str, BaseGeometry]:
    """Return what each place claims of the frame, ignoring coasts."""
    x0, y0, x1, y1 = frame.bounds
    sites = [(claim, x, y) for claim in claims for x, y in claim.points]
    found: dict[str, list[Polygon]] = {claim.key: [] for claim in claims}
    for claim, x, y in sites:
        ring: list[XY] = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        for other, u, v in sites:
            if (u, v) == (x, y) or not ring:
                continue
            bound = (u * u + v * v - other.weight) - (x * x + y * y - claim.weight)
            ring = half_plane(ring, 2 * (u - x), 2 * (v - y), bound)
        if len(ring) >= 3:
            found[claim.key].append(Polygon(ring))
    return {key: unary_union(parts) for key, parts in found.items()}


def even_out(claims: list[Claim], area: BaseGeometry, frame: Polygon, rounds: int, freedom: float) -> None:
    """Change weights and shift points slightly until the areas fit the wanted sizes.

    `freedom` is how far, in board units, a point may move from its true position.
    """
    total = area.area / sum(claim.size for claim in claims)
    home = {claim.key: list(claim.points) for claim in claims}
    for _ in range(rounds):
        shares = claimed(claims, frame)
        for claim in claims:
            share = shares[claim.key].intersection(area)
            main = max(polygons(share), key=lambda p: p.area, default=None)
            if main is None:
                claim.weight += 60.0
                continue
            wanted = total * claim.size
            claim.weight += max(-60.0, min(60.0, 0.04 * (wanted - share.area)))
            claim.weight = max(-HEAVIEST, min(HEAVIEST, claim.weight))
            if len(claim.points) == 1:
                (x, y), (hx, hy) = claim.points[0], home[claim.key][0]
                x, y = x + 0.2 * (main.centroid.x - x), y + 0.2 * (main.centroid.y - y)
                far = Point(x, y).distance(Point(hx, hy))
                pull = min(1.0, freedom / far) if far else 1.0
                claim.points[0] = (hx + pull * (x - hx), hy + pull * (y - hy))


def divide(
    land: BaseGeometry, sea: BaseGeometry, lands: list[Claim], seas: list[Claim], frame: Polygon
) -> dict[str, Polygon]:
    """Divide the frame into one polygon for each place."""
    shares = {**claimed(lands, frame), **claimed(seas, frame)}
    lines = [frame.boundary, land.boundary]
    lines += [shares[claim.key].boundary.intersection(land) for claim in lands]
    lines += [shares[claim.key].boundary.intersection(sea) for claim in seas]
    faces = polygons(polygonize(list(getattr(unary_union(lines, grid_size=GRID), "geoms", []))))
    kinds = (([c.key for c in lands], land), ([c.key for c in seas], sea))
    owned: dict[str, list[Polygon]] = {key: [] for key in shares}
    for face in faces:
        inside = face.representative_point()
        keys = next(keys for keys, area in kinds if area.distance(inside) == 0)
        owned[min(keys, key=lambda k: shares[k].distance(inside))].append(face)
    return settle(owned, {c.key: Point(c.points[0]) for c in (*lands, *seas)}, [k[0] for k in kinds])


def settle(owned: dict[str, list[Polygon]], homes: dict[str, Point], kinds: list[list[str]]) -> dict[str, Polygon]:
    """Keep the piece around each place; give every other piece to the neighbour it shares most border with."""
    whole: dict[str, Polygon] = {}
    stray: list[tuple[str, Polygon]] = []
    for key, faces in owned.items():
        parts = polygons(unary_union(faces, grid_size=GRID))
        if not parts:
            raise ValueError(f"{key}: nothing is left of it; move it or make it larger")
        main = min(parts, key=lambda p: (p.distance(homes[key]), -p.area))
        whole[key] = main
        stray += [(key, part) for part in parts if part is not main]
    while stray:
        before = len(stray)
        for key, part in list(stray):
            kind = next(kind for kind in kinds if key in kind)
            border = {k: whole[k].boundary.intersection(part.boundary).length for k in kind if k != key}
            best = max(border, key=lambda k: border[k])
            if border[best] > 0:
                whole[best] = polygons(unary_union([whole[best], part], grid_size=GRID))[0]
                stray.remove((key, part))
        if len(stray) == before:
            raise ValueError(f"pieces that hang on to nothing: {[(k, p.centroid.wkt) for k, p in stray]}")
    return whole


def mainland(
    shape: BaseGeometry, frame: Polygon, width: float, straits: list[Polygon]
) -> tuple[BaseGeometry, BaseGeometry]:
    """Return land and sea of the frame without islands, narrow inlets, thin spits and small lakes.

    `width` is the width below which an inlet or a spit is smoothed away; straits are water all the same.
    """
    r = width / 2
    wide = frame.buffer(10 * width)
    land = shape.intersection(wide)
    sea = wide.difference(land)
    sea = unary_union([sea.buffer(-r).buffer(r), *straits])
    land = wide.difference(sea).buffer(-r / 2).buffer(r / 2)
    kept = max(polygons(land.intersection(frame)), key=lambda p: p.area)
    waters = [p for p in polygons(frame.difference(kept)) if p.area > 40 * width * width]
    land = frame.difference(unary_union(waters))
    land = max(polygons(land), key=lambda p: p.area)
    return land, frame.difference(land)
