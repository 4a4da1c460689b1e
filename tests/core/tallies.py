"""What chance gives, counted by compiled code: millions of draws in a second or two."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.core.chance import below, shuffle
from registan.core.compiled import compiled


@compiled
def draws(rng: Any, n: int, times: int, fold: int, counts: Any) -> None:
    """Count numbers below n by their rest modulo `fold`."""
    for _ in range(times):
        counts[below(rng, n) % fold] += 1


@compiled
def places(rng: Any, n: int, times: int, favour: int, counts: Any) -> None:
    """Shuffle a sorted pile again and again; count where each card comes to lie.

    With `favour`, one shuffle in so many is spoilt: card 0 is put on top.
    """
    pile = np.zeros(n, np.int64)
    for _ in range(times):
        for i in range(n):
            pile[i] = i
        shuffle(rng, pile, n)
        if favour and below(rng, favour) == 0:
            for i in range(n):
                if pile[i] == 0:
                    pile[i], pile[0] = pile[0], pile[i]
        for i in range(n):
            counts[pile[i] * n + i] += 1


@compiled
def orders_of_four(rng: Any, times: int, counts: Any) -> None:
    """Shuffle four cards; count each of the 24 orders, as a number of two bits a card."""
    pile = np.zeros(4, np.int64)
    for _ in range(times):
        for i in range(4):
            pile[i] = i
        shuffle(rng, pile, 4)
        counts[pile[0] * 16 + pile[1] * 4 + pile[2]] += 1
