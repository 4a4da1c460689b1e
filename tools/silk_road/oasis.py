# mypy: disable-error-code="import-untyped,import-not-found"
"""The small board: a slightly irregular grid of hexagons with a lake in the middle."""

from __future__ import annotations

import random
from typing import Any

from shapely import Polygon, box

from tools.silk_road import cells

# The distance between neighbouring cells, and how far each is displaced at random.
ACROSS, DOWN, SHAKE = 106.0, 94.0, 13.0
SEED = 1404


def layout(plan: dict[str, Any], world: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Polygon]]:
    """Return the places of the small board and its division, given the families and goods of the large one."""
    rows = [row.split() for row in plan["grid"]]
    names = plan["spaces"]
    places: dict[str, Any] = {"key": plan["key"], "name": plan["name"], "land": {}, "water": {}}
    for row in rows:
        for cell in row:
            key, en, fr = names[cell]
            places["water" if cell.startswith("~") else "land"][key] = {"en": en, "fr": fr}
    places["families"] = {
        key: family | {"start": names[key][0], "dowry": plan["dowries"][key]}
        for key, family in world["families"].items()
    }
    places["goods"] = {key: good | {"place": names[key][0]} for key, good in world["goods"].items()}

    dice = random.Random(SEED)
    frame = box(0.0, 0.0, ACROSS * (len(rows[0]) + 0.5), DOWN * len(rows))
    claims = []
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            x = ACROSS * (c + 0.5 + 0.5 * (r % 2)) + dice.uniform(-SHAKE, SHAKE)
            y = DOWN * (r + 0.5) + dice.uniform(-SHAKE, SHAKE)
            claims.append(cells.Claim(names[cell][0], [(x, y)]))
    return places, cells.divide(frame, Polygon(), claims, [], frame)
