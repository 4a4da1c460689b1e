"""Whether a house can grant requests."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from registan.server.errors import Unavailable
from registan.server.limits import QUERY_SECONDS, READY_SECONDS
from registan.server.storage.disk import FAULTS

if TYPE_CHECKING:
    from registan.server.live.house import House


class Readiness:
    """Writes to the store to see whether it works, at most once in a while, however many ask."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._checking: asyncio.Task[str] | None = None
        self._checked = 0.0

    async def fault(self) -> str:
        """Return what is wrong in a few words for operators, nothing if all is well."""
        if not self._house.open:
            return "the house is closing"
        fresh = time.monotonic() - self._checked < READY_SECONDS
        if self._checking is None or (self._checking.done() and not fresh):
            self._checking = asyncio.ensure_future(self._check())
        return await asyncio.shield(self._checking)

    async def _check(self) -> str:
        try:
            async with asyncio.timeout(QUERY_SECONDS):
                await self._house.store.check()
        except TimeoutError:
            return f"the store has not written anything for {QUERY_SECONDS} seconds"
        except Exception as error:
            if isinstance(error, Unavailable) and error.key in FAULTS:
                return str(error)
            # Messages of a database may name its users and hosts, so only the kind of error is told.
            return f"the store cannot write ({type(error.__cause__ or error).__name__})"
        finally:
            self._checked = time.monotonic()
        return ""
