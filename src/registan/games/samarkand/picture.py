"""Samarkand: a picture of the map with its camels and what everybody has, made from a view."""

from __future__ import annotations

from functools import lru_cache

from registan.core.game import Box, Json
from registan.core.picture import FONT, INK, PAPER, circle, rect, text
from registan.games.samarkand.map.atlas import Drawing, bright
from registan.games.samarkand.map.board import Board

LINE = 26.0
"""The height of a line of text on a board a thousand units wide."""


@lru_cache(maxsize=4)
def _ground(board: Board) -> tuple[str, Drawing]:
    """Return the map without camels, and how it was drawn."""
    drawing = Drawing(board, "en")
    return drawing.svg(), drawing


def draw(box: Box, view: Json) -> str:
    """Return the map, a coin for each camel, and a line for each seat."""
    board: Board = box.names.board
    ground, drawing = _ground(board)
    unit = drawing.unit
    families = {family.key: family for family in board.families}
    places = {space.key: space.centre for space in board.spaces}
    parts = []
    for space, here in view["camels"].items():
        x, y = places[space]
        for i, key in enumerate(here):
            colour = families[key].colour
            at = x + (i - (len(here) - 1) / 2) * 17 * unit
            parts.append(circle(at, y, 9 * unit, colour))
            ink = INK if bright(colour) else PAPER
            parts.append(text(at, y + 4 * unit, key[0].upper(), 11 * unit, ink))
    left, top = drawing.left, drawing.bottom + 60 * unit
    tall = LINE * unit * view["players"]
    parts.append(rect(left, top - 30 * unit, drawing.width, tall + 16 * unit, PAPER, round_=4 * unit))
    for seat, shown in enumerate(view["seats"]):
        tiles = f"; {', '.join(shown['tiles'])}" if shown["tiles"] else ""
        asked = "▸ " if seat in view["waiting"] else ""
        money = "" if shown["dirhams"] is None else f"{shown['dirhams']} dirhams, "
        words = f"{money}{shown['cards']} cards, {shown['goods']} goods, {shown['relations']} markers{tiles}"
        line = text(left + 14 * unit, top + LINE * unit * seat, f"{asked}seat {seat}: {words}", 17 * unit, start=True)
        parts.append(line)
    head, _, body = ground.partition(">")
    frame = head.split('viewBox="')[1].split('"')[0]
    x, y, width, height = (float(n) for n in frame.split())
    grown = height + tall + 40 * unit
    head = head.replace(frame, f"{x:g} {y:g} {width:g} {grown:g}")
    size = f'width="1000" height="{1000 * grown / width:g}"'
    above = f'<g font-family="{FONT}">{"".join(parts)}</g>'
    return f"{head} {size}>{body.removesuffix('</svg>')}{above}</svg>"
