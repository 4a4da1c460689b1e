"""Threads for thinking, one question each, in a fair order."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

from registan.server.limits import LOST_THREADS
from registan.server.live.fair_queue import FairQueue, Turn

T = TypeVar("T")
POLITE = 5
"""The nice value of threads that make way. With a higher one, they would hold Python's lock for too long."""


class Busy(Exception):
    """No thread was free in time."""


class Slow(Exception):
    """There was no answer in time."""


class Job(Generic[T]):
    """Work for a thread, and what becomes of it."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.work = work
        self.loop = asyncio.get_running_loop()
        self.begun: asyncio.Future[Thinker[T]] = self.loop.create_future()
        self.answered: asyncio.Future[tuple[T, float]] = self.loop.create_future()


class Thinker(threading.Thread, Generic[T]):
    """A thread that does one job after the other. It never keeps the process from ending."""

    def __init__(
        self, name: str, over: Callable[[Thinker[T], Job[T], T | BaseException, float], None], polite: bool = False
    ) -> None:
        super().__init__(name=name, daemon=True)
        self._polite = polite
        self.jobs: SimpleQueue[Job[T] | None] = SimpleQueue()
        self._over = over
        self.start()

    def run(self) -> None:
        """Do jobs until there are no more."""
        if self._polite and sys.platform == "linux":  # only there a thread has a priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), POLITE)
        while (job := self.jobs.get()) is not None:
            start = time.thread_time()
            try:
                answer: T | BaseException = job.work()
            except BaseException as error:
                answer = error
            try:
                job.loop.call_soon_threadsafe(self._over, self, job, answer, time.thread_time() - start)
            except RuntimeError:  # the house has closed
                return
            del job, answer


class Lane(Generic[T]):
    """Up to `size` threads that share a fair queue. A thread that does not come back is replaced.

    Polite threads get a smaller part of the processor than others.
    """

    def __init__(self, name: str, size: int, polite: bool = False) -> None:
        self.name, self.size, self._polite = name, size, polite
        self._queue: FairQueue[Job[T]] = FairQueue()
        self._turns: dict[Job[T], Turn[Job[T]]] = {}
        self._threads: set[Thinker[T]] = set()
        self._idle: list[Thinker[T]] = []
        self._lost: set[Thinker[T]] = set()

    async def run(
        self, work: Callable[[], T], person: str, table: str, expected: float, patience: float, limit: float
    ) -> tuple[T, float]:
        """Return what the work gives, and its processor seconds.

        Raise Busy if it does not begin within `patience` seconds, and Slow if it then takes more than `limit`.
        """
        job = Job(work)
        turn = self._turns[job] = self._queue.put(job, person, table, expected)
        self._begin()
        await asyncio.wait([job.begun], timeout=patience)
        if not job.begun.done():
            del self._turns[job]
            self._queue.withdraw(turn)
            raise Busy
        await asyncio.wait([job.answered], timeout=limit)
        if not job.answered.done():
            job.answered.cancel()
            self._queue.done(self._turns.pop(job), limit)
            self._threads.discard(job.begun.result())
            self._lost.add(job.begun.result())
            self._begin()
            raise Slow
        return job.answered.result()

    @property
    def free(self) -> bool:
        """Whether a thread has nothing to do."""
        return len(self._turns) < self.size

    def close(self) -> None:
        """Let the threads end after what they are doing."""
        for thread in self._threads | self._lost:
            thread.jobs.put(None)

    def _begin(self) -> None:
        """Give work to the threads that are free."""
        while self._idle or (len(self._threads) < self.size and len(self._lost) < LOST_THREADS):
            turn = self._queue.take()
            if turn is None:
                return
            if not self._idle:
                self._idle.append(Thinker(self.name, self._over, self._polite))
                self._threads.add(self._idle[0])
            thread = self._idle.pop()
            turn.what.begun.set_result(thread)
            thread.jobs.put(turn.what)

    def _over(self, thread: Thinker[T], job: Job[T], answer: T | BaseException, seconds: float) -> None:
        if thread in self._lost:
            self._lost.discard(thread)
            thread.jobs.put(None)
        else:
            self._idle.append(thread)
        turn = self._turns.pop(job, None)
        if turn is not None:
            self._queue.done(turn, seconds)
        if job.answered.done():
            pass  # given up, or the house is closing
        elif isinstance(answer, BaseException):
            job.answered.set_exception(answer)
        else:
            job.answered.set_result((answer, seconds))
        self._begin()
