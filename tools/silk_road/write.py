# mypy: disable-error-code="import-untyped,import-not-found"
"""Writing a board file: a tidy layout that people can edit and that is the same in every run."""

from __future__ import annotations

import json
from typing import Any

from shapely import Polygon

XY = tuple[float, float]


def text(value: str) -> str:
    """Return a TOML string; JSON's escapes are TOML's too."""
    return json.dumps(value, ensure_ascii=False)


def name(entry: dict[str, Any]) -> str:
    """Return a name in both languages."""
    return f"name = {{ en = {text(entry['en'])}, fr = {text(entry['fr'])} }}"


def outline(shape: Polygon) -> list[XY]:
    """Return the corners clockwise as seen on the board, starting from the northernmost (then westernmost)."""
    ring = [(x, y) for x, y in shape.exterior.coords[:-1]]
    if shape.exterior.is_ccw is False:
        ring.reverse()
    first = min(range(len(ring)), key=lambda i: (ring[i][1], ring[i][0]))
    return ring[first:] + ring[:first]


def wrapped(items: list[str], width: int = 112) -> str:
    """Return a TOML array, on one line if it fits, else broken into lines."""
    whole = f"[{', '.join(items)}]"
    if len(whole) <= width - 20:
        return whole
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "[\n" + "\n".join([*lines, line]) + "\n]"


def board(
    places: dict[str, Any],
    shapes: dict[str, Polygon],
    centres: dict[str, XY],
    neighbours: dict[str, list[str]],
    heading: str,
) -> str:
    """Return the text of a board file."""
    out = [*(f"# {line}" for line in heading.splitlines()), f"key = {text(places['key'])}"]
    out.append(f"name = {{ en = {text(places['name']['en'])}, fr = {text(places['name']['fr'])} }}")
    for key, family in places["families"].items():
        out += ["", "[[families]]", f"key = {text(key)}", name(family), f"colour = {text(family['colour'])}"]
        out += [f"symbol = {text(family['symbol'])}", f"start = {text(family['start'])}", f"dowry = {family['dowry']}"]
    for key, good in sorted(places["goods"].items(), key=lambda item: int(item[1]["number"])):
        out += ["", "[[goods]]", f"number = {good['number']}", f"key = {text(key)}", name(good)]
        out += [f"space = {text(good['place'])}"]
    for key, shape in shapes.items():
        kind = "water" if key in places["water"] else "land"
        out += ["", "[[spaces]]", f"key = {text(key)}", name(places[kind][key]), f'kind = "{kind}"']
        out += [f"neighbours = {wrapped([text(other) for other in neighbours[key]])}"]
        out += [f"centre = [{centres[key][0]:.1f}, {centres[key][1]:.1f}]"]
        out += [f"outline = {wrapped([f'[{x:.1f}, {y:.1f}]' for x, y in outline(shape)])}"]
    return "\n".join(out) + "\n"
