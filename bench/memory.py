"""Measure the memory of a house over an evening of games with bots, and how long the bots' answers take.

    python -m bench.memory                          # 8 games of each kind at six tables, masters think 1 second
    python -m bench.memory --games 3 --thinking 0.2 # shorter

A person sits at every table with bots of the levels novice, merchant and master, and plays at random as soon as asked.
The house runs in a process of its own, with its own limits on thinking. Beside the memory of that process, the bench
prints how long bots took from being asked to their move, as its metrics count it: waiting for a thread included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import uvloop
from bench.house import memory

from registan.core.registry import keys
from registan.server.identity import COOKIE

TABLES = 6
BOTS = ("novice", "merchant", "master")
HURRY = (
    "from dataclasses import replace; import registan.bots.ladder as b; of = b.level_of; "
    "hasty = {{'master': {{'seconds': {thinking}}}}}; "
    "b.level_of = lambda game, name: replace(of(game, name), **hasty.get(name, {{}})); "
    "import registan.server.limits as l; l.RATES.update(dict.fromkeys(l.RATES, l.Rate(1e9, 1e9))); "
    "from registan.cli import main; main({options!r})"
)
"""Shortens the thinking of masters, and lifts the rate limits, which are for people."""


def start(folder: Path, thinking: float) -> tuple[subprocess.Popen[str], str]:
    """Start a house in another process, and return it with its address."""
    options = ["serve", "--port", "0", "--data", str(folder)]
    command = [sys.executable, "-c", HURRY.format(thinking=thinking, options=options)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    return process, json.loads(process.stderr.readline())["url"]


def wait_until_warm(process: subprocess.Popen[str]) -> None:
    """Wait until the machine code of all games is loaded."""
    assert process.stderr is not None
    left = len(keys())
    while left:
        line = process.stderr.readline()
        if not line:
            raise SystemExit("the house did not open")
        left -= "rules are compiled" in line


class Evening:
    """Games in turn at a few tables, and what the house's memory was meanwhile."""

    def __init__(self, process: subprocess.Popen[str], http: httpx.AsyncClient, games: int) -> None:
        self.process, self.http = process, http
        self.left = [game for _ in range(games) for game in keys()]
        self.finished = 0
        self.most = 0

    def note(self, what: str) -> None:
        """Print the memory now."""
        now = memory(self.process.pid)
        self.most = max(self.most, now)
        told = {"at": what, "mb": now >> 20, "games": self.finished, "load": round(os.getloadavg()[0], 1)}
        print(json.dumps(told), flush=True)

    async def sit(self, number: int) -> None:
        """Play one game after the other at a table until none is left."""
        dice = random.Random(number)
        while self.left:
            game = self.left.pop(0)
            seats = [{"kind": "me"}, *({"kind": "bot", "level": level} for level in BOTS)]
            made = await self.http.post("/api/tables", json={"game": game, "seats": seats})
            made.raise_for_status()
            path = f"/api/tables/{made.json()['table']}"
            (await self.http.post(path, json={"do": "start"})).raise_for_status()
            await self.play(path, dice)
            self.finished += 1
            if self.finished % 3 == 0:
                self.note("evening")

    async def play(self, path: str, dice: random.Random) -> None:
        """Play a game to its end."""
        while True:
            seen: Any = (await self.http.get(path, params={"seat": 0})).json()
            if seen["status"] == "over":
                return
            if legal := seen["view"]["legal"]:
                move = {"do": "play", "seat": 0, "move": dice.choice(legal)}
                await self.http.post(path, json=move)  # a bot may have changed the question: then ask again
            else:
                await asyncio.sleep(0.1)


async def measure(process: subprocess.Popen[str], url: str, games: int) -> None:
    """Spend the evening."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        me = await http.post("/api/me", json={"name": "Guest"})
        http.cookies.set(COOKIE, me.cookies[COOKIE])
        evening, begun = Evening(process, http, games), time.monotonic()
        evening.note("warm")
        await asyncio.gather(*(evening.sit(i) for i in range(TABLES)))
        evening.note("end")
        metrics = (await http.get("/metrics")).text.splitlines()
        print("\n".join(line for line in metrics if line.startswith("registan_bot")))
        took = round(time.monotonic() - begun)
        print(json.dumps({"most_mb": evening.most >> 20, "seconds": took, "games": evening.finished}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8, help="games of each kind")
    parser.add_argument("--thinking", type=float, default=1.0, help="seconds that a master thinks")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        process, url = start(Path(name), args.thinking)
        try:
            wait_until_warm(process)
            uvloop.run(measure(process, url, args.games))
        finally:
            process.terminate()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()


if __name__ == "__main__":
    main()
