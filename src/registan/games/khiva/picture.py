"""Khiva: a simple picture of the table, made from a view."""

from __future__ import annotations

from registan.core.game import Box, Json
from registan.core.picture import INK, LINE, circle, rect, svg, text
from registan.games.khiva.box import COLOUR_NAMES

COLOURS = {"white": "#fdfaf0", "blue": "#4a7fc1", "green": "#5b9a5b", "pink": "#e08fb0", "black": "#4a454d"}
CELL, TALL, LEFT, TOP = 96, 74, 210, 96


def ink_on(colour: str) -> str:
    """Return a colour for letters on a camel or a card."""
    return "#ffffff" if colour in ("blue", "green", "black") else INK


def camel(view: Json, colour: str, x: float, y: float) -> str:
    """Return a camel with its teapot; a ring marks the active one."""
    ring = circle(x, y, 23, "none", "#c0272d") if view["camel"] == colour else ""
    teapot = view["camels"][colour]["teapot"] or ""
    return ring + circle(x, y, 18, COLOURS[colour]) + text(x, y + 6, teapot, 17, ink_on(colour))


def card(name: str, x: float, y: float) -> str:
    """Return a card."""
    colour, value = name.split("-")
    return rect(x, y, 26, 34, COLOURS[colour], INK, 4) + text(x + 13, y + 23, value, 15, ink_on(colour))


def draw(box: Box, view: Json) -> str:
    """Return the paths with their camels, what everybody has, the piles and the hand."""
    piles, players = view["piles"], view["players"]
    gems = view["shop_gems"]
    names = (f"{gems['1']} gem", "carpet", f"{gems['3']} gems", "salt")
    parts = [
        text(20, 34, f"Khiva: deal {view['deal']}, turn {view['turn']}", 20, start=True),
        text(
            20,
            60,
            f"teapots {piles['teapots']}   carpets {piles['carpets']} (top: {piles['top_carpet'] or 'covered'})   "
            f"salt {' '.join(map(str, piles['salt']))}",
            start=True,
        ),
    ]
    parts += [text(LEFT + CELL * (i + 0.5), TOP - 8, name, 13) for i, name in enumerate(names)]
    parts.append(text(LEFT + CELL * 4.5, TOP - 8, "counter", 13))
    home = [colour for colour in COLOUR_NAMES if view["camels"][colour]["place"] is None]
    for seat in range(players):
        y, shown = TOP + TALL * seat, view["seats"][seat]
        asked = "▸ " if seat in view["waiting"] else ""
        parts.append(text(20, y + 26, f"{asked}seat {seat}", 16, start=True))
        points = "" if shown["points"] is None else f", {shown['points']} points"
        parts.append(text(20, y + 46, f"{shown['gems']} gems, {shown['cards']} cards{points}", 12, start=True))
        for shop in range(5):
            fill = "#efdcab" if shop == 4 else "#fffdf5"
            parts.append(rect(LEFT + CELL * shop, y + 4, CELL - 6, TALL - 8, fill))
        for colour in COLOUR_NAMES:
            place = view["camels"][colour]["place"]
            if place is not None and place[0] == seat:
                parts.append(camel(view, colour, LEFT + CELL * (place[1] - 0.5) - 3, y + TALL / 2))
        right = LEFT + CELL * 5 + 8
        parts += [card(name, right + 30 * i, y + 18) for i, name in enumerate(shown["played"])]
        waiting = ", ".join(str(carpet[0]) for carpet in shown["undelivered"])
        if waiting:
            parts.append(text(right + 70, y + 40, f"carpets: {waiting}", 12, start=True))
    below = TOP + TALL * players + 18
    parts.append(rect(20, below, 330, 60, "#fffdf5", LINE))
    parts.append(text(30, below + 35, "Khiva", 15, start=True))
    parts += [camel(view, colour, 105 + 50 * i, below + 30) for i, colour in enumerate(home)]
    hand = view["hand"] or []
    parts += [card(name, 380 + 32 * i, below + 13) for i, name in enumerate(hand)]
    return svg(LEFT + CELL * 5 + 240, below + 80, *parts)
