"""The compiled code of `registan.Batch`: many games as one array, stepped together.

In each row one seat acts: the lowest of those that are asked. Where several are asked at once they answer one after
the other, and none sees the others' answers before all are given: an observation is made from `hide` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from registan.core import chance as dice
from registan.core import rules
from registan.core.borrowed import borrowed
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import SEATS, Ints, Record

DEAL, STAY = -1, -2
"""Instead of an action: deal the next game, leave the row as it is."""
BOTS = {"random": 0, "greedy": 1}
"""The bots that play inside compiled code, and the numbers it knows them by."""
CALLER = -1
"""In their place: a seat that the caller plays."""


class Rows(NamedTuple):
    """What compiled code reads and writes besides the states, all by row."""

    seeds: Ints
    games: Ints
    """How many games a row has finished."""
    luck: Ints
    """The generator of a row's bots and of `Batch.pick`."""
    kinds: Ints
    """Who plays a seat: CALLER, or one of BOTS."""
    seats: Ints
    over: Ints
    rewards: Ints
    points: Ints
    observations: Ints
    known: Record
    """What each observation was made from; blank if there is none."""
    masks: Ints


@compiled
def lend(rows: Rows) -> Rows:
    """Return the same arrays, borrowed."""
    return Rows(
        borrowed(rows.seeds),
        borrowed(rows.games),
        borrowed(rows.luck),
        borrowed(rows.kinds),
        borrowed(rows.seats),
        borrowed(rows.over),
        borrowed(rows.rewards),
        borrowed(rows.points),
        borrowed(rows.observations),
        borrowed(rows.known),
        borrowed(rows.masks),
    )


@compiled
def advance(
    boxes: Record,
    states: Record,
    rows: Rows,
    blank: Record,
    numbers: Ints,
    auto: bool,
    scratch: Record,
    actions: Ints,
    worth: Ints,
) -> None:
    """Play one action in each row, then its bots, and write who acts next, what that seat observes and what it may do.

    `scratch` is an array of one state, `actions` and `worth` have room for every legal action. What happens in every
    step stands here: to hand all rows on to another function takes a tenth of the time.
    """
    box = boxes[0]
    rows = lend(rows)
    states, blank, scratch = borrowed(states), borrowed(blank), borrowed(scratch)
    actions, worth = borrowed(actions), borrowed(worth)
    for i in range(len(states)):
        number = int(numbers[i])
        rows.over[i] = False
        rows.rewards[i, :] = 0.0
        if number == STAY:
            continue
        s = states[i]
        if number == DEAL:
            _deal(box, states, i, rows, blank)
        elif s.over == 0:
            rules.apply(box, s, int(rows.seats[i]), rules.expand(box, s, int(rows.seats[i]), number))
        else:
            continue
        seat = rules.next_seat(s)
        if s.over != 0 or rows.kinds[i, seat] != CALLER:
            _play_on(box, states, i, rows, blank, auto, actions, worth)
            seat = rules.next_seat(s) if s.over == 0 else -1
        rows.seats[i] = seat
        rows.masks[i, :] = 0
        if seat < 0:
            rows.observations[i, :] = 0.0
            rows.known[i] = blank[0]
            continue
        if rows.observations.shape[1] > 0:
            rules.look_again(box, s, seat, rows.known[i : i + 1], scratch, rows.observations[i])
        rules.mask(box, s, seat, actions, rows.masks[i])


@compiled
def _deal(box: Record, states: Record, i: int, rows: Rows, blank: Record) -> None:
    """Set up the next game of a row."""
    states[i] = blank[0]
    dice.seed(states[i].rng, int(rows.seeds[i]), 2 * int(rows.games[i]))
    dice.seed(rows.luck[i], int(rows.seeds[i]), 2 * int(rows.games[i]) + 1)
    rules.setup(box, states[i])


@compiled
def _play_on(
    box: Record, states: Record, i: int, rows: Rows, blank: Record, auto: bool, actions: Ints, worth: Ints
) -> None:
    """Let the bots of a row play; when its game is over, write the result and, with `auto`, deal the next one."""
    s = states[i]
    while True:
        if s.over != 0:
            rows.over[i] = True
            rows.games[i] += 1
            _reward(box, s, rows.rewards[i], rows.points[i])
            if not auto:
                return
            _deal(box, states, i, rows, blank)
        seat = rules.next_seat(s)
        if rows.kinds[i, seat] == CALLER:
            return
        if rows.kinds[i, seat] == 0:
            action = rules.pick(box, s, seat, rows.luck[i], actions)
        else:
            action = rules.best(box, s, seat, rows.luck[i], actions, worth)
        rules.apply(box, s, seat, action)


@compiled
def _reward(box: Record, s: Record, rewards: Ints, points: Ints) -> None:
    """Write everybody's points, and rewards that add up to 0: 1 for a win alone, less for a shared one."""
    players = int(s.players)
    parts = np.zeros((SEATS, rules.PARTS), np.int64)
    rules.scores(box, s, parts)
    who = rules.winners(box, s)
    n = 0
    for seat in range(players):
        points[seat] = parts[seat, 0]
        n += (who >> seat) & 1
    for seat in range(players):
        share = float((who >> seat) & 1) / n
        rewards[seat] = (players * share - 1.0) / (players - 1.0)


@compiled
def refused(boxes: Record, states: Record, seats: Ints, masks: Ints, numbers: Ints) -> int:
    """Return the first row in which an action is not legal, -1 if all are; rows whose game is over get STAY."""
    for i in range(len(states)):
        if seats[i] < 0:
            numbers[i] = STAY
        elif numbers[i] < 0 or numbers[i] >= masks.shape[1] or masks[i, numbers[i]] == 0:
            return i
    return -1


@compiled
def pick(boxes: Record, states: Record, seats: Ints, luck: Ints, actions: Ints, out: Ints) -> None:
    """Write the random player's action of each row."""
    box = boxes[0]
    luck, actions = borrowed(luck), borrowed(actions)
    for i in range(len(states)):
        seat = int(seats[i])
        out[i] = STAY
        if seat >= 0:
            out[i] = rules.compact(box, states[i], seat, rules.pick(box, states[i], seat, luck[i], actions))


@compiled
def observe(boxes: Record, states: Record, scratch: Record, seats: Ints, out: Ints, masks: Ints, actions: Ints) -> None:
    """Write what a seat of each row observes, and what it may do as far as it knows."""
    box = boxes[0]
    scratch, out, masks, actions = borrowed(scratch), borrowed(out), borrowed(masks), borrowed(actions)
    for i in range(len(states)):
        seat = int(seats[i])
        rules.look(box, states[i], seat, scratch, out[i])
        masks[i, :] = 0
        rules.mask(box, scratch[0], seat, actions, masks[i])


@compiled
def list_numbers(boxes: Record, states: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of a seat in the numbering for learners, lowest first; return how many there are."""
    n = rules.legal(boxes[0], states[0], seat, out)
    for k in range(n):
        out[k] = rules.compact(boxes[0], states[0], seat, int(out[k]))
    return n


@compiled
def play_number(boxes: Record, states: Record, number: int, out: Ints) -> int:
    """Play an action of the seat that acts, given in the numbering for learners, and list what may be done next.

    Return how many actions are in `out`, lowest first; -1, and nothing is played, if the action is not legal.
    """
    box, s = boxes[0], states[0]
    seat = rules.next_seat(s)
    if seat < 0:
        return -1
    action = rules.expand(box, s, seat, number)
    if action < 0 or rules.breaks(box, s, seat, action) != 0:
        return -1
    rules.apply(box, s, seat, action)
    return list_numbers(boxes, states, rules.next_seat(s), out) if s.over == 0 else 0


@compiled
def to_action(boxes: Record, states: Record, seat: int, number: int) -> int:
    """Return the action with that number for learners, -1 if there is none now."""
    return rules.expand(boxes[0], states[0], seat, number)


@compiled
def to_number(boxes: Record, states: Record, seat: int, action: int) -> int:
    """Return the number of an action for learners."""
    return rules.compact(boxes[0], states[0], seat, action)


def entry_points(engine: Engine) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Return every function that a batch runs, with arguments of the right types, for compiling."""
    blank = np.zeros(1, engine.game.rules.STATE)
    rows = Rows(
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros((1, dice.WORDS), np.uint64),
        np.zeros((1, 1), np.int8),
        np.zeros(1, np.int8),
        np.zeros(1, np.bool_),
        np.zeros((1, 1), np.float32),
        np.zeros((1, 1), np.int32),
        np.zeros((1, 1), np.float32),
        blank,
        np.zeros((1, 1), np.int8),
    )
    numbers, actions = np.zeros(1, np.int64), np.zeros(1, np.int32)
    return [
        (advance, (rows, blank, numbers, True, blank, actions, np.zeros(1))),
        (refused, (rows.seats, rows.masks, numbers)),
        (pick, (rows.seats, rows.luck, actions, numbers)),
        (list_numbers, (0, actions)),
        (play_number, (0, actions)),
        (to_action, (0, 0)),
        (to_number, (0, 0)),
        (observe, (blank, rows.seats, rows.observations, rows.masks, actions)),
    ]
