"""Measure what games cost a database: bytes of a whole game, and appends a second.

    python -m bench.store                                            # SQLite
    python -m bench.store --store postgresql://postgres@127.0.0.1/empty   # an empty database

Games are played by random moves of people, through the house and without clients. Bytes are those of the whole
database, indexes included, divided by the games. Appends are those of many tables at once, one event each, on disk when
they count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.parts import descendants
from msgspec.structs import replace

from registan.core.engine import use_compiled
from registan.core.registry import find, keys
from registan.server.live.house import House
from registan.server.storage.store import Store, open_store
from registan.server.storage.summary import summarize
from registan.tables import events as e
from registan.tables.creation import create
from registan.tables.pace import Pace
from registan.tables.requests import Play, Start
from registan.tables.seats import Seat
from registan.tables.table import Table, replay

PLAYERS = 4


async def size(store: Store, path: str) -> int:
    """Return the bytes of a database."""
    if "://" not in path:
        return sum(Path(path + end).stat().st_size for end in ("", "-wal") if Path(path + end).exists())
    await store.fetch("VACUUM")
    await store.fetch("CHECKPOINT")
    return int((await store.fetch("SELECT pg_database_size(current_database())"))[0][0])


def server_cpu(pid: int | None) -> float:
    """Return the CPU seconds of the processes of a database server, those that have ended included."""
    if pid is None:
        return 0.0
    total = 0
    for process in (pid, *descendants(pid)):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


async def play(house: House, game: str, rng: random.Random) -> Table:
    """Play a whole game."""
    seats = [Seat(kind="person", who="p0", name="Guest") for _ in range(min(PLAYERS, find(game).players[-1]))]
    table = await house.create(lambda table, now, secret: create(table, "p0", now, secret, game, seats, {}, Pace()))
    found = await house.act(table, lambda t, now: Start().carry_out(t, "p0", now))
    while not found.finished:
        asked = [seat for seat in range(len(seats)) if found.asked(seat)]
        if not asked:
            found = await house.act(table, lambda t, now: [])
            continue
        seat = rng.choice(asked)
        move = rng.choice(found.playing.for_seat(seat).legal(seat))
        request = Play(seat=seat, move=move, key=secrets.token_urlsafe(6))
        found = await house.act(table, lambda t, now, r=request: r.carry_out(t, "p0", now))  # type: ignore[misc]
    return found


async def games(path: str, count: int, pid: int | None) -> list[dict[str, Any]]:
    """Play games of each kind, and return what each has cost."""
    rows = []
    for game in keys():
        store = await open_store(path)
        house = House(store)
        before, cpu, server = await size(store, path), time.process_time(), server_cpu(pid)
        played = await asyncio.gather(*(play(house, game, random.Random(number)) for number in range(count)))
        events = sum(table.seq for table in played)
        while house._tasks:
            await asyncio.sleep(0.05)
        cpu, server = time.process_time() - cpu, server_cpu(pid) - server
        grown = await size(store, path) - before
        rows.append(
            {
                "game": game,
                "games": count,
                "events": round(events / count),
                "kb": round(grown / count / 1024, 1),
                "cpu_ms_per_event": round(cpu / events * 1e3, 2),
                "server_cpu_ms_per_event": round(server / events * 1e3, 2),
            }
        )
        await house.close()
    return rows


async def appends(path: str, tables: int, seconds: float, pid: int | None) -> dict[str, Any]:
    """Append to many logs at once, and return how many a second."""
    store = await open_store(path)
    seats = [Seat(kind="person", who=f"p{i}", name=f"Guest {i}") for i in range(PLAYERS)]
    made = replay([create("t", "p0", 1, secrets.token_bytes(32), keys()[0], seats, {}, Pace())])
    summary, event = (
        summarize(made),
        e.dumps(e.Moved(at=1, seat=1, move={"do": "move", "from": 3, "to": 7}, key="p1 abcdef")),
    )
    until, count = time.monotonic() + seconds, 0

    async def fill(number: int) -> None:
        nonlocal count
        mine, seen = replace(summary, table=f"load-{number}"), 0
        while time.monotonic() < until:
            await store.append(mine, seen, [event])
            seen += 1
            count += 1

    cpu, server = time.process_time(), server_cpu(pid)
    await asyncio.gather(*(fill(number) for number in range(tables)))
    cpu, server = time.process_time() - cpu, server_cpu(pid) - server
    await store.close()
    return {
        "appends_per_s": round(count / seconds),
        "cpu_ms": round(cpu / count * 1e3, 3),
        "server_cpu_ms": round(server / count * 1e3, 3),
    }


async def run(path: str, args: argparse.Namespace) -> None:
    for game in keys():
        use_compiled(find(game))
    for row in await games(path, args.games, args.pid):
        print(json.dumps(row), flush=True)
    found = await appends(path, args.tables, args.seconds, args.pid)
    print(json.dumps({**found, "tables": args.tables, "load": round(os.getloadavg()[0], 1)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", default="")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument(
        "--pid", type=int, help="the first process of PostgreSQL on this machine, to measure its CPU time"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(run(args.store or str(Path(name) / "house.db"), args))


if __name__ == "__main__":
    main()
