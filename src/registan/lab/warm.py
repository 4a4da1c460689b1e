"""Compiling what the bots need before the work is handed out: else every worker would compile it for itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registan.bots import find_bot
from registan.core import batch, chance
from registan.core.match import Match
from registan.core.registry import find
from registan.lab import policies
from registan.lab.order import Order, make_order
from registan.lab.parts import Part, play_part
from registan.lab.policies import KINDS
from registan.lab.simulate import Run, one


def made_of(bots: tuple[str, ...]) -> list[Callable[..., Any]]:
    """Return the compiled functions on which games of these bots run, for asking whether they lie on disk already."""
    if all(name in KINDS for name in bots):
        return [batch._play if set(bots) == {"random"} else policies._play_bots]
    from registan.bots.search import simulate

    return [simulate]


def warm(order: Order, bots: tuple[str, ...], move_by_move: bool = False) -> None:
    """Compile, or load from disk, what games of these bots need."""
    game, box, options = order.find()
    quick = all(name in KINDS for name in bots)
    if quick:
        play_part(Part(order, bots, 0, 1))
    if quick and not move_by_move:
        return
    one(Run(game, box, order.players, options, [find_bot("random")] * order.players, 1, order.seed), 0)
    match = Match(game, box, order.players, options, chance.LabStream(order.seed, 0)).deal()
    words = np.zeros(chance.WORDS, np.uint64)
    chance.seed(words, order.seed, 1)
    seat = match.waiting[0]
    for name in sorted(set(bots)):
        find_bot(name).choose(match.engine, match.hidden(seat), seat, words)


def steps(key: str) -> list[Callable[[], object]]:
    """Return what there is to compile of a game for bots and the laboratory: one call each, for the progress bar."""
    game = find(key)
    order = make_order(key, game.players[-1], seed=0)
    return [
        lambda: warm(order, ("greedy",) * order.players),
        lambda: warm(order, ("greedy", "novice", *("search:1",) * (order.players - 2))),
    ]
