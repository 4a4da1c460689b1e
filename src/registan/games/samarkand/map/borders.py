"""The borders between spaces as lines, each drawn once: coasts, borders on land, borders between seas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from registan.games.samarkand.map.board import Space
from registan.games.samarkand.map.outline import Point
from registan.games.samarkand.map.svg_tags import number

Edge = frozenset[Point]
Line = list[Point]


def edges(spaces: Iterable[Space]) -> Counter[Edge]:
    """Return the edges of spaces, and how many of them have each."""
    rings = [space.outline for space in spaces]
    return Counter(frozenset(edge) for ring in rings for edge in zip(ring, [*ring[1:], ring[0]], strict=True))


def lines(wanted: Iterable[Edge]) -> list[Line]:
    """Join edges to lines, which end where borders meet; a line around an island ends where it begins."""
    beside: dict[Point, list[Point]] = {}
    for edge in sorted(sorted(edge) for edge in wanted):
        for point in edge:
            beside.setdefault(point, []).extend(other for other in edge if other != point)
    crossings = {point for point, others in beside.items() if len(others) != 2}
    found: list[Line] = []
    # From the crossings first: what is left are rings.
    for start in [*sorted(crossings), *sorted(beside.keys() - crossings)]:
        while beside[start]:
            line = [start]
            while beside[line[-1]] and (len(line) == 1 or line[-1] not in crossings):
                here = line[-1]
                after = beside[here].pop()
                beside[after].remove(here)
                line.append(after)
            found.append(line)
    return found


def drawn(parts: Iterable[Line]) -> str:
    """Return lines as path data."""
    said = []
    for line in parts:
        ring = line[0] == line[-1]
        said.append("M" + "L".join(f"{number(x)} {number(y)}" for x, y in line[: -1 if ring else None]) + "Z" * ring)
    return "".join(said)


def near(parts: Iterable[Line], size: float) -> list[list[Line]]:
    """Return lines in groups that lie within a square of this size, more or less."""
    groups: dict[tuple[int, int], list[Line]] = {}
    for line in parts:
        x, y = line[len(line) // 2]
        groups.setdefault((int(x // size), int(y // size)), []).append(line)
    return [groups[square] for square in sorted(groups)]
