"""Compile what the bots need before the work starts; otherwise every worker would compile it for itself."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from registan.bots import find_bot
from registan.bots.own import OwnBot
from registan.bots.process_bot import ProcessBot
from registan.core import batch, chance, engine
from registan.core.compiled import INTERPRET
from registan.core.engine import use_compiled
from registan.core.match import Match
from registan.core.registry import find
from registan.lab import compiled_bots, net_games, trace
from registan.lab.chunks import play_chunk
from registan.lab.kingmaking import king_making
from registan.lab.run import Run, make_run
from registan.lab.sample import play_sample
from registan.lab.simulate import one


def compiled_functions(run: Run) -> list[Callable[..., Any]]:
    """Return the compiled functions that the games of a run call first, to ask whether they are cached."""
    if run.compiled:
        traced = [trace._trace] if run.decisions and not run.record else []
        return [batch._play if set(run.names) == {"random"} else compiled_bots._play_bots, *traced]
    if run.nets is not None:
        return [net_games._play_nets]
    if all(isinstance(bot, (OwnBot, ProcessBot)) or bot.name in compiled_bots.COMPILED for bot in run.bots):
        return [engine._hide]
    from registan.bots.search import simulate

    return [simulate]


def warm(run: Run) -> None:
    """Compile what the games of a run need, or load it from disk."""
    use_compiled(run.game)
    if run.compiled:
        play_chunk(replace(run, bots=run.bots[: run.players], games=1))
        return
    found = run.nets
    if found is not None and not run.move_by_move:
        states, names = batch.blank(run.game, 1, run.players), [("random",) * run.players]
        net_games.play_nets(run.game, run.box, states, names, found, run.seed, np.zeros(1, int), np.zeros(1, int))
        return
    one(replace(run, bots=[find_bot("random")] * run.players), 0)
    match = Match(run.game, run.box, run.players, dict(run.options), chance.LabStream(run.seed, 0)).deal()
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, run.seed, 1)
    seat = match.waiting[0]
    for bot in {bot.name: bot for bot in run.bots}.values():
        rival = copy.deepcopy(bot)
        rival.choose(match.engine, match.hidden(seat), seat, rng)
        if isinstance(rival, ProcessBot):
            rival.close()


def warm_sample(run: Run) -> None:
    """Compile what samples of a run need as well: the course of games, and playouts of late decisions."""
    warm(run)
    if run.compiled and not INTERPRET:
        sample = play_sample(replace(run, games=1))
        king_making(replace(run, games=1), sample.trace)


def steps(key: str) -> list[Callable[[], object]]:
    """Return one call for each thing to compile of a game for the laboratory, for the progress bar."""
    players = find(key).players[-1]
    counted = make_run(key, players, ["greedy"] * players, 1, seed=0)
    thinking = make_run(key, players, ["greedy", "novice@1", "search:1"], 1, seed=0)
    return [partial(warm_sample, counted), partial(warm, thinking)]
