# mypy: disable-error-code="import-untyped,import-not-found"
"""The coasts: a small file of land outlines in degrees, and how it was derived from Natural Earth.

The file `coast.json` next to this script holds only what the map needs. It was made from the public-domain Natural
Earth data as redistributed by the npm package `world-atlas`:

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python tools/silk_road/coast.py package/land-50m.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from shapely import MultiPolygon, Polygon, box, make_valid
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

FILE = Path(__file__).with_name("coast.json")
CREDIT = "Made with Natural Earth (naturalearthdata.com), public domain; 1:50m land, clipped and simplified."

# What the map can show, with a margin; smaller islands (in square degrees) are left out.
WINDOW = box(18.0, 4.0, 120.0, 56.0)
SMALLEST = 0.6
TOLERANCE = 0.05


def load() -> MultiPolygon:
    """Return the land of the window, in degrees (longitude, latitude)."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return MultiPolygon([Polygon(rings[0], rings[1:]) for rings in data["land"]])


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons a shape consists of."""
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    return [part for geom in getattr(shape, "geoms", []) for part in polygons(geom)]


def derive(topology: dict[str, Any]) -> list[list[list[list[float]]]]:
    """Decode the land of a TopoJSON file, clip it to the window and keep what is visible."""
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[list[tuple[float, float]]] = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * scale[0] + shift[0], y * scale[1] + shift[1]))
        arcs.append(points)

    def ring(indexes: list[int]) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = []
        for index in indexes:
            arc = arcs[index] if index >= 0 else arcs[~index][::-1]
            points += arc[1:] if points else arc
        return points

    found: list[Polygon] = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for rings in geometry["arcs"]:
            whole = make_valid(Polygon(ring(rings[0]), [ring(hole) for hole in rings[1:]]))
            found += polygons(whole.intersection(WINDOW))
    land = polygons(unary_union(found).simplify(TOLERANCE))
    kept = [part for part in land if part.area >= SMALLEST]
    kept.sort(key=lambda part: -part.area)
    return [
        [[[round(x, 2), round(y, 2)] for x, y in line.coords] for line in (part.exterior, *part.interiors)]
        for part in (Polygon(p.exterior, [h for h in p.interiors if Polygon(h).area >= SMALLEST]) for p in kept)
    ]


if __name__ == "__main__":
    land = derive(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    rows = ",\n".join(json.dumps(part, separators=(",", ":")) for part in land)
    FILE.write_text(f'{{"credit": {json.dumps(CREDIT)},\n"land": [\n{rows}\n]}}\n', encoding="utf-8")
    print(f"{FILE}: {len(land)} pieces of land, {FILE.stat().st_size:,} bytes")
