"""Khiva: what is in the box, from a TOML file."""

from __future__ import annotations

from registan.core.box import BoxFile, blank
from registan.core.game import Box
from registan.games.khiva.state import BOX, COLOURS, SACKS, TEAPOTS, VALUES

COLOUR_NAMES = ("white", "blue", "green", "pink", "black")


def load(data: bytes, name: str) -> Box:
    """Read and check the bytes of a box file; raise BadBox with the line of the first fault."""
    file = BoxFile(data, name)
    file.only("key", "camels", "icons", "teapots", "carpets", "salt", "shop_1_gems", "shop_3_gems", "salt_price")
    if file.get("camels") != list(COLOUR_NAMES):
        raise file.wrong("camels", "order", order=", ".join(COLOUR_NAMES))
    box = blank(BOX)
    box.icons[:] = file.numbers("icons", 0, 4, VALUES, VALUES)
    teapots = file.numbers("teapots", 1, 9, COLOURS + 1, TEAPOTS)
    box.teapots[: len(teapots)] = teapots
    box.teapot_count = len(teapots)
    box.carpets[:] = file.numbers("carpets", 1, 20, 3, 3)
    box.salt[:] = file.numbers("salt", 1, 20, SACKS, SACKS)
    box.shop_1_gems = file.number("shop_1_gems", 0, 9)
    box.shop_3_gems = file.number("shop_3_gems", 0, 9)
    box.salt_price = file.number("salt_price", 0, 9)
    return Box(file.key(), file.sha256, box)
