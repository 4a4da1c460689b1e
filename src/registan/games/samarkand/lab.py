"""Samarkand in the lab: which questions a report asks. The last state of a game answers all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from registan.core.game import Box, Ints
from registan.core.messages import number, say
from registan.games.samarkand.state import DROP, END, FAMILIES, GOODS, KEEP, PASS, PLACE, SELL, WORD
from registan.lab.report.winning import Heat, Question, members
from registan.lab.sample import Sample

KINDS = ("marry", "place", "end", "pass", "sell", "keep", "discard")
"""The kinds of moves that a report counts."""


def kinds(actions: Ints) -> Ints:
    """Return the kind of each action, as an index of KINDS."""
    return np.searchsorted([PLACE, END, PASS, SELL, KEEP, DROP], actions, side="right")


def questions(box: Box, sample: Sample, players: int, lang: str) -> Iterator[Question]:
    """Which families, which goods in hand, which goods sold."""
    board = box.names.board
    states = sample.states
    families = members(states["tiles"][:, :players], FAMILIES)
    names = [f"{family.name.text(lang)} ({family.dowry})" for family in board.families]
    yield Question("samarkand.families", [(name, families[:, :, i]) for i, name in enumerate(names)])
    married = families.sum(axis=2)
    most = int(married.max())
    counts = [(say(lang, "samarkand.lab.families", n=n), married == n) for n in range(most + 1)]
    yield Question("samarkand.marriages", counts, ranked=False)
    hands = members(states["hand"][:, :players], GOODS)
    goods = [f"{good.name.text(lang)} ({good.number})" for good in board.goods]
    yield Question("samarkand.goods", [(name, hands[:, :, i]) for i, name in enumerate(goods)])
    sold = members(states["sold"][:, :players], GOODS).sum(axis=2)
    rows = [(say(lang, "samarkand.lab.cards", n=n), sold == n) for n in range(int(sold.max()) + 1)]
    yield Question("samarkand.sold", rows, ranked=False)


def maps(box: Box, sample: Sample, lang: str) -> Iterator[Heat]:
    """In how many games a camel stands on each space at the end; where families start, one always does."""
    spaces = box.names.board.spaces
    starts = {family.start for family in box.names.board.families}
    routes = sample.states["route"].astype(np.int64)  # [game, family, word]
    reached = np.bitwise_or.reduce(routes, axis=1)
    here = [(reached[:, i // WORD] >> (i % WORD)) & 1 for i in range(len(spaces))]
    places = [(space.name.text(lang), there) for space, there in zip(spaces, here) if space.key not in starts]
    yield Heat("samarkand.map", _heat(box, [float(there.mean()) for there in here], lang), places)


def _heat(box: Box, shares: list[float], lang: str) -> str:
    """Return the board with every space in the colour of its share and, where there is room, its share in per cent."""
    spaces = box.names.board.spaces
    xs, ys = zip(*(point for space in spaces for point in space.outline))
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    unit = width / 660  # about a pixel on a wide screen
    shapes = []
    for space, share in zip(spaces, shares):
        points = " ".join(f"{x:g},{y:g}" for x, y in space.outline)
        title = f"<title>{escape(space.name.text(lang))}: {number(lang, 100 * share, 1)} %</title>"
        style = f"fill:{_colour(share)};stroke:var(--soft);stroke-width:{unit:.3g}"
        shapes.append(f'<polygon points="{points}" style="{style}">{title}</polygon>')
        size = min(14 * unit, 0.3 * _area(space.outline) ** 0.5)
        if size > 7 * unit:
            x, y = space.centre
            shapes.append(_words(x, y, f"{100 * share:.0f}", size, "ink"))
    for k in range(5):  # the scale
        x, y = min(xs) + 44 * k * unit, max(ys) + 10 * unit
        place = f'x="{x:.1f}" y="{y:.1f}" width="{44 * unit:.1f}" height="{14 * unit:.1f}"'
        shapes.append(f'<rect class="finer" {place} style="fill:{_colour(k / 4)};stroke:var(--soft)"/>')
        shapes.append(_words(x + 22 * unit, y + 26 * unit, f"{25 * k} %", 13 * unit, "soft"))
    frame = f"{min(xs):g} {min(ys):g} {width:g} {height + 46 * unit:g}"
    return f'<svg viewBox="{frame}" aria-hidden="true">\n' + "\n".join(shapes) + "\n</svg>"


def _colour(share: float) -> str:
    return f"color-mix(in srgb, var(--brass) {100 * share:.0f}%, var(--sheet))"


def _words(x: float, y: float, words: str, size: float, colour: str) -> str:
    """Return words in the middle of a place; phones leave them out, where they would be too small to read."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="middle" dominant-baseline="central"'
    halo = f"paint-order:stroke;stroke:var(--sheet);stroke-width:{size / 4:.2f};stroke-linejoin:round"
    style = f"font-size:{size:.1f}px;fill:var(--{colour});{halo};pointer-events:none"
    return f'<text class="finer" {place} style="{style}">{words}</text>'


def _area(outline: Sequence[tuple[float, float]]) -> float:
    """Return the area of a polygon."""
    turns = zip(outline, [*outline[1:], outline[0]])
    return abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in turns)) / 2
