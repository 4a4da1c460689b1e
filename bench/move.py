"""Measure what a move costs the house without a network: the CPU time from a text to four updates on their way.

    python -m bench.move                        # 60 tables of Khiva, four people each, everything on disk
    python -m bench.move --beside DIR           # in turns with another checkout, with the same moves
    python -m bench.move --profile 40           # the functions in which the event loop spends its time

Every table plays the same way each time: its secret and everybody's choices are fixed. Counted is the CPU time of the
whole process, with the thread that writes; who plays, and what, is found out before.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import os
import pstats
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from registan.core.engine import use_compiled
from registan.core.registry import find
from registan.server.identity import Person
from registan.server.limits import lift
from registan.server.live.connection import Connection
from registan.server.live.house import House
from registan.server.live.websocket import SEND_NOW, frame
from registan.server.storage.sqlite import SqliteStore
from registan.tables.creation import create
from registan.tables.fairness import commitment
from registan.tables.pace import Pace
from registan.tables.requests import Contribute, Reveal, Start
from registan.tables.seats import Seat

PLAYERS = 4
PAUSE = 0.25
"""Seconds between two collections of garbage, as in the house (`server.collecting`)."""
PEOPLE = [Person(f"guest{seat}", f"Guest {seat}") for seat in range(PLAYERS)]


class Socket:
    """A WebSocket that takes everything, and whose client says what it is told to."""

    def __init__(self, house: House) -> None:
        self.frames = self.done = 0
        now = {"send": self._send, "silence": lambda patience: 0.0, "listen": self._listen}
        self.scope = {"extensions": {SEND_NOW: now}, "client": ("127.0.0.1", 1)}
        self.headers: dict[str, str] = {}
        self.client = None
        self.hear: Any = None
        self._said: asyncio.Queue[str] = asyncio.Queue()

    def _send(self, *texts: bytes) -> bool:
        for text in texts:
            frame(text, True)
            self.frames += 1
            self.done += text.startswith(b'{"type":"done"')
        return True

    def _listen(self, hear: Any) -> None:
        self.hear = hear

    def say(self, text: str) -> None:
        """Let the connection read a text."""
        self._said.put_nowait(text)

    async def receive_data(self, mode: str) -> str:
        """Wait for what is said."""
        return await self._said.get()


async def seated(house: House, game: str, number: int) -> str:
    """Open a table, always the same for a number, and deal."""
    rng = random.Random(number)
    secret, own = rng.randbytes(32), [rng.randbytes(32) for _ in PEOPLE]
    seats = [Seat("person", person.who, person.name) for person in PEOPLE]
    table = await house.create(lambda id_, at, _: create(id_, PEOPLE[0].who, at, secret, game, seats, {}, Pace()))
    for seat in range(1, PLAYERS):
        await house.carry_out(table, Contribute(seat=seat, commitment=commitment(own[seat])), PEOPLE[seat])
    await house.carry_out(table, Start(), PEOPLE[0])
    for seat in range(1, PLAYERS):
        await house.carry_out(table, Reveal(seat=seat, contribution=own[seat].hex()), PEOPLE[seat])
    return table


def choose(house: House, table: str, rng: random.Random, moves: int) -> list[tuple[int, bytes]]:
    """Return what the people at a table will say, up to a number of moves."""
    match = house._tables[table].table.playing.copy()
    said: list[tuple[int, bytes]] = []
    while len(said) < moves and not match.over:
        seat = rng.choice(match.waiting)
        move = rng.choice(match.legal(seat))
        match.decide(seat, match.game.moves.read(match.box, match.state, move))
        if not match.over:
            said.append((seat, msgspec.json.encode({"do": "play", "seat": seat, "move": move})))
    return said


async def measure(args: argparse.Namespace) -> dict[str, Any]:
    """Let everybody say what they will, and return what that cost."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(SqliteStore.open(Path(folder) / "house.db"))
        tables = [await seated(house, args.game, number) for number in range(args.tables)]
        said = [choose(house, table, random.Random(number), args.moves) for number, table in enumerate(tables)]
        sockets: list[list[Socket]] = []
        tasks = []
        for table in tables:
            sockets.append([Socket(house) for _ in PEOPLE])
            for seat, (socket, person) in enumerate(zip(sockets[-1], PEOPLE)):
                tasks.append(asyncio.create_task(Connection(socket, house, table, person).run()))  # type: ignore[arg-type]
                socket.say(f'{{"do":"watch","seat":{seat}}}')
        while not all(socket.done for each in sockets for socket in each):
            await asyncio.sleep(0.01)
        gc.collect()
        gc.freeze()
        gc.disable()
        profile = cProfile.Profile() if args.profile else None
        for turn in range(args.warm):
            await all_say(turn, said, sockets)
        count, begun = 0, time.process_time()
        if profile is not None:
            profile.enable()
        collected = time.monotonic()
        for turn in range(args.warm, args.moves):
            count += await all_say(turn, said, sockets)
            if time.monotonic() > collected + PAUSE:
                gc.collect(0)
                collected = time.monotonic()
        if profile is not None:
            profile.disable()
        cpu = time.process_time() - begun
        if profile is not None:
            show(profile, args, count)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await house.close()
    return {"game": args.game, "tables": args.tables, "moves": count, "us_per_move": round(cpu / count * 1e6)}


async def all_say(turn: int, said: list[list[tuple[int, bytes]]], sockets: list[list[Socket]]) -> int:
    """Let somebody at each table say what comes next, and wait until all of it is granted."""
    granted = []
    for texts, four in zip(said, sockets):
        if turn < len(texts):
            seat, text = texts[turn]
            text.decode()
            granted.append((four[seat], four[seat].done + 1))
            assert four[seat].hear(text), text
    while not all(socket.done == wanted for socket, wanted in granted):
        await asyncio.sleep(0.002)
    return len(granted)


def show(profile: cProfile.Profile, args: argparse.Namespace, count: int) -> None:
    stats = pstats.Stats(profile)
    calls = stats.total_calls / count  # type: ignore[attr-defined]
    print(f"{calls:.0f} calls a move")
    stats.sort_stats(args.sort).print_stats(args.profile)


def apart(args: argparse.Namespace, place: Path) -> dict[str, Any]:
    """Measure in a process of its own, with the code of a checkout."""
    env = os.environ | {"PYTHONPATH": f"{place / 'src'}{os.pathsep}{Path(__file__).resolve().parent.parent}"}
    options = ["--game", args.game, "--tables", str(args.tables), "--moves", str(args.moves)]
    done = subprocess.run([sys.executable, __file__, *options], env=env, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="khiva")
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--moves", type=int, default=50, help="at each table")
    parser.add_argument("--warm", type=int, default=10, help="how many of them before anything is counted")
    parser.add_argument("--beside", type=Path, help="another checkout")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", type=int, default=0, help="show as many functions")
    parser.add_argument("--sort", default="tottime")
    args = parser.parse_args()
    if args.beside is None:
        use_compiled(find(args.game))
        lift()
        print(json.dumps({**uvloop.run(measure(args)), "load": round(os.getloadavg()[0], 1)}))
        return
    here, rounds = Path(__file__).resolve().parent.parent, []
    for _ in range(args.rounds):
        rounds.append((apart(args, args.beside)["us_per_move"], apart(args, here)["us_per_move"]))
        print(json.dumps({"there": rounds[-1][0], "here": rounds[-1][1]}), flush=True)
    ratio = statistics.median(there / here for there, here in rounds)
    print(json.dumps({"times as fast": round(ratio, 2), "load": round(os.getloadavg()[0], 1)}))


if __name__ == "__main__":
    main()
