"""Garbage, collected in small portions.

Python collects garbage when there are many more objects than after the last time. At a table that moves, new objects
take the place of old ones, so that their number stays: Python would collect rarely, and then look through all that was
new at hundreds of tables while everybody waits.
"""

from __future__ import annotations

import asyncio
import gc

PAUSE = 0.25
"""Seconds between two collections of what is new: some milliseconds, as a move leaves about a hundred objects."""
SELDOM = 1_200
"""After so many of them, every five minutes, everything is looked through: people who stayed for longer leave garbage
behind that is no longer new."""


async def collect() -> None:
    """Collect garbage instead of Python, until this is cancelled; what is there already is never looked at again."""
    gc.freeze()
    gc.disable()
    try:
        while True:
            for _ in range(SELDOM):
                await asyncio.sleep(PAUSE)
                gc.collect(0)
            gc.collect()
    finally:
        gc.enable()
