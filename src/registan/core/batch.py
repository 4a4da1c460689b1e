"""Many games at once: arrays of states, played at random or stepped with arrays of actions, on several threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from registan.core import chance as dice
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import Box, Game, Ints, Record, name_first

FOREVER = np.int64(-1)
ILLEGAL = 255
"""What `step` returns if the game is over or the seat does not exist."""


@compiled
def _play(boxes: Record, states: Record, seed: int, first: int, most: int, check: bool, stops: Ints, out: Ints) -> None:
    """Set up every game of an array and play it at random, to its end or for `stops` decisions.

    `out` counts the decisions of each game. With `check`, a game that fails a check stops there, and `out` is minus
    the number of the check.
    """
    box = boxes[0]
    rng = np.zeros(4, np.uint64)
    actions = np.zeros(most, np.int32)
    for i in range(len(states)):
        s = states[i]
        dice.seed(s.rng, seed, 2 * (first + i))
        dice.seed(rng, seed, 2 * (first + i) + 1)
        rules.setup(box, s)
        fault = rules.faults(box, s) if check else 0
        while s.over == 0 and fault == 0 and out[i] != stops[i]:
            seat = rules.next_seat(s)
            rules.act(box, s, seat, rules.pick(box, s, seat, rng, actions))
            if check:
                fault = rules.faults(box, s)
            while s.due != 0 and fault == 0:
                rules.chance(box, s)
                if check:
                    fault = rules.faults(box, s)
            out[i] += 1
        if fault != 0:
            out[i] = -fault


@compiled
def _step(boxes: Record, states: Record, seats: Ints, actions: Ints, out: Ints) -> None:
    """Play one action in each game; an illegal one changes nothing and writes the number of its rule into `out`."""
    box = boxes[0]
    for i in range(len(states)):
        s = states[i]
        seat = int(seats[i])
        if s.over != 0 or seat < 0 or seat >= s.players:
            out[i] = ILLEGAL
        else:
            out[i] = rules.breaks(box, s, seat, actions[i])
            if out[i] == 0:
                rules.apply(box, s, seat, actions[i])


def in_threads(threads: int, n: int, work: Callable[[int, int], Any]) -> list[Any]:
    """Call `work(start, stop)` for equal parts of n on that many threads (compiled code releases the GIL)."""
    cuts = [n * k // threads for k in range(threads + 1)]
    if threads == 1:
        return [work(0, n)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, cuts[:-1], cuts[1:]))


def blank(game: Game, n: int, players: int, options: dict[str, Any] | None = None, first: int | None = None) -> Any:
    """Return n blank states of a game; `first` is the seat that begins, drawn by lot by default."""
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
    """Play an array of blank states at random to the end and return the number of decisions of each game.

    Game i draws from its own streams, which depend on seed and first + i only, so results do not depend on how games
    are spread over threads. With `check`, every state is checked; a game that fails a check stops there and counts
    as minus the number of the check.
    """
    return _played(game, box, states, seed, first, threads, check, np.full(len(states), FOREVER))


def sample(game: Game, box: Box, states: Any, seed: int = 0) -> Any:
    """Bring an array of blank states to random decisions of random games, and return it."""
    lengths = play(game, box, states.copy(), seed)
    _played(game, box, states, seed, 0, 1, False, np.random.default_rng(seed).integers(0, lengths))
    return states


def _played(game: Game, box: Box, states: Any, seed: int, first: int, threads: int, check: bool, stops: Ints) -> Ints:
    decisions = np.zeros(len(states), np.int64)
    engine = Engine(game, box, compiled=True)

    def part(start: int, stop: int) -> None:
        here = slice(start, stop)
        most = game.rules.MOST
        engine.run(_play, states[here], seed, first + start, most, check, stops[here], decisions[here])

    in_threads(threads, len(states), part)
    return decisions


def step(box: Box, states: Any, seats: Ints, actions: Ints, threads: int = 1) -> Ints:
    """Play one action of one seat in each game of an array, with all that follows up to the next decision.

    Return for each game 0, or the number of the rule that the action breaks (the game is then unchanged), or ILLEGAL.
    """
    out = np.zeros(len(states), np.uint8)
    engine = Engine(rules.game_of(states), box, compiled=True)

    def part(start: int, stop: int) -> None:
        engine.run(_step, states[start:stop], seats[start:stop], actions[start:stop], out[start:stop])

    in_threads(threads, len(states), part)
    return out


def results(game: Game, box: Box, states: Any) -> tuple[Ints, Ints]:
    """Return the scores of an array of games, by game, seat and part, and the winners of each as bits."""
    engine = Engine(game, box, compiled=True)
    return engine.scores(states), engine.winners(states)


def hide(box: Box, states: Any, seat: int) -> None:
    """Hide every state of an array from a seat, in place."""
    Engine(rules.game_of(states), box, compiled=True).hide(states, seat)


def guess(box: Box, states: Any, seat: int, seed: int = 0) -> None:
    """Deal what is hidden in every state of an array at random, in place."""
    rng = np.zeros(dice.WORDS, np.uint64)
    dice.seed(rng, seed, 0)
    Engine(rules.game_of(states), box, compiled=True).guess(states, seat, rng)
