"""The bot that takes what looks best at a glance: a short heuristic for each game, without looking ahead.

`weigh` is also what the search starts from, and what guides its playouts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registan.bots.greedy import khiva, samarkand, souk
from registan.core import chance as dice
from registan.core import generic
from registan.core.compiled import chosen_by_record, compiled
from registan.core.engine import in_use
from registan.core.game import Box, Game, Ints, Record
from registan.games import khiva as khiva_game
from registan.games import samarkand as samarkand_game
from registan.games import souk as souk_game

_weigh: dict[Any, Callable[..., None]] = {
    samarkand_game.rules.STATE: samarkand.weigh,
    souk_game.rules.STATE: souk.weigh,
    khiva_game.rules.STATE: khiva.weigh,
}


def _choose(state: Any) -> Callable[..., None]:
    from numba import from_dtype

    return next(f for dtype, f in _weigh.items() if from_dtype(dtype) == state)


@chosen_by_record(_choose)
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write what each of n legal actions seems to be worth to the seat, in points, into `out`."""
    _weigh[s.dtype](box, s, seat, actions, n, out)


@compiled
def best(box: Record, s: Record, seat: int, words: Ints, room: Ints, worth: Ints) -> int:
    """Return the action that seems best; among equals, one at random."""
    n = generic.legal(box, s, seat, room)
    if n == 1:
        return int(room[0])
    weigh(box, s, seat, room, n, worth)
    top = -1e9
    ties = 0
    chosen = 0
    for i in range(n):
        if worth[i] > top:
            top = worth[i]
            ties = 0
        if worth[i] == top:
            ties += 1
            if ties == 1 or dice.below(words, ties) == 0:
                chosen = i
    return int(room[chosen])


class GreedyBot:
    """Takes what looks best at a glance."""

    name = "greedy"

    def choose(self, game: Game, box: Box, hidden: Record, seat: int, words: Ints) -> int:
        """Return the action that seems best."""
        most = game.rules.MOST
        return int(in_use(game, best)(box.record, hidden, seat, words, np.zeros(most, np.int32), np.zeros(most)))
