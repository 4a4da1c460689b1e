"""Borrowed arrays: the same numbers in both modes, and no reference is kept."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from registan.core.borrowed import borrowed
from registan.core.compiled import compiled, jit


@compiled
def add_up(rows: Any, totals: Any) -> None:
    rows, totals = borrowed(rows), borrowed(totals)
    for i in range(len(rows)):
        totals[i] = total(rows[i])


@compiled
def total(row: Any) -> float:
    found = 0.0
    for i in range(len(row)):
        found += row[i]
    return found


def test_a_borrowed_array_is_the_same_array_in_both_modes() -> None:
    rows = np.arange(12.0).reshape(3, 4)
    found = np.zeros((2, 3))
    add_up(rows, found[0])
    jit(add_up)(rows, found[1])
    assert found.tolist() == [[6.0, 22.0, 38.0]] * 2


def test_nobody_keeps_what_was_lent() -> None:
    rows, totals = np.zeros((3, 4)), np.zeros(3)
    before = sys.getrefcount(rows), sys.getrefcount(totals)
    for _ in range(10):
        jit(add_up)(rows, totals)
    assert (sys.getrefcount(rows), sys.getrefcount(totals)) == before
