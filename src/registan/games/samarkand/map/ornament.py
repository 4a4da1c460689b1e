"""Decorations of the map: the tiled frame, the compass, the plaque with the board's name."""

from __future__ import annotations

from html import escape
from math import cos, pi, sin

from registan.games.samarkand.map.svg_tags import Style, number, tag

LAPIS, TILE, TURQUOISE, GOLD = "#1d3f66", "#27659a", "#37a3a5", "#d8ab4e"
PAPER, INK = "#f6edd6", "#33261b"


def star(x: float, y: float, radius: float, inner: float = 0.765, turn: float = 0.0) -> str:
    """Return the path of an eight-pointed star, by default the one made of two squares."""
    corners = []
    for k in range(16):
        r = radius if k % 2 == 0 else radius * inner
        angle = turn + k * pi / 8 - pi / 2
        corners.append(f"{number(x + r * cos(angle))} {number(y + r * sin(angle))}")
    return f"M{'L'.join(corners)}Z"


def tiles(size: float) -> str:
    """Return the pattern of stars and crosses that covers the walls of the Registan."""
    half = size / 2
    return tag(
        "pattern",
        tag("rect", width=size, height=size, fill=LAPIS),
        tag("path", d=star(half, half, half), fill=TILE, stroke=GOLD, stroke_width=size * 0.035),
        tag("path", d=star(half, half, half * 0.45), fill=TURQUOISE),
        id="girih",
        width=size,
        height=size,
        patternUnits="userSpaceOnUse",
    )


def frame(x0: float, y0: float, x1: float, y1: float, band: float) -> str:
    """Return a tiled frame around a board, with a star at every corner."""
    width, height = x1 - x0, y1 - y0
    outer = f"M{number(x0 - band)} {number(y0 - band)}h{number(width + 2 * band)}v{number(height + 2 * band)}"
    inner = f"M{number(x0)} {number(y0)}v{number(height)}h{number(width)}v{number(-height)}Z"
    line = band * 0.08
    parts = [tag("path", d=f"{outer}H{number(x0 - band)}Z{inner}", fill="url(#girih)", fill_rule="evenodd")]
    for gap in (0.0, band):
        box = {"x": x0 - gap, "y": y0 - gap, "width": width + 2 * gap, "height": height + 2 * gap}
        parts.append(tag("rect", **box, fill="none", stroke=GOLD, stroke_width=line))
    for x in (x0 - band / 2, x1 + band / 2):
        for y in (y0 - band / 2, y1 + band / 2):
            parts.append(tag("path", d=star(x, y, band * 0.8), fill=LAPIS, stroke=GOLD, stroke_width=line * 0.9))
            parts.append(tag("path", d=star(x, y, band * 0.42), fill=GOLD))
    return "".join(parts)


def plaque(x: float, y: float, name: str, width: float, size: float) -> str:
    """Return a plaque with a name, centred."""
    w, h = width / 2 + size, size * 0.95
    points = [(x - w - h, y), (x - w, y - h), (x + w, y - h), (x + w + h, y), (x + w, y + h), (x - w, y + h)]
    shape = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in points) + "Z"
    written: Style = {"font_size": size, "font_weight": "bold", "letter_spacing": size * 0.06, "text_anchor": "middle"}
    return tag("path", d=shape, fill=PAPER, stroke=GOLD, stroke_width=size * 0.1) + tag(
        "text", escape(name), x=x, y=y + size * 0.34, fill=INK, **written
    )


def compass(x: float, y: float, radius: float) -> str:
    """Return a compass rose, pale enough to lie on water."""
    thin = radius * 0.02
    parts = [
        tag("circle", r=radius, stroke_width=thin * 1.3),
        tag(
            "circle",
            r=radius * 0.9,
            stroke_width=thin * 0.7,
            stroke_dasharray=f"{number(thin * 1.6)} {number(thin * 3)}",
        ),
        tag("path", d=star(0, 0, radius * 0.78, 0.28, pi / 8), stroke_width=thin),
    ]
    for k in range(4):
        # Each ray is half light and half dark, as on old charts; north is longer.
        tip, side = number(-radius * (1.12 if k == 0 else 0.98)), radius * 0.17
        light = f"M0 0L0 {tip}L{number(side)} {number(-side)}Z"
        dark = f"M0 0L0 {tip}L{number(-side)} {number(-side)}Z"
        ray = tag("path", d=light, fill=PAPER, stroke="none") + tag("path", d=dark, stroke_width=thin)
        parts.append(tag("g", ray, transform=f"rotate({90 * k})"))
    place = f"translate({number(x)} {number(y)})"
    return tag("g", *parts, transform=place, opacity=0.55, fill="none", stroke=PAPER)
