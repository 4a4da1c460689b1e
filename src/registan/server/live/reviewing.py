"""Reviews of finished games, computed in the background: one at a time, piece by piece between the answers of bots."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from registan.advice.review import FORMAT, SIMULATIONS, Review
from registan.advice.steps import Steps
from registan.bots.search import simulate
from registan.core.engine import Engine
from registan.core.errors import BadInput, RegistanError
from registan.server.errors import TooManyRequests
from registan.server.limits import REVIEWS_KEPT, REVIEWS_OF_PERSON, REVIEWS_WAITING
from registan.server.live.fair_queue import FairQueue
from registan.server.live.thinking import Thinking
from registan.server.logs import log
from registan.server.storage.reviews import ReviewStore
from registan.server.storage.store import Store

Json = dict[str, Any]
EXPECTED = 30.0
"""Processor seconds that a review probably takes."""


class Reviewed(msgspec.Struct):
    """A review, or how far it is."""

    id: str
    status: Literal["waiting", "working", "done"]
    done: int = 0
    of: int = 0
    """The steps of the work, once it has begun."""
    review: Json | None = None
    """docs/review.md has the format."""


class Task:
    """A review that is wanted."""

    def __init__(self, name: str, match: Steps, open_hands: bool, person: str, table: str | None) -> None:
        self.name, self.match, self.open_hands, self.person, self.table = name, match, open_hands, person, table
        self.review: Review | None = None
        self.fault: RegistanError | None = None

    def begin(self) -> Iterator[None]:
        """Begin the work; never call this in an event loop."""
        self.review = Review(self.match, SIMULATIONS, self.open_hands)
        return self.review.work()

    def told(self) -> Reviewed:
        """Return how far it is; raise the error with which it ended."""
        if self.fault is not None:
            raise self.fault
        if self.review is None:
            return Reviewed(self.name, "waiting")
        return Reviewed(self.name, "working", self.review.done, self.review.of)


def review_id(record: Json, box: str | None, open_hands: bool) -> str:
    """Return what identifies a review: the same game gives the same one, whoever asks."""
    game = [record.get(field) for field in ("game", "engine", "players", "options", "box", "setup", "moves")]
    known = [FORMAT, SIMULATIONS, open_hands, box, *game]
    return hashlib.sha256(msgspec.json.encode(known, order="deterministic")).hexdigest()[:32]


def check_reviewable(match: Steps) -> None:
    """Raise BadInput unless a game was played to its end and the search for it runs as machine code."""
    if not match.over or not match.steps:
        raise BadInput("error.house.review_unfinished")
    if match.game.present:
        raise BadInput("error.house.review_version")
    if not ready(match):
        raise BadInput("error.house.hint_compiling")


def ready(match: Steps) -> bool:
    """Whether the search runs as machine code; otherwise a review would take hours."""
    return Engine(match.game, match.box).ready(simulate)


class Reviewing:
    """All reviews of a house: those that are done, the one that is worked on, and those that wait, in a fair order."""

    def __init__(self, store: Store, thinking: Thinking) -> None:
        self.stored = ReviewStore(store)
        self._thinking = thinking
        self._queue: FairQueue[Task] = FairQueue()
        self._tasks: dict[str, Task] = {}
        self._kept: OrderedDict[str, Json] = OrderedDict()
        self._working: asyncio.Task[None] | None = None

    async def get(self, name: str) -> Reviewed | None:
        """Return a review, or how far it is; None if nobody has asked for it."""
        if name in self._tasks:
            return self._tasks[name].told()
        found = self._kept.get(name) or await self.stored.get(name)
        return Reviewed(name, "done", review=found) if found is not None else None

    async def begin(self, name: str, match: Steps, open_hands: bool, person: str, table: str | None) -> Reviewed:
        """Let a review be made, unless it is already; raise TooManyRequests if too many wait."""
        check_reviewable(match)
        found = await self.get(name)
        if found is not None:
            return found
        if sum(task.person == person for task in self._tasks.values()) >= REVIEWS_OF_PERSON:
            raise TooManyRequests("error.house.reviews_person", most=REVIEWS_OF_PERSON)
        if len(self._tasks) >= REVIEWS_WAITING:
            raise TooManyRequests("error.house.reviews")
        task = self._tasks[name] = Task(name, match, open_hands, person, table)
        self._queue.put(task, person, name, EXPECTED)
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return task.told()

    def close(self) -> None:
        """Stop; whoever still wants a review asks again."""
        if self._working is not None:
            self._working.cancel()

    async def _work(self) -> None:
        while (turn := self._queue.take()) is not None:
            task, start = turn.what, time.monotonic()
            try:
                await self._make(task)
                del self._tasks[task.name]
            except Exception as error:
                log.error("a review failed", game=task.match.game.key, why=repr(error))
                task.fault = BadInput("error.house.review_failed")
                asyncio.get_running_loop().call_later(60, self._tasks.pop, task.name, None)
            finally:
                self._queue.done(turn, time.monotonic() - start)

    async def _make(self, task: Task) -> None:
        work = await self._thinking.piece(task.begin)
        while not await self._thinking.piece(lambda: next(work, True)):
            pass
        assert task.review is not None
        review = task.review.written()
        if task.table is not None:
            await self.stored.keep(task.table, task.name, review, len(task.match.written))
        else:
            self._kept[task.name] = review
            if len(self._kept) > REVIEWS_KEPT:
                self._kept.popitem(last=False)
