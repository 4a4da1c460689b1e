"""Measure what a table keeps in memory at the end of a whole game, in kilobytes of Python objects.

    python -m bench.keeping                     # four tables of each game, four people each
    python -m bench.keeping --game souk --tables 10

People play at random and watch their table, without sockets, up to the last move but one (a table whose game is over
leaves memory with its last watcher). Counted is what is freed when the tables are let go, with all lines of their logs;
what is made once for all tables is not.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

from registan.core.registry import keys
from registan.server.identity import Person
from registan.server.live.house import House
from registan.server.live.outbox import Outbox
from registan.server.live.table import LiveTable, Watcher
from registan.server.storage.sqlite import SqliteStore
from registan.tables import reading
from registan.tables.creation import create
from registan.tables.fairness import commitment
from registan.tables.pace import Pace
from registan.tables.requests import Contribute, Play, Request, Reveal, Start
from registan.tables.seats import Seat

PLAYERS = 4
PEOPLE = [Person(f"guest{seat}", f"Guest {seat}") for seat in range(PLAYERS)]


async def carry_out(house: House, live: LiveTable, seat: int, request: Request) -> None:
    """Let whoever sits there have a request granted."""
    await house.carry_out(live.table.created.table, request, PEOPLE[seat])


async def play(house: House, game: str, rng: random.Random) -> int:
    """Play a game up to its last move but one, and return how many moves that were."""
    seats = [Seat("person", person.who, person.name) for person in PEOPLE]
    table = await house.create(lambda id_, at, secret: create(id_, PEOPLE[0].who, at, secret, game, seats, {}, Pace()))
    live = await house.table(table)
    own = [rng.randbytes(32) for _ in PEOPLE]
    for seat in range(1, PLAYERS):
        await carry_out(house, live, seat, Contribute(seat=seat, commitment=commitment(own[seat])))
    await carry_out(house, live, 0, Start())
    for seat in range(1, PLAYERS):
        await carry_out(house, live, seat, Reveal(seat=seat, contribution=own[seat].hex()))
    for seat, person in enumerate(PEOPLE):
        live.watch(Watcher(person.who, seat, Outbox(lambda message: True)))
    count = 0
    while True:
        match = live.table.playing
        seat = rng.choice([seat for seat in range(PLAYERS) if live.table.asked(seat)])
        then = match.for_seat(seat)
        move = rng.choice(then.legal(seat))
        after = match.copy()
        after.decide(seat, match.game.moves.read(match.box, then.state, move))
        if after.over:
            return count
        await carry_out(house, live, seat, Play(seat=seat, move=move, key=rng.randbytes(8).hex()))
        count += 1


def kilobytes() -> float:
    """Return how much memory Python objects take, without lines that are only remembered for other tables."""
    reading._kept.cache_clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1024


async def measure(game: str, tables: int) -> dict[str, Any]:
    """Return what a table of a game keeps."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(SqliteStore.open(Path(folder) / "house.db"))
        rng = random.Random(5)
        await play(house, game, rng)  # what is made once is there now
        tracemalloc.start()
        moves = [await play(house, game, rng) for _ in range(tables)]
        held = kilobytes()
        for table in list(house._tables)[-tables:]:
            del house._tables[table]
        freed = held - kilobytes()
        tracemalloc.stop()
        await house.close()
    return {"game": game, "tables": tables, "moves": sum(moves) // tables, "kb_per_table": round(freed / tables)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=keys())
    parser.add_argument("--tables", type=int, default=4)
    args = parser.parse_args()
    for game in [args.game] if args.game else keys():
        found = asyncio.run(measure(game, args.tables))
        print(json.dumps({**found, "load": round(os.getloadavg()[0], 1)}), flush=True)


if __name__ == "__main__":
    main()
