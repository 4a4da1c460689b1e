"""Kill and cut a house under load at random, and check what was lost.

    python -m bench.faults                        # 30 minutes
    python -m bench.faults --kills 1000 --minutes 600 --processes 4

A house of two processes with a thinker, on PostgreSQL, with announcements over Valkey or Redis. Clients play without a
pause, keep a ledger of what was acknowledged, and repeat what was not with the same key; others watch. Meanwhile
processes are killed (SIGKILL), frozen and cut off, the disk of the database is full, and the clock of the house jumps.
In the end no acknowledged move may be missing, no move may be there twice, every table must open and go on, and
everybody must see the same. Stopped early (Ctrl-C), it checks what there is. `--sqlite` does the same to a house of one
process with an SQLite file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from bench.ledger import Client, Watcher, faults
from bench.parts import OPEN_SECONDS, House, Patience, Postgres, Redis, send, thinker, wait_for

from registan.server.storage.store import open_store

TELL = 20
"""After how many faults a run says how far it is."""
STOP = threading.Event()
"""Whether somebody has asked for an end before the time."""


class Trouble:
    """A house with its parts, and what can happen to them."""

    def __init__(
        self, folder: Path, sqlite: bool = False, seed: int = 1, only: Sequence[str] = (), processes: int = 2
    ) -> None:
        self.rng, self.folder, self.only = random.Random(seed), folder, only
        self.count = Counter[str]()
        self.kills = 0
        self.postgres = None if sqlite else Postgres(folder)
        self.redis = None if sqlite else Redis(folder)
        options: list[str] = []
        self.store = str(folder / "data" / "house.db")
        if self.postgres is not None and self.redis is not None:
            self.store = self.postgres.url
            options = ["--store", self.store, "--bus", self.redis.url, "--processes", str(processes), "--workers", "0"]
        self.house = House(folder, *options)
        self.thinkers = [] if sqlite else [thinker(folder, self.store)]

    def start(self) -> None:
        """Start whatever does not run, in order, and wait until the house answers."""
        if self.postgres is not None:
            self.postgres.start()
            patience = Patience(OPEN_SECONDS)
            while not self.postgres.answers():
                self.postgres.start()  # it may give up while the disk is full
                if not patience.lasts():
                    raise TimeoutError("PostgreSQL")
                time.sleep(0.1)
        for part in (self.redis, self.house, *self.thinkers):
            if part is not None:
                part.start()
        wait_for(self._ready)

    def _ready(self) -> bool:
        self.house.start()  # it ends if it cannot open at once
        for part in self.thinkers:
            part.start()
        return self.house.answers()

    def close(self) -> None:
        """End all parts."""
        for part in (*self.thinkers, self.house, self.redis):
            if part is not None:
                part.kill()
        if self.postgres is not None:
            self.postgres.close()

    def happens(self) -> None:
        """Let one thing happen, chosen at random, and mend it."""
        # As a service manager does: a house ends if it cannot open, for example while PostgreSQL is frozen.
        self.house.start()
        ways: dict[Callable[[], None], int] = {self.house_dies: 3, self.clock_jumps: 2}
        if self.postgres is not None:
            ways |= {self.process_dies: 12, self.thinker_dies: 4, self.database_dies: 2, self.database_freezes: 2}
            ways |= {self.connections_are_cut: 3, self.bus_dies: 3, self.bus_freezes: 2}
            ways |= {self.disk_is_full: 2} if self.postgres.can_be_full else {}
        ways = {way: weight for way, weight in ways.items() if not self.only or way.__name__ in self.only}
        way = self.rng.choices(list(ways), list(ways.values()))[0]
        self.count[way.__name__] += 1
        way()

    def _pause(self, most: float) -> None:
        time.sleep(self.rng.random() * most)

    def process_dies(self) -> None:
        """Kill one of the serving processes; the house replaces it."""
        workers = self.house.processes[1:]
        if workers:
            send(signal.SIGKILL, self.rng.choice(workers))
            self.kills += 1

    def house_dies(self) -> None:
        """Kill all processes of the house."""
        self.house.kill()
        self.kills += 1
        self._pause(0.5)
        self.house.start()

    def thinker_dies(self) -> None:
        """Kill whoever thinks."""
        part = self.rng.choice(self.thinkers)
        part.kill()
        self.kills += 1
        self._pause(2)
        part.start()

    def database_dies(self) -> None:
        """Kill PostgreSQL."""
        assert self.postgres is not None
        self.postgres.kill()
        self.kills += 1
        self._pause(2)
        self.start()

    def database_freezes(self) -> None:
        """Let PostgreSQL not answer for a while."""
        assert self.postgres is not None
        with self.postgres.frozen():
            self._pause(8)

    def connections_are_cut(self) -> None:
        """Cut all connections to PostgreSQL."""
        assert self.postgres is not None
        self.postgres.cut()

    def bus_dies(self) -> None:
        """Kill the bus."""
        assert self.redis is not None
        self.redis.kill()
        self.kills += 1
        self._pause(4)
        self.redis.start()

    def bus_freezes(self) -> None:
        """Let the bus not answer for a while."""
        assert self.redis is not None
        with self.redis.frozen():
            self._pause(8)

    def disk_is_full(self) -> None:
        """Fill the disk of PostgreSQL."""
        assert self.postgres is not None
        with self.postgres.full():
            self._pause(3)
        self.start()

    def clock_jumps(self) -> None:
        """Set the clock of the house forward or back."""
        self.house.set_clock(self.rng.choice([0, 0, 5, -5, 300, -300, 3600]))


async def run(
    folder: Path,
    seconds: float,
    kills: int = 0,
    clients: int = 4,
    sqlite: bool = False,
    seed: int = 1,
    pause: float = 1.0,
    only: Sequence[str] = (),
    between: int = 1,
    times: int = 0,
    processes: int = 2,
    rest: float = 0.0,
) -> dict[str, Any]:
    """Let things happen for so long, or until there were so many kills or faults; return what was lost."""
    trouble = Trouble(folder, sqlite, seed, only, processes)
    people = [Client(trouble.house.url, number, rest=rest) for number in range(clients)]
    watchers = [Watcher(person) for person in people]
    work: list[asyncio.Task[None]] = []
    begun = time.monotonic()
    try:
        await asyncio.to_thread(trouble.start)
        work = [asyncio.ensure_future(each) for each in (*(p.play() for p in people), *(w.watch() for w in watchers))]
        begun = time.monotonic()
        while time.monotonic() - begun < seconds and not (kills and trouble.kills >= kills):
            if STOP.is_set() or (times and trouble.count.total() >= times):
                break
            await asyncio.sleep(trouble.rng.random() * pause)
            await _moves(people, trouble.rng.randint(0, 2 * between))
            await asyncio.to_thread(trouble.happens)
            if trouble.count.total() % TELL == 0:
                told = {"seconds": round(time.monotonic() - begun), "faults": trouble.count.total()}
                told |= {"kills": trouble.kills, "acknowledged": sum(person.moves for person in people)}
                print(json.dumps(told), file=sys.stderr, flush=True)
            if work and (broken := [task for task in work if task.done()]):
                await broken[0]
                raise RuntimeError("a client has ended")
        await asyncio.to_thread(trouble.start)
        stuck = await _go_on(people)
        for person in people:
            person.closed = True
        await asyncio.gather(*work[: len(people)])
        apart = sum([not await watcher.converges() for watcher in watchers if watcher.table])
        store = await open_store(trouble.store)
        found = await faults(store, people)
        await store.close()
    finally:
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        await asyncio.to_thread(trouble.close)
    return {
        "seconds": round(time.monotonic() - begun),
        "kills": trouble.kills,
        "happened": dict(trouble.count),
        "tables": sum(len(person.acknowledged) for person in people),
        "acknowledged": sum(person.moves for person in people),
        "repeated": sum(person.repeated for person in people),
        "came_back": sum(watcher.came_back for watcher in watchers),
        **found,
        "not_going_on": stuck,
        "not_converging": apart,
    }


async def _moves(people: list[Client], count: int, patience: float = 20.0) -> None:
    """Wait until so many moves were acknowledged, but not for ever: what happened last may not be mended yet."""
    enough, waiting = sum(person.moves for person in people) + count, Patience(patience)
    while waiting.lasts() and sum(person.moves for person in people) < enough:
        await asyncio.sleep(0.005)


async def _go_on(people: list[Client], moves: int = 3, patience: float = 90.0) -> int:
    """Return how many clients cannot go on playing once everything is mended."""
    goals = [person.moves + moves for person in people]
    waiting = Patience(patience)
    while waiting.lasts() and any(person.moves < goal for person, goal in zip(people, goals)):
        await asyncio.sleep(0.1)
    return sum(person.moves < goal for person, goal in zip(people, goals))


def stop(sign: int, frame: FrameType | None) -> None:
    """Let nothing happen any more, and check what was lost so far; end at once the second time."""
    if STOP.is_set():
        signal.default_int_handler(sign, frame)
    STOP.set()


WRONG = ("missing", "twice", "not_opening", "not_going_on", "not_converging")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--kills", type=int, default=0, help="stop after so many kills")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--rest", type=float, default=0.0, help="seconds that a client rests after each request")
    parser.add_argument("--pause", type=float, default=1.0, help="at most so many seconds between two faults")
    parser.add_argument("--between", type=int, default=1, help="moves between two faults, on average")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--only", nargs="*", default=(), help="only these faults, such as process_dies")
    args = parser.parse_args()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, stop)
    with tempfile.TemporaryDirectory(prefix="registan-faults-") as name:
        seconds = args.minutes * 60
        found = asyncio.run(
            run(
                Path(name),
                seconds,
                args.kills,
                args.clients,
                args.sqlite,
                args.seed,
                args.pause,
                args.only,
                args.between,
                processes=args.processes,
                rest=args.rest,
            )
        )
    print(json.dumps({"seed": args.seed, **found, "load": round(os.getloadavg()[0], 1)}))
    sys.exit(any(found[what] for what in WRONG))


if __name__ == "__main__":
    main()
