"""What takes a while to recompute of a game: in a thread, one at a time, in a fair order, and each only once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from registan.server.errors import TooManyRequests
from registan.server.limits import RECOMPUTED, RECOMPUTING_LIMIT, RECOMPUTING_PATIENCE
from registan.server.live.lane import Busy, Lane, Slow

T = TypeVar("T")
EXPECTED = 0.2
"""Seconds that recomputing something probably takes."""


class Recomputing:
    """Recomputes one thing at a time: however many ask, the store and the bots keep their threads and the processor.

    The queue is fair over addresses, and over the people at each: one of them waits for at most one piece of work of
    each other address, however much those ask for and whoever they say they are. What does not end in time is given up.
    """

    def __init__(
        self,
        kept: int = RECOMPUTED,
        patience: float = RECOMPUTING_PATIENCE,
        limit: float = RECOMPUTING_LIMIT,
    ) -> None:
        self._kept, self._times = kept, (EXPECTED, patience, limit)
        self._lane: Lane[Any] = Lane("recompute", 1)
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._coming: dict[Hashable, asyncio.Future[Any]] = {}

    def close(self) -> None:
        """Let the thread end."""
        self._lane.close()

    async def once(self, what: Hashable, work: Callable[[], T], address: str = "", who: str = "") -> T:
        """Return the result of some work, from memory if it is known."""
        if what in self._known:
            self._known.move_to_end(what)
            result: T = self._known[what]
            return result
        if what not in self._coming:
            self._coming[what] = asyncio.ensure_future(self.apart(work, address, who))
            self._coming[what].add_done_callback(lambda done: self._came(what, done))
        made: asyncio.Future[T] = self._coming[what]
        return await asyncio.shield(made)

    def _came(self, what: Hashable, done: asyncio.Future[Any]) -> None:
        del self._coming[what]
        if not done.cancelled() and done.exception() is None:
            self._known[what] = done.result()
            if len(self._known) > self._kept:
                self._known.popitem(last=False)

    async def apart(self, work: Callable[[], T], address: str = "", who: str = "") -> T:
        """Return the result of some work that is not worth remembering; raise TooManyRequests if it takes too long."""
        try:
            result, _ = await self._lane.run(work, address, who, *self._times)
        except (Busy, Slow):
            raise TooManyRequests("error.house.recompute_busy") from None
        found: T = result
        return found
