"""Charts for a report, drawn with Matplotlib as SVG that takes its colours and fonts from the page.

Every chart is drawn twice, for a wide screen and for a phone, so that its letters are as large as the text around it.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from registan.core.errors import BadInput
from registan.core.game import Ints
from registan.lab.estimates import Estimate, share

WIDE, NARROW = 660, 320
TEXT = 14
COLOURS = {"ink": "#010101", "faint": "#020202", "lapis": "#030303", "brass": "#040404", "paper": "#050505"}
"""Placeholders for the colours of the page's style sheet, by name there; they only have to differ."""
SERIES = (("lapis", "o"), ("brass", "D"))
"""Colour and marker of the first and the second series: their shapes differ too."""


@dataclass(frozen=True)
class Row:
    """A row of a chart: what it is about, and one figure per series with its text."""

    label: str
    figures: Sequence[Estimate]
    words: Sequence[str]


@contextmanager
def canvas(width: int, height: float, name: str) -> Iterator[tuple[Any, list[str]]]:
    """Yield a figure of that size in pixels and a list that receives its SVG."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise BadInput("lab.needs", what="registan lab report", extra="lab") from None
    style: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": f"{name}-{width}",
        "font.size": TEXT,
        "text.parse_math": False,
        "text.color": COLOURS["ink"],
        "axes.edgecolor": COLOURS["faint"],
        "xtick.color": COLOURS["ink"],
        "ytick.color": COLOURS["ink"],
    }
    done: list[str] = []
    with mpl.rc_context(style):
        figure = Figure(figsize=(width / 72, height / 72))
        figure.patch.set_alpha(0)
        yield figure, done
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        done.append(for_page(out.getvalue(), f"{name}-{width}"))


def for_page(svg: str, name: str) -> str:
    """Return an SVG as part of a page: without its head, ids of its own, colours and letters those of the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\s(?:xmlns(?::\w+)?|version)="[^"]*"', "", svg)
    for word, number in COLOURS.items():
        svg = svg.replace(number, f"var(--{word})")
    svg = re.sub(r" ?font(?:-family)?: [^;\"]*?'[^\";]*;?", "", svg)
    used = set(re.findall(r"(?:url\(#|href=\"#)([\w-]+)", svg))
    svg = re.sub(r' id="([\w.-]+)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", svg)
    svg = re.sub(r"(url\(#|href=\"#)([\w-]+)", lambda m: f"{m[1]}{name}-{m[2]}", svg).replace("xlink:href", "href")
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', 'aria-hidden="true"', svg, count=1)
    return re.sub(r"\s*\n\s*", "\n", svg).strip()


def scale(rows: Sequence[Row], par: float | None, whole: bool) -> tuple[float, float]:
    """Return the ends of the axis: from 0 if that costs little, else around what is shown."""
    values = [x for row in rows for f in row.figures for x in (f.low, f.high) if np.isfinite(x)]
    values += [] if par is None else [par]
    low, high = min(values), max(values)
    if whole or low < 0.6 * high:
        low = min(0.0, low)
    margin = 0.06 * (high - low or 1)
    return (low - margin if low else 0.0), high + margin


def chart(rows: Sequence[Row], width: int, name: str, par: float | None = None, bars: bool = False) -> str:
    """Return rows of figures with their intervals: as marks on a line, or as bars from 0."""
    narrow = width == NARROW
    letters = 38 if narrow else 27
    labels = [textwrap.wrap(row.label, letters) or [""] for row in rows]
    lines = [max(1, len(row.figures)) for row in rows]
    tall = [24 * n + 20 * len(t) + 8 if narrow else max(26 * n, 20 * len(t)) + 8 for n, t in zip(lines, labels)]
    left, right = (6, width - 172) if narrow else (222, width - 206)
    low, high = scale(rows, par, bars)

    def at(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (right - left)

    height = sum(tall) + 8
    with canvas(width, height, name) as (figure, done):
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        axes.axis("off")
        top = 4.0
        for row, label, n, room in zip(rows, labels, lines, tall):
            y = top
            for k, text in enumerate(label):
                middle = top + room / 2 + (k - (len(label) - 1) / 2) * 19 - 2
                axes.text(0, (y + 10) if narrow else middle, text, va="center_baseline")
                y += 20
            start = y + 12 if narrow else top + room / 2 - 13 * (n - 1) - 2
            if par is not None:
                ends = [start - 12, start + 24 * n - 12] if narrow else [top, top + room]
                axes.plot([at(par)] * 2, ends, color=COLOURS["ink"], lw=1.2, ls=(0, (1.5, 2.5)))
            for k in range(n):
                draw_figure(axes, row.figures[k], start + (24 if narrow else 26) * k, at, (left, right), k, bars)
                axes.text(right + 14, start + (24 if narrow else 26) * k, row.words[k], va="center_baseline")
            top += room
    return done[0]


def draw_figure(
    axes: Any, figure: Estimate, y: float, at: Any, ends: tuple[float, float], series: int, bars: bool
) -> None:
    """Draw one figure with its interval at that height."""
    name, mark = SERIES[series]
    colour = COLOURS[name]
    axes.plot(ends, [y, y], color=COLOURS["faint"], lw=1, zorder=0)
    if bars:
        axes.plot([at(0), at(figure.value)], [y, y], color=colour, lw=11, alpha=0.45, solid_capstyle="butt", zorder=1)
    axes.plot([at(figure.low), at(figure.high)], [y, y], color=colour, lw=3.2, solid_capstyle="round", zorder=2)
    face = COLOURS["paper"] if bars else colour
    axes.plot([at(figure.value)], [y], mark, color=face, mec=colour, mew=2, ms=7.5 if mark == "o" else 6.5, zorder=3)


def histogram(series: Sequence[tuple[Ints, Ints]], width: int, name: str, most: int = 24) -> str:
    """Return how often values occur, one or two series of values and weights by cluster, with whiskers.

    Values and weights are by (cluster, member): the share of a bin is that of its weight.
    """
    values = np.concatenate([v.ravel() for v, _ in series])
    low, high = int(values.min()), int(values.max())
    step = max(1, -(-(high - low + 1) // (most if width == WIDE else most // 2)))
    edges = np.arange(low, high + step + 1, step) - 0.5
    height = 250 if width == WIDE else 220
    with canvas(width, height, name) as (figure, done):
        left, bottom = 40 / width, 34 / height
        axes = figure.add_axes((left, bottom, 1 - left - 8 / width, 1 - bottom - 10 / height))
        axes.patch.set_alpha(0)
        for (members, weights), (colour, _) in zip(series, SERIES):
            found = [
                share((weights * ((members > a) & (members < b))).sum(axis=1), weights.sum(axis=1))
                for a, b in pairwise(edges)
            ]
            draw_bins(axes, edges, [f.times(100) for f in found], COLOURS[colour])
        axes.set_xlim(edges[0], edges[-1])
        axes.set_ylim(0)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(length=0, pad=6)
        axes.grid(axis="y", color=COLOURS["faint"], lw=1)
        axes.set_axisbelow(True)
        axes.locator_params(axis="x", nbins=8 if width == WIDE else 5, integer=True)
        axes.locator_params(axis="y", nbins=4)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    return done[0]


def draw_bins(axes: Any, edges: Ints, found: Sequence[Estimate], colour: str) -> None:
    """Draw the bins of one series with the interval of each."""
    heights = np.array([f.value for f in found])
    axes.stairs(heights, edges, color=colour, alpha=0.28, fill=True)
    axes.stairs(heights, edges, color=colour, lw=1.6)
    middles = (edges[:-1] + edges[1:]) / 2
    for x, f in zip(middles, found):
        if f.value > 0:
            axes.plot([x, x], [f.low, f.high], color=colour, lw=2.2, solid_capstyle="round")
