"""`registan bench` and `registan warm`: measure the engine, and compile the games in advance."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from registan.bots import find_bot
from registan.bots.entry_points import steps as table_steps
from registan.bots.search import simulate
from registan.bots.search_bot import SearchBot
from registan.cli.common import compiling, goes_with, progress
from registan.core import batch
from registan.core.box import find_box
from registan.core.chance import WORDS, seed
from registan.core.compiled import compiled, jit
from registan.core.engine import use_compiled
from registan.core.game import Box, Game, Record, check_players
from registan.core.match import Match
from registan.core.messages import language, number, say
from registan.core.registry import find, keys
from registan.core.warm import steps
from registan.lab.simulate import Run, matches
from registan.lab.warm import steps as lab_steps


@compiled
def copy(states: Record, n: int) -> None:
    """Copy a state over another one, n times."""
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


def middles(game: Game, box: Box, players: int, n: int) -> list[Match]:
    """Return games of greedy bots, halfway through."""
    run = Run(game, box, players, {}, [find_bot("greedy")] * players, n, seed=1)
    found = []
    for match in matches(run):
        for _ in range(match.moves_played // 2):
            match.undo()
        found.append(match)
    return found


def measure_search(game: Game, box: Box, players: int, seconds: float = 4.0, positions: int = 20) -> dict[str, Any]:
    """Search for about that long on one thread, from the middle of games, and return the figures."""
    use_compiled(game)
    rng = np.zeros(WORDS, np.uint64)
    seed(rng, 1, 1)
    found = middles(game, box, players, positions)
    for match in found:
        seat = match.waiting[0]
        SearchBot(simulations=1, seconds=None).think(match.engine, match.hidden(seat), seat, rng)  # compiles
    simulations, took = 0, 0.0
    for match in found:
        bot, seat = SearchBot(seconds=seconds / positions), match.waiting[0]
        start = time.process_time()  # a busy machine gives us less than a core, but counts it
        tried = sum(opinion.visits for opinion in bot.think(match.engine, match.hidden(seat), seat, rng))
        if tried:  # there was a choice
            simulations += tried
            took += time.process_time() - start
    return {"game": game.key, "players": players, "simulations_per_s": round(simulations / took)}


def bench(
    *games: str,
    search: Annotated[bool, Parameter(negative=())] = False,
    players: int | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> None:
    """Measure random play: decisions per second for each game, player count and number of threads.

    Parameters
    ----------
    games
        Only these games.
    search
        Measure the search instead: simulations per second on one core, from the middle of games to the end.
    players
        The number of players for --search (default 4).
    json_
        Print one JSON object a line.
    lang
        en or fr.
    """
    tongue = language(lang)
    cores = os.cpu_count() or 1
    goes_with("--players", players is not None, "--search", search)
    searched = 4 if players is None else players
    found = [(find(key), find_box(find(key))) for key in games or keys()]
    for game, box in found if search else ():
        check_players(game, box, searched)
    for game, box in found:
        if search:
            with compiling(tongue, game, simulate):
                row = measure_search(game, box, searched)
            print(json.dumps(row) if json_ else in_words("cli.bench.search", row, tongue), flush=True)
            continue
        with compiling(tongue, game, batch._play):
            batch.play(game, box, batch.blank(game, 1, game.players[-1]))
        for count in game.players:
            for threads in sorted({1, cores}):
                row = measure(game, box, count, threads)
                print(json.dumps(row) if json_ else in_words("cli.bench", row, tongue), flush=True)


def in_words(key: str, row: dict[str, Any], lang: str) -> str:
    """Return figures as a sentence, with their digits grouped."""
    digits = {"copy_ns": 1, "decisions_per_s": 0, "games_per_s": 0, "simulations_per_s": 0}
    return say(lang, key, **{n: number(lang, v, digits[n]) if n in digits else v for n, v in row.items()})


def warm(*games: str, tables: Annotated[bool, Parameter(negative=())] = False, lang: str | None = None) -> None:
    """Compile the games now, so that nothing has to wait later.

    Parameters
    ----------
    games
        Only these games.
    tables
        Only what tables need: the rules, and the bots that play there. Lets everything else on the machine go first.
    lang
        en or fr.
    """
    tongue = language(lang)
    todo: list[Callable[[], object]] = []
    for key in games or keys():
        game = find(key)
        todo += table_steps(game, find_box(game))
        todo += [] if tables else [*steps(game, find_box(game)), *lab_steps(key)]
    if tables and hasattr(os, "nice"):
        os.nice(5)
    start = time.perf_counter()
    collects = gc.isenabled() and not tables
    if collects:
        gc.disable()  # the compiler makes little garbage: looking for it took 7 % of the time
    try:
        with progress(say(tongue, "cli.warming"), len(todo)) as more:
            for step in todo:
                step()
                more(1)
    finally:
        if collects:
            gc.enable()
    print(say(tongue, "cli.warm", n=len(todo), seconds=f"{time.perf_counter() - start:.1f}"))
