"""What goes with winning: the questions that a game asks in its `lab.py`, answered from samples.

A question has rows. A row says how much of something each seat had, and its figure is the share of wins that went with
it: of all who held the card, of all purchases at that price, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from registan.core.game import Box, Game, Ints
from registan.lab.sample import Sample

FEW = 30
"""Rows with something in fewer games than this are left out: their intervals would say nothing."""


@dataclass(frozen=True)
class Question:
    """Something that may go with winning: rows of a label and how much each seat had, by (game, seat)."""

    key: str
    rows: list[tuple[str, Ints]]
    ranked: bool = True
    """Whether to sort the rows by their share of wins, or to leave them in order."""


def questions(game: Game, box: Box, sample: Sample, players: int, lang: str) -> list[Question]:
    """Return the questions of a game's `lab.py` that the sample can answer; none if the game asks none."""
    ask = getattr(game.part("lab"), "questions", None)
    found = []
    for question in ask(box, sample, players, lang) if ask else ():
        rows = [(label, had) for label, had in question.rows if np.count_nonzero(had.any(axis=1)) >= FEW]
        if len(rows) > 1:
            found.append(Question(question.key, rows, question.ranked))
    return found


@dataclass(frozen=True)
class Heat:
    """Where things happen on a board: a share of games for each place, drawn by the game."""

    key: str
    svg: str
    places: list[tuple[str, Ints]]
    """The name of each place, and in which games something was there."""


def maps(game: Game, box: Box, sample: Sample, lang: str) -> list[Heat]:
    """Return the maps of a game's `lab.py`; none if it draws none."""
    draw = getattr(game.part("lab"), "maps", None)
    return list(draw(box, sample, lang)) if draw else []


def members(sets: Ints, n: int) -> Ints:
    """Return which of n members each set (as bits) has, along a new last axis."""
    return (sets[..., None].astype(np.int64) >> np.arange(n)) & 1
