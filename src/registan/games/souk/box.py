"""Le Marché de Samarkand: what is in the box, from a TOML file."""

from __future__ import annotations

import numpy as np

from registan.core.box import BoxFile
from registan.core.game import Box, Record
from registan.games.souk.state import BOX, CAMELS, CARDS, HARMONY

TYPE_NAMES = ("fruit", "jewels", "spices", "carpets", "clothes")


def load(data: bytes, name: str) -> Box:
    """Read and check the bytes of a box file; raise BadBox with the line of the first fault."""
    file = BoxFile(data, name)
    file.only(
        "key",
        "types",
        "values",
        "camels",
        "dirhams",
        "highest_price",
        "fine",
        "riches_of_3",
        "riches",
        "harmony_table",
        "harmony_example",
        "empty",
    )
    if file.get("types") != list(TYPE_NAMES):
        raise file.wrong("types", "order", order=", ".join(TYPE_NAMES))
    box: Record = np.zeros((), BOX)[()]
    box.values[:] = sorted(file.numbers("values", 1, 9, CARDS, CARDS))
    camels = file.numbers("camels", 1, 9, 1, CAMELS)
    box.camels[: len(camels)] = sorted(camels)
    box.camel_count = len(camels)
    box.dirhams[3:] = file.numbers("dirhams", 0, 99, 3, 3)
    box.highest_price = file.number("highest_price", 1, 99)
    box.fine = file.number("fine", 0, 99)
    for players in (3, 4, 5):
        points = file.numbers("riches_of_3" if players == 3 else "riches", 0, 99, 1, players)
        box.riches[players, : len(points)] = points
    for row, key in enumerate(("harmony_table", "harmony_example")):
        box.harmony[row, 2:] = file.numbers(key, 0, 99, HARMONY - 2, HARMONY - 2)
    box.empty = file.number("empty", 0, 99)
    return Box(file.key(), file.sha256, box)
