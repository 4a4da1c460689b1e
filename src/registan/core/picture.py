"""Pictures of a table as SVG, made from a view: by `picture.py` of a game, otherwise as lines of text."""

from __future__ import annotations

from html import escape
from typing import Any

from registan.core.game import Box, Game, Json

INK, PAPER, LINE = "#3a3640", "#f7f4ea", "#d8cdb0"
FONT = "'Source Sans 3', 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif"
WIDE = 100
"""Letters in a line of text, at most."""


def picture(game: Game, box: Box, view: Json) -> str:
    """Return what a view shows, as SVG."""
    part = game.part("picture")
    return text_picture(game, view) if part is None else str(part.draw(box, view))


def plain_text(game: Game, view: Json) -> str:
    """Return what a view shows, as lines of text."""
    lines = [f"{game.name['en']}: {view['players']} players"]
    if view["waiting"]:
        lines[0] += f", waiting for {', '.join(map(str, view['waiting']))}"
    for name, value in view.items():
        if name in ("game", "players", "waiting", "legal", "brings", "seats") or value in (None, [], {}):
            continue
        if isinstance(value, dict) and all(isinstance(inner, dict) for inner in value.values()):
            lines += [f"{name} {key}: {_words(inner)}" for key, inner in value.items()]
        else:
            lines.append(f"{name}: {_words(value)}")
    lines += [f"seat {seat}: {_words(shown)}" for seat, shown in enumerate(view.get("seats", ()))]
    if view["legal"]:
        lines.append(f"legal: {len(view['legal'])} moves")
    return "\n".join(lines)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(inner)}" for key, inner in value.items() if inner not in (None, [], {}))
    if isinstance(value, list):
        return " ".join(f"[{_words(inner)}]" if isinstance(inner, list | dict) else str(inner) for inner in value)
    return str(value)


def text_picture(game: Game, view: Json) -> str:
    """Return what a view shows as SVG that consists of text."""
    rows = [line[i : i + WIDE] for line in plain_text(game, view).splitlines() for i in range(0, len(line), WIDE)]
    shown = [text(20, 32 + 22 * i, row, size=15, start=True) for i, row in enumerate(rows)]
    return svg(40 + 9 * WIDE, 40 + 22 * len(rows), *shown)


def svg(width: float, height: float, *parts: str) -> str:
    """Return a drawing of that size on paper."""
    ground = rect(0, 0, width, height, PAPER, "none", 0)
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}" role="img">'
    return f"{head}{ground}{''.join(parts)}</svg>"


def rect(x: float, y: float, width: float, height: float, fill: str, line: str = LINE, round_: float = 6) -> str:
    """Return a rectangle."""
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_:g}"'
    return f'<rect {box} fill="{fill}" stroke="{line}"/>'


def circle(x: float, y: float, radius: float, fill: str, line: str = INK) -> str:
    """Return a circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{line}" stroke-width="1.5"/>'


def text(x: float, y: float, words: object, size: float = 14, fill: str = INK, start: bool = False) -> str:
    """Return a line of text around x, or from there on."""
    anchor = "start" if start else "middle"
    where = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {where} fill="{fill}">{escape(str(words))}</text>'
