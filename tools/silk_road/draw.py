# mypy: disable-error-code="import-untyped,import-not-found"
"""Draw the boards of Samarkand: from places on the earth (or on a plan) to the files that the game reads.

    python -m tools.silk_road.draw                 # writes silk-road.toml and oasis.toml into the game's box
    python -m tools.silk_road.draw --check         # only checks that the files are up to date
    python -m tools.silk_road.draw --spaces 64     # a Silk Road with fewer (or more) plain spaces

Needs `shapely` (2.1 or newer), which Registan itself does not: `uv pip install shapely`. No network is used.
The Silk Road is made from `places.toml` and `coast.json`, the small board from `oasis.toml`, all next to this script.
The result is explicit and can be edited; `registan board check` checks it.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

from shapely import LineString, Polygon, box, unary_union

from tools.silk_road import borders, cells, coast, oasis, projection, write

HERE = Path(__file__).parent
BOX = HERE.parents[1] / "src/registan/games/samarkand/box"
SPACES = 68

HEADING = """Made by tools/silk_road/draw.py from {source}; may be edited by hand.
Units are the board's own, x to the right, y downwards."""


def read(name: str) -> dict[str, Any]:
    """Return the contents of a TOML file next to this script."""
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def projected(ring: list[list[float]] | Any) -> Polygon:
    """Return a ring of degrees as a polygon on the board; long edges get more points, so that they bend."""
    edge = LineString(ring).segmentize(0.5)
    return Polygon([projection.project(lon, lat) for lon, lat in edge.coords])


def silk_road(count: int) -> str:
    """Return the text of the Silk Road board with this many spaces."""
    places = read("places.toml")
    plain = sorted(
        (key for key in places["land"] if "rank" in places["land"][key]), key=lambda k: places["land"][k]["rank"]
    )
    always = len(places["water"]) + len(places["land"]) - len(plain)
    if not always <= count <= always + len(plain):
        raise SystemExit(f"--spaces must lie between {always} and {always + len(plain)}")
    for key in plain[count - always :]:
        del places["land"][key]

    frame = box(0.0, 0.0, projection.WIDTH, projection.HEIGHT)
    earth = unary_union(
        [
            projected(p.exterior.coords).difference(unary_union([projected(h.coords) for h in p.interiors]))
            for p in coast.load().geoms
        ]
    )
    earth = unary_union([earth, *(projected(ring) for ring in places["coast"]["fills"])])
    earth = earth.difference(unary_union([projected(ring) for ring in places["coast"]["drains"]]))
    straits = [
        LineString([projection.project(*at) for at in strait["along"]]).buffer(strait["width"] / 2)
        for strait in places["coast"]["straits"]
    ]
    land, sea = cells.mainland(earth, frame, places["coast"]["width"], straits)

    def claims(kind: str) -> list[cells.Claim]:
        return [
            cells.Claim(
                key, [projection.project(*at) for at in (entry["at"], *entry.get("also", []))], entry.get("size", 1.0)
            )
            for key, entry in places[kind].items()
        ]

    lands, seas = claims("land"), claims("water")
    cells.even_out(lands, land, frame, rounds=25, freedom=14.0)
    entries = places["land"] | places["water"]
    fixed = {key: rounded(projection.project(*entry["centre"])) for key, entry in entries.items() if "centre" in entry}
    return finish(places, cells.divide(land, sea, lands, seas, frame), fixed, "places.toml", rough_coast=False)


def small() -> str:
    """Return the text of the small board."""
    places, raw = oasis.layout(read("oasis.toml"), read("places.toml"))
    return finish(places, raw, {}, "oasis.toml", rough_coast=True)


def rounded(point: borders.XY) -> borders.XY:
    """Return a point as it is written into the file."""
    return round(point[0], 1), round(point[1], 1)


def finish(
    places: dict[str, Any], raw: dict[str, Polygon], fixed: dict[str, borders.XY], source: str, rough_coast: bool
) -> str:
    """Draw the borders of a raw division and write the board."""
    water = frozenset(places["water"])
    soft = frozenset(raw) if rough_coast else frozenset(raw) - water
    arcs = borders.trace(raw, soft)
    borders.spread(arcs)
    borders.draw(arcs, water, rough_coast)
    shapes = borders.assemble(arcs, raw)
    shared = borders.lengths(arcs)
    neighbours = {key: sorted({b if a == key else a for a, b in shared if key in (a, b)}) for key in shapes}
    centres: dict[str, borders.XY] = {}
    for key, shape in shapes.items():
        centres[key], room = borders.centre(shape)
        if by_hand := fixed.get(key):
            centres[key] = by_hand
        if room < 20.0:
            print(f"  {key}: little room for a label ({room:.0f})", file=sys.stderr)
    for (a, b), length in sorted(shared.items()):
        if length < 0.75 * borders.VISIBLE:
            print(f"  {a} and {b} share a border of only {length:.0f}", file=sys.stderr)
    return write.board(places, shapes, centres, neighbours, HEADING.format(source=source))


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--spaces", type=int, default=SPACES, help=f"how many spaces the Silk Road has ({SPACES})")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the files differ")
    parser.add_argument("--out", type=Path, default=BOX, help="where the board files go")
    options = parser.parse_args()
    stale = False
    for name in ("silk-road", "oasis"):
        print(name, file=sys.stderr)
        made = small() if name == "oasis" else silk_road(options.spaces)
        file = options.out / f"{name}.toml"
        if options.check:
            stale |= not file.exists() or file.read_text(encoding="utf-8") != made
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(made, encoding="utf-8")
    if stale:
        print("The board files are not what the script makes: run it, or keep them as edited by hand.", file=sys.stderr)
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
