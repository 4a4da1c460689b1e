"""A party of a load test: people at a table, each with a socket of their own, who move at random."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from registan.server.identity import COOKIE
from registan.server.load.wire import Wire, dial
from registan.tables.patch import carry_out

PATIENCE = 30.0
"""Seconds after which a move counts as lost."""
QUIET = 0.5
"""Seconds after which a move that was granted and told to nobody else was a quiet one."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Collect no garbage meanwhile: to look through thousands of views takes as long as a slow move."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


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
        kind = message["type"]
        if kind == "view":
            self.view = message["view"]
            self.seen.set()
        elif kind == "update":
            self.view = carry_out(self.view, message["patch"])
            self.party.told(self.number)
        elif kind == "done":
            self.party.granted()
        elif kind in ("refused", "ended"):
            self.party.failed(message["error"])

    @property
    def legal(self) -> list[Any]:
        """The moves that it may make."""
        view = self.view and self.view["view"]
        return view["legal"] if view else []


class Party:
    """People at a table."""

    def __init__(self, table: str, cookies: list[str], rng: random.Random) -> None:
        self.table, self.cookies, self.rng = table, cookies, rng
        self.seats = [Seat(i, self) for i in range(len(cookies))]
        self.took: list[float] = []
        self.errors: list[str] = []
        self._waiting: set[int] = set()
        self._done = False
        self._changed = asyncio.Event()

    async def sit_down(self, url: str) -> None:
        """Open the sockets."""
        for seat, cookie in zip(self.seats, self.cookies):
            seat.seen.clear()
            seat.wire = await dial(url, f"/api/tables/{self.table}/live", seat.heard, f"{COOKIE}={cookie}")
            seat.wire.send(msgspec.json.encode({"do": "watch", "seat": seat.number}))
            async with asyncio.timeout(PATIENCE):
                await seat.seen.wait()

    def told(self, seat: int) -> None:
        """Count somebody who has the new view."""
        self._waiting.discard(seat)
        if not self._waiting:
            self._changed.set()

    def granted(self) -> None:
        """The house has said yes."""
        self._done = True
        self._changed.set()

    def failed(self, why: str) -> None:
        """The house has said no."""
        self.errors.append(why)
        self._waiting.clear()
        self._changed.set()

    @property
    def over(self) -> bool:
        """Whether nobody has anything to decide any more."""
        return not any(seat.legal for seat in self.seats)

    async def move(self) -> bool:
        """Make a move and wait until all have the new view; return False when the game is over or the table is gone."""
        asked = [seat for seat in self.seats if seat.legal]
        if not asked:
            return False
        seat = self.rng.choice(asked)
        move = self.rng.choice(seat.legal)
        self._waiting, self._done = {other.number for other in self.seats}, False
        self._changed.clear()
        start = time.perf_counter()
        seat.wire.send(msgspec.json.encode({"do": "play", "seat": seat.number, "move": move}))
        try:
            async with asyncio.timeout(PATIENCE):
                await self._all_know(seat)
        except TimeoutError:
            self.errors.append("closed" if any(one.wire.closed.is_set() for one in self.seats) else "late")
            return False
        if self.errors:
            return False
        self.took.append(time.perf_counter() - start)
        return True

    async def _all_know(self, mover: Seat) -> None:
        while self._waiting:
            await self._changed.wait()
            self._changed.clear()
            others = {seat.number for seat in self.seats} - {mover.number}
            if self._done and self._waiting == others:  # nobody else has heard of it yet
                try:
                    await asyncio.wait_for(self._changed.wait(), QUIET)
                except TimeoutError:
                    return  # nor will they: it was the answer to a quiet question

    async def play(self, until: float, pause: float) -> None:
        """Move until time is up or the game is over, with a pause between moves."""
        await asyncio.sleep(self.rng.random() * pause)
        while time.perf_counter() < until:
            begun = time.perf_counter()
            if not await self.move():
                return
            left = pause - (time.perf_counter() - begun)
            if left > 0:
                await asyncio.sleep(min(left, max(0.0, until - time.perf_counter())))

    def leave(self) -> None:
        """Close the sockets."""
        for seat in self.seats:
            seat.wire.close()
