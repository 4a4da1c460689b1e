"""Tuning the eye of a game: what its bots go by when they look at moves for the first time (`glance` in its `bot.py`).

Evolution (CMA-ES, the package `cma`): some eyes near the present one play thousands of games each, one seat against
others who look with the plain eye and with the present one, on the same deals; the next present eye is where the better
ones are. Compiled games at a glance are so quick that a generation takes seconds.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.bots.eyes import plain_eye
from registan.core import batch, rules
from registan.core import chance as dice
from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import SEATS, Box, Game, Ints, Record
from registan.lab.estimates import Estimate, mean

BEFORE = 0.8
"""How far the first generation looks, in steps of `STEPS` of the game."""
PRECISION = 4
"""Decimals of an eye's numbers."""
SOFT = 8.0
"""The points of the logistic curve by which margins are softened; eyes that win alike are told apart by them."""


@compiled
def play_eyes(
    boxes: Record, states: Record, blank: Record, one: Any, rest: Any, seed: int, most: int, wins: Ints
) -> None:
    """Play a game for each row of `wins`, one eye against others, every deal from every seat.

    Write its share of the win, and its margin softened by a logistic curve.
    """
    box = boxes[0]
    s = states[0]
    actions = np.zeros(most, np.int32)
    worth = np.zeros(most, np.float64)
    points = np.zeros((SEATS, rules.PARTS), np.int64)
    rng = np.zeros(4, np.uint64)
    players = int(blank[0].players)
    for i in range(len(wins)):
        states[0] = blank[0]
        dice.seed(s.rng, seed, 2 * (i // players))
        dice.seed(rng, seed, 2 * i + 1)
        rules.setup(box, s)
        mine = i % players
        while s.over == 0:
            seat = rules.next_seat(s)
            if seat == mine:
                action = rules.best_to(box, s, seat, rng, actions, worth, one)
            else:
                action = rules.best_to(box, s, seat, rng, actions, worth, rest)
            rules.apply(box, s, seat, action)
        who = int(rules.winners(box, s))
        wins[i, 0] = float((who >> mine) & 1) / bits(who)
        rules.scores(box, s, points)
        rival = -10000
        for other in range(players):
            if other != mine:
                rival = max(rival, int(points[other, 0]))
        wins[i, 1] = 1.0 / (1.0 + np.exp((rival - float(points[mine, 0])) / SOFT))


@dataclass(frozen=True)
class Generation:
    """How far the tuning has come."""

    number: int
    seconds: float
    eye: Any
    spread: float
    """How far apart the eyes of a generation are, as a share of `STEPS`."""


@dataclass(frozen=True)
class Tuner:
    """Tunes the eye of a game for a number of players."""

    game: Game
    box: Box
    players: int
    games: int = 1600
    """How many games each eye plays against the plain one, and as many against the present one."""
    eyes: int = 16
    seed: int = 0

    def wins(self, one: Any, rest: Any, games: int, seed: int) -> Ints:
        """Return what one eye wins against others in each game: its share, and its softened margin."""
        engine = Engine(self.game, self.box, compiled=True)
        blank = batch.blank(self.game, 1, self.players)
        found = np.zeros((-(-games // self.players) * self.players, 2))
        engine.run(play_eyes, blank.copy(), blank, one, rest, seed, self.game.rules.MOST, found)
        return found

    def against_plain(self, eye: Any, games: int, seed: int) -> Estimate:
        """Return how often an eye wins against plain ones, with an interval from the deals."""
        wins = self.wins(eye, plain_eye(self.game), games, seed)[:, 0]
        return mean(wins.reshape(-1, self.players).mean(axis=1))

    def generations(self, minutes: float, start: Any = None) -> Iterator[Generation]:
        """Yield the present eye after every generation, from the plain one or another on, until the time is over."""
        plain = plain_eye(self.game)
        if not plain:
            raise BadInput("lab.train.no_eye", game=self.game.key)
        try:
            with warnings.catch_warnings(action="ignore"):  # it would like to draw
                import cma
        except ModuleNotFoundError:
            raise BadInput("lab.needs", what="registan train glance", extra="train") from None
        part: Any = self.game.part("bot")
        kind, steps = type(plain), np.array(part.STEPS)
        zero = np.array(start or plain)

        def eye_at(x: Any) -> Any:
            return kind(*(float(v) for v in np.round(zero + steps * np.asarray(x), PRECISION)))

        options = {"popsize": self.eyes, "seed": self.seed + 1, "verbose": -9}
        search = cma.CMAEvolutionStrategy(np.zeros(len(zero)), BEFORE, options)
        began, number = time.process_time(), 0
        while time.process_time() - began < 60.0 * minutes:
            found, present = search.ask(), eye_at(search.mean)
            losses = []
            for x in found:
                seed = 2 * number + 1000 * self.seed
                wins = [
                    self.wins(eye_at(x), rest, self.games, seed + i).mean() for i, rest in enumerate((plain, present))
                ]
                losses.append(-float(np.mean(wins)))
            search.tell(found, losses)
            number += 1
            yield Generation(number, time.process_time() - began, eye_at(search.mean), float(search.sigma))
