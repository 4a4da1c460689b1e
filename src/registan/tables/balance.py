"""A quick look at whether a box is fair: greedy bots play it for a few seconds, and the game says what that tells."""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np

from registan.bots.greedy import GreedyBot, looks_best
from registan.core import chance
from registan.core.batch import blank
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import Box, Game, Ints, Json, Record, check_players


class BalancePart(Protocol):
    """`balance.py` of a game, an optional part."""

    def is_turn(self, s: Record) -> bool:
        """Whether the decision that is due begins a turn."""
        ...

    def measure(self, box: Box, states: Any, turns: Ints, seed: int = 0) -> Json:
        """Return the figures of finished games, as JSON."""
        ...


def balance_part(game: Game) -> BalancePart:
    """Return the part of a game that measures boxes; raise BadInput if it has none."""
    part: BalancePart | None = game.part("balance")
    if part is None:
        raise BadInput("error.house.no_balance", game=game.key)
    return part


def check_ready(game: Game, box: Box, players: int) -> None:
    """Raise BadInput if the game cannot be measured with so many players, or not yet."""
    balance_part(game)
    check_players(game, box, players)
    if not Engine(game, box).ready(looks_best):
        raise BadInput("error.house.balance_compiling")


def quick_look(game: Game, box: Box, players: int, games: int, seconds: float) -> Json:
    """Let greedy bots play up to that many games in that time, and return what they tell; never in an event loop.

    The same number of games gives the same figures.
    """
    part, bot, engine = balance_part(game), GreedyBot(), Engine(game, box)
    states, turns = blank(game, games, players), np.zeros(games, np.int64)
    rng, end, played = np.zeros(chance.WORDS, np.uint64), time.monotonic() + seconds, 0
    while played < games and (not played or time.monotonic() < end):
        here = states[played : played + 1]
        chance.seed(here["rng"][0], 0, 2 * played)
        chance.seed(rng, 0, 2 * played + 1)
        engine.setup(here)
        while not here["over"][0]:
            waiting = int(here["waiting"][0])
            seat = (waiting & -waiting).bit_length() - 1
            turns[played] += part.is_turn(here[0])
            # Greedy reads only what its seat can see, so nothing has to be hidden from it.
            engine.apply(here, seat, bot.choose(engine, here, seat, rng))
        played += 1
    return part.measure(box, states[:played], turns[:played])
