"""Many games at once: arrays of states, played at random or stepped with arrays of actions, on one thread or several."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from registan.core import chance as dice
from registan.core import generic
from registan.core.compiled import compiled, jit
from registan.core.game import SEATS, Box, Game, Ints, Record

ILLEGAL = 255
"""What `step` says of a seat that nobody asked for: a game that is over, a seat that does not exist."""


@compiled
def next_seat(s: Record) -> int:
    """Return the lowest seat that is asked, -1 if none."""
    waiting = int(s.waiting)
    for seat in range(SEATS):
        if (waiting >> seat) & 1:
            return seat
    return -1


@compiled
def _play(box: Record, states: Record, seed: int, first: int, most: int, check: bool, out: Ints) -> int:
    """Set up and play every game of an array at random to its end; count decisions in `out`, return all of them.

    Game i draws from streams of its own that depend on seed and first + i only: results do not depend on how games
    are spread over threads. With `check`, the rules' checks are made in every state; a game that fails one stops
    there and has minus the number of that check in `out`.
    """
    words = np.zeros(4, np.uint64)
    options = np.zeros(most, np.int32)
    total = 0
    for i in range(len(states)):
        s = states[i]
        dice.seed(s.words, seed, 2 * (first + i))
        dice.seed(words, seed, 2 * (first + i) + 1)
        generic.setup(box, s)
        decisions = 0
        fault = 0
        while s.over == 0 and fault == 0:
            if check:
                fault = generic.faults(box, s)
            seat = next_seat(s)
            generic.apply(box, s, seat, generic.pick(box, s, seat, words, options))
            decisions += 1
        if check and fault == 0:
            fault = generic.faults(box, s)
        out[i] = decisions if fault == 0 else -fault
        total += decisions
    return total


@compiled
def _step(box: Record, states: Record, seats: Ints, actions: Ints, out: Ints) -> None:
    """Play one action in each game; an illegal one changes nothing and leaves its rule's number in `out`."""
    for i in range(len(states)):
        s = states[i]
        seat = int(seats[i])
        if s.over != 0 or seat < 0 or seat >= s.players:
            out[i] = ILLEGAL
        else:
            out[i] = generic.breaks(box, s, seat, actions[i])
            if out[i] == 0:
                generic.apply(box, s, seat, actions[i])


def spread(threads: int, n: int, work: Callable[[int, int], Any]) -> list[Any]:
    """Call `work(start, stop)` for equal parts of n on that many threads (compiled code holds no lock)."""
    cuts = [n * k // threads for k in range(threads + 1)]
    if threads == 1:
        return [work(0, n)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, cuts[:-1], cuts[1:]))


def blank(game: Game, n: int, players: int, options: dict[str, Any] | None = None) -> Any:
    """Return n blank states of a game for that many players."""
    states = np.zeros(n, game.rules.STATE)
    states["players"] = players
    for name, option in game.options.items():
        value = (options or {}).get(name, option.default)
        states[name] = option.values.index(value)
    return states


def play(
    box: Box, states: Any, game: Game, seed: int = 0, first: int = 0, threads: int = 1, check: bool = False
) -> Ints:
    """Play an array of blank states at random to the end; return the number of decisions of each game."""
    decisions = np.zeros(len(states), np.int64)

    def part(start: int, stop: int) -> int:
        return int(
            jit(_play)(
                box.record, states[start:stop], seed, first + start, game.rules.MOST, check, decisions[start:stop]
            )
        )

    spread(threads, len(states), part)
    return decisions


def step(box: Box, states: Any, seats: Ints, actions: Ints, threads: int = 1) -> Ints:
    """Play one action of one seat in each game of an array, with all that follows up to the next question.

    Returns for each game 0, or the number of the rule the action breaks (the game is then as it was), or ILLEGAL.
    """
    out = np.zeros(len(states), np.uint8)

    def part(start: int, stop: int) -> None:
        jit(_step)(box.record, states[start:stop], seats[start:stop], actions[start:stop], out[start:stop])

    spread(threads, len(states), part)
    return out
