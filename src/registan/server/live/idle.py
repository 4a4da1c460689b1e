"""Which tables leave memory: those that nobody has used for a while. They come back from the store on demand."""

from __future__ import annotations

from collections.abc import Mapping

from registan.server.limits import IDLE_SECONDS, IDLE_TABLES
from registan.server.live.table import LiveTable


def is_idle(live: LiveTable) -> bool:
    """Whether nobody watches a table, nothing is being stored and no bot thinks. A timer finds it by its id."""
    return not live.watchers and not live.lock.locked() and not live.asked and live.unsettled is None


def unused(tables: Mapping[str, LiveTable], now: float) -> list[str]:
    """Return the idle tables that were not used for a while, and the longest unused if there are too many."""
    idle = sorted((live.used, table) for table, live in tables.items() if is_idle(live))
    too_many = max(0, len(idle) - IDLE_TABLES)
    return [table for i, (used, table) in enumerate(idle) if i < too_many or now - used > IDLE_SECONDS]
