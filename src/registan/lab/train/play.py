"""Games to learn from: played by nets and the greedy bot in compiled code, kept as what a seat knew and what followed.

Every decision of a net is a sample: what its seat knew right after it. Quiet positions, between two turns, are samples
for a second net, which judges them for the search: what each seat knew there. A sample's target is how the game ended
for the seat, mixed with what the net thought at the seat's next samples (TD(λ), of what was really played: a maximum
over uncertain values would be too high).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from registan.bots.learned import Desk, closer_look, judge, outcome, rate, with_net
from registan.bots.net import OUTPUTS, Net, Scratch, evaluate, look
from registan.core import chance as dice
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.game import SEATS, Ints, Record, record_type

LINK, QUIET = SEATS, 2 * SEATS
"""Added to the seat of a sample: for a link in the chain of a seat's decisions, and for a quiet position."""
STRAY = 2.0
"""How many points worse an action must look for a bot that strays to choose it e times less often."""
GREEDY = -1
"""In the place of a net's number: a seat that is played at a glance, with the tuned eye in games that are watched."""

PLAN = record_type(
    [
        ("heat", "f8"),  # how far below the best an action must be to be played e times less often
        ("lamda", "f8"),  # how much of a target is what followed rather than what the net thinks
        ("margin", "f8"),  # the weight of the margin in a choice
        ("keep", "f8"),  # the share of decisions that are kept as samples
        ("look", "f8"),  # the share of quiet positions of which is kept what each seat knows
        ("stray", "f8"),  # the share of decisions at a glance that are only among the better ones, on average
        ("watch", "u1"),  # 1 to learn from games that are played at a glance
    ]
)


class Samples(NamedTuple):
    """What was kept of some games: the inputs that are not 0, row after row, and the targets."""

    starts: Ints
    """Where the inputs of a sample start, and one more number: where the last one's end."""
    places: Ints
    """Rows of the first layer."""
    inputs: Ints
    targets: Ints
    seats: Ints
    """Whose sample it is, and of which kind: plus LINK or QUIET."""


def blank_samples(n: int, inputs: int) -> Samples:
    """Return room for n samples with that many inputs each that are not 0."""
    return Samples(
        np.zeros(n + 1, np.int64),
        np.zeros(n * inputs, np.int16),
        np.zeros(n * inputs, np.float32),
        np.zeros((n, OUTPUTS), np.float32),
        np.zeros(n, np.int8),
    )


@compiled
def keep(samples: Samples, n: int, rows: Ints, inputs: Ints, seat: int, stored: bool) -> None:
    """Add a sample; one that is not stored is only a link in the chain of a seat's decisions."""
    at = int(samples.starts[n])
    if stored:
        for i in range(len(rows) - 1):
            if inputs[i] != 0.0:
                samples.places[at] = rows[i]
                samples.inputs[at] = inputs[i]
                at += 1
        samples.places[at] = rows[len(rows) - 1]
        samples.inputs[at] = 1.0
        at += 1
    samples.starts[n + 1] = at
    samples.seats[n] = seat


@compiled
def warm_choice(values: Ints, n: int, best: int, heat: float, rng: Ints, odds: Ints) -> int:
    """Return one of n actions, mostly one of the best (Boltzmann)."""
    total = 0.0
    for i in range(n):
        odds[i] = np.exp((values[i, 2] - values[best, 2]) / heat)
        total += odds[i]
    left = total * float(dice.draw(rng)) / 4294967296.0
    for i in range(n):
        left -= odds[i]
        if left < 0.0:
            return i
    return n - 1


@compiled
def strayed(box: Record, s: Record, seat: int, rng: Ints, actions: Ints, worth: Ints, eye: Any) -> int:
    """Return an action that looks good at a glance, not always the best: what others do is to be known, too."""
    n = rules.legal(box, s, seat, actions)
    rules.glance(box, s, seat, actions, n, worth, eye)
    top = np.max(worth[:n])
    for i in range(n):
        worth[i] = np.exp((worth[i] - top) / STRAY)
    left = np.sum(worth[:n]) * float(dice.draw(rng)) / 4294967296.0
    for i in range(n):
        left -= worth[i]
        if left < 0.0:
            return int(actions[i])
    return int(actions[n - 1])


@compiled
def at_a_glance(
    box: Record, s: Record, seat: int, rng: Ints, actions: Ints, worth: Ints, watched: bool, stray: float, eye: Any
) -> int:
    """Return what looks best: to the plain eye, or in games that are watched to the tuned one, which may stray."""
    if not watched:
        return rules.best(box, s, seat, rng, actions, worth)
    if stray > 0.0 and dice.draw(rng) < stray * 4294967296.0:
        return strayed(box, s, seat, rng, actions, worth, eye)
    return rules.best_to(box, s, seat, rng, actions, worth, eye)


@compiled
def look_back(box: Record, s: Record, samples: Samples, first: int, n: int, lamda: float, desk: Desk) -> None:
    """Turn the values in `targets` of the samples of a game into targets, from its end backwards.

    Decisions and quiet positions of a seat are two chains: each is judged by its own net.
    """
    follows = np.zeros((2, SEATS, OUTPUTS), np.float32)
    for seat in range(s.players):
        outcome(box, s, seat, desk.scale, desk.points, follows[0, seat])
        follows[1, seat] = follows[0, seat]
    for k in range(n - 1, first - 1, -1):
        seat = int(samples.seats[k]) % SEATS
        kind = 1 if samples.seats[k] >= QUIET else 0
        for j in range(OUTPUTS):
            value = samples.targets[k, j]
            samples.targets[k, j] = follows[kind, seat, j]
            if samples.seats[k] >= LINK:
                follows[kind, seat, j] = (1.0 - lamda) * value + lamda * follows[kind, seat, j]


@compiled
def play_to_learn(
    boxes: Record,
    states: Record,
    blank: Record,
    desk: Desk,
    value: Net,
    room: Scratch,
    league: Ints,
    seatings: Ints,
    seed: int,
    number: int,
    plan: Record,
    samples: Samples,
) -> tuple[int, int]:
    """Play games until the room for samples is nearly full; return how many samples and games there are.

    `states` is an array of one. Game i seats the nets `seatings[i]`, numbers of rows of `league`; the first one learns.
    `value` judges quiet positions in `room`.
    """
    box = boxes[0]
    s = states[0]
    net, actions, worth, values = desk.net, desk.actions, desk.worth, desk.values
    after = desk.room.after
    odds = np.zeros(len(values), np.float64)
    rng = np.zeros(4, np.uint64)
    views = desk.worlds[:1].copy()
    capacity = len(samples.seats)
    n = 0
    longest = 0
    game = 0
    while game < len(seatings) and n + 64 + 2 * longest < capacity:
        first = n
        states[0] = blank[0]
        dice.seed(s.rng, seed, 2 * (number + game))
        dice.seed(rng, seed, 2 * (number + game) + 1)
        rules.setup(box, s)
        players = int(s.players)
        stray = 2.0 * plan.stray * float(dice.draw(rng)) / 4294967296.0 if plan.watch != 0 else 0.0
        while s.over == 0 and n + SEATS < capacity and samples.starts[n] + SEATS * len(net.rows) < len(samples.places):
            if rules.quiet(box, s) and dice.draw(rng) < plan.look * 4294967296.0:
                for other in range(players):
                    if seatings[game, other] == 0 or plan.watch != 0:
                        views[0] = s
                        rules.hide(box, views[0], other)
                        look(box, views[0], other, after)
                        evaluate(value, after, room.sums, room.hidden, samples.targets[n])
                        keep(samples, n, net.rows, after, other + QUIET, True)
                        n += 1
            seat = rules.next_seat(s)
            kind = int(seatings[game, seat])
            learns = kind == 0 or plan.watch != 0
            if kind == GREEDY:
                action = at_a_glance(box, s, seat, rng, actions, worth, plan.watch != 0, stray, desk.eye)
                if learns and dice.draw(rng) < plan.keep * 4294967296.0:
                    views[0] = s
                    rules.unseal(box, views[0], seat)
                    rules.act(box, views[0], seat, action)
                    if views[0].over == 0:
                        rules.hide(box, views[0], seat)
                        look(box, views[0], seat, after)
                        keep(samples, n, net.rows, after, seat, True)
                        n += 1
            else:
                count = rules.legal(box, s, seat, actions)
                count = closer_look(box, s, seat, actions, count, worth, len(values), desk.eye)
                action = int(actions[0])
                if count > 1:
                    views[0] = s
                    rules.hide(box, views[0], seat)
                    mine = Net(net.sizes, net.rows, league[kind])
                    judge(box, views[0], seat, with_net(desk, mine), rng, count)
                    best = rate(box, views[0], seat, desk, count, plan.margin)
                    chosen = warm_choice(values, count, best, plan.heat, rng, odds)
                    action = int(actions[chosen])
                    if learns:
                        views[0] = s
                        rules.unseal(box, views[0], seat)
                        rules.act(box, views[0], seat, action)
                        stored = views[0].over == 0 and dice.draw(rng) < plan.keep * 4294967296.0
                        if stored:
                            rules.hide(box, views[0], seat)
                            look(box, views[0], seat, after)
                        samples.targets[n, 0] = values[chosen, 0]
                        samples.targets[n, 1] = values[chosen, 1]
                        keep(samples, n, net.rows, after, seat + LINK, stored)
                        n += 1
            rules.apply(box, s, seat, action)
        if s.over == 0:
            return first, game  # no room for the rest of the game
        look_back(box, s, samples, first, n, plan.lamda, desk)
        longest = max(longest, n - first)
        game += 1
    return n, game
