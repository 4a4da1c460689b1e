"""Kill a house at random moments under load, and check what was lost.

    python -m bench.kill --times 200

Clients play at their own tables without a pause. The house is killed (SIGKILL) at a random moment and restarted on the
same data; each client then repeats its unanswered move with the same key. In the end no acknowledged move may be
missing, no move may be there twice, and every table must open.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from bench.house import start

from registan.server.storage.store import open_store
from registan.tables import events as e
from registan.tables.table import replay

SEATS = 3


class Client:
    """Plays all seats of a table, and of another one when the game is over."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(number)
        self.cookies = httpx.Cookies()
        self.table = ""
        self.unanswered: dict[str, Any] | None = None
        self.acknowledged: dict[str, set[str]] = {}
        """By table: the keys of the acknowledged moves."""
        self.asked = 0

    async def play(self, url: str) -> None:
        """Play until the house is gone."""
        async with httpx.AsyncClient(base_url=url, timeout=10, cookies=self.cookies) as http:
            try:
                while True:
                    await self._go_on(http)
            except (httpx.TransportError, httpx.ReadTimeout):
                pass
            finally:
                self.cookies = http.cookies

    async def _go_on(self, http: httpx.AsyncClient) -> None:
        if self.unanswered is not None:
            await self._ask(http, self.unanswered)
        if not self.table:
            await self._sit_down(http)
        seat = self.rng.randrange(SEATS)
        answer = await http.get(f"/api/tables/{self.table}", params={"seat": seat})
        answer.raise_for_status()
        view = answer.json()
        if view["status"] == "over":
            self.table = ""
        elif view["view"]["legal"]:
            self.asked += 1
            key = f"{self.asked}-{self.rng.random()}"
            await self._ask(
                http, {"do": "play", "seat": seat, "move": self.rng.choice(view["view"]["legal"]), "key": key}
            )

    async def _sit_down(self, http: httpx.AsyncClient) -> None:
        if not http.cookies:
            await http.post("/api/me", json={"name": "Ann"})
        made = await http.post("/api/tables", json={"game": "khiva", "seats": [{"kind": "me"}] * SEATS})
        made.raise_for_status()
        (await http.post(f"/api/tables/{made.json()['table']}", json={"do": "start"})).raise_for_status()
        self.table = made.json()["table"]
        self.acknowledged[self.table] = set()

    async def _ask(self, http: httpx.AsyncClient, move: dict[str, Any]) -> None:
        self.unanswered = move
        answer = await http.post(f"/api/tables/{self.table}", json=move)
        if answer.status_code < 300:
            self.acknowledged[self.table].add(move["key"])
        self.unanswered = None


async def lost(path: str, known: dict[str, set[str]]) -> dict[str, int]:
    """Count acknowledged moves that are missing, moves that are there twice, and tables that do not open."""
    store = await open_store(path)
    missing = twice = shut = 0
    for table, acknowledged in known.items():
        try:
            log = [e.loads(data) for data in await store.log(table)]
            shut += replay(log).seq != len(log)
        except Exception:
            shut += 1
            continue
        keys = [event.key.rpartition(" ")[2] for event in log if event.key]
        missing += len(acknowledged - set(keys))
        twice += len(keys) - len(set(keys))
    await store.close()
    return {"missing": missing, "twice": twice, "not_opening": shut}


async def pull_the_plug(folder: Path, times: int, clients: int = 4) -> dict[str, Any]:
    """Kill the house several times under load, each time after some moves, and return what was lost."""
    rng = random.Random(1)
    people = [Client(number) for number in range(clients)]
    for _ in range(times):
        process, url = start(folder, "--interpret")
        work = asyncio.gather(*(person.play(url) for person in people))
        enough = moves_of(people) + rng.randrange(1, 40)
        patience = time.monotonic() + 20
        while moves_of(people) < enough and time.monotonic() < patience:
            await asyncio.sleep(0.005)
        await asyncio.sleep(rng.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
        await work
    known = {table: keys for person in people for table, keys in person.acknowledged.items()}
    faults = await lost(str(folder / "house.db"), known)
    return {"kills": times, "tables": len(known), "acknowledged": moves_of(people), **faults}


def moves_of(people: list[Client]) -> int:
    """Return how many moves were acknowledged."""
    return sum(len(keys) for person in people for keys in person.acknowledged.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = asyncio.run(pull_the_plug(Path(name), args.times))
    print(json.dumps({**found, "load": round(os.getloadavg()[0], 1)}))


if __name__ == "__main__":
    main()
