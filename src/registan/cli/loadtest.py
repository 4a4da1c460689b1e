"""`registan loadtest`: many tables at a house, and what they cost."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from registan.core.box import find_box
from registan.core.errors import BadInput
from registan.core.game import check_players
from registan.core.messages import language, say
from registan.core.registry import find, keys

SOCKETS_ASIDE = 200
COLUMNS = (
    "tables",
    "moves_per_s",
    "p50_ms",
    "p99_ms",
    "cpu_percent",
    "cpu_ms_per_move",
    "memory_mb",
    "client_percent",
    "errors",
)


def loadtest(
    url: str,
    /,
    *,
    game: str | None = None,
    players: int = 4,
    tables: Annotated[list[int] | None, Parameter(consume_multiple=True)] = None,
    think: float = 5.0,
    seconds: float = 30.0,
    token: str = "",
    json: Annotated[bool, Parameter(negative=())] = False,
    lang: str | None = None,
) -> int:
    """Open many tables at a house, let random guests play there, and measure how long moves take and what they cost.

    A move takes from its sending until everybody at the table has the new view. Try it on a house of your own that was
    opened with REGISTAN_UNLIMITED=1: a house for people does not let one address do so much. The tables stay there.
    The exit code is 1 if a request failed.

    Parameters
    ----------
    url
        The address of the house, such as http://127.0.0.1:8137.
    game
        A game (default: the first that `registan games` lists).
    players
        The number of players at each table, each with a connection of their own.
    tables
        How many tables, measured one after the other (default 100 500 1000 2000).
    think
        How many seconds pass between two moves at a table; 0 for as fast as it goes.
    seconds
        How long to measure each number of tables.
    token
        The metrics token of the house, if it has one; without it, only a house on this machine says what it costs.
    json
        Print JSON, a line for each number of tables.
    lang
        en or fr.
    """
    try:
        from registan.server.load.measure import Load, LoadTest
        from registan.server.serving import make_room
    except ModuleNotFoundError as error:
        raise BadInput("error.extra", package=error.name, extra="house") from None
    tongue, counts = language(lang), tables or [100, 500, 1000, 2000]
    played = find(game or next(iter(keys())))
    check_players(played, find_box(played), players)
    for name, value in {"tables": min(counts), "seconds": seconds}.items():
        if value <= 0:
            raise BadInput("error.loadtest.number", name=name, value=value)
    if think < 0:
        raise BadInput("error.loadtest.number", name="think", value=think)
    make_room(max(counts) * players + SOCKETS_ASIDE)
    test = LoadTest(url, played.key, players, think, token)
    failed = False

    def told(count: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{say(tongue, 'loadtest.opening', done=count)}", end="", file=sys.stderr, flush=True)

    async def run() -> None:
        nonlocal failed
        async for load in test.steps(counts, seconds, told):
            if sys.stderr.isatty():
                print("\r\033[K", end="", file=sys.stderr, flush=True)
            failed |= bool(load.errors)
            print(msgspec.json.encode(load).decode() if json else line(load), flush=True)

    def line(load: Load) -> str:
        values = msgspec.structs.asdict(load) | {"errors": sum(load.errors.values())}
        shown = [("–" if values[name] is None else f"{values[name]:,}") for name in COLUMNS]
        faults = ", ".join(f"{why} ×{n}" for why, n in load.errors.items())
        return "  ".join(f"{cell:>{len(head(name))}}" for name, cell in zip(COLUMNS, shown)) + (
            f"  {faults}" if faults else ""
        )

    def head(name: str) -> str:
        return say(tongue, f"loadtest.{name}")

    if not json:
        print("  ".join(map(head, COLUMNS)))
    _run(run())
    return 1 if failed else 0


def _run(work: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ModuleNotFoundError:  # on Windows
        asyncio.run(work)
    else:
        uvloop.run(work)
