"""Charts for a report, written as SVG that takes its colours and fonts from the page.

Every chart is drawn twice, for a wide screen and for a phone, so that its letters are as large as the text around it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import ceil, floor, isfinite, log10
from typing import Protocol

import numpy as np

from registan.core.game import Ints
from registan.core.messages import number
from registan.lab.estimates import Estimate, share

WIDE, NARROW = 660, 320
SERIES = ("lapis", "brass")
"""The colours of the first and the second series; their marks differ too."""
PERCENT = "\N{NO-BREAK SPACE}%"

Limits = tuple[float, float]


class Picture(Protocol):
    """Something that can be drawn, on a scale that it shares with other pictures."""

    def limits(self) -> Limits:
        """Return the ends of the scale that this picture needs."""
        ...

    def draw(self, width: int, lang: str, limits: Limits) -> str:
        """Return the picture as SVG."""
        ...


@dataclass(frozen=True)
class Row:
    """A row of a chart: what it is about, and one figure per series with its text."""

    label: str
    figures: Sequence[Estimate]
    words: Sequence[str]


@dataclass
class Paper:
    """Collects the shapes of a picture."""

    width: float
    height: float
    shapes: list[str] = field(default_factory=list)

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str, thick: float = 1, more: str = "") -> None:
        """Draw a line."""
        place = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
        self.shapes.append(f'<line {place} style="stroke:var(--{colour});stroke-width:{thick:g};{more}"/>')

    def path(self, data: str, style: str) -> None:
        """Draw a path."""
        self.shapes.append(f'<path d="{data}" style="{style}"/>')

    def text(self, x: float, y: float, words: str, anchor: str = "start", colour: str = "ink") -> None:
        """Write words, centred on the height y."""
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
        self.shapes.append(f'<text {place} style="fill:var(--{colour})">{escape(words)}</text>')

    def mark(self, x: float, y: float, series: int, hollow: bool) -> None:
        """Draw the mark of a series."""
        colour = SERIES[series]
        style = f"fill:var(--{'sheet' if hollow else colour});stroke:var(--{colour});stroke-width:2"
        if series == 0:
            self.shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" style="{style}"/>')
        else:
            self.path(f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z", style)

    def svg(self) -> str:
        """Return the picture."""
        shapes = "\n".join(self.shapes)
        return f'<svg viewBox="0 0 {self.width:g} {self.height:g}" aria-hidden="true">\n{shapes}\n</svg>'


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most so many round numbers, evenly spaced, between two values."""
    span = high - low
    size = 10.0 ** floor(log10(span / most))
    step = next(size * f for f in (1, 2, 5, 10, 20) if span / (size * f) <= most)
    return [round(k * step, 10) + 0.0 for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def tick_words(lang: str, values: Sequence[float], unit: str = "") -> list[str]:
    """Return numbers for an axis, grouped, all with the same number of digits."""
    digits = next((d for d in range(4) if all(abs(round(v, d) - v) < 1e-9 for v in values)), 4)
    return [number(lang, value, digits) + unit for value in values]


@dataclass(frozen=True)
class Chart:
    """Rows of figures with their intervals: as marks on a line, or as bars from 0; with an axis below."""

    rows: Sequence[Row]
    par: float | None = None
    bars: bool = False
    unit: str = ""

    def limits(self) -> Limits:
        """Return the ends of the axis: from 0 if that costs little, else around what is shown."""
        values = [x for row in self.rows for f in row.figures for x in (f.low, f.high, f.value) if isfinite(x)]
        values += [] if self.par is None else [self.par]
        low, high = min(values, default=0.0), max(values, default=1.0)
        if self.bars or 0 < low < 0.6 * high:
            low = min(0.0, low)
        margin = 0.06 * (high - low or 1)
        return (low - margin if low else 0.0), high + margin

    def draw(self, width: int, lang: str, limits: Limits) -> str:
        """Return the chart as SVG."""
        narrow = width == NARROW
        labels = [textwrap.wrap(row.label, 38 if narrow else 27) or [""] for row in self.rows]
        lines = [max(1, len(row.figures)) for row in self.rows]
        tall = [24 * n + 20 * len(t) + 8 if narrow else max(26 * n, 20 * len(t)) + 8 for n, t in zip(lines, labels)]
        short = all(len(row.label) <= 14 for row in self.rows)  # two widths only: what is compared stays in line
        left, right = (10.0, width - 172.0) if narrow else (124.0 if short else 222.0, width - 206.0)
        low, high = limits

        def at(value: float) -> float:
            return left + (min(max(value, low), high) - low) / (high - low) * (right - left)

        bottom = sum(tall) + 6
        paper = Paper(width, bottom + 26)
        places = ticks(low, high, 3 if narrow else 5)
        for value, words in zip(places, tick_words(lang, places, self.unit)):
            paper.line(at(value), 0, at(value), bottom, "faint")
            paper.text(at(value), bottom + 15, words, "middle", "soft")
        paper.line(left, bottom, right, bottom, "soft")
        if self.par is not None:
            paper.line(at(self.par), 0, at(self.par), bottom, "ink", 1.4, "stroke-dasharray:2 3")
        top = 4.0
        for row, label, n, room in zip(self.rows, labels, lines, tall):
            for k, text in enumerate(label):
                middle = top + room / 2 + (k - (len(label) - 1) / 2) * 19 - 2
                paper.text(0, top + 10 + 20 * k if narrow else middle, text)
            start = top + 20 * len(label) + 12 if narrow else top + room / 2 - 13 * (n - 1) - 2
            for k, figure in enumerate(row.figures):
                y = start + (24 if narrow else 26) * k
                self._figure(paper, figure, y, at, k)
                paper.text(right + 14, y, row.words[k])
            top += room
        return paper.svg()

    def _figure(self, paper: Paper, figure: Estimate, y: float, at: Callable[[float], float], series: int) -> None:
        if not isfinite(figure.value):
            return
        colour = SERIES[series]
        if self.bars:
            paper.line(at(0), y, at(figure.value), y, colour, 11, "opacity:0.45")
        paper.line(at(figure.low), y, at(figure.high), y, colour, 3.2, "stroke-linecap:round")
        paper.mark(at(figure.value), y, series, self.bars)


@dataclass(frozen=True)
class Histogram:
    """How often values occur: one or two series of values and weights by (cluster, member), with whiskers.

    The share of a bin is that of its weight. `across` and `up` name the axes.
    """

    series: Sequence[tuple[Ints, Ints]]
    across: str
    up: str
    unit: str = ""

    def limits(self) -> Limits:
        """Return the least and the greatest value."""
        values = np.concatenate([v.ravel() for v, _ in self.series])
        return float(values.min()), float(values.max())

    def draw(self, width: int, lang: str, limits: Limits) -> str:
        """Return the histogram as SVG."""
        first, last = floor(limits[0]), ceil(limits[1])
        step = max(1, -(-(last - first + 1) // (24 if width == WIDE else 12)))
        edges = np.arange(first, last + step + 1, step) - 0.5
        if len(edges) < 2:
            edges = np.array([first - 0.5, first + 0.5])
        found = [[self._bin(*one, a, b) for a, b in pairwise(edges)] for one in self.series]
        most = max(f.high if f.value > 0 else 0 for one in found for f in one) or 1
        left, right, top, bottom = 56.0, width - 8.0, 30.0, (250.0 if width == WIDE else 220.0)
        paper = Paper(width, bottom + 48)

        def x(value: float) -> float:
            return left + float((value - edges[0]) / (edges[-1] - edges[0])) * (right - left)

        def y(value: float) -> float:
            return bottom - value / most * (bottom - top)

        heights = ticks(0, most, 5)
        for value, words in zip(heights, tick_words(lang, heights, PERCENT)):
            paper.line(left, y(value), right, y(value), "faint")
            paper.text(left - 6, y(value), words, "end", "soft")
        places = [v for v in ticks(float(edges[0]), float(edges[-1]), 8 if width == WIDE else 5) if v == round(v)]
        for value, words in zip(places, tick_words(lang, places, self.unit)):
            paper.line(x(value), bottom, x(value), bottom + 4, "soft")
            paper.text(x(value), bottom + 15, words, "middle", "soft")
        paper.line(left, bottom, right, bottom, "soft")
        paper.text(0, 10, self.up, colour="soft")
        paper.text(right, bottom + 38, self.across, "end", "soft")
        for colour, bins in zip(SERIES, found):
            steps = "".join(f"V{y(f.value):.1f}H{x(b):.1f}" for f, b in zip(bins, edges[1:]))
            outline = f"M{x(edges[0]):.1f} {bottom:.1f}{steps}V{bottom:.1f}"
            paper.path(outline, f"fill:var(--{colour});fill-opacity:0.28;stroke:var(--{colour});stroke-width:1.6")
            for (a, b), f in zip(pairwise(edges), bins):
                if f.value > 0:
                    middle = x((a + b) / 2)
                    paper.line(middle, y(f.low), middle, y(f.high), colour, 2.2, "stroke-linecap:round")
        return paper.svg()

    def _bin(self, members: Ints, weights: Ints, low: float, high: float) -> Estimate:
        inside = weights * ((members > low) & (members < high))
        return share(inside.sum(axis=1), weights.sum(axis=1)).times(100)


@dataclass(frozen=True)
class Drawn:
    """A picture that a game draws itself; it has no scale to share."""

    svg: str

    def limits(self) -> Limits:
        """Return any scale."""
        return 0.0, 1.0

    def draw(self, width: int, lang: str, limits: Limits) -> str:
        """Return the picture; it fits every width."""
        return self.svg


def shared(pictures: Sequence[Picture]) -> Limits:
    """Return a scale on which all of these can be drawn."""
    ends = [picture.limits() for picture in pictures]
    return min(low for low, _ in ends), max(high for _, high in ends)
