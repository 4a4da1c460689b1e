"""Games to learn from: played in compiled code, kept as what a seat knew and could do, what it did, and how it went.

Every decision of a seat that learns is a sample, if it had a choice. How much better it went than expected is what
followed, by the net that judges positions (TD(λ)), less what that net thought before. Quiet positions, between two
turns, are samples for that net alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from registan.bots.net import OUTPUTS, Net, Scratch, evaluate, look
from registan.bots.policy import SHORT, Policy, Room, gather, prefer
from registan.core import chance as dice
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.game import SEATS, Game, Ints, Record, record_type

GREEDY, TUNED = -1, -2
"""In the place of a net's number: a seat that is played at a glance, with the plain or with the tuned eye."""
SCALE = 20.0
"""How many points are a clear win, unless `net.py` of the game says otherwise."""

PLAN = record_type(
    [
        ("lamda", "f8"),  # how much of what followed counts, rather than what the net expected next
        ("margin", "f8"),  # the weight of the margin in what a seat wants; the rest is winning
        ("look", "f8"),  # the share of quiet positions that are kept
        ("glance", "f8"),  # how much is added to a preference for a point at a glance
        ("scale", "f8"),  # how many points are a clear win
    ]
)


class Samples(NamedTuple):
    """What was kept of some games, sample after sample."""

    starts: Ints
    """Where the inputs of a sample start that are not 0, and one more number: where the last one's end."""
    places: Ints
    """Rows of the first layer."""
    inputs: Ints
    choices: Ints
    """Where the actions of a sample start, and one more number; a quiet position has none."""
    traits: Ints
    """What an action is, row by row."""
    worth: Ints
    """What is added to the preference for an action."""
    chosen: Ints
    """Which action was chosen, and how likely that was."""
    odds: Ints
    expected: Ints
    gains: Ints
    """What the seat expected of the game, and how much better it went."""
    targets: Ints
    """How the game ended: the share of the win and the margin, in clear wins."""
    seats: Ints


def blank_samples(n: int, inputs: int, choices: int, traits: int) -> Samples:
    """Return room for n samples with that many inputs that are not 0 and that many actions each, on average."""
    return Samples(
        np.zeros(n + 1, np.int64),
        np.zeros(n * inputs, np.int16),
        np.zeros(n * inputs, np.float32),
        np.zeros(n + 1, np.int64),
        np.zeros((n * choices, traits), np.float32),
        np.zeros(n * choices, np.float32),
        np.zeros(n, np.int8),
        np.zeros(n, np.float32),
        np.zeros(n, np.float32),
        np.zeros(n, np.float32),
        np.zeros((n, OUTPUTS), np.float32),
        np.zeros(n, np.int8),
    )


def scale_of(game: Game) -> float:
    """Return how many points are a clear win in a game."""
    found: float = getattr(game.part("net"), "SCALE", SCALE)
    return found


@compiled
def outcome(box: Record, s: Record, seat: int, scale: float, points: Ints, out: Ints) -> None:
    """Write how a game has ended for a seat: its share of the win (0 to 1), and its margin in clear wins (-1 to 1)."""
    rules.scores(box, s, points)
    who = int(rules.winners(box, s))
    share = 0
    rival = -10000
    for other in range(s.players):
        share += (who >> other) & 1
        if other != seat:
            rival = max(rival, int(points[other, 0]))
    out[0] = 1.0 / share if (who >> seat) & 1 else 0.0
    out[1] = np.tanh((float(points[seat, 0]) - rival) / scale)


@compiled
def wanted(out: Ints, margin: float) -> float:
    """Return how good an outcome is, from 0 to 1."""
    return float((1.0 - margin) * out[0] + margin * (0.5 + 0.5 * out[1]))


@compiled
def to_odds(out: Ints, n: int) -> None:
    """Turn n preferences into how likely each action is to be chosen."""
    top = np.max(out[:n])
    total = np.float32(0.0)
    for i in range(n):
        out[i] = np.exp(out[i] - top)
        total += out[i]
    for i in range(n):
        out[i] /= total


@compiled
def drawn(odds: Ints, n: int, rng: Ints) -> int:
    """Return one of n actions at random, by their odds."""
    left = float(dice.draw(rng)) / 4294967296.0
    for i in range(n):
        left -= odds[i]
        if left < 0.0:
            return i
    return n - 1


@compiled
def keep_inputs(samples: Samples, n: int, rows: Ints, inputs: Ints, seat: int) -> None:
    """Begin a sample with what a seat knows, as yet without actions."""
    at = int(samples.starts[n])
    samples.starts[n + 1] = at + gather(rows, inputs, samples.places[at:], samples.inputs[at:])
    samples.choices[n + 1] = samples.choices[n]
    samples.seats[n] = seat


@compiled
def keep_choice(samples: Samples, n: int, room: Room, count: int, chosen: int) -> None:
    """Add the actions of a decision to a sample; `room.out` has their odds."""
    at = int(samples.choices[n])
    samples.choices[n + 1] = at + count
    for i in range(count):
        samples.traits[at + i] = room.traits[i]
        samples.worth[at + i] = room.worth[i]
    samples.chosen[n] = chosen
    samples.odds[n] = room.out[chosen]


@compiled
def look_back(box: Record, s: Record, samples: Samples, first: int, n: int, plan: Record, points: Ints) -> None:
    """Write how a game ended and how much better each decision went than expected, from its end backwards."""
    ends = np.zeros((SEATS, OUTPUTS), np.float32)
    follows = np.zeros(SEATS, np.float64)
    for seat in range(s.players):
        outcome(box, s, seat, plan.scale, points, ends[seat])
        follows[seat] = wanted(ends[seat], plan.margin)
    for k in range(n - 1, first - 1, -1):
        seat = int(samples.seats[k])
        samples.targets[k] = ends[seat]
        if samples.choices[k + 1] > samples.choices[k]:
            samples.gains[k] = follows[seat] - samples.expected[k]
            follows[seat] = plan.lamda * follows[seat] + (1.0 - plan.lamda) * samples.expected[k]


@compiled
def play_to_learn(
    boxes: Record,
    states: Record,
    blank: Record,
    policy: Policy,
    room: Room,
    value: Net,
    scratch: Scratch,
    eye: Any,
    league: Ints,
    seatings: Ints,
    seed: int,
    number: int,
    plan: Record,
    samples: Samples,
) -> tuple[int, int]:
    """Play games until the room for samples is nearly full; return how many samples and games there are.

    `states` is an array of one. Game i seats the nets `seatings[i]`, numbers of rows of `league`; the first one learns.
    """
    box = boxes[0]
    s = states[0]
    rows = policy.rows
    rng = np.zeros(4, np.uint64)
    views = states.copy()
    points = np.zeros((SEATS, rules.PARTS), np.int64)
    n = 0
    longest = 0
    game = 0
    while game < len(seatings) and n + 64 + 2 * longest < len(samples.seats):
        first = n
        states[0] = blank[0]
        dice.seed(s.rng, seed, 2 * (number + game))
        dice.seed(rng, seed, 2 * (number + game) + 1)
        rules.setup(box, s)
        while s.over == 0:
            full = n + SEATS >= len(samples.seats) or samples.choices[n] + SHORT >= len(samples.worth)
            if full or samples.starts[n] + (SEATS + 1) * len(rows) >= len(samples.places):
                return first, game  # no room for the rest of the game
            if rules.quiet(box, s) and dice.draw(rng) < plan.look * 4294967296.0:
                for other in range(s.players):
                    if seatings[game, other] == 0:
                        views[0] = s
                        rules.hide(box, views[0], other)
                        look(box, views[0], other, room.inputs)
                        keep_inputs(samples, n, rows, room.inputs, other)
                        n += 1
            seat = rules.next_seat(s)
            kind = int(seatings[game, seat])
            if kind == GREEDY:
                action = rules.best(box, s, seat, rng, room.actions, room.worth)
            elif kind == TUNED:
                action = rules.best_to(box, s, seat, rng, room.actions, room.worth, eye)
            else:
                views[0] = s
                rules.hide(box, views[0], seat)
                mine = Policy(policy.sizes, rows, league[kind])
                count = prefer(box, views[0], seat, mine, 1.0, plan.glance, eye, room)
                chosen = 0
                if count > 1:
                    to_odds(room.out, count)
                    chosen = drawn(room.out, count, rng)
                    if kind == 0:
                        keep_inputs(samples, n, rows, room.inputs, seat)
                        keep_choice(samples, n, room, count, chosen)
                        evaluate(value, room.inputs, scratch.sums, scratch.hidden, scratch.out)
                        samples.expected[n] = wanted(scratch.out, plan.margin)
                        n += 1
                action = int(room.actions[chosen])
            rules.apply(box, s, seat, action)
        look_back(box, s, samples, first, n, plan, points)
        longest = max(longest, n - first)
        game += 1
    return n, game
