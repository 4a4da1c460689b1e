"""Khiva in the lab: what is counted while games are played, and which questions a report asks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from registan.core.compiled import compiled
from registan.core.game import Box, Ints, Record
from registan.core.messages import say
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.state import CARPET, CHOICE, COLOURS, COUNTER, MOVE, NOTHING, SALT, SHOPS
from registan.lab.report.winning import Question, members
from registan.lab.sample import Sample

MOVED, HOME, STOPS = 0, COLOURS, 2 * COLOURS
"""Columns in a seat's tally: by camel, by camel, and by shop from 0 (the last is the counter)."""
WIDTH = STOPS + COUNTER
"""The number of columns in a seat's tally."""


KINDS = ("move", "gems", "salt", "carpet", "nothing", "choose")
"""The kinds of moves that a report counts: a camel without and with gems, what is taken, and the choice of cards."""


def kinds(actions: Ints) -> Ints:
    """Return the kind of each action, as an index of KINDS."""
    return np.searchsorted([1, SALT, CARPET, NOTHING, CHOICE], actions, side="right")


@compiled
def note(box: Record, s: Record, before: Record, seat: int, tally: Ints) -> None:
    """Count where the camel that the seat moved has stopped."""
    if before.phase == MOVE:
        camel = int(before.camel)
        place = int(s.place[camel])
        tally[seat, MOVED + camel] += 1
        tally[seat, HOME + camel] += place == 0
        tally[seat, STOPS + ((place - 1) % SHOPS if place != 0 else SHOPS)] += 1


def questions(box: Box, sample: Sample, players: int, lang: str) -> Iterator[Question]:
    """Which camels brought home, which shops, how many sacks of salt."""
    tally = sample.tally[:, :players]
    camels = [say(lang, f"khiva.camel.{name}") for name in COLOUR_NAMES]
    yield Question("khiva.camels", [(name, tally[:, :, HOME + i]) for i, name in enumerate(camels)])
    shops = [say(lang, "khiva.lab.shop", n=i + 1) for i in range(COUNTER - 1)] + [say(lang, "khiva.lab.counter")]
    yield Question("khiva.shops", [(name, tally[:, :, STOPS + i]) for i, name in enumerate(shops)], ranked=False)
    salt = members(sample.states["salt"][:, :players], 5).sum(axis=2)
    rows = [(say(lang, "khiva.lab.sacks", n=n), salt == n) for n in range(6)]
    yield Question("khiva.salt", rows, ranked=False)
