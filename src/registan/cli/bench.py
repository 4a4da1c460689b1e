"""`registan bench` and `registan warm`: how fast the engine is, and making it so beforehand."""

from __future__ import annotations

import json
import os
import time
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from registan.cli.common import compiling, progress
from registan.core import batch
from registan.core.box import find_box
from registan.core.compiled import compiled, jit
from registan.core.game import Box, Game, Record
from registan.core.messages import language, say
from registan.core.warm import steps
from registan.games import KEYS, find
from registan.lab.warm import steps as lab_steps


@compiled
def copy(states: Record, n: int) -> None:
    """Copy states n times, each over another one."""
    size = len(states)
    for i in range(n):
        states[(i + 1) % size] = states[i % size]


def measure(game: Game, box: Box, players: int, threads: int, seconds: float = 1.0) -> dict[str, Any]:
    """Play at random for about that long and return the figures."""
    games = 500 * threads
    batch.play(game, box, batch.blank(game, threads, players), threads=threads)
    while True:
        states = batch.blank(game, games, players)
        start = time.perf_counter()
        decisions = int(batch.play(game, box, states, seed=1, threads=threads).sum())
        took = time.perf_counter() - start
        if took > seconds / 2:
            break
        games = int(games * min(20, 1.2 * seconds / took))
    return {
        "game": game.key,
        "players": players,
        "threads": threads,
        "decisions_per_s": round(decisions / took),
        "games_per_s": round(games / took),
        "copy_ns": round(copy_ns(game), 1),
        "state_bytes": game.rules.STATE.itemsize,
    }


def copy_ns(game: Game, n: int = 2_000_000) -> float:
    """Return how long copying a state takes inside compiled code."""
    states = np.zeros(64, game.rules.STATE)
    jit(copy)(states, 1)
    start = time.perf_counter()
    jit(copy)(states, n)
    return (time.perf_counter() - start) / n * 1e9


def bench(
    *games: str, json_: Annotated[bool, Parameter(name="--json", negative=())] = False, lang: str | None = None
) -> None:
    """Measure random play: decisions a second, for each game, player count and number of threads.

    Parameters
    ----------
    games
        Only these games.
    json_
        Print one JSON object a line.
    lang
        en or fr.
    """
    tongue = language(lang)
    cores = os.cpu_count() or 1
    for key in games or KEYS:
        game = find(key)
        box = find_box(game)
        with compiling(tongue, game, batch._play):
            batch.play(game, box, batch.blank(game, 1, game.players[-1]))
        for players in game.players:
            for threads in sorted({1, cores}):
                row = measure(game, box, players, threads)
                print(json.dumps(row) if json_ else say(tongue, "cli.bench", **row), flush=True)


def warm(*games: str, lang: str | None = None) -> None:
    """Compile the games now, so that nothing waits for it later.

    Parameters
    ----------
    games
        Only these games.
    lang
        en or fr.
    """
    tongue = language(lang)
    keys = games or KEYS
    todo = [step for key in keys for step in (*steps(find(key), find_box(find(key))), *lab_steps(key))]
    start = time.perf_counter()
    with progress(say(tongue, "cli.warming"), len(todo)) as more:
        for step in todo:
            step()
            more(1)
    print(say(tongue, "cli.warm", n=len(todo), seconds=f"{time.perf_counter() - start:.1f}"))
