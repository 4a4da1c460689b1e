"""The bots `random`, `greedy` and `tuned` inside compiled code: thousands of games per second.

They make the same moves as in Python, because they draw the same numbers in the same order. All read only what their
seat can see, so nothing has to be hidden from them here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.bots.eyes import tuned_eye
from registan.core import chance as dice
from registan.core import rules
from registan.core.batch import in_threads
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import SEATS, Box, Game, Ints, Record

COMPILED = {"random": 0, "greedy": 1, "tuned": 2}
"""These bots, by name, and the numbers that compiled code knows them by."""


@compiled
def _play_bots(
    boxes: Record,
    states: Record,
    kinds: Ints,
    seed: int,
    deals: Ints,
    numbers: Ints,
    most: int,
    tally: Ints,
    out: Ints,
    eye: Any,
) -> None:
    """Set up and play every game of an array to its end; count the decisions of each in `out`.

    Game i is dealt from the stream of `deals[i]`; its bots draw from the stream of `numbers[i]`. If `tally` has any
    columns, `note` of the game's `lab.py` counts in `tally[i]` what happens.
    """
    box = boxes[0]
    rng = np.zeros(4, np.uint64)
    actions = np.zeros(most, np.int32)
    worth = np.zeros(most, np.float64)
    before = states[:1].copy()
    for i in range(len(states)):
        s = states[i]
        dice.seed(s.rng, seed, 2 * int(deals[i]))
        dice.seed(rng, seed, 2 * int(numbers[i]) + 1)
        rules.setup(box, s)
        while s.over == 0:
            seat = rules.next_seat(s)
            if kinds[i, seat] == 0:
                action = rules.pick(box, s, seat, rng, actions)
            elif kinds[i, seat] == 1:
                action = rules.best(box, s, seat, rng, actions, worth)
            else:
                action = rules.best_to(box, s, seat, rng, actions, worth, eye)
            if tally.shape[2] > 0:
                before[0] = s
            rules.apply(box, s, seat, action)
            if tally.shape[2] > 0:
                rules.note(box, s, before[0], seat, tally[i])
            out[i] += 1


def kinds_of(bots: list[tuple[str, ...]]) -> Ints:
    """Return the numbers of bots, by game and seat."""
    kinds = np.zeros((len(bots), SEATS), np.int8)
    for seat in range(len(bots[0])):
        kinds[:, seat] = [COMPILED[names[seat]] for names in bots]
    return kinds


def play_bots(
    game: Game,
    box: Box,
    states: Any,
    bots: list[tuple[str, ...]],
    seed: int,
    deals: Ints,
    numbers: Ints,
    threads: int = 1,
    tally: Ints | None = None,
) -> Ints:
    """Play an array of blank states to the end, each with its own bots by seat; return the decisions of each."""
    kinds = kinds_of(bots)
    decisions = np.zeros(len(states), np.int64)
    counted = np.zeros((len(states), SEATS, 0), np.int32) if tally is None else tally
    engine, eye = Engine(game, box, compiled=True), tuned_eye(game)

    def play(start: int, stop: int) -> None:
        here = slice(start, stop)
        engine.run(
            _play_bots, states[here], kinds[here], seed, deals[here], numbers[here], game.rules.MOST, counted[here],
            decisions[here], eye,
        )  # fmt: skip

    in_threads(min(threads, len(states)), len(states), play)
    return decisions
