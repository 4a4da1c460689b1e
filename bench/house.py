"""Measure the house: many live tables of four people each, in one server process, with clients in another.

    python bench/house.py                       # 500 tables of Khiva for 10 seconds, on loopback
    python bench/house.py --game souk --tables 100 --rate 200
    python bench/house.py --kill 200            # pull the plug so often under load instead, and look what is lost

A move is measured from sending it until all four have the new view. Bots' thinking is left out: people play all seats.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from registan.server.identity import COOKIE
from registan.server.storage import open_store
from registan.tables import events as e
from registan.tables.patch import apply
from registan.tables.table import Table

PLAYERS = 4
LIFT = (
    "import registan.server.limits as l; l.RATES.update(dict.fromkeys(l.RATES, l.Rate(1e9, 1e9))); "
    "l.SOCKETS_OF_ONE = 10**6; from registan.cli import main; "
)
"""People are slower than this benchmark: the house's rates are lifted for it, and nothing else."""


def start(folder: Path, *more: str) -> tuple[subprocess.Popen[str], str]:
    """Start a house in a process of its own, and return it with its address."""
    options = ["serve", "--port", "0", "--data", str(folder), *more]
    process = subprocess.Popen([sys.executable, "-c", f"{LIFT}main({options!r})"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    url = json.loads(process.stderr.readline())["url"]
    return process, url


def wait_until_compiled(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    while "rules are compiled" not in (line := process.stderr.readline()):
        if not line:
            raise SystemExit("the house did not open")


class Seat:
    """One person at a table: a socket, and the view as far as it has come."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.ws: ClientConnection
        self.view: Any = None
        self.changed = asyncio.Event()

    async def listen(self) -> None:
        """Take in what comes."""
        async for data in self.ws:
            message = msgspec.json.decode(data)
            if message["type"] == "view":
                self.view = message["view"]
            elif message["type"] == "update":
                self.view = apply(self.view, message["patch"])
            elif message["type"] == "refused":
                raise RuntimeError(message["text"])
            else:
                continue
            self.changed.set()


class Party:
    """Four people at a table."""

    def __init__(self, table: str, cookies: list[str], rng: random.Random) -> None:
        self.table, self.cookies, self.rng = table, cookies, rng
        self.seats = [Seat(i) for i in range(PLAYERS)]
        self.took: list[float] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def sit_down(self, url: str) -> None:
        """Open the sockets."""
        address = url.replace("http", "ws", 1) + f"/api/tables/{self.table}/live"
        for seat, cookie in zip(self.seats, self.cookies):
            seat.ws = await connect(address, additional_headers={"Cookie": f"{COOKIE}={cookie}"}, proxy=None)
            self.tasks.append(asyncio.create_task(seat.listen()))
            await seat.ws.send(json.dumps({"do": "watch", "seat": seat.number}))
        for seat in self.seats:
            while seat.view is None:
                await asyncio.sleep(0.01)

    async def move(self) -> bool:
        """Let somebody who is asked move; wait until all have the new view. False when the game is over."""
        asked = [seat for seat in self.seats if seat.view["view"]["legal"]]
        if not asked:
            return False
        seat = self.rng.choice(asked)
        move = self.rng.choice(seat.view["view"]["legal"])
        for other in self.seats:
            other.changed.clear()
        start = time.perf_counter()
        await seat.ws.send(json.dumps({"do": "play", "seat": seat.number, "move": move}))
        await asyncio.gather(*(other.changed.wait() for other in self.seats))
        self.took.append(time.perf_counter() - start)
        return True

    async def play(self, until: float, pause: float) -> None:
        """Move until the time is over, with a pause between moves."""
        await asyncio.sleep(self.rng.random() * pause)
        while time.perf_counter() < until:
            begun = time.perf_counter()
            if not await self.move():
                return
            left = pause - (time.perf_counter() - begun)
            if left > 0:
                await asyncio.sleep(left)

    async def leave(self) -> None:
        """Close the sockets."""
        for seat in self.seats:
            await seat.ws.close()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def invite(url: str, game: str, count: int) -> list[Party]:
    """Lay tables, each for four guests."""
    parties = []
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        for number in range(count):
            cookies = []
            table = ""
            for i in range(PLAYERS):
                http.cookies.clear()
                await http.post("/api/me", json={"name": f"Guest {i}"})
                cookies.append(str(http.cookies[COOKIE]))
                if not table:
                    seats = [{"kind": "me"}, *([{"kind": "open"}] * (PLAYERS - 1))]
                    made = await http.post("/api/tables", json={"game": game, "seats": seats})
                    table = made.json()["table"]
                else:
                    await http.post(f"/api/tables/{table}", json={"do": "sit"})
            http.cookies.clear()
            http.cookies.set(COOKIE, cookies[0])
            (await http.post(f"/api/tables/{table}", json={"do": "start"})).raise_for_status()
            parties.append(Party(table, cookies, random.Random(number)))
    return parties


def memory(pid: int) -> int:
    """Return the resident memory of a process in bytes (Linux)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def measure(process: subprocess.Popen[str], url: str, args: argparse.Namespace) -> dict[str, Any]:
    empty = memory(process.pid)
    parties = await invite(url, args.game, args.tables)
    for party in parties:
        await party.sit_down(url)
    full = memory(process.pid)
    pause = args.tables / args.rate if args.rate else 0.0
    begun = time.perf_counter()
    await asyncio.gather(*(party.play(begun + args.seconds, pause) for party in parties))
    took = time.perf_counter() - begun
    all_ = np.array([t for party in parties for t in party.took])
    after = memory(process.pid)
    opened = await opening(url, parties[0])
    for party in parties[1:]:
        await party.leave()
    return {
        "game": args.game,
        "tables": args.tables,
        "moves_per_s": round(len(all_) / took),
        "p50_ms": round(float(np.percentile(all_, 50)) * 1e3, 1),
        "p99_ms": round(float(np.percentile(all_, 99)) * 1e3, 1),
        "kb_per_table_at_start": round((full - empty) / args.tables / 1024),
        "kb_per_table_after": round((after - empty) / args.tables / 1024),
        "open_a_moment_ms": round(opened, 1),
    }


async def opening(url: str, party: Party) -> float:
    """End a game, and return the milliseconds in which a moment of it is opened."""
    await party.seats[0].ws.send(json.dumps({"do": "propose", "seat": 0, "what": "abandon"}))
    await asyncio.sleep(0.2)
    for seat in party.seats[1:]:
        await seat.ws.send(json.dumps({"do": "answer", "seat": seat.number, "yes": True}))
    await asyncio.sleep(0.5)
    await party.leave()
    async with httpx.AsyncClient(base_url=url) as http:
        times = []
        for line in range(8):
            begun = time.perf_counter()
            answer = await http.get(f"/api/tables/{party.table}/moments/{line}")
            times.append(time.perf_counter() - begun if answer.status_code == 200 else 1.0)
    return float(np.median(times)) * 1e3


async def lost(path: str, known: dict[str, set[str]]) -> int:
    """Return how many acknowledged moves are missing or there twice, or tables that do not open."""
    store = await open_store(path)
    faults = 0
    for table, acknowledged in known.items():
        log = [e.loads(data) for data in await store.log(table)]
        keys = [event.key.rpartition(" ")[2] for event in log if event.key]
        faults += len(acknowledged - set(keys)) + len(keys) - len(set(keys)) + (Table(log).seq != len(log))
    await store.close()
    return faults


async def pull_the_plug(folder: Path, times: int) -> dict[str, Any]:
    """Kill the house at random moments under load, and count what is lost."""
    rng = random.Random(1)
    known: dict[str, set[str]] = {}
    for _ in range(times):
        process, url = start(folder, "--interpret")
        seen: dict[str, set[str]] = {}
        work = asyncio.gather(*(click(url, rng, seen) for _ in range(4)), return_exceptions=True)
        await asyncio.sleep(0.8 + rng.random())
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
        await work
        known |= seen
    faults = await lost(str(folder / "house.db"), known)
    return {"kills": times, "acknowledged": sum(map(len, known.values())), "faults": faults}


async def click(url: str, rng: random.Random, seen: dict[str, set[str]]) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=5) as http:
        await http.post("/api/me", json={"name": "Ann"})
        made = await http.post("/api/tables", json={"game": "khiva", "seats": [{"kind": "me"}] * 3})
        table = made.json()["table"]
        seen[table] = set()
        await http.post(f"/api/tables/{table}", json={"do": "start"})
        while True:
            seat = rng.randrange(3)
            view = (await http.get(f"/api/tables/{table}", params={"seat": seat})).json()
            if view["view"]["legal"]:
                key = str(rng.random())
                ask = {"do": "play", "seat": seat, "move": rng.choice(view["view"]["legal"]), "key": key}
                if (await http.post(f"/api/tables/{table}", json=ask)).status_code == 200:
                    seen[table].add(key)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="khiva")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=0, help="moves a second in all; 0 for as many as possible")
    parser.add_argument("--kill", type=int, default=0)
    parser.add_argument("--interpret", action="store_true", help="do not wait for the compiler")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if args.kill:
            print(json.dumps(asyncio.run(pull_the_plug(folder, args.kill))))
            return
        begun = time.perf_counter()
        process, url = start(folder, *(["--interpret"] if args.interpret else []))
        while httpx.get(f"{url}/ready").status_code != 200:
            time.sleep(0.01)
        cold = time.perf_counter() - begun
        try:
            if not args.interpret:
                wait_until_compiled(process)
            figures = asyncio.run(measure(process, url, args))
            print(json.dumps({"cold_start_s": round(cold, 2), **figures}))
        finally:
            process.terminate()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()


if __name__ == "__main__":
    main()
