"""From degrees to the units of the board.

A Lambert conformal conic projection keeps the coasts believable. A gentle stretch gives the lands between the Nile and
the Oxus, where the old towns are close together, more room than the wide and empty east.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, log, pi, radians, sin, tan

WIDTH, HEIGHT = 1000.0, 600.0

# The conic projection: its two standard parallels and the central meridian.
PARALLELS = (2.0, 26.0)
MERIDIAN = 56.0

# The stretch, for x and y: from a distance on the cone (in degrees from the middle) to a place on the board.
# Between these knots the curve is monotone and smooth, so no coast gets a kink.
ACROSS = (
    (-28.3, 0.0),
    (-21.0, 118.0),
    (-9.0, 377.0),
    (0.0, 537.0),
    (10.4, 697.0),
    (21.0, 815.0),
    (31.0, 885.0),
    (48.0, 1000.0),
)
DOWN = ((19.6, 0.0), (9.8, 131.0), (0.0, 342.0), (-20.4, 600.0))


def cone(lon: float, lat: float) -> tuple[float, float]:
    """Return a place on the cone, in degrees from its middle (`MERIDIAN`, 32° north), y northwards."""
    first, second = (radians(p) for p in PARALLELS)

    def slope(angle: float) -> float:
        return tan(pi / 4 + angle / 2)

    n = log(cos(first) / cos(second)) / log(slope(second) / slope(first))
    f: float = cos(first) * slope(first) ** n / n

    def radius(angle: float) -> float:
        return f / float(slope(angle) ** n)

    r, theta = radius(radians(lat)), n * radians(lon - MERIDIAN)
    return r * sin(theta) * 180 / pi, (radius(radians(32.0)) - r * cos(theta)) * 180 / pi


def smooth(knots: tuple[tuple[float, float], ...], value: float) -> float:
    """Interpolate monotonically between knots (Fritsch-Carlson), linearly beyond the ends."""
    knots = tuple(sorted(knots))
    xs, ys = [k[0] for k in knots], [k[1] for k in knots]
    steps = [(ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]) for i in range(len(xs) - 1)]
    slopes = [steps[0], *(2 * a * b / (a + b) for a, b in pairwise(steps)), steps[-1]]
    if value <= xs[0]:
        return ys[0] + slopes[0] * (value - xs[0])
    if value >= xs[-1]:
        return ys[-1] + slopes[-1] * (value - xs[-1])
    i = max(k for k in range(len(xs) - 1) if xs[k] <= value)
    width = xs[i + 1] - xs[i]
    t = (value - xs[i]) / width
    return (
        (1 + 2 * t) * (1 - t) ** 2 * ys[i]
        + t * (1 - t) ** 2 * width * slopes[i]
        + t * t * (3 - 2 * t) * ys[i + 1]
        + t * t * (t - 1) * width * slopes[i + 1]
    )


def project(lon: float, lat: float) -> tuple[float, float]:
    """Return the position of a place on the board: x to the right, y downwards."""
    x, y = cone(lon, lat)
    return smooth(ACROSS, x), smooth(DOWN, y)
