"""Games of learned bots inside compiled code, alone or with the bots of `compiled_bots`, for arenas.

They make the same moves as in Python: they see `hide` of the state and draw the same numbers in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from registan.bots.bot import Bot
from registan.bots.eyes import tuned_eye
from registan.bots.learned import LearnedBot
from registan.bots.policy import Policy, Room, glance_of, preferred, room_for
from registan.core import chance as dice
from registan.core import rules
from registan.core.batch import in_threads
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.game import SEATS, Box, Game, Ints, Record
from registan.lab.compiled_bots import COMPILED

NETS = len(COMPILED)
"""The number of the first net, after those of the other bots."""


@compiled
def _play_nets(
    boxes: Record,
    states: Record,
    kinds: Ints,
    seed: int,
    deals: Ints,
    numbers: Ints,
    policy: Policy,
    room: Room,
    league: Ints,
    glance: float,
    out: Ints,
    eye: Any,
) -> None:
    """Set up and play every game of an array to its end, as `_play_bots` does; kinds beyond its bots are nets."""
    box = boxes[0]
    rng = np.zeros(4, np.uint64)
    views = states[:1].copy()
    for i in range(len(states)):
        s = states[i]
        dice.seed(s.rng, seed, 2 * int(deals[i]))
        dice.seed(rng, seed, 2 * int(numbers[i]) + 1)
        rules.setup(box, s)
        while s.over == 0:
            seat = rules.next_seat(s)
            kind = int(kinds[i, seat])
            if kind == 0:
                action = rules.pick(box, s, seat, rng, room.actions)
            elif kind == 1:
                action = rules.best(box, s, seat, rng, room.actions, room.worth)
            elif kind < NETS:
                action = rules.best_to(box, s, seat, rng, room.actions, room.worth, eye)
            else:
                views[0] = s
                rules.hide(box, views[0], seat)
                mine = Policy(policy.sizes, policy.rows, league[kind - NETS])
                action = preferred(box, views[0], seat, mine, 1.0, glance, eye, room)
            rules.apply(box, s, seat, action)
            out[i] += 1


def nets_of(game: Game, players: int, bots: Sequence[Bot]) -> dict[str, Policy] | None:
    """Return the nets of the learned bots, by name; None unless all bots can play inside compiled code.

    Nets of different sizes cannot play in the same compiled game.
    """
    found: dict[str, Policy] = {}
    for bot in bots:
        if bot.name in COMPILED:
            continue
        net = bot.net(game, players) if isinstance(bot, LearnedBot) and bot.share == 1.0 else None
        if net is None:
            return None
        found[bot.name] = net
    sizes = {tuple(net.sizes.tolist()) for net in found.values()}
    return found if len(sizes) == 1 else None


def play_nets(
    game: Game,
    box: Box,
    states: Any,
    bots: Sequence[tuple[str, ...]],
    found: Mapping[str, Policy],
    seed: int,
    deals: Ints,
    numbers: Ints,
    threads: int = 1,
) -> Ints:
    """Play an array of blank states to the end, each with its own bots by seat; return the decisions of each."""
    known = {**COMPILED, **{name: NETS + i for i, name in enumerate(found)}}
    league = np.stack([net.weights for net in found.values()])
    net = next(iter(found.values()))
    kinds = np.zeros((len(bots), SEATS), np.int8)
    for i, names in enumerate(bots):
        kinds[i, : len(names)] = [known[name] for name in names]
    decisions = np.zeros(len(states), np.int64)
    engine, eye = Engine(game, box, compiled=True), tuned_eye(game)

    def play(start: int, stop: int) -> None:
        here = slice(start, stop)
        engine.run(
            _play_nets, states[here], kinds[here], seed, deals[here], numbers[here], net, room_for(game, net), league,
            glance_of(game), decisions[here], eye,
        )  # fmt: skip

    in_threads(min(threads, len(states)), len(states), play)
    return decisions
