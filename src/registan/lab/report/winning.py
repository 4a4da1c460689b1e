"""What goes with winning: for each game the questions one would ask, answered from samples.

A question has rows; a row says how much of something every seat had, and its figure is the share of wins that went
with it: of all who held the card, of all purchases at that price, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from registan.core.game import Box, Ints
from registan.core.messages import say
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.state import COUNTER
from registan.games.samarkand.state import FAMILIES, GOODS
from registan.games.souk.state import CAPACITIES, CARDS, STALLS, VALUES
from registan.lab.sample import Sample
from registan.lab.tallies import CAMELS_AT, CAMELS_BOUGHT, GOODS_AT, HOME, STOPS, VALUES_BOUGHT

FEW = 30
"""A row that fewer games have anything of is left out: its interval would say nothing."""


@dataclass(frozen=True)
class Question:
    """Something that may go with winning: rows of labels and what every seat had, by (game, seat)."""

    key: str
    rows: list[tuple[str, Ints]]
    ranked: bool = True
    """Whether the rows are shown by their share of wins, or in the order they have."""


def questions(key: str, box: Box, sample: Sample, players: int, lang: str) -> list[Question]:
    """Return the questions that a game raises."""
    ask: dict[str, Callable[[Box, Sample, int, str], Iterator[Question]]] = {
        "samarkand": samarkand,
        "khiva": khiva,
        "souk": souk,
    }
    found = []
    for question in ask[key](box, sample, players, lang):
        rows = [(label, had) for label, had in question.rows if np.count_nonzero(had.any(axis=1)) >= FEW]
        if len(rows) > 1:
            found.append(Question(question.key, rows, question.ranked))
    return found


def members(sets: Ints, n: int) -> Ints:
    """Return which of n members sets have, as a further axis."""
    return (sets[..., None].astype(np.int64) >> np.arange(n)) & 1


def samarkand(box: Box, sample: Sample, players: int, lang: str) -> Iterator[Question]:
    """Which families, which goods in hand, which goods sold."""
    board = box.names.board
    states = sample.states
    families = members(states["tiles"][:, :players], FAMILIES)
    names = [f"{family.name.text(lang)} ({family.dowry})" for family in board.families]
    yield Question("samarkand.families", [(name, families[:, :, i]) for i, name in enumerate(names)])
    married = families.sum(axis=2)
    most = int(married.max())
    counts = [(say(lang, "lab.families", n=n), married == n) for n in range(most + 1)]
    yield Question("samarkand.marriages", counts, ranked=False)
    hands = members(states["hand"][:, :players], GOODS)
    goods = [f"{good.name.text(lang)} ({good.number})" for good in board.goods]
    yield Question("samarkand.goods", [(name, hands[:, :, i]) for i, name in enumerate(goods)])
    sold = members(states["sold"][:, :players], GOODS).sum(axis=2)
    rows = [(say(lang, "lab.cards", n=n), sold == n) for n in range(int(sold.max()) + 1)]
    yield Question("samarkand.sold", rows, ranked=False)


def khiva(box: Box, sample: Sample, players: int, lang: str) -> Iterator[Question]:
    """Which camels brought home, which shops, how many sacks of salt."""
    tally = sample.tally[:, :players]
    camels = [say(lang, f"khiva.camel.{name}") for name in COLOUR_NAMES]
    yield Question("khiva.camels", [(name, tally[:, :, HOME + i]) for i, name in enumerate(camels)])
    shops = [say(lang, "lab.shop", n=i + 1) for i in range(COUNTER - 1)] + [say(lang, "lab.counter")]
    yield Question("khiva.shops", [(name, tally[:, :, STOPS + i]) for i, name in enumerate(shops)], ranked=False)
    salt = members(sample.states["salt"][:, :players], 5).sum(axis=2)
    rows = [(say(lang, "lab.sacks", n=n), salt == n) for n in range(6)]
    yield Question("khiva.salt", rows, ranked=False)


def souk(box: Box, sample: Sample, players: int, lang: str) -> Iterator[Question]:
    """What is bought at which price, which goods, which camels and how many, of how many types."""
    tally = sample.tally[:, :players]
    prices = range(1, int(box.record.highest_price) + 1)
    for key, place in (("souk.prices", GOODS_AT), ("souk.camel_prices", CAMELS_AT)):
        rows = [(say(lang, "lab.dirhams", n=price), tally[:, :, place + price]) for price in prices]
        yield Question(key, rows, ranked=False)
    values = [(say(lang, "lab.value", n=v), tally[:, :, VALUES_BOUGHT + v]) for v in range(1, VALUES)]
    yield Question("souk.values", values, ranked=False)
    sizes = [(say(lang, "lab.capacity", n=c), tally[:, :, CAMELS_BOUGHT + c]) for c in range(1, CAPACITIES)]
    yield Question("souk.capacities", sizes, ranked=False)
    camels = sample.states["held"][:, :players].sum(axis=2)
    held = [(say(lang, "lab.camels", n=n), camels == n) for n in range(int(camels.max()) + 1)]
    yield Question("souk.camels", held, ranked=False)
    goods = members(sample.states["goods"][:, :players], STALLS * CARDS)
    types = goods.reshape(len(goods), players, STALLS, CARDS).any(axis=3).sum(axis=2)
    rows = [(say(lang, "lab.types", n=n), types == n) for n in range(STALLS)]
    yield Question("souk.types", rows, ranked=False)
