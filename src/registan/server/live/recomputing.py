"""What takes a while to recompute of a finished game: in a thread, one at a time, and each only once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from registan.server.limits import RECOMPUTED

T = TypeVar("T")


class Recomputing:
    """Recomputes one thing at a time: however many ask, the store and the bots keep their threads and the processor."""

    def __init__(self, kept: int = RECOMPUTED) -> None:
        self._kept = kept
        self._lock = asyncio.Lock()
        self._known: OrderedDict[Hashable, Any] = OrderedDict()

    async def once(self, what: Hashable, work: Callable[[], T]) -> T:
        """Return the result of some work, from memory if it is known."""
        async with self._lock:
            if what not in self._known:
                self._known[what] = await asyncio.to_thread(work)
                if len(self._known) > self._kept:
                    self._known.popitem(last=False)
            result: T = self._known[what]
            return result

    async def apart(self, work: Callable[[], T]) -> T:
        """Return the result of some work that is not worth remembering."""
        async with self._lock:
            return await asyncio.to_thread(work)
