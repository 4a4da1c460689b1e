"""Machine code for a house: loaded in the background, and compiled once for all processes of a machine."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from registan.bots.entry_points import entry_points
from registan.core.batch import blank
from registan.core.box import find_box
from registan.core.compiled import INTERPRET, cache_folder
from registan.core.engine import Engine, is_cached
from registan.core.files import opener
from registan.core.game import Game
from registan.core.registry import find, keys
from registan.server.logs import log

LOCK_ROUND = 0.5
"""Seconds between two looks whether another process has compiled a game."""


async def warm() -> None:
    """Load the machine code of rules and bots, game by game; another process compiles what is not cached.

    So the house itself never compiles: nobody waits for it, and the compiler's memory is gone afterwards.
    """
    for game in [] if INTERPRET else map(find, keys()):
        engine, states = Engine(game, find_box(game)), blank(game, 1, game.players[-1])
        needed = await asyncio.to_thread(entry_points, engine)
        if not _cached(game, needed):
            async with _alone(cache_folder() / f"{game.key}.lock"):
                # Another process may have done it meanwhile.
                compiled = _cached(game, needed) or await _compile(game.key)
            if not compiled:
                log.warning("rules could not be compiled; they run interpreted", game=game.key)
                continue
        for function, args in needed:
            await asyncio.to_thread(engine.load, function, states, *args)
        log.info("rules are compiled", game=game.key)


def _cached(game: Game, needed: list[tuple[Callable[..., Any], tuple[Any, ...]]]) -> bool:
    return all(is_cached(game, function) for function, _ in needed)


@asynccontextmanager
async def _alone(path: Path) -> AsyncIterator[None]:
    """Wait until no other process is in here."""
    try:
        import fcntl
    except ImportError:  # Windows, where a house has one process
        yield
        return
    with open(path, "ab", opener=opener) as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(LOCK_ROUND)
        yield


async def _compile(game: str) -> bool:
    """Compile a game and its bots in another process, and return whether that succeeded."""
    log.info("rules are being compiled: bots play at a glance until then", game=game)
    quiet = asyncio.subprocess.DEVNULL
    compiler = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "registan", "warm", game, "--tables", stdout=quiet, stderr=quiet
    )
    try:
        return not await compiler.wait()
    except asyncio.CancelledError:
        compiler.terminate()
        raise
