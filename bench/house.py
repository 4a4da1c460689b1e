"""Measure the house: many live tables of four people each, in one server process, with clients in another.

    python -m bench.house                       # 500 tables of Khiva for 10 seconds, on loopback
    python -m bench.house --game souk --tables 100 --rate 200
    python -m bench.house --store postgresql://postgres@127.0.0.1/empty --processes 2

A move is measured from sending it until all four have the new view. People play all seats, so no bot thinks.
With several processes, `moves_per_busiest_cpu_s` counts moves per second of CPU time of the busiest of them: what the
house can do if each has a core of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import numpy as np
import uvloop
from bench.parts import descendants
from bench.wire import Wire, dial

from registan.server.identity import COOKIE
from registan.server.limits import Caps
from registan.tables.patch import carry_out

PLAYERS = 4
LIFT = (
    "import registan.server.limits as l; l.RATES.update(dict.fromkeys(l.RATES, l.Rate(1e9, 1e9))); "
    "import registan.server.serving as s; s.KEYS = {games!r}; "
    "from registan.cli import main; main({options!r})"
)
"""Lifts the house's rate limits, which are for people, and compiles only the game that is played."""


def start(folder: Path, *more: str, games: tuple[str, ...] = ()) -> tuple[subprocess.Popen[str], str]:
    """Start a house in another process, and return it with its address."""
    options = ["serve", "--port", "0", "--data", str(folder), *more]
    code = LIFT.format(games=games, options=options)
    crowded = {f"REGISTAN_{name.upper()}": "100000" for name in Caps.__struct_fields__}
    command = [sys.executable, "-c", code]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | crowded)
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


class Seat:
    """One person at a table: a socket, and the latest view."""

    def __init__(self, number: int, party: Party) -> None:
        self.number, self.party = number, party
        self.wire: Wire
        self.view: Any = None
        self.seen = asyncio.Event()

    def heard(self, data: bytes) -> None:
        """Handle a message."""
        message = msgspec.json.decode(data)
        if message["type"] == "view":
            self.view = message["view"]
            self.seen.set()
        elif message["type"] == "update":
            self.view = carry_out(self.view, message["patch"])
            self.party.told()
        elif message["type"] == "refused":
            raise RuntimeError(message["text"])


class Party:
    """Four people at a table."""

    def __init__(self, table: str, cookies: list[str], rng: random.Random) -> None:
        self.table, self.cookies, self.rng = table, cookies, rng
        self.seats = [Seat(i, self) for i in range(PLAYERS)]
        self.took: list[float] = []
        self._left = 0
        self._all_know = asyncio.Event()

    async def sit_down(self, url: str) -> None:
        """Open the sockets."""
        for seat, cookie in zip(self.seats, self.cookies):
            path = f"/api/tables/{self.table}/live"
            seat.wire = await dial(url, path, seat.heard, f"{COOKIE}={cookie}")
            seat.wire.send(msgspec.json.encode({"do": "watch", "seat": seat.number}))
            await seat.seen.wait()

    def told(self) -> None:
        """Count the people who have the new view."""
        self._left -= 1
        if self._left == 0:
            self._all_know.set()

    async def move(self) -> bool:
        """Make a move and wait until all have the new view; False when the game is over."""
        asked = [seat for seat in self.seats if seat.view["view"]["legal"]]
        if not asked:
            return False
        seat = self.rng.choice(asked)
        move = self.rng.choice(seat.view["view"]["legal"])
        self._left = PLAYERS
        self._all_know.clear()
        start = time.perf_counter()
        seat.wire.send(msgspec.json.encode({"do": "play", "seat": seat.number, "move": move}))
        await self._all_know.wait()
        self.took.append(time.perf_counter() - start)
        return True

    async def play(self, until: float, pause: float) -> None:
        """Move until time is up, with a pause between moves."""
        await asyncio.sleep(self.rng.random() * pause)
        while time.perf_counter() < until:
            begun = time.perf_counter()
            if not await self.move():
                return
            left = pause - (time.perf_counter() - begun)
            if left > 0:
                await asyncio.sleep(left)

    def leave(self) -> None:
        """Close the sockets."""
        for seat in self.seats:
            seat.wire.close()


async def invite(url: str, game: str, count: int) -> list[Party]:
    """Create tables, each with four guests."""
    parties = []
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        for number in range(count):
            cookies = []
            table = ""
            own: dict[int, bytes] = {}
            for i in range(PLAYERS):
                http.cookies.clear()
                await http.post("/api/me", json={"name": f"Guest {i}"})
                cookies.append(str(http.cookies[COOKIE]))
                if not table:
                    seats = [{"kind": "me"}, *([{"kind": "open"}] * (PLAYERS - 1))]
                    made = await http.post("/api/tables", json={"game": game, "seats": seats})
                    table = made.json()["table"]
                else:
                    own[i] = secrets.token_bytes(32)
                    sealed = hashlib.sha256(own[i]).hexdigest()
                    await http.post(f"/api/tables/{table}", json={"do": "sit", "seat": i})
                    await http.post(f"/api/tables/{table}", json={"do": "contribute", "seat": i, "commitment": sealed})
            http.cookies.clear()
            http.cookies.set(COOKIE, cookies[0])
            (await http.post(f"/api/tables/{table}", json={"do": "start"})).raise_for_status()
            for seat, contribution in own.items():
                http.cookies.clear()
                http.cookies.set(COOKIE, cookies[seat])
                revealed = {"do": "reveal", "seat": seat, "contribution": contribution.hex()}
                (await http.post(f"/api/tables/{table}", json=revealed)).raise_for_status()
            parties.append(Party(table, cookies, random.Random(number)))
    return parties


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
    for party in parties:
        await party.sit_down(url)
    full = memory(process.pid)
    pause = args.tables / args.rate if args.rate else 0.0
    begun, before = time.perf_counter(), worked_each(process.pid)
    await asyncio.gather(*(party.play(begun + args.seconds, pause) for party in parties))
    took = time.perf_counter() - begun
    cpus = [cpu - before.get(pid, 0.0) for pid, cpu in worked_each(process.pid).items()]
    cpu = sum(cpus)
    all_ = np.array([t for party in parties for t in party.took])
    after = memory(process.pid)
    opened = await opening(url, parties[0])
    for party in parties[1:]:
        party.leave()
    return {
        "game": args.game,
        "tables": args.tables,
        "moves_per_s": round(len(all_) / took),
        "moves_per_cpu_s": round(len(all_) / cpu),
        **({"moves_per_busiest_cpu_s": round(len(all_) / max(cpus))} if args.processes > 1 else {}),
        "p50_ms": round(float(np.percentile(all_, 50)) * 1e3, 1),
        "p99_ms": round(float(np.percentile(all_, 99)) * 1e3, 1),
        "kb_per_table_at_start": round((full - empty) / args.tables / 1024),
        "kb_per_table_after": round((after - empty) / args.tables / 1024),
        "open_a_moment_ms": round(opened, 1),
    }


async def opening(url: str, party: Party) -> float:
    """Finish a game, and return the milliseconds it takes to open one of its moments."""
    party.seats[0].wire.send(b'{"do":"propose","seat":0,"what":"abandon"}')
    await asyncio.sleep(0.2)
    for seat in party.seats[1:]:
        seat.wire.send(msgspec.json.encode({"do": "answer", "seat": seat.number, "yes": True}))
    await asyncio.sleep(0.5)
    party.leave()
    async with httpx.AsyncClient(base_url=url) as http:
        times = []
        for line in range(8):
            begun = time.perf_counter()
            answer = await http.get(f"/api/tables/{party.table}/moments/{line}")
            times.append(time.perf_counter() - begun if answer.status_code == 200 else 1.0)
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
