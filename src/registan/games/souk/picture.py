"""The souk: a simple picture of the market, made from a view."""

from __future__ import annotations

from registan.core.game import Box, Json
from registan.core.picture import INK, circle, rect, svg, text

CELL = 120


def draw(box: Box, view: Json) -> str:
    """Return the price, what is for sale, and what everybody is known to have."""
    price = view["price"] or "–"
    parts = [
        text(20, 34, f"Round {view['round']} of {view['rounds']}", 20, start=True),
        circle(420, 40, 28, "#f0cf7a"),
        text(420, 48, price, 24),
        text(470, 46, f"camels in the pile: {view['camels_left']}", start=True),
    ]
    for i, offer in enumerate(view["for_sale"]):
        kind, value = offer["item"]
        seller = "bank" if offer["seller"] is None else f"seat {offer['seller']}"
        x = 20 + CELL * i
        parts += [
            rect(x, 84, CELL - 12, 96, "#fffdf5", INK),
            text(x + 54, 128, value, 30),
            text(x + 54, 152, kind, 14),
            text(x + 54, 172, seller, 12),
        ]
    if view["camel"]:
        x = 20 + CELL * len(view["for_sale"])
        parts += [rect(x, 84, CELL - 12, 96, "#efdcab", INK), text(x + 54, 128, view["camel"], 30)]
        parts.append(text(x + 54, 152, "camel", 14))
    for seat, shown in enumerate(view["seats"]):
        y = 220 + 50 * seat
        asked = "▸ " if seat in view["waiting"] else ""
        doyen = " (doyen)" if seat == view["doyen"] else ""
        parts.append(text(20, y, f"{asked}seat {seat}: {shown['type']}{doyen}", 16, start=True))
        goods = shown["goods"]
        bought = len(goods) if isinstance(goods, list) else goods
        camels = shown["camels"]
        led = len(camels) if isinstance(camels, list) else camels
        dirhams = "" if shown["dirhams"] is None else f", {shown['dirhams']} dirhams"
        words = f"{shown['cards']} cards left to sell, {bought} goods, {led} camels{dirhams}"
        parts.append(text(20, y + 20, words, 13, start=True))
        if isinstance(goods, list):
            parts += [
                text(430 + 74 * i, y + 20, f"{kind} {value}", 11, start=True)
                for i, (kind, value) in enumerate(goods[:5])
            ]
    return svg(20 + CELL * 6 + 60, 240 + 50 * view["players"], *parts)
