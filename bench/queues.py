"""Measure queues on PostgreSQL for the questions of bots: ours, procrastinate's and pgqueuer's.

    python -m bench.queues --store postgresql://postgres@127.0.0.1/empty

A job is asked, claimed by a worker in the same process, answered at once, and its answer fetched by who asked. One
after the other that is the delay of a bot's move; many at once, what a database and a process can do. CPU seconds are
those of this process. The other two have no fair order over people, and neither stores answers: theirs are not fetched.
Install them beside: pip install procrastinate pgqueuer "psycopg[binary,pool]".
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import importlib.util
import json
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import asyncpg

QUESTION = os.urandom(600)
"""As long as a question in Khiva."""
Ask = Callable[[int], Awaitable[None]]
"""Asks one question, and returns when it is answered."""


async def measure(ask: Ask, one_by_one: int, together: int, at_once: int = 16) -> dict[str, float]:
    """Return milliseconds of a question alone, and questions a second and CPU milliseconds of many together."""
    await asyncio.gather(*(ask(i) for i in range(at_once)))  # connections are there now
    delays = []
    for i in range(one_by_one):
        begun = time.perf_counter()
        await ask(1_000 + i)
        delays.append(time.perf_counter() - begun)
    begun, cpu = time.perf_counter(), time.process_time()
    numbers = iter(range(10_000, 10_000 + together))

    async def some() -> None:
        for number in numbers:
            await ask(number)

    await asyncio.gather(*(some() for _ in range(at_once)))
    took, cpu = time.perf_counter() - begun, time.process_time() - cpu
    return {
        "delay_ms": round(statistics.median(delays) * 1e3, 2),
        "per_s": round(together / took),
        "cpu_ms": round(cpu / together * 1e3, 2),
    }


async def ours(url: str, *counts: int, own: bool = False) -> dict[str, float]:
    """Measure `storage.thoughts`; `own` as when the process that asks thinks itself."""
    from registan.server.storage.listening import Listening
    from registan.server.storage.postgres import PostgresStore
    from registan.server.storage.thoughts import CHANNEL, Claimed, Thoughts

    store = await PostgresStore.open(url)
    asking, working = Thoughts(store, "asking", "code"), Thoughts(store, "working", "code")
    answered: dict[str, asyncio.Event] = {}
    waits = asyncio.Event()

    def heard(text: str) -> None:
        if text:
            answered[text].set()
        else:
            waits.set()

    async def work() -> None:
        while True:
            await waits.wait()
            waits.clear()
            while (found := await working.claim("open", ["khiva"])) is not None:
                await working.answer(found.id, b"answer", 0.0, tell=True)

    async def ask(number: int) -> None:
        what = Claimed(f"{own}{number}".encode(), f"p{number % 50}", f"t{number % 200}", 0.1, QUESTION)
        done = answered[what.id.hex()] = asyncio.Event()
        await asking.ask(what, "open", "khiva", own, (1e9, 1e9))
        if own:
            await asking.answer(what.id, b"answer", 0.0, tell=False)
            return
        await done.wait()
        await asking.see(what.id)

    listening = Listening(url, {CHANNEL: heard}, waits.set)
    workers = [asyncio.create_task(work()) for _ in range(4)]
    try:
        return await measure(ask, *counts)
    finally:
        for task in workers:
            task.cancel()
        await listening.close()
        await store.close()


async def procrastinates(url: str, *counts: int) -> dict[str, float]:
    """Measure procrastinate with four workers."""
    procrastinate: Any = importlib.import_module("procrastinate")
    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=url, max_size=8))
    done: dict[int, asyncio.Event] = {}

    async def answer(number: int, question: str) -> None:
        done[number].set()

    think = app.task(name="think")(answer)

    async def ask(number: int) -> None:
        done[number] = asyncio.Event()
        await think.configure(queueing_lock=str(number)).defer_async(number=number, question=QUESTION.hex())
        await done[number].wait()

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        worker = asyncio.create_task(
            app.run_worker_async(concurrency=4, install_signal_handlers=False, delete_jobs="always")
        )
        try:
            return await measure(ask, *counts)
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


async def pgqueuers(url: str, *counts: int) -> dict[str, float]:
    """Measure pgqueuer, which takes batches of jobs."""
    pgqueuer, drivers = importlib.import_module("pgqueuer"), importlib.import_module("pgqueuer.db")
    async with asyncpg.create_pool(url, min_size=2, max_size=8) as pool:
        queries = pgqueuer.Queries(drivers.AsyncpgPoolDriver(pool))
        await queries.install()
        one: Any = await asyncpg.connect(url)
        queues = pgqueuer.PgQueuer(drivers.AsyncpgDriver(one))
        done: dict[int, asyncio.Event] = {}

        async def think(job: Any) -> None:
            done[int(job.payload[:10])].set()

        queues.entrypoint("think", concurrency_limit=4)(think)

        async def ask(number: int) -> None:
            done[number] = asyncio.Event()
            await queries.enqueue(["think"], [f"{number:010}".encode() + QUESTION], [0], dedupe_key=[str(number)])
            await done[number].wait()

        running = asyncio.create_task(queues.run(dequeue_timeout=timedelta(seconds=1), batch_size=4))
        try:
            await asyncio.sleep(1)
            return await measure(ask, *counts)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await one.close()


async def run(url: str, counts: tuple[int, int], rounds: int) -> None:
    named: dict[str, Any] = {"ours": ours, "ours, who asks thinks": lambda *a: ours(*a, own=True)}
    if importlib.util.find_spec("procrastinate"):
        named["procrastinate"] = procrastinates
    if importlib.util.find_spec("pgqueuer"):
        named["pgqueuer"] = pgqueuers
    for _ in range(rounds):
        for name, queue in named.items():
            fresh = f"queue_{os.urandom(4).hex()}"
            db: Any = await asyncpg.connect(url)
            await db.execute(f"CREATE DATABASE {fresh}")
            try:
                found = await queue(f"{url.rpartition('/')[0]}/{fresh}", *counts)
            finally:
                await db.execute(f"DROP DATABASE {fresh} WITH (FORCE)")
                await db.close()
            print(json.dumps({"queue": name, **found, "load": round(os.getloadavg()[0], 1)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True)
    parser.add_argument("--alone", type=int, default=100)
    parser.add_argument("--together", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    asyncio.run(run(args.store, (args.alone, args.together), args.rounds))


if __name__ == "__main__":
    main()
