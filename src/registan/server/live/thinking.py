"""Bots and hints at work: who thinks when, for how long, and what happens to bots that fail."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from registan.core.errors import BadInput
from registan.core.game import Json
from registan.server.errors import TooManyRequests
from registan.server.limits import (
    BOX_PATIENCE,
    BOX_SECONDS,
    HINT_PATIENCE,
    HINT_SECONDS,
    REVIEW_LIMIT,
    REVIEW_WAY,
    THINKING_LIMIT,
    THINKING_PATIENCE,
    THINKING_WINDOW,
    Caps,
)
from registan.server.live.budget import Budget
from registan.server.live.lane import Busy, Lane, Slow
from registan.server.logs import log
from registan.server.metrics import Metrics
from registan.tables.bots import AT_A_GLANCE, LAST_RESORT, Choice, Question, looks_ahead
from registan.tables.hints import GuideQuestion, HintQuestion

EXPECTED = {"master": 1.0, "vizier": 0.15, "caravaneer": 0.05, "merchant": 0.02}
"""Seconds that a bot of a level probably thinks; the others answer at once."""
AT_ONCE = 0.005
KNOWN_FAILURES = 100
"""How many different failures are remembered, so that each is logged only once."""


T = TypeVar("T")


class Floor:
    """The threads for questions of one kind, and the budget for them."""

    def __init__(self, name: str, workers: int, caps: Caps, now: Callable[[], float], shared: bool) -> None:
        self.search: Lane[Choice] = Lane(f"{name}-search", workers)
        self.glance = self.search if shared else Lane[Choice](f"{name}-glance", 1)
        self.budget = Budget(caps.thinking_of_table, caps.thinking_of_person, THINKING_WINDOW, now)


class Guided(NamedTuple):
    """What the guide says: sentences by language, and moves as hints have them."""

    situation: dict[str, list[str]]
    moves: list[Json]


class Thinking:
    """All bots of a house, and its hints.

    Searches share the processor fairly (`FairQueue`); bots that answer at a glance never wait for them. A bot whose
    table or person has used up its budget, that waits too long, that fails, or that does not answer plays at a glance
    instead, and its seat says so. Questions of which nobody may know have threads and budgets of their own: no other
    bot plays later or worse because of them. So do hints. Reviews have a thread that makes way: it begins a piece of
    work when no bot thinks, or after a while, and the system prefers other threads to it.
    """

    def __init__(
        self,
        metrics: Metrics,
        caps: Caps,
        workers: int = 1,
        now: Callable[[], float] = time.monotonic,
        patience: float = THINKING_PATIENCE,
        limit: float = THINKING_LIMIT,
    ) -> None:
        self.metrics, self.patience, self.limit = metrics, patience, limit
        self._open = Floor("bot", workers, caps, now, shared=False)
        self._quiet = Floor("quiet-bot", 1, caps, now, shared=True)
        self._hints: Lane[list[Json]] = Lane("hint", 1)
        self._hint_budget = Budget(caps.thinking_of_table, caps.thinking_of_person, THINKING_WINDOW, now)
        self._reviews: Lane[Any] = Lane("review", 1, polite=True)
        self._answering = 0
        """How many bots are asked."""
        self._aside: Lane[Any] = Lane("aside", 1)
        self._aside_budget = Budget(math.inf, caps.thinking_of_person, THINKING_WINDOW, now)
        self._failures: set[str] = set()

    def close(self) -> None:
        """Let the threads end."""
        for floor in (self._open, self._quiet):
            floor.search.close()
            floor.glance.close()
        self._hints.close()
        self._reviews.close()
        self._aside.close()

    def free(self, quiet: bool) -> bool:
        """Whether a search would begin at once."""
        return self._floor(quiet).search.free

    async def answer(self, question: Question, person: str, table: str) -> Choice:
        """Return a bot's choice; `person` is whose table it is."""
        level, why = question.level_now()
        if looks_ahead(question.engine.game, level) and self._floor(question.quiet).budget.spent(person, table):
            level, why = AT_A_GLANCE, "budget"
        choice, _ = await self.at_level(question, person, table, level, why)
        return choice

    async def at_level(self, question: Question, person: str, table: str, level: str, why: str) -> tuple[Choice, float]:
        """Return a bot's choice at a level, or at a lower one if that takes too long, and its processor seconds."""
        start = time.perf_counter()
        self._answering += not question.quiet
        try:
            with self.metrics.thinking.track_inprogress():
                choice, seconds = await self._answer(question, person, table, level, why)
        finally:
            self._answering -= not question.quiet
        self.metrics.thought.observe(time.perf_counter() - start)
        if choice.why:
            self.metrics.lowered.labels(choice.why).inc()
        for failure in choice.failures:
            self._failed(question, failure)
        return choice, seconds

    def _floor(self, quiet: bool) -> Floor:
        return self._quiet if quiet else self._open

    def check_hint(self, question: HintQuestion, person: str, table: str) -> None:
        """Raise BadInput if the search is not compiled yet, TooManyRequests if there were too many hints."""
        if not question.ready:
            raise BadInput("error.house.hint_compiling")
        if self._hint_budget.spent(person, table):
            raise TooManyRequests("error.house.too_fast")

    async def hint(self, question: HintQuestion, person: str, table: str) -> list[Json]:
        """Return the best moves of a seat; raise TooManyRequests if nobody is free to think."""
        work = partial(question.think, HINT_SECONDS)
        try:
            rows, seconds = await self._hints.run(work, person, table, HINT_SECONDS, HINT_PATIENCE, self.limit)
        except (Busy, Slow):
            raise TooManyRequests("error.house.hint_busy") from None
        self._hint_budget.spend(person, table, seconds)
        return rows

    async def piece(self, work: Callable[[], T]) -> T:
        """Do a piece of a review once no bot thinks, or after a while; return what it gives."""
        waited = 0.0
        while self._answering and waited < REVIEW_WAY:
            await asyncio.sleep(AT_ONCE)
            waited += AT_ONCE
        found, _ = await self._reviews.run(work, "", "", AT_ONCE, REVIEW_LIMIT, REVIEW_LIMIT)
        answer: T = found
        return answer

    async def guide(self, question: GuideQuestion, person: str, table: str) -> Guided:
        """Return what the guide says of a decision, without moves if the search cannot run now."""
        try:
            self.check_hint(question.moves, person, table)
            return Guided(question.situation, question.told(await self.hint(question.moves, person, table)))
        except (BadInput, TooManyRequests):
            return Guided(question.situation, [])

    async def aside(self, work: Callable[[], Any], person: str, seconds: float) -> Any:
        """Return the result of work for one person that keeps nobody else waiting; raise TooManyRequests if it cannot.

        There is one thread for all such work, in a fair order, and a budget for each person.
        """
        if self._aside_budget.spent(person, ""):
            raise TooManyRequests("error.house.too_fast")
        try:
            result, spent = await self._aside.run(work, person, "", seconds, BOX_PATIENCE, BOX_SECONDS)
        except (Busy, Slow):
            raise TooManyRequests("error.house.box_busy") from None
        self._aside_budget.spend(person, "", spent)
        return result

    async def _answer(self, question: Question, person: str, table: str, level: str, why: str) -> tuple[Choice, float]:
        floor, slow = self._floor(question.quiet), list[str]()
        game = question.engine.game
        for tried in dict.fromkeys((level, AT_A_GLANCE, LAST_RESORT)):
            lane = floor.search if looks_ahead(game, tried) else floor.glance
            work = partial(question.think, tried, why)
            times = EXPECTED.get(tried, AT_ONCE), self.patience, self.limit
            try:
                choice, seconds = await lane.run(work, person, table, *times)
            except Busy:
                why = "busy"
            except Slow:
                why = "slow"
                slow.append(f"{tried} did not answer in {self.limit} s")
            else:
                floor.budget.spend(person, table, seconds)
                return replace(choice, failures=(*slow, *choice.failures)), seconds
        raise TimeoutError(*slow)

    def _failed(self, question: Question, failure: str) -> None:
        """Count a failure, and log it if it is new."""
        self.metrics.failed.inc()
        if failure in self._failures or len(self._failures) >= KNOWN_FAILURES:
            return
        self._failures.add(failure)
        log.error("a bot failed", game=question.engine.game.key, level=question.level, why=failure)
