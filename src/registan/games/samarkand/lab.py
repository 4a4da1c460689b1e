"""Samarkand in the lab: which questions a report asks. The last state of a game answers all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from registan.core.game import Box, Ints
from registan.core.messages import say
from registan.games.samarkand.state import DROP, END, FAMILIES, GOODS, KEEP, PASS, PLACE, SELL
from registan.lab.report.winning import Question, members
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
