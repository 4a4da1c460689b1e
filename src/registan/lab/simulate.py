"""Games between bots. The same seed gives the same results, however the games are run."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from registan.bots.bot import Bot
from registan.bots.ladder import LevelBot
from registan.bots.process_bot import ProcessBot
from registan.bots.search_bot import SearchBot
from registan.core import batch, chance
from registan.core.errors import BadInput
from registan.core.game import Box, Game, Ints, Json
from registan.core.match import Match
from registan.lab.compiled_bots import play_bots
from registan.lab.net_games import play_nets
from registan.lab.run import Run

__all__ = ["Results", "Run", "matches", "one", "simulate"]

CHUNK = 2000
"""Games between two steps of the progress bar, at compiled speed."""

Watch = Callable[[Match, int, int], None]
"""Called with the match, the seat and the action before each decision is carried out."""


@dataclass
class Results:
    """The results of games, one row per game."""

    decisions: Any
    over: Any
    scores: Any  # [game, seat]
    winners: Any  # as bits
    parts: Any  # of the scores: [game, seat, part], the total first

    def __len__(self) -> int:
        return len(self.decisions)

    def shares(self) -> Ints:
        """Return the share of each seat in the win, by game and seat: a win shared by two is half a win for each."""
        players = self.scores.shape[1]
        won = (self.winners[:, None] >> np.arange(players)[None, :]) & 1
        return np.asarray(won / np.maximum(won.sum(axis=1, keepdims=True), 1))


def joined(chunks: list[Results]) -> Results:
    """Return the results of several chunks as one."""
    return Results(*(np.concatenate([getattr(chunk, field.name) for chunk in chunks]) for field in fields(Results)))


def one(
    run: Run, number: int, deal: int | None = None, watch: Watch | None = None, faults: list[Json] | None = None
) -> Match:
    """Play one game of a run to its end, move by move, so that it can be recorded.

    The game is dealt from the stream of `deal` (default: its number); its bots draw from the stream of its number.
    They are copies of the run's bots, so that no bot remembers another game: the order of games does not matter.
    What programs did wrong is added to `faults`; without that list, the first fault is an error.
    """
    stream = chance.LabStream(run.seed, number if deal is None else deal)
    match = Match(run.game, run.box, run.players, dict(run.options), stream).deal(run.first_seat)
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, run.seed, 2 * number + 1)
    bots = [by_processor_time(copy.deepcopy(bot)) for bot in run.bots]
    while not match.over:
        seat = match.waiting[0]
        action = bots[seat].choose(match.engine, match.hidden(seat), seat, rng)
        if watch is not None:
            watch(match, seat, action)
        match.play_action(seat, action)
        _count(bots[seat], seat, number, faults)
    for bot in bots:
        if hasattr(bot, "game_over"):
            bot.game_over(match.scores(), match.winners())
    return match


def by_processor_time(bot: Bot) -> Bot:
    """Let a bot that thinks for some time think for that much time of the processor, whatever else the machine does."""
    if isinstance(bot, (SearchBot, LevelBot)):
        bot.clock = time.thread_time
    return bot


def _count(bot: Bot, seat: int, number: int, faults: list[Json] | None) -> None:
    """Move what a program did wrong to the list of the game."""
    if not isinstance(bot, ProcessBot):
        return
    for kind, why in bot.new_faults():
        if faults is None:
            raise BadInput("error.bot_failed", bot=bot.name, why=why)
        faults.append({"game": number, "seat": seat, "kind": kind, "why": why})


def matches(run: Run) -> Iterator[Match]:
    """Play all games of a run, one after the other."""
    for number in run.numbers:
        yield one(run, number)


def simulate(run: Run, threads: int = 1, progress: Callable[[int], None] = lambda n: None) -> Results:
    """Play all games of a run and keep only the results."""
    found: list[Results] = []
    for chunk in run.split(CHUNK):
        found.append(play(chunk, threads))
        progress(chunk.games)
    return joined(found)


def play(run: Run, threads: int = 1) -> Results:
    """Play the games of a run at once, inside compiled code if all its bots can."""
    found = None if run.compiled else run.nets
    if not run.compiled and found is None:
        return outcome(run, list(matches(run)))
    n = run.games
    states = batch.blank(run.game, n, run.players, dict(run.options), run.first_seat)
    if found is not None:
        numbers, names = np.array(run.numbers), [run.names] * n
        decisions = play_nets(run.game, run.box, states, names, found, run.seed, numbers, numbers, threads)
    elif set(run.names) == {"random"}:
        decisions = batch.play(run.game, run.box, states, run.seed, run.first, min(threads, n))
    else:
        numbers = np.array(run.numbers)
        decisions = play_bots(run.game, run.box, states, [run.names] * n, run.seed, numbers, numbers, threads)
    return results(run.game, run.box, states, decisions)


def outcome(run: Run, played: list[Match]) -> Results:
    """Return the results of matches that are over."""
    states = batch.blank(run.game, len(played), run.players, dict(run.options))
    for i, match in enumerate(played):
        states[i] = match.state
    return results(run.game, run.box, states, np.array([match.moves_played for match in played]))


def results(game: Game, box: Box, states: Any, decisions: Ints) -> Results:
    """Return the results of games that are over, from their last states."""
    scores, winners = batch.results(game, box, states)
    parts = scores[:, : int(states["players"][0])]
    return Results(decisions, states["over"].astype(np.int64), parts[:, :, 0], winners, parts)
