"""Ratings of puzzles that learn from people: a puzzle that beats good solvers is harder than a search had said."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

START = 1200
"""The rating of somebody who has not solved anything yet."""
PEOPLE, PUZZLES = 250.0, 120.0
"""How far people are from `START`, and puzzles from the rating that they ship with: standard deviations."""
SCALE = 400 / math.log(10)
"""The Elo scale: 400 points are odds of ten to one."""
SWEEPS = 40
_Floats: TypeAlias = NDArray[np.float64]


def learned(shipped: Mapping[str, int], tries: Iterable[tuple[str, str, bool]]) -> dict[str, int]:
    """Return the ratings of puzzles after tries: who tried which puzzle, and whether the first answer was right.

    Each try is a game between a person and a puzzle. What is returned is most likely, given where both are expected
    beforehand; so a single try changes little, and who answers at random changes almost nothing.
    """
    known = [(who, puzzle, right) for who, puzzle, right in tries if puzzle in shipped]
    names = sorted({who for who, _, _ in known})
    ids = sorted({puzzle for _, puzzle, _ in known})
    person = np.searchsorted(names, [who for who, _, _ in known])
    puzzle = np.searchsorted(ids, [id_ for _, id_, _ in known])
    right = np.array([float(won) for _, _, won in known])
    prior = np.array([float(shipped[id_]) for id_ in ids])
    people, ratings = np.full(len(names), float(START)), prior.copy()
    for _ in range(SWEEPS if known else 0):
        expected = 1 / (1 + np.exp((ratings[puzzle] - people[person]) / SCALE))
        people += _step(person, right - expected, expected, people - START, PEOPLE)
        expected = 1 / (1 + np.exp((ratings[puzzle] - people[person]) / SCALE))
        ratings += _step(puzzle, expected - right, expected, ratings - prior, PUZZLES)
    return {**shipped, **{id_: round(rating) for id_, rating in zip(ids, ratings.tolist(), strict=True)}}


def _step(whose: NDArray[np.intp], gained: _Floats, expected: _Floats, away: _Floats, spread: float) -> _Floats:
    """Return one step of Newton's method: for each, from what it gained over what was expected of it."""
    slope = np.bincount(whose, gained) / SCALE - away / spread**2
    bend = np.bincount(whose, expected * (1 - expected)) / SCALE**2 + 1 / spread**2
    return slope / bend
