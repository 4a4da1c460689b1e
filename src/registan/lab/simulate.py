"""Games between bots: as many as asked, with the same results for the same seed, however they are run."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from registan.bots.bot import Bot
from registan.core import batch, chance
from registan.core.game import Box, Game, Ints
from registan.core.match import Match
from registan.lab.policies import KINDS, play_bots

CHUNK = 2000
"""Games between two steps of the progress bar, at compiled speed."""

Watch = Callable[[Match, int, int], None]
"""What is told of a decision before it is carried out: the match, the seat and the action."""


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
    first: int | None = None
    """The seat that begins, by lot if none is named."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots by seat."""
        return tuple(bot.name for bot in self.bots)

    @property
    def quick(self) -> bool:
        """Whether all the bots can play at compiled speed."""
        return all(name in KINDS for name in self.names)


@dataclass
class Results:
    """What came out, one row a game."""

    decisions: Any
    over: Any
    scores: Any  # [game, seat]
    winners: Any  # as bits
    parts: Any  # [game, seat, part], the total first

    def __len__(self) -> int:
        return len(self.decisions)

    def shares(self) -> Ints:
        """Return what each seat has of each win, by game and seat: a win shared by two is half a win for each."""
        players = self.scores.shape[1]
        won = (self.winners[:, None] >> np.arange(players)[None, :]) & 1
        return np.asarray(won / np.maximum(won.sum(axis=1, keepdims=True), 1))


def joined(parts: list[Results]) -> Results:
    """Return the results of several parts of a run as one."""
    return Results(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Results)))


def one(run: Run, number: int, deal: int | None = None, watch: Watch | None = None) -> Match:
    """Play one game of a run to its end, move by move, so that it can be recorded.

    The game is dealt from the stream of `deal` (by default that of its number), and its bots draw from that of its
    number. They play with copies of the run's bots: what a bot remembers, it forgets between two games, so that it
    does not matter which games were played before.
    """
    stream = chance.LabStream(run.seed, number if deal is None else deal)
    match = Match(run.game, run.box, run.players, run.options, stream).deal(run.first)
    words = np.zeros(chance.WORDS, np.uint64)
    chance.seed(words, run.seed, 2 * number + 1)
    bots = [copy.deepcopy(bot) for bot in run.bots]
    while not match.over:
        seat = match.waiting[0]
        action = bots[seat].choose(run.game, run.box, match.hidden(seat), seat, words)
        if watch is not None:
            watch(match, seat, action)
        match.play_action(seat, action)
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
        parts.append(chunk(run, first, n, threads))
        progress(n)
    return joined(parts)


def chunk(run: Run, first: int, n: int, threads: int = 1) -> Results:
    """Play n games of a run from number `first` on."""
    if not run.quick:
        return outcome(run, [one(run, first + i) for i in range(n)])
    states = batch.blank(run.game, n, run.players, run.options, run.first)
    if set(run.names) == {"random"}:
        decisions = batch.play(run.game, run.box, states, run.seed, first, min(threads, n))
    else:
        numbers = np.arange(first, first + n)
        decisions = play_bots(run.game, run.box, states, [run.names] * n, run.seed, numbers, numbers, threads)
    return results(run.game, run.box, states, decisions)


def outcome(run: Run, played: list[Match]) -> Results:
    """Return what came out of matches that are over."""
    states = batch.blank(run.game, len(played), run.players, run.options)
    for i, match in enumerate(played):
        states[i] = match.state
    return results(run.game, run.box, states, np.array([match.moves_played for match in played]))


def results(game: Game, box: Box, states: Any, decisions: Ints) -> Results:
    """Return what came out of games that are over, from their last states."""
    scores, winners = batch.results(game, box, states)
    parts = scores[:, : int(states["players"][0])]
    return Results(decisions, states["over"].astype(np.int64), parts[:, :, 0], winners, parts)
