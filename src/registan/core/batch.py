"""Many games at once: arrays of states, played at random or stepped with arrays of actions, on several threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from registan.core import chance as dice
from registan.core import generic
from registan.core.compiled import compiled, jit
from registan.core.game import SEATS, Box, Game, Ints, Record, name_first

FOREVER = np.int64(-1)
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
def _play(box: Record, states: Record, seed: int, first: int, most: int, check: bool, stops: Ints, out: Ints) -> None:
    """Set up and play every game of an array at random to its end, or until `stops` decisions have been made.

    Counts the decisions of each in `out`; with `check`, a game in which a check of the rules fails stops there and has
    minus the number of that check.
    """
    words = np.zeros(4, np.uint64)
    room = np.zeros(most, np.int32)
    for i in range(len(states)):
        s = states[i]
        dice.seed(s.words, seed, 2 * (first + i))
        dice.seed(words, seed, 2 * (first + i) + 1)
        generic.setup(box, s)
        fault = generic.faults(box, s) if check else 0
        while s.over == 0 and fault == 0 and out[i] != stops[i]:
            seat = next_seat(s)
            generic.act(box, s, seat, generic.pick(box, s, seat, words, room))
            if check:
                fault = generic.faults(box, s)
            while s.due != 0 and fault == 0:
                generic.chance(box, s)
                if check:
                    fault = generic.faults(box, s)
            out[i] += 1
        if fault != 0:
            out[i] = -fault


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


@compiled
def _results(box: Record, states: Record, scores: Ints, winners: Ints) -> None:
    """Score every game of an array."""
    for i in range(len(states)):
        generic.scores(box, states[i], scores[i])
        winners[i] = generic.winners(box, states[i])


@compiled
def _hide(box: Record, states: Record, seat: int) -> None:
    for i in range(len(states)):
        generic.hide(box, states[i], seat)


@compiled
def _guess(box: Record, states: Record, seat: int, seed: int) -> None:
    words = np.zeros(4, np.uint64)
    for i in range(len(states)):
        dice.seed(words, seed, i)
        generic.guess(box, states[i], seat, words)


@compiled
def _first_fault(box: Record, states: Record) -> int:
    for i in range(len(states)):
        fault = generic.faults(box, states[i])
        if fault != 0:
            return fault
    return 0


def spread(threads: int, n: int, work: Callable[[int, int], Any]) -> list[Any]:
    """Call `work(start, stop)` for equal parts of n on that many threads (compiled code holds no lock)."""
    cuts = [n * k // threads for k in range(threads + 1)]
    if threads == 1:
        return [work(0, n)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, cuts[:-1], cuts[1:]))


def blank(game: Game, n: int, players: int, options: dict[str, Any] | None = None, first: int | None = None) -> Any:
    """Return n blank states of a game for that many players; `first` is the seat that begins, by lot without."""
    states = np.zeros(n, game.rules.STATE)
    states["players"] = players
    for name, option in game.options.items():
        value = (options or {}).get(name, option.default)
        states[name] = option.values.index(value)
    name_first(game, states, first)
    return states


def play(
    game: Game, box: Box, states: Any, seed: int = 0, first: int = 0, threads: int = 1, check: bool = False
) -> Ints:
    """Play an array of blank states at random to the end; return the number of decisions of each game.

    Game i draws from streams of its own that depend on seed and first + i only, so that results do not depend on how
    games are spread over threads. With `check`, the rules' checks are made in every state; a game that fails one
    stops there and has minus the number of that check.
    """
    return _played(game, box, states, seed, first, threads, check, np.full(len(states), FOREVER))


def sample(game: Game, box: Box, states: Any, seed: int = 0) -> Any:
    """Bring an array of blank states to random moments of random games, each asking somebody; return them."""
    lengths = play(game, box, states.copy(), seed)
    _played(game, box, states, seed, 0, 1, False, np.random.default_rng(seed).integers(0, lengths))
    return states


def _played(game: Game, box: Box, states: Any, seed: int, first: int, threads: int, check: bool, stops: Ints) -> Ints:
    decisions = np.zeros(len(states), np.int64)

    def part(start: int, stop: int) -> None:
        here = slice(start, stop)
        most = game.rules.MOST
        jit(_play)(box.record, states[here], seed, first + start, most, check, stops[here], decisions[here])

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


def results(game: Game, box: Box, states: Any) -> tuple[Ints, Ints]:
    """Return the scores of an array of games, by game, seat and part, and the winners of each as bits."""
    scores = np.zeros((len(states), SEATS, len(game.rules.SCORES)), np.int64)
    winners = np.zeros(len(states), np.int64)
    jit(_results)(box.record, states, scores, winners)
    return scores, winners


def hide(box: Box, states: Any, seat: int) -> None:
    """Hide every state of an array from a seat, in place."""
    jit(_hide)(box.record, states, seat)


def guess(box: Box, states: Any, seat: int, seed: int = 0) -> None:
    """Deal what is hidden in every state of an array anew, in place."""
    jit(_guess)(box.record, states, seat, seed)


def first_fault(box: Box, states: Any) -> int:
    """Return the number of the first check that does not hold in an array of states, 0 if all do."""
    return int(jit(_first_fault)(box.record, states))
