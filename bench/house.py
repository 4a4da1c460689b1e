"""Measure the house: many live tables of four people each, in one server process, with clients in another.

    python -m bench.house                       # 500 tables of Khiva for 10 seconds, on loopback
    python -m bench.house --game souk --tables 100 --rate 200
    python -m bench.house --store postgresql://postgres@127.0.0.1/empty --processes 2

A move is measured from sending it until all four have the new view. People play all seats, so no bot thinks. Whose game
is over begins another.
With several processes, `moves_per_busiest_cpu_s` counts moves per second of CPU time of the busiest of them: what the
house can do if each has a core of its own. `client_percent` is what the clients took themselves, of one core.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import numpy as np
import uvloop
from bench.parts import descendants

from registan.server.load.guests import Desk, guests, open_table
from registan.server.load.party import Party, undisturbed

PLAYERS = 4
ONLY = (
    "import registan.server.serving as s, registan.server.warming as w; s.keys = w.keys = lambda: {games!r}; "
    "from registan.cli import main; main({options!r})"
)
"""Compiles only the games that are played."""


def start(folder: Path, *more: str, games: tuple[str, ...] = ()) -> tuple[subprocess.Popen[str], str]:
    """Start a house without limits, which are for people, in another process; return it with its address."""
    options = ["serve", "--port", "0", "--data", str(folder), *more]
    command = [sys.executable, "-c", ONLY.format(games=games, options=options)]
    env = os.environ | {"REGISTAN_UNLIMITED": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env)
    assert process.stderr is not None
    url = json.loads(process.stderr.readline())["url"]
    return process, url


def wait_until_compiled(process: subprocess.Popen[str], processes: int = 1) -> None:
    assert process.stderr is not None
    while processes:
        line = process.stderr.readline()
        if not line:
            raise SystemExit("the house did not open")
        processes -= "rules are compiled" in line


def pin(process: int, core: int) -> None:
    """Pin a process to a core if there are several, so that clients do not use the server's."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(process, {cores[core % len(cores)]})


def invited(url: str, game: str, count: int) -> list[tuple[str, list[str]]]:
    """Create tables, each with four guests."""
    desk, made = Desk(url), []
    for _ in range(count):
        cookies = guests(desk, PLAYERS)
        made.append((open_table(desk, game, cookies), cookies))
    desk.close()
    return made


async def invite(url: str, game: str, count: int) -> list[Party]:
    """Return as many parties, seated."""
    made = await asyncio.to_thread(invited, url, game, count)
    parties = [Party(table, cookies, random.Random(number)) for number, (table, cookies) in enumerate(made)]
    for party in parties:
        await party.sit_down(url)
    return parties


async def play(parties: list[Party], url: str, game: str, seconds: float, pause: float) -> tuple[list[float], int]:
    """Let all parties play; those whose game is over begin another. Return how long moves took, and the games over.

    Whoever was refused or lost something has found a fault: raise RuntimeError.
    """
    until, ended, took = time.perf_counter() + seconds, 0, list[float]()

    async def one(i: int) -> None:
        nonlocal ended
        while time.perf_counter() < until:
            party = parties[i]
            await party.play(until, pause)
            if party.errors:
                raise RuntimeError(f"{party.table}: {party.errors}")
            took.extend(party.took)
            party.took = []
            if not party.over:
                return
            ended += 1
            party.leave()
            table = await asyncio.to_thread(again, url, game, party.cookies)
            parties[i] = Party(table, party.cookies, party.rng)
            await parties[i].sit_down(url)

    with undisturbed():
        await asyncio.gather(*map(one, range(len(parties))))
    return took, ended


def again(url: str, game: str, cookies: list[str]) -> str:
    """Let the same guests begin another game."""
    desk = Desk(url)
    try:
        return open_table(desk, game, cookies)
    finally:
        desk.close()


def memory(pid: int) -> int:
    """Return the resident memory of a process and of those it has started in bytes (Linux)."""
    pages = sum(int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in (pid, *descendants(pid)))
    return pages * os.sysconf("SC_PAGE_SIZE")


def worked_each(pid: int) -> dict[int, float]:
    """Return the CPU seconds of a process and of those it has started (Linux)."""
    found = {}
    for each in (pid, *descendants(pid)):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        found[each] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def worked(pid: int) -> float:
    """Return all of their CPU seconds."""
    return sum(worked_each(pid).values())


async def measure(process: subprocess.Popen[str], url: str, args: argparse.Namespace) -> dict[str, Any]:
    empty = memory(process.pid)
    parties = await invite(url, args.game, args.tables)
    full = memory(process.pid)
    pause = args.tables / args.rate if args.rate else 0.0
    begun, own, before = time.perf_counter(), time.process_time(), worked_each(process.pid)
    moves, ended = await play(parties, url, args.game, args.seconds, pause)
    took, own = time.perf_counter() - begun, time.process_time() - own
    cpus = [cpu - before.get(pid, 0.0) for pid, cpu in worked_each(process.pid).items()]
    cpu = sum(cpus)
    all_ = np.array(moves)
    after = memory(process.pid)
    opened = await opening(url, parties[0])
    for party in parties:
        party.leave()
    return {
        "game": args.game,
        "tables": args.tables,
        "moves_per_s": round(len(all_) / took),
        "moves_per_cpu_s": round(len(all_) / cpu),
        **({"moves_per_busiest_cpu_s": round(len(all_) / max(cpus))} if args.processes > 1 else {}),
        "p50_ms": round(float(np.percentile(all_, 50)) * 1e3, 1),
        "p99_ms": round(float(np.percentile(all_, 99)) * 1e3, 1),
        "client_percent": round(100 * own / took),
        "games_over": ended,
        "kb_per_table_at_start": round((full - empty) / args.tables / 1024),
        "kb_per_table_after": round((after - empty) / args.tables / 1024),
        "moves_per_table": round(len(all_) / args.tables),
        "open_a_moment_ms": round(opened, 1),
    }


async def opening(url: str, party: Party) -> float:
    """Finish a game, and return the milliseconds it takes to open one of its moments."""
    while not party.seats[0].view["log"]:  # it has only just begun
        await party.move()
    party.seats[0].wire.send(b'{"do":"propose","seat":0,"what":"abandon"}')
    await asyncio.sleep(0.2)
    for seat in party.seats[1:]:
        seat.wire.send(msgspec.json.encode({"do": "answer", "seat": seat.number, "yes": True}))
    await asyncio.sleep(0.5)
    lines = min(8, len(party.seats[0].view["log"]))
    party.leave()
    return await asyncio.to_thread(open_moments, url, party.table, lines)


def open_moments(url: str, table: str, lines: int) -> float:
    """Return the median of the milliseconds it takes to open the first moments of a game."""
    desk, times = Desk(url), []
    for line in range(lines):
        begun = time.perf_counter()
        desk.ask("GET", f"/api/tables/{table}/moments/{line}")
        times.append(time.perf_counter() - begun)
    desk.close()
    return float(np.median(times)) * 1e3


def cold_start(times: int = 5) -> dict[str, float]:
    """Return the seconds from the command to the first page, and its CPU seconds: medians of several runs."""
    took, cpu = [], []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as name:
            begun = time.perf_counter()
            command = [sys.executable, "-m", "registan", "serve", "--port", "0", "--data", name, "--interpret"]
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            assert process.stderr is not None
            url = json.loads(process.stderr.readline())["url"]
            with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port)) as sock:
                sock.sendall(b"GET / HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n")
                sock.recv(1)
            took.append(time.perf_counter() - begun)
            cpu.append(worked(process.pid))
            process.terminate()
            process.wait()
            process.stderr.close()
    return {"cold_start_s": round(statistics.median(took), 2), "cold_start_cpu_s": round(statistics.median(cpu), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="khiva")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=0, help="moves per second in all; 0 for as many as possible")
    parser.add_argument("--interpret", action="store_true", help="do not wait for the compiler")
    parser.add_argument("--store", default="", help="a PostgreSQL database instead of an SQLite file")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--cold", action="store_true", help="measure the cold start only")
    args = parser.parse_args()
    if args.cold:
        print(json.dumps({**cold_start(), "load": round(os.getloadavg()[0], 1)}))
        return
    with tempfile.TemporaryDirectory() as name:
        more = [*(["--interpret"] if args.interpret else []), *(["--store", args.store] if args.store else [])]
        process, url = start(Path(name), *more, "--processes", str(args.processes), games=(args.game,))
        try:
            if not args.interpret:
                wait_until_compiled(process, args.processes)
            if args.processes == 1:
                pin(process.pid, 0)
                pin(0, 1)
            figures = uvloop.run(measure(process, url, args))
            print(json.dumps({**figures, "load": round(os.getloadavg()[0], 1)}))
        finally:
            process.terminate()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()


if __name__ == "__main__":
    main()
