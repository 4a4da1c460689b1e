"""Thinking about the questions of a whole house: in its processes, and in `registan think` on other machines."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import socket
from collections.abc import Coroutine
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from registan.bots.search import simulate
from registan.core.box import find_box
from registan.core.compiled import sources
from registan.core.engine import Engine
from registan.core.registry import find, keys
from registan.server.limits import RENEW_SECONDS
from registan.server.live.thinking import Thinking
from registan.server.logs import log
from registan.server.storage.store import Store
from registan.server.storage.thoughts import Claimed, Thoughts
from registan.tables.bots import Choice, Question, unpacked

KINDS = {"open": False, "quiet": True}
"""Questions that everybody may know of, and those that nobody may: whether a question of the kind is quiet."""


def kind_of(question: Question) -> str:
    """Return the kind of a question."""
    return "quiet" if question.quiet else "open"


@cache
def code() -> str:
    """Return what is the same for programs with the same rules, whose states have the same bytes."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _engine(game: str) -> Engine:
    return Engine(find(game), find_box(find(game)))


def ready_games() -> list[str]:
    """Return the games whose search runs as machine code here."""
    return [game for game in keys() if _engine(game).ready(simulate)]


def packed(choice: Choice) -> bytes:
    """Return an answer as it is stored; failures stay in the log of whoever thought."""
    return msgspec.msgpack.encode((choice.action, choice.level, choice.why))


def read(answer: bytes) -> Choice:
    """Return such an answer."""
    return Choice(*msgspec.msgpack.decode(answer, type=tuple[int, str, str]))


async def happens(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, or for some seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


class Worker:
    """Claims questions when a thread is free, thinks about them, and renews its leases."""

    def __init__(self, store: Store, thinking: Thinking) -> None:
        name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self.thoughts, self.thinking = Thoughts(store, name, code()), thinking
        self.held: set[bytes] = set()
        """What is thought about here."""
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._running = [asyncio.create_task(self._claim()), asyncio.create_task(self._renew())]

    def wake(self) -> None:
        """See whether something waits."""
        self._wake.set()

    async def think(self, what: Claimed, question: Question, level: str, why: str, tell: bool, paid: float) -> Choice:
        """Think about a question that is held, store the answer, and return it; `paid` seconds are charged already."""
        self.held.add(what.id)
        try:
            choice, seconds = await self.thinking.at_level(question, what.person, what.table, level, why)
            try:
                await self.thoughts.answer(what.id, packed(choice), seconds - paid, tell)
            except Exception as error:  # the database may be gone for a while; whoever waits will find out
                log.warning("an answer is not stored", table=what.table, why=repr(error))
            return choice
        finally:
            self.held.discard(what.id)
            self.wake()

    async def close(self) -> None:
        """Stop, and let others think about what is not finished."""
        for task in (*self._running, *self._tasks):
            task.cancel()
        await asyncio.gather(*self._running, *self._tasks, return_exceptions=True)
        await self.thoughts.release()

    async def _claim(self) -> None:
        while True:
            await happens(self._wake, RENEW_SECONDS)  # nobody may have announced it, or a lease has run out
            self._wake.clear()
            try:
                for kind, quiet in KINDS.items():
                    while self.thinking.free(quiet) and (found := await self._next(kind)) is not None:
                        self._spawn(self._work(found))
                        await asyncio.sleep(0)  # the thread has it now
            except Exception as error:
                log.warning("questions are not claimed", why=repr(error))
                await asyncio.sleep(RENEW_SECONDS)

    async def _next(self, kind: str) -> Claimed | None:
        return await self.thoughts.claim(kind, ["", *ready_games()])

    async def _work(self, found: Claimed) -> None:
        question = unpacked(found.question)
        await self.think(found, question, *question.level_now(), tell=True, paid=found.expected)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a bot was not asked", why=repr(task.exception()))

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            if self.held:
                try:
                    await self.thoughts.renew(list(self.held))
                except Exception as error:
                    log.warning("leases are not renewed", why=repr(error))
