"""Games of which more is kept than the result: the last state of each, and what was noted on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from registan.bots import find_bot
from registan.core import batch, rules
from registan.core.game import SEATS, Ints
from registan.core.match import Match
from registan.lab.order import Order
from registan.lab.policies import KINDS, play_bots
from registan.lab.simulate import Results, Run, joined, one, results
from registan.lab.workers import in_order, spread

QUICK = 1000
"""Games in a part, at compiled speed; thinking bots play them one by one."""


@dataclass(frozen=True)
class Wanted:
    """Games that are to be played and looked at closely."""

    order: Order
    bots: tuple[str, ...]
    first: int
    games: int
    threads: int = 1


@dataclass
class Sample:
    """What came of them."""

    results: Results
    states: Any
    tally: Ints  # [game, seat, place], see `lab.py` of a game


def play_sample(wanted: Wanted) -> Sample:
    """Play games and keep their last states and tallies."""
    order, n = wanted.order, wanted.games
    game, box, options = order.find()
    tally = np.zeros((n, SEATS, getattr(game.part("lab"), "WIDTH", 0)), np.int32)
    states = batch.blank(game, n, order.players, options)
    numbers = np.arange(wanted.first, wanted.first + n)
    if all(name in KINDS for name in wanted.bots):
        decisions = play_bots(game, box, states, [wanted.bots] * n, order.seed, numbers, numbers, wanted.threads, tally)
    else:
        run = Run(game, box, order.players, options, [find_bot(name) for name in wanted.bots], n, order.seed)
        decisions = np.zeros(n, np.int64)
        for i in range(n):
            match = _noted(run, int(numbers[i]), tally[i])
            states[i], decisions[i] = match.state, match.moves_played
    return Sample(results(game, box, states, decisions), states, tally)


def _noted(run: Run, number: int, tally: Ints) -> Match:
    """Play a game move by move and note after each what came of it: that is, before the next one."""
    last: list[tuple[Any, int]] = []

    def watch(match: Match, seat: int, action: int) -> None:
        _look_back(run, match, last, tally)
        last.append((match.state.copy(), seat))

    match = one(run, number, watch=watch)
    _look_back(run, match, last, tally)
    return match


def _look_back(run: Run, match: Match, last: list[tuple[Any, int]], tally: Ints) -> None:
    """Note what came of the last decision, if there was one."""
    if last:
        before, seat = last.pop()
        rules.note(run.box.record, match.state, before, seat, tally)


def take_sample(
    wanted: Wanted, workers: int, progress: Callable[[int], None] = lambda n: None
) -> tuple[Sample | None, bool]:
    """Play all the games, in parts; return what came of them and whether somebody stopped it before the end."""
    quick = all(name in KINDS for name in wanted.bots)
    size = QUICK if quick else 1
    starts = range(0, wanted.games, size)
    threads = workers if quick else 1
    parts = [replace(wanted, first=i, games=min(size, wanted.games - i), threads=threads) for i in starts]
    samples: list[Sample] = []
    stopped = False
    try:
        for sample in in_order(spread(play_sample, parts, 1 if quick else workers)):
            samples.append(sample)
            progress(len(sample.results))
    except KeyboardInterrupt:
        stopped = True
    if not samples:
        return None, stopped
    whole = joined([sample.results for sample in samples])
    states, tally = (np.concatenate([getattr(s, part) for s in samples]) for part in ("states", "tally"))
    return Sample(whole, states, tally), stopped
