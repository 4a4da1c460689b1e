"""Games between bots: as many as asked, with the same results for the same seed, however they are run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from registan.bots.bot import Bot
from registan.bots.random import RandomBot
from registan.core import batch, chance
from registan.core.game import Box, Game
from registan.core.match import Match

CHUNK = 2000
"""Games between two steps of the progress bar."""


@dataclass(frozen=True)
class Run:
    """What is to be simulated."""

    game: Game
    box: Box
    players: int
    options: dict[str, Any]
    bots: list[Bot]
    games: int
    seed: int

    @property
    def all_random(self) -> bool:
        """Whether the fast way will do: only random bots, at compiled speed."""
        return all(isinstance(bot, RandomBot) for bot in self.bots)


@dataclass
class Results:
    """What came out, one row a game."""

    decisions: Any
    over: Any
    scores: Any  # [game, seat]
    winners: Any  # as bits


def one(run: Run, number: int) -> Match:
    """Play one game of a run to its end, move by move, so that it can be recorded."""
    match = Match(run.game, run.box, run.players, run.options, chance.LabStream(run.seed, number)).deal()
    words = np.zeros(chance.WORDS, np.uint64)
    chance.seed(words, run.seed, 2 * number + 1)
    while not match.over:
        seat = match.waiting[0]
        bot = run.bots[seat]
        match.play_action(seat, bot.choose(run.game, run.box, match.hidden(seat), seat, words))
    return match


def matches(run: Run) -> Iterator[Match]:
    """Play all games of a run, one after the other."""
    for number in range(run.games):
        yield one(run, number)


def simulate(run: Run, threads: int = 1, progress: Callable[[int], None] = lambda n: None) -> Results:
    """Play all games of a run and keep only what came out."""
    parts: list[Results] = []
    for first in range(0, run.games, CHUNK):
        n = min(CHUNK, run.games - first)
        parts.append(_chunk(run, first, n, threads))
        progress(n)
    return Results(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Results)))


def _chunk(run: Run, first: int, n: int, threads: int) -> Results:
    """Play some of the games."""
    states = batch.blank(run.game, n, run.players, run.options)
    if run.all_random:
        decisions = batch.play(run.game, run.box, states, run.seed, first, threads)
    else:
        decisions = np.zeros(n, np.int64)
        for i in range(n):
            match = one(run, first + i)
            states[i], decisions[i] = match.state, match.moves_played
    scores, winners = batch.results(run.game, run.box, states)
    return Results(decisions, states["over"].copy(), scores[:, : run.players, 0], winners)
