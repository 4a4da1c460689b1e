"""How a training run went: what each comparison found, and its picture."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

from registan.core.errors import BadInput
from registan.core.messages import number, say
from registan.lab.estimates import Estimate
from registan.lab.report.pictures import tick_words, ticks

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 40, 44


@dataclass(frozen=True)
class Point:
    """What a comparison found after some rounds: wins against greedy bots, and against the checkpoint before."""

    rounds: int
    minutes: float
    games: int
    samples: int
    error: float
    greedy: Estimate
    before: Estimate | None = None

    def line(self) -> str:
        """Return it as a line of JSON."""
        return json.dumps({name: value for name, value in asdict(self).items() if value is not None})


def read_points(path: Path) -> list[Point]:
    """Return what was found so far."""
    found = []
    try:
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            values = json.loads(line)
            for name in ("greedy", "before"):
                if name in values:
                    values[name] = Estimate(**values[name])
            found.append(Point(**values))
    except (OSError, ValueError, TypeError) as error:
        raise BadInput("lab.train.broken", file=path, why=str(error)) from None
    return found


def curve(points: list[Point], par: float, title: str, lang: str) -> str:
    """Return the wins against greedy bots over time, with their intervals, as SVG that stands alone."""
    last = max((point.minutes for point in points), default=0.0) or 1.0
    top = max([0.5, par * 1.5, *(point.greedy.high for point in points)])

    def x(minutes: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * minutes / last

    def y(wins: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * wins / top

    shapes = [
        f'<line x1="{LEFT}" y1="{y(v):.1f}" x2="{WIDTH - RIGHT}" y2="{y(v):.1f}" class="grid"/>'
        f'<text x="{LEFT - 8}" y="{y(v):.1f}" text-anchor="end" dy="4">{number(lang, 100 * v)} %</text>'
        for v in ticks(0.0, top, 8)
    ]
    minutes = ticks(0.0, last, 8)
    shapes += [
        f'<text x="{x(v):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{words}</text>'
        for v, words in zip(minutes, tick_words(lang, minutes))
    ]
    shapes.append(f'<line x1="{LEFT}" y1="{y(par):.1f}" x2="{WIDTH - RIGHT}" y2="{y(par):.1f}" class="par"/>')
    for point in points:
        at = f"{x(point.minutes):.1f}"
        low, high = y(point.greedy.low), y(point.greedy.high)
        shapes.append(f'<line x1="{at}" y1="{low:.1f}" x2="{at}" y2="{high:.1f}" class="sure"/>')
        shapes.append(f'<circle cx="{at}" cy="{y(point.greedy.value):.1f}" r="3"/>')
    if len(points) > 1:
        path = " ".join(f"{x(point.minutes):.1f},{y(point.greedy.value):.1f}" for point in points)
        shapes.append(f'<polyline points="{path}"/>')
    words = escape(say(lang, "lab.train.curve", par=number(lang, 100 * par)))
    style = (
        "text{font:13px sans-serif;fill:#333}.title{font-weight:bold}.grid{stroke:#ddd}.par{stroke:#777;"
        "stroke-dasharray:5 4}.sure{stroke:#9bb4d8;stroke-width:3}circle{fill:#1f4e9b}"
        "polyline{fill:none;stroke:#1f4e9b;stroke-width:1.5}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{words}">\n'
        f'<style>{style}</style>\n<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n'
        f'<text x="{LEFT}" y="22" class="title">{escape(title)}</text>\n'
        + "\n".join(shapes)
        + f'\n<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{words}</text>\n</svg>\n'
    )
