"""What a browser needs of a board besides the view: spaces, goods, families, and the map drawn in a language."""

from __future__ import annotations

from typing import Any

from registan.core.game import Box
from registan.games.samarkand.map import ornament
from registan.games.samarkand.map.atlas import Drawing
from registan.games.samarkand.map.board import Board, Name, Space
from registan.games.samarkand.map.plots import Plot, afloat, plot
from registan.games.samarkand.map.symbols import SYMBOLS

GOODS, HOME = (42.0, 28.0), (44.0, 34.0)
"""Width and height of the emblems on a board a thousand units wide: of a good, with its number, and of a family."""


class Ground(Drawing):
    """A drawing without letters: the page writes them, as large as the screen needs them.

    Its frame is narrow, because every pixel of a screen counts.
    """

    band, edge = 11.0, 3.0

    def label(self, space: Space) -> str:
        """Return nothing."""
        return ""

    def surround(self) -> str:
        """Return the frame."""
        return ornament.frame(self.left, self.top, self.right, self.bottom, self.band * self.unit)

    def plot(self, space: Space) -> Plot:
        """Return where things are in a space."""
        if space.kind == "water":
            return afloat(space.outline, self.sea_label(space), self.unit)
        size = GOODS if space.key in self.goods else HOME if space.key in self.starts else None
        emblem = (size[0] * self.unit, size[1] * self.unit) if size else None
        return plot(space.outline, space.name.text(self.lang), emblem, self.unit)


def _both(name: Name) -> dict[str, str]:
    return {"en": name.en, "fr": name.fr}


def _at(*numbers: float) -> list[float]:
    return [round(number, 1) for number in numbers]


def _space(space: Space, places: Plot) -> dict[str, Any]:
    label = places.name
    return {
        "key": space.key,
        "name": _both(space.name),
        "kind": space.kind,
        "neighbours": list(space.neighbours),
        "centre": _at(*space.centre),
        "outline": " ".join(f"{x:g},{y:g}" for x, y in space.outline),
        "emblem": _at(*places.emblem) if places.emblem else None,
        "spots": [_at(*at) for at in places.camels],
        "camel": round(places.width, 1),
        "label": {
            "rows": [row.text.strip() for row in label.rows],
            "at": _at(*label.middle),
            "size": round(label.size, 1),
            "slant": label.slant,
        },
    }


def board(box: Box, lang: str) -> dict[str, Any]:
    """Return the board of a box: keys and names, how spaces are connected, and the map drawn in a language."""
    drawn: Board = box.names.board
    ground = Ground(drawn, lang)
    return {
        "key": drawn.key,
        "name": _both(drawn.name),
        "lang": lang,
        "frame": _at(*ground.frame()),
        "unit": round(ground.unit, 4),
        "players": drawn.players,
        "spaces": [_space(space, ground.plot(space)) for space in drawn.spaces],
        "goods": [
            {"number": good.number, "key": good.key, "name": _both(good.name), "space": good.space}
            for good in drawn.goods
        ],
        "families": [
            {
                "key": family.key,
                "name": _both(family.name),
                "colour": family.colour,
                "symbol": family.symbol,
                "start": family.start,
                "dowry": family.dowry,
            }
            for family in drawn.families
        ],
        "symbols": {family.symbol: SYMBOLS.get(family.symbol, "") for family in drawn.families},
        "drawing": ground.svg(),
    }
