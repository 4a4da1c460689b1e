"""Measuring a house under load, with more and more tables."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec

from registan.server.load.guests import Desk, guests, open_table, process_figures
from registan.server.load.party import Party, undisturbed

DESKS = 8
"""Threads that make tables."""
PERCENT = 100


class Load(msgspec.Struct, omit_defaults=True):
    """What was measured with so many tables."""

    tables: int
    moves: int
    moves_per_s: float
    p50_ms: float
    p99_ms: float
    games_over: int
    errors: dict[str, int]
    client_percent: float
    """What the clients took themselves, of one core: above 80 they, and not the house, may have been too slow."""
    cpu_percent: float | None = None
    """Of one core, as the house says itself."""
    cpu_ms_per_move: float | None = None
    memory_mb: float | None = None


class LoadTest:
    """Many tables at a house. People think `pause` seconds between moves; 0 for as fast as it goes."""

    def __init__(self, url: str, game: str, players: int, pause: float, token: str = "") -> None:
        self.url, self.game, self.players, self.pause, self.token = url, game, players, pause, token
        self.parties: list[Party] = []
        self._made = 0
        self._games_over = 0
        self._errors = Counter[str]()
        self._took: list[float] = []

    async def steps(self, tables: list[int], seconds: float, told: Callable[[int], None]) -> AsyncIterator[Load]:
        """Yield what was measured with each number of tables, the smallest first; `told` hears how many there are."""
        desk = Desk(self.url)
        try:
            for count in sorted(set(tables)):
                await self._grow(count, told)
                yield await self._measure(desk, seconds)
        finally:
            for party in self.parties:
                party.leave()
            desk.close()

    async def _grow(self, count: int, told: Callable[[int], None]) -> None:
        missing = count - len(self.parties)
        numbers = iter(range(missing))
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(min(DESKS, max(1, missing))) as threads:

            def make() -> list[tuple[str, list[str]]]:
                desk, made = Desk(self.url), []
                try:
                    for _ in numbers:
                        cookies = guests(desk, self.players)
                        made.append((open_table(desk, self.game, cookies), cookies))
                finally:
                    desk.close()
                return made

            for made in await asyncio.gather(
                *(loop.run_in_executor(threads, make) for _ in range(threads._max_workers))
            ):
                for table, cookies in made:
                    self.parties.append(await self._seated(table, cookies))
                    told(len(self.parties))

    async def _seated(self, table: str, cookies: list[str]) -> Party:
        self._made += 1
        party = Party(table, cookies, random.Random(self._made))
        await party.sit_down(self.url)
        return party

    async def _measure(self, desk: Desk, seconds: float) -> Load:
        self._took, self._errors, self._games_over = [], Counter(), 0
        before = await asyncio.to_thread(process_figures, desk, self.token)
        begun, own = time.perf_counter(), time.process_time()
        with undisturbed():
            await asyncio.gather(*(self._play(i, begun + seconds) for i in range(len(self.parties))))
        took, own = time.perf_counter() - begun, time.process_time() - own
        after = await asyncio.to_thread(process_figures, desk, self.token)
        moves = len(self._took)
        load = Load(
            len(self.parties), moves, round(moves / took, 1), percentile(self._took, 50), percentile(self._took, 99),
            self._games_over, dict(self._errors), round(PERCENT * own / took, 1),
        )  # fmt: skip
        if "cpu" in before and "cpu" in after:
            cpu = after["cpu"] - before["cpu"]
            load.cpu_percent = round(PERCENT * cpu / took, 1)
            load.cpu_ms_per_move = round(1000 * cpu / moves, 2) if moves else None
        if "memory" in after:
            load.memory_mb = round(after["memory"] / 1e6, 1)
        return load

    async def _play(self, i: int, until: float) -> None:
        """Let a party play, and sit down at another table whenever a game is over."""
        while time.perf_counter() < until:
            party = self.parties[i]
            party.took, party.errors = [], []
            await party.play(until, self.pause)
            self._took += party.took
            self._errors.update(party.errors)
            if party.errors or time.perf_counter() >= until:
                return
            self._games_over += 1
            party.leave()
            try:
                table = await asyncio.to_thread(self._next_table, party.cookies)
                self.parties[i] = await self._seated(table, party.cookies)
            except Exception as error:
                self._errors[type(error).__name__] += 1
                return

    def _next_table(self, cookies: list[str]) -> str:
        desk = Desk(self.url)
        try:
            return open_table(desk, self.game, cookies)
        finally:
            desk.close()


def percentile(values: list[float], percent: int) -> float:
    """Return a percentile of times in seconds, in milliseconds; 0 if there are none."""
    if not values:
        return 0.0
    return round(1000 * sorted(values)[min(len(values) - 1, len(values) * percent // PERCENT)], 1)
