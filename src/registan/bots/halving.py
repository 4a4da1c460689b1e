"""Sequential halving at the root of a search: a few candidates are tried equally often, and the worse ones drop out.

Each halving takes as long as the one before, so that more and more of the time goes to the best. Candidates share their
luck (`paired` in the tuning), so their simulations differ no more than they have to. Before a candidate has been tried
often, what it looked like at first counts too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from registan.bots.search import at_first
from registan.core.engine import Engine
from registan.core.game import Ints

PASS = 32
"""About how many simulations run before those that are left are looked at again."""
SOFTNESS = 8.0
"""How many points of a glance are a reward of a quarter more, unless the rewards are softened otherwise."""


def sight(engine: Engine, hidden: Any, seat: int, actions: list[int], eye: Any, soft: float) -> Ints:
    """Return how good each action looks at a glance, in rewards."""
    worth = np.zeros(len(actions))
    engine.run(at_first, hidden, seat, np.array(actions, np.int32), worth, eye)
    return worth / (4.0 * (soft or SOFTNESS))


def standing(root: Ints, left: Ints, first: Ints, prior: float) -> Ints:
    """Return how good each of the actions that are left is: what simulations say, and the first look as some more."""
    tries, sums = root[left, 0], root[left, 1]
    total = max(float(tries.sum()), 1.0)
    usual = float((sums - tries * first[left]).sum()) / total
    score: Ints = (sums + prior * (first[left] + usual)) / (tries + prior)
    return score


def halve(
    root: Ints,
    first: Ints,
    candidates: int,
    prior: float,
    simulations: int | None,
    share: Callable[[int], float],
    clear: Callable[[Ints], bool],
    run: Callable[..., None],
) -> int:
    """Return the index of the best action; `run(n, left=…)` adds n simulations of those that are left to `root`.

    `share` says which share of the time is over after some simulations, and `clear` whether there is any doubt left.
    """
    left = np.argsort(-first, kind="stable")[:candidates]
    count, done = len(left), 0
    while True:
        over = share(done)
        score = standing(root, left, first, prior)
        left = left[np.argsort(-score, kind="stable")][: math.ceil(count ** max(0.0, 1.0 - over))]
        n = len(left) * max(1, PASS // len(left))
        if simulations is not None:
            n = min(n, (simulations - done) // len(left) * len(left))
        if len(left) == 1 or n <= 0 or (over >= 1.0 and done > 0) or clear(root[left]):
            return int(left[0])
        run(n, left=left)
        done += n
