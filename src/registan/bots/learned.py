"""The bot that plays by what it has learned: the action after which its net gives the seat the best prospects.

An action is tried on what the seat knows, with the hidden things dealt at random (`guess`) and nobody else's answer
given yet (`unseal`), up to the next decision or event. What the seat would know then (`hide`) goes to the net. Where an
action reveals something (`reveals`) or ends the game, it is tried in several such worlds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from registan.bots import net as nets
from registan.bots.eyes import tuned_eye
from registan.bots.greedy import GreedyBot
from registan.bots.net import Net, Scratch, add_up, finish, look, shift
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import SEATS, Game, Ints, Record

GUESSES = 8
"""In how many worlds an action is tried that reveals something."""
CLOSER = 64
"""How many actions the net looks at, those that look best at a glance."""
MARGIN = 0.3
"""The weight of the margin in a choice; the rest is winning."""
SCALE = 20.0
"""How many points are a clear win, unless `net.py` of the game says otherwise."""


def scale_of(game: Game) -> float:
    """Return how many points are a clear win in a game."""
    found: float = getattr(game.part("net"), "SCALE", SCALE)
    return found


def glance_of(game: Game) -> float:
    """Return how much a point counts that an action seems worth at a glance: `GLANCE` in `net.py` of the game."""
    found: float = getattr(game.part("net"), "GLANCE", 0.0)
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
def closer_look(box: Record, s: Record, seat: int, actions: Ints, n: int, worth: Ints, most: int, eye: Any) -> int:
    """Keep the actions that look best at a glance, at most so many; return how many are left."""
    if n <= most:
        return n
    rules.glance(box, s, seat, actions, n, worth, eye)
    bar = np.sort(worth[:n])[n - most]
    above = 0
    for i in range(n):
        above += worth[i] > bar
    ties = most - above
    kept = 0
    for i in range(n):
        if worth[i] > bar or (worth[i] == bar and ties > 0):
            ties -= worth[i] == bar
            actions[kept] = actions[i]
            kept += 1
    return kept


class Desk(NamedTuple):
    """What a learned bot needs to think besides what its seat knows: its net, and room for one thread."""

    net: Net
    room: Scratch
    worlds: Any
    """Two states, and one more for each guess."""
    actions: Ints
    worth: Ints
    points: Ints
    values: Ints
    """A row for each action that the net looks at: the chance to win, the margin, and how good it is in all."""
    scale: float
    glance: float
    eye: Any


def desk(game: Game, net: Net, guesses: int = GUESSES, most: int = CLOSER, glance: float | None = None) -> Desk:
    """Return a desk to think at about a game, with its own weight of a glance or another."""
    return Desk(
        net,
        nets.scratch(net),
        np.zeros(2 + guesses, game.rules.STATE),
        np.zeros(game.rules.MOST, np.int32),
        np.zeros(game.rules.MOST),
        np.zeros((SEATS, rules.PARTS), np.int64),
        np.zeros((most, 3)),
        scale_of(game),
        glance_of(game) if glance is None else glance,
        tuned_eye(game),
    )


@compiled
def with_net(desk: Desk, net: Net) -> Desk:
    """Return a desk where another net thinks."""
    return Desk(
        net, desk.room, desk.worlds, desk.actions, desk.worth, desk.points, desk.values, desk.scale, desk.glance,
        desk.eye,
    )  # fmt: skip


@compiled
def judge(box: Record, hidden: Record, seat: int, desk: Desk, rng: Ints, n: int) -> None:
    """Write what the net expects after each of n actions: the chance to win and the margin, `values[i]`.

    `room.before` and `room.from_sums` then hold what the seat knows now.
    """
    net, room, worlds = desk.net, desk.room, desk.worlds
    guesses = len(worlds) - 2
    worlds[0] = hidden
    rules.unseal(box, worlds[0], seat)
    look(box, worlds[0], seat, room.before)
    add_up(net, room.before, room.from_sums)
    made = 0
    for i in range(n):
        action = int(desk.actions[i])
        win = 0.0
        margin = 0.0
        times = guesses if rules.reveals(box, worlds[0], seat, action) else 1
        tried = 0
        while tried < times:
            if tried == made:
                worlds[2 + made] = hidden
                rules.guess(box, worlds[2 + made], seat, rng)
                rules.unseal(box, worlds[2 + made], seat)
                made += 1
            worlds[1] = worlds[2 + tried]
            s = worlds[1]
            rules.act(box, s, seat, action)
            if s.over != 0:
                outcome(box, s, seat, desk.scale, desk.points, room.out)
                times = guesses
            else:
                rules.hide(box, s, seat)
                look(box, s, seat, room.after)
                shift(net, room.before, room.after, room.from_sums, room.sums)
                finish(net, room.sums, room.hidden, room.out)
            win += room.out[0]
            margin += room.out[1]
            tried += 1
        desk.values[i, 0] = win / tried
        desk.values[i, 1] = margin / tried


@compiled
def rate(box: Record, hidden: Record, seat: int, desk: Desk, n: int, margin: float) -> int:
    """Write how good each of n actions is into `values[i, 2]`, and return which is best.

    That is the chance to win and the margin that the net expects, and a little of what the action seems worth at a
    glance, `glance` for a point: both are wrong at times, but rarely in the same way.
    """
    values = desk.values
    if desk.glance > 0.0:
        rules.glance(box, hidden, seat, desk.actions, n, desk.worth, desk.eye)
    chosen = 0
    for i in range(n):
        values[i, 2] = (1.0 - margin) * values[i, 0] + margin * (0.5 + 0.5 * values[i, 1])
        if desk.glance > 0.0:
            values[i, 2] += desk.glance * desk.worth[i]
        if values[i, 2] > values[chosen, 2]:
            chosen = i
    return chosen


@compiled
def learned_choice(box: Record, hidden: Record, seat: int, desk: Desk, rng: Ints) -> int:
    """Return the action that the net prefers, from what the seat knows."""
    n = rules.legal(box, hidden, seat, desk.actions)
    n = closer_look(box, hidden, seat, desk.actions, n, desk.worth, len(desk.values), desk.eye)
    if n == 1:
        return int(desk.actions[0])
    judge(box, hidden, seat, desk, rng, n)
    return int(desk.actions[rate(box, hidden, seat, desk, n, MARGIN)])


@compiled
def appraise(boxes: Record, states: Record, seat: int, desk: Desk, rng: Ints, out: Ints) -> None:
    """Write how good the net thinks each legal action is; those that it does not look at are like its worst."""
    box, hidden = boxes[0], states[0]
    count = rules.legal(box, hidden, seat, desk.actions)
    if count == 1:  # as in `learned_choice`: nothing is drawn where there is no choice
        out[0] = 0.0
        return
    every = desk.actions.copy()
    n = closer_look(box, hidden, seat, desk.actions, count, desk.worth, len(desk.values), desk.eye)
    judge(box, hidden, seat, desk, rng, n)
    rate(box, hidden, seat, desk, n, MARGIN)
    worst = desk.values[:n, 2].min()
    kept = 0
    for i in range(count):
        out[i] = worst
        if kept < n and desk.actions[kept] == every[i]:
            out[i] = desk.values[kept, 2]
            kept += 1


def prospects(
    engine: Engine, net: Net, hidden: Any, seat: int, rng: Ints, count: int, glance: float | None = None
) -> Ints:
    """Return how good the net thinks each of a seat's legal actions is (`appraise`), with the weight of a glance."""
    out = np.zeros(count)
    engine.run(appraise, hidden, seat, desk(engine.game, net, glance=glance), rng, out)
    return out


class LearnedBot:
    """Plays by its net alone: the game's own, or that of a file; where a game has learned nothing, like `greedy`."""

    def __init__(self, name: str = "learned", file: str = "") -> None:
        self.name, self.file = name, file
        self._nets: dict[int, Net] = {}

    def net(self, game: Game, players: int) -> Net | None:
        """Return the net for a number of players."""
        if not self.file:
            return nets.load(game, players)
        if players not in self._nets:
            self._nets[players] = nets.make(game, players, *nets.read(Path(self.file), game))
        return self._nets[players]

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return the action with the best prospects."""
        net = self.net(engine.game, int(hidden[0]["players"]))
        if net is None:
            return GreedyBot().choose(engine, hidden, seat, rng)
        actions = engine.legal(hidden, seat)
        return actions[int(np.argmax(prospects(engine, net, hidden, seat, rng, len(actions))))]
