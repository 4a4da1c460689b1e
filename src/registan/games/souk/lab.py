"""The souk in the lab: what is counted while games are played, and which questions a report asks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Box, Ints, Record
from registan.core.messages import say
from registan.games.souk.state import CAMEL, CAPACITIES, CARDS, NAME, NAMES, STALLS, STOP, VALUES
from registan.lab.report.winning import Question, members
from registan.lab.sample import Sample

PRICES = 100
"""Prices are below this in every box."""
GOODS_AT, CAMELS_AT, VALUES_BOUGHT, CAMELS_BOUGHT = 0, PRICES, 2 * PRICES, 2 * PRICES + VALUES
"""Columns in a seat's tally: by price, by price, by value of the goods and by capacity of the camel."""
WIDTH = CAMELS_BOUGHT + CAPACITIES
"""The number of columns in a seat's tally."""


KINDS = ("wait", "stop", "goods", "camel", "offer")
"""The kinds of moves that a report counts."""


def kinds(actions: Ints) -> Ints:
    """Return the kind of each action, as an index of KINDS."""
    return np.searchsorted([STOP, NAME, CAMEL, CAMEL + 1], actions, side="right")


@compiled
def note(box: Record, s: Record, before: Record, seat: int, tally: Ints) -> None:
    """Count what everybody bought when the names were revealed."""
    if before.phase != NAMES or s.phase == NAMES:
        return
    price = int(before.price)
    for buyer in range(s.players):
        bought = int(s.goods[buyer]) & ~int(before.goods[buyer])
        tally[buyer, GOODS_AT + price] += bits(bought)
        for card in range(50):
            if (bought >> card) & 1:
                tally[buyer, VALUES_BOUGHT + int(box.values[card % 10])] += 1
        for capacity in range(CAPACITIES):
            if s.held[buyer, capacity] > before.held[buyer, capacity]:
                tally[buyer, CAMELS_AT + price] += 1
                tally[buyer, CAMELS_BOUGHT + capacity] += 1


def questions(box: Box, sample: Sample, players: int, lang: str) -> Iterator[Question]:
    """What is bought at which price, which goods, which camels and how many, of how many types."""
    tally = sample.tally[:, :players]
    prices = range(1, int(box.record.highest_price) + 1)
    for key, place in (("souk.prices", GOODS_AT), ("souk.camel_prices", CAMELS_AT)):
        rows = [(say(lang, "souk.lab.dirhams", n=price), tally[:, :, place + price]) for price in prices]
        yield Question(key, rows, ranked=False)
    values = [(say(lang, "souk.lab.value", n=v), tally[:, :, VALUES_BOUGHT + v]) for v in range(1, VALUES)]
    yield Question("souk.values", values, ranked=False)
    sizes = [(say(lang, "souk.lab.capacity", n=c), tally[:, :, CAMELS_BOUGHT + c]) for c in range(1, CAPACITIES)]
    yield Question("souk.capacities", sizes, ranked=False)
    camels = sample.states["held"][:, :players].sum(axis=2)
    held = [(say(lang, "souk.lab.camels", n=n), camels == n) for n in range(int(camels.max()) + 1)]
    yield Question("souk.camels", held, ranked=False)
    goods = members(sample.states["goods"][:, :players], STALLS * CARDS)
    types = goods.reshape(len(goods), players, STALLS, CARDS).any(axis=3).sum(axis=2)
    rows = [(say(lang, "souk.lab.types", n=n), types == n) for n in range(STALLS)]
    yield Question("souk.types", rows, ranked=False)
