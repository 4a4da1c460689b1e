"""How a simulation goes on where the tree ends: played to the end of the game or judged by a net."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.bots.net import Net, Scratch, evaluate, look
from registan.core import chance as dice
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.game import Ints, Record


@compiled
def about_best(box: Record, s: Record, seat: int, rng: Ints, actions: Ints, worth: Ints, eye: Any, heat: float) -> int:
    """Return an action that looks about as good as the best: others do not always do what looks best to us."""
    n = rules.legal(box, s, seat, actions)
    if n == 1:
        return int(actions[0])
    rules.glance(box, s, seat, actions, n, worth, eye)
    step = heat / 4294967296.0
    chosen = 0
    for i in range(n):
        worth[i] += step * (float(dice.draw(rng)) - float(dice.draw(rng)))
        if worth[i] > worth[chosen]:
            chosen = i
    return int(actions[chosen])


@compiled
def playout(
    box: Record, s: Record, rng: Ints, tune: Record, actions: Ints, worth: Ints, judged: bool, eye: Any
) -> None:
    """Play a game to its end, or to where a net may judge it, mostly greedily, sometimes at random."""
    threshold = int(tune.greedy * 4294967296.0)
    while s.over == 0 and not (judged and rules.quiet(box, s)):
        seat = rules.next_seat(s)
        if tune.heat > 0.0:
            action = about_best(box, s, seat, rng, actions, worth, eye, tune.heat)
        elif dice.draw(rng) < threshold:
            action = rules.best_to(box, s, seat, rng, actions, worth, eye)
        else:
            action = rules.pick(box, s, seat, rng, actions)
        rules.apply(box, s, seat, action)


@compiled
def is_judged(tune: Record, done: float, rng: Ints) -> bool:
    """Whether a net judges the next simulation: all of them at first, half of them after `trust` simulations."""
    return bool(tune.trust > 0.0 and dice.draw(rng) * (tune.trust + done) < tune.trust * 4294967296.0)


@compiled
def winners(box: Record, s: Record, points: Ints) -> int:
    """Return the winners, as bits; calls the game's `winners` only for a tie."""
    top = -1000
    for seat in range(s.players):
        top = max(top, int(points[seat, 0]))
    who = 0
    for seat in range(s.players):
        if points[seat, 0] == top:
            who |= 1 << seat
    return who if who & (who - 1) == 0 else int(rules.winners(box, s))


@compiled
def rewards(box: Record, s: Record, tune: Record, points: Ints, out: Ints) -> None:
    """Write the outcome for each seat into `out[seat]`: reward (0 to 1), share of the win, margin."""
    players = int(s.players)
    rules.scores(box, s, points)
    who = winners(box, s, points)
    share = 0
    for seat in range(players):
        share += (who >> seat) & 1
    for seat in range(players):
        rival = -1000
        for other in range(players):
            if other != seat:
                rival = max(rival, int(points[other, 0]))
        won = 1.0 / share if (who >> seat) & 1 else 0.0
        margin = float(points[seat, 0]) - rival
        clear = 0.5 + 0.5 * max(-1.0, min(1.0, margin / tune.scale))
        out[seat, 0] = (1.0 - tune.margin) * won + tune.margin * clear
        if tune.soft > 0.0:
            out[seat, 0] = 1.0 / (1.0 + np.exp(-margin / tune.soft))
        out[seat, 1] = won
        out[seat, 2] = margin


@compiled
def foresee(box: Record, s: Record, tune: Record, net: Net, room: Scratch, views: Record, out: Ints) -> None:
    """Write the outcome for each seat that a net expects from what the seat would know, in the form of `rewards`."""
    players = int(s.players)
    total = 0.0
    for seat in range(players):
        views[0] = s
        rules.hide(box, views[0], seat)
        look(box, views[0], seat, room.inputs)
        evaluate(net, room.inputs, room.sums, room.hidden, room.out)
        out[seat, 1] = room.out[0]
        out[seat, 2] = room.out[1]
        total += room.out[0]
    for seat in range(players):
        won = out[seat, 1] / total
        out[seat, 0] = (1.0 - tune.margin) * won + tune.margin * (0.5 + 0.5 * out[seat, 2])
        out[seat, 1] = won
        out[seat, 2] *= tune.scale


@compiled
def go_on(
    box: Record, s: Record, rng: Ints, tune: Record, done: float, actions: Ints, worth: Ints, net: Net, room: Scratch,
    views: Record, points: Ints, out: Ints, eye: Any,
) -> None:  # fmt: skip
    """Play on, and write the outcome for each seat in the form of `rewards`; `done` simulations were before."""
    playout(box, s, rng, tune, actions, worth, is_judged(tune, done, rng), eye)
    if s.over != 0:
        rewards(box, s, tune, points, out)
    else:
        foresee(box, s, tune, net, room, views, out)
