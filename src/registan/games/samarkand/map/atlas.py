"""Drawing a board as one self-contained SVG, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from zlib import crc32

from registan.games.samarkand.map import borders, ornament
from registan.games.samarkand.map.board import Board, Family, Good, Space
from registan.games.samarkand.map.labels import Placed, Row, broken, place, text_width
from registan.games.samarkand.map.ornament import INK, PAPER
from registan.games.samarkand.map.outline import Point, fits
from registan.games.samarkand.map.stats import Stats, stats
from registan.games.samarkand.map.svg_tags import Style, number, tag
from registan.games.samarkand.map.symbols import SYMBOLS

__all__ = ["Stats", "stats", "svg"]

FONT = "'Cormorant Garamond', 'EB Garamond', 'Palatino Linotype', Palatino, P052, 'Book Antiqua', Georgia, serif"
SAND, UMBER, SHORE = "#efdcab", "#a8804a", "#8fd0cd"
SEA, DEEP, FOAM = "#2f7199", "#235880", "#eaf4ef"
BRASS, COIN, WHITE = "#a97b28", "#f0cf7a", "#ffffff"

# On a board a thousand units wide: the smallest letters, and how far a label may be from its centre.
SMALLEST, REACH = 5.5, 20.0


def svg(board: Board, lang: str = "en") -> str:
    """Return a picture of a board: spaces, names, goods, families by colour and symbol, water."""
    return Drawing(board, lang).svg()


def mixed(colour: str, other: str, part: float) -> str:
    """Return a colour mixed with a part of another."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def bright(colour: str) -> bool:
    """Whether dark text is more readable than light text on this colour."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.30 * r + 0.59 * g + 0.11 * b > 150


def path(*spaces: Space) -> str:
    """Return the outlines of spaces as path data."""
    rings = ("L".join(f"{number(x)} {number(y)}" for x, y in space.outline) for space in spaces)
    return "".join(f"M{ring}Z" for ring in rings)


class Drawing:
    """A board being drawn. Lengths are multiples of `unit`, a thousandth of the board's larger side."""

    band, edge = 20.0, 6.0
    """The width of the tiled frame, and of the dark edge around it."""

    def __init__(self, board: Board, lang: str) -> None:
        self.board, self.lang = board, lang
        self.starts = {family.start: family for family in board.families}
        self.goods = {good.space: good for good in board.goods}
        self.water = [space for space in board.spaces if space.kind == "water"]
        self.land = [space for space in board.spaces if space.kind == "land"]
        corners = [corner for space in board.spaces for corner in space.outline]
        self.left, self.top = min(x for x, _ in corners), min(y for _, y in corners)
        self.right, self.bottom = max(x for x, _ in corners), max(y for _, y in corners)
        self.width, self.height = self.right - self.left, self.bottom - self.top
        self.unit = max(self.width, self.height) / 1000

    def frame(self) -> tuple[float, float, float, float]:
        """Return where the drawing begins, its width and its height, frame included."""
        margin = (self.band + self.edge) * self.unit
        return self.left - margin, self.top - margin, self.width + 2 * margin, self.height + 2 * margin

    def svg(self) -> str:
        """Return the whole drawing."""
        x, y, width, height = self.frame()
        return tag(
            "svg",
            tag("title", escape(self.board.name.text(self.lang))),
            self.definitions(),
            tag("rect", x=x, y=y, width=width, height=height, fill=INK),
            *self.seas(),
            *self.lands(),
            *(self.label(space) for space in self.board.spaces),
            self.compass(),
            self.surround(),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=" ".join(number(n) for n in (x, y, width, height)),
            font_family=FONT,
            text_anchor="middle",
            role="img",
            lang=self.lang,
        )

    # The ground

    def definitions(self) -> str:
        """Return patterns, gradients, and clip paths that keep the coloured edge of a start space inside it."""
        u = self.unit
        wave = tag("path", d=f"M0 {number(4 * u)}q{number(4 * u)} {number(-4 * u)} {number(8 * u)} 0t{number(8 * u)} 0")
        waves = wave + tag("g", wave, transform=f"translate({number(17 * u)} {number(9 * u)})")
        lines = tag("g", waves, fill="none", stroke=FOAM, stroke_opacity=0.13, stroke_width=0.9 * u)
        starts = [space for space in self.land if space.key in self.starts]
        return tag(
            "defs",
            ornament.tiles(self.band * u),
            tag("pattern", lines, id="waves", width=34 * u, height=18 * u, patternUnits="userSpaceOnUse"),
            tag(
                "linearGradient",
                tag("stop", stop_color=SEA) + tag("stop", offset=1, stop_color=DEEP),
                id="sea",
                x2=0,
                y2=1,
            ),
            *(tag("clipPath", tag("path", d=path(space)), id=f"in-{i}") for i, space in enumerate(starts)),
        )

    def seas(self) -> list[str]:
        """Return the water: one surface, the shallows along the coasts, and the lines between seas."""
        u = self.unit
        surface = {"x": self.left, "y": self.top, "width": self.width, "height": self.height}
        parts = [tag("rect", **surface, fill="url(#sea)"), tag("rect", **surface, fill="url(#waves)")]
        coasts = borders.drawn(borders.lines(edge for edge, n in borders.edges(self.land).items() if n == 1))
        for width, strength in ((22.0, 0.16), (13.0, 0.2), (6.0, 0.34)):
            shallow: Style = {
                "stroke": SHORE,
                "stroke_opacity": strength,
                "stroke_width": width * u,
                "stroke_linejoin": "round",
            }
            parts.append(tag("path", d=coasts, fill="none", **shallow))
        dots: Style = {"stroke_width": 1.7 * u, "stroke_dasharray": f"0 {number(4.6 * u)}", "stroke_linecap": "round"}
        straits = borders.lines(edge for edge, n in borders.edges(self.water).items() if n > 1)
        parts.append(tag("path", d=borders.drawn(straits), fill="none", stroke=FOAM, **dots))
        return parts

    def lands(self) -> list[str]:
        """Return the land: paper for plain spaces, sand for goods, the family's colour around the edge of its start."""
        u = self.unit
        parts: list[str] = []
        edges: list[str] = []
        for space in self.land:
            family = self.starts.get(space.key)
            ground = SAND if space.key in self.goods else PAPER
            if family:
                ground = mixed(PAPER, family.colour, 0.34)
                # An edge as pale as the paper would be invisible.
                colour = WHITE if min(family.colour.lower()[1::2]) == "f" else family.colour
                clip = f"url(#in-{len(edges)})"
                edge: Style = {
                    "stroke": colour,
                    "stroke_width": 9 * u,
                    "stroke_opacity": 0.85,
                    "stroke_linejoin": "round",
                }
                edges.append(tag("path", d=path(space), fill="none", clip_path=clip, **edge))
            # Neighbours differ slightly, as if painted.
            parts.append(tag("path", d=path(space), fill=mixed(ground, UMBER, crc32(space.key.encode()) % 5 * 0.018)))
        # In several paths: a browser that paints a part of the map leaves out those that lie elsewhere.
        lines = [borders.drawn(group) for group in borders.near(borders.lines(borders.edges(self.land)), 200 * u)]
        for colour, width, strength in ((PAPER, 2.6, 0.5), (INK, 1.1, 0.85)):
            line: Style = {
                "stroke": colour,
                "stroke_width": width * u,
                "stroke_opacity": strength,
                "stroke_linejoin": "round",
                "stroke_linecap": "round",
            }
            edges += (tag("path", d=some, fill="none", **line) for some in lines)
        return parts + edges

    # What is written on it

    def label(self, space: Space) -> str:
        """Return the contents of a space."""
        if space.kind == "water":
            return self.sea(space)
        if family := self.starts.get(space.key):
            return self.start(space, family)
        if good := self.goods.get(space.key):
            return self.good(space, good)
        return self.plain(space)

    def fitted(
        self,
        space: Space,
        layouts: list[tuple[Row, ...]],
        most: float,
        edge: float = 2.5,
        slants: Sequence[float] = (0.0,),
    ) -> Placed:
        """Return the best label for a space, with letters at most this large."""
        u = self.unit
        return place(space.outline, space.centre, layouts, (SMALLEST * u, most * u), slants, REACH * u, edge * u)

    def sea_label(self, space: Space) -> Placed:
        """Return the position of the name of a sea, slanted if the sea is narrow."""
        layouts = [tuple(Row(f" {line} ") for line in lines) for lines in broken(space.name.text(self.lang))]
        slants = (0.0, -20.0, 20.0, -35.0, 35.0, -45.0, 45.0, -55.0, 55.0, -65.0, 65.0)
        return self.fitted(space, layouts, 17.0, slants=slants)

    def sea(self, space: Space) -> str:
        """Return the name of a sea."""
        label = self.sea_label(space)
        return self.rows(label, DEEP, fill=FOAM, font_style="italic", letter_spacing=label.size * 0.04)

    def plain(self, space: Space) -> str:
        """Return the name of a plain space over a small mark."""
        names = broken(space.name.text(self.lang))
        label = self.fitted(space, [(*map(Row, lines), Row("", before=0.6, height=0.7)) for lines in names], 11.5)
        x, y = label.middle[0], label.bottom - 0.3 * label.size
        r = number(label.size * 0.2)
        mark = f"M{number(x)} {number(y - label.size * 0.2)}l{r} {r}-{r} {r}-{r}-{r}Z"
        return self.rows(label, fill=INK) + tag("path", d=mark, fill=INK, opacity=0.6)

    def good(self, space: Space, good: Good) -> str:
        """Return the name, number and good of a goods space: the number above the good, or before it."""
        ware = good.name.text(self.lang)
        layouts: list[tuple[Row, ...]] = []
        for lines in broken(space.name.text(self.lang)):
            layouts.append((*map(Row, lines), Row("", before=1.9, height=2.1), Row(ware, 0.92, height=1.0)))
            layouts.append((*map(Row, lines), Row(ware, 0.92, before=2.0, height=1.8)))
        label = self.fitted(space, layouts, 11.0)
        last, r = label.rows[-1], label.size * 0.85
        if last.before:
            x, y = label.middle[0] - label.size * (last.width / 2 - 0.85), label.bottom - label.size * last.height / 2
        else:
            x, y = label.middle[0], label.bottom - label.size * (last.height + 1.05)
        disc = self.disc((x, y), r, PAPER, BRASS, r * 0.2) + self.figure((x, y), r * 1.15, str(good.number))
        return self.rows(label, fill=INK, last="italic") + disc

    def start(self, space: Space, family: Family) -> str:
        """Return a family's medallion, its dowry, and the name of its town."""
        names = broken(space.name.text(self.lang))
        layouts = [(Row("", before=3.6, height=2.9), *map(Row, lines)) for lines in names]
        label = self.fitted(space, layouts, 12.0, edge=4.5)
        x, y = label.middle[0], label.middle[1] - label.height / 2 + 1.45 * label.size
        r = label.size * 1.35
        ink = INK if bright(family.colour) else PAPER
        if drawn := SYMBOLS.get(family.symbol):
            k = r * 1.36 / 24
            at = f"translate({number(x - 12 * k)} {number(y - 12 * k)}) scale({k:.4f})"
            sign = tag("g", drawn, transform=at, color=ink)
        else:
            sign = self.figure((x, y), r * 1.2, family.name.text(self.lang)[0], ink)
        coin = (x + r * 1.15, y + r * 0.72)
        return tag(
            "g",
            tag("title", escape(family.name.text(self.lang))),
            self.disc((x, y), r, family.colour, INK, r * 0.09),
            sign,
            self.disc(coin, r * 0.46, COIN, BRASS, r * 0.09),
            self.figure(coin, r * 0.6, str(family.dowry)),
            self.rows(label, fill=INK, font_weight="bold"),
        )

    def disc(self, at: Point, radius: float, fill: str, stroke: str, line: float) -> str:
        """Return a round token."""
        return tag("circle", cx=at[0], cy=at[1], r=radius, fill=fill, stroke=stroke, stroke_width=line)

    def figure(self, at: Point, size: float, said: str, ink: str = INK) -> str:
        """Return a number or a letter, centred at a point."""
        return tag("text", escape(said), x=at[0], y=at[1] + size * 0.34, font_size=size, font_weight="bold", fill=ink)

    def rows(self, label: Placed, halo: str = PAPER, last: str | None = None, **style: str | float) -> str:
        """Return the text of a label; `last` is the font style of its last row."""
        x, y = label.middle[0], label.middle[1] - label.height / 2
        parts = []
        for row in label.rows:
            if row.text:
                size = label.size * row.scale
                at = {"x": x + label.size * row.before / 2, "y": y + label.size * row.height / 2 + size * 0.33}
                slope = last if row is label.rows[-1] else None
                parts.append(tag("text", escape(row.text.strip()), **at, font_size=size, font_style=slope))
            y += label.size * row.height
        turn = f"rotate({number(label.slant)} {number(x)} {number(label.middle[1])})" if label.slant else None
        ring: Style = {
            "stroke": halo,
            "stroke_opacity": 0.75,
            "stroke_width": label.size * 0.24,
            "stroke_linejoin": "round",
        }
        return tag("g", *parts, **style, **ring, paint_order="stroke", transform=turn)

    # Around it

    def surround(self) -> str:
        """Return frame and name plate."""
        u, name = self.unit, self.board.name.text(self.lang)
        size = 15 * u
        x, y = (self.left + self.right) / 2, self.bottom + self.band * u / 2
        plate = ornament.plaque(x, y, name, text_width(name) * size, size)
        return ornament.frame(self.left, self.top, self.right, self.bottom, self.band * u) + plate

    def compass(self) -> str:
        """Return a compass in the widest sea, clear of its name, if there is room."""
        radius = 30 * self.unit
        best, widest = None, radius
        for space in self.water:
            label = self.sea_label(space)
            half = label.size * max(row.width for row in label.rows) / 2
            x0, y0 = min(x for x, _ in space.outline), min(y for _, y in space.outline)
            x1, y1 = max(x for x, _ in space.outline), max(y for _, y in space.outline)
            for i in range(1, 30):
                for j in range(1, 30):
                    at = (x0 + (x1 - x0) * i / 30, y0 + (y1 - y0) * j / 30)
                    # The gaps between compass and name: one of the two must be wide enough.
                    gap = max(abs(at[0] - label.middle[0]) - half, abs(at[1] - label.middle[1]) - label.height / 2)
                    room = min(gap / 1.15, 1.6 * radius)
                    if room > widest and fits(space.outline, at, 2 * room, 2 * room):
                        best, widest = at, room
        return ornament.compass(*best, radius) if best else ""
