"""What goes with winning: for each game the questions one would ask, answered from samples.

A question has rows; a row says how much of something every seat had, and its figure is the share of wins that went
with it: of all who held the card, of all purchases at that price, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from registan.core.game import Box, Game, Ints
from registan.lab.sample import Sample

FEW = 30
"""A row that fewer games have anything of is left out: its interval would say nothing."""


@dataclass(frozen=True)
class Question:
    """Something that may go with winning: rows of labels and what every seat had, by (game, seat)."""

    key: str
    rows: list[tuple[str, Ints]]
    ranked: bool = True
    """Whether the rows are shown by their share of wins, or in the order they have."""


def questions(game: Game, box: Box, sample: Sample, players: int, lang: str) -> list[Question]:
    """Return the questions that a game raises in its `lab.py`; none if it has no such part."""
    lab = game.part("lab")
    found = []
    for question in lab.questions(box, sample, players, lang) if lab is not None else ():
        rows = [(label, had) for label, had in question.rows if np.count_nonzero(had.any(axis=1)) >= FEW]
        if len(rows) > 1:
            found.append(Question(question.key, rows, question.ranked))
    return found


def members(sets: Ints, n: int) -> Ints:
    """Return which of n members sets have, as a further axis."""
    return (sets[..., None].astype(np.int64) >> np.arange(n)) & 1
