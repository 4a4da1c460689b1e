"""`registan think`: a process that only thinks, for the houses on one PostgreSQL database.

It needs no key and no data folder, and of the database only the tables of `storage.thoughts`: what it reads there is
what each bot may see.
"""

from __future__ import annotations

import asyncio
import signal

from registan.core.errors import BadInput
from registan.server.limits import Caps
from registan.server.live.thinking import Thinking
from registan.server.live.worker import Worker, ready_games
from registan.server.logs import configure_logs, log
from registan.server.metrics import Metrics
from registan.server.settings import Settings
from registan.server.storage.listening import Listening
from registan.server.storage.store import sqlite_path
from registan.server.storage.thoughts import CHANNEL, missing
from registan.server.warming import warm


async def think(chosen: Settings) -> None:
    """Think until told to stop."""
    from registan.server.storage.postgres import PostgresStore

    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    store = await PostgresStore.open(chosen.store, upgrade=False)
    if await missing(store):
        raise BadInput("error.house.no_house")
    thinking = Thinking(Metrics(), Caps(), chosen.workers)
    worker = Worker(store, thinking)
    listening = Listening(chosen.store, {CHANNEL: lambda text: None if text else worker.wake()}, worker.wake)
    log.info("thinking", threads=chosen.workers, games=ready_games())
    warming = asyncio.create_task(warm())
    await stop.wait()
    warming.cancel()
    await asyncio.gather(warming, return_exceptions=True)
    await listening.close()
    await worker.close()
    thinking.close()
    await store.close()


def run(chosen: Settings) -> None:
    """Think about the questions of a house; raise BadInput unless its database is PostgreSQL."""
    configure_logs(chosen.log_level)
    if sqlite_path(chosen.store) is not None:
        raise BadInput("error.house.think_sqlite")
    try:
        import asyncpg  # noqa: F401 - so that its absence is told in words
    except ImportError:
        raise BadInput("error.house.no_asyncpg") from None
    asyncio.run(think(chosen))
