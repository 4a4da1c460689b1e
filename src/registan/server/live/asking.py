"""Asking bots in a house with several processes: each question is thought about once, wherever there is a free thread.

Every process that has a table in memory knows its questions. The first one that asks plays the answer; the others
stand by, and play it a little later if the first has not: it may have died. An answer is played once, since a move that
comes second is not wanted any more.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from registan.bots import LEVELS
from registan.server.limits import RENEW_SECONDS, STAND_BY_SECONDS, Caps
from registan.server.live.thinking import AT_ONCE, EXPECTED, Thinking
from registan.server.live.worker import Worker, happens, kind_of, read
from registan.server.logs import log
from registan.server.storage.listening import Listening
from registan.server.storage.store import Store
from registan.server.storage.thoughts import CHANNEL, Claimed
from registan.tables.bots import AT_A_GLANCE, Choice, Question, looks_ahead

TIDY_ROUND = 5.0
"""Seconds between two looks for answers that nobody has played."""
Wanted = Callable[[], bool]


class Asking:
    """Asks the bots of the tables of this process, and thinks about questions of all."""

    def __init__(
        self,
        store: Store,
        url: str,
        thinking: Thinking,
        caps: Caps,
        workers: int,
        wake_table: Callable[[str], Awaitable[set[bytes]]],
    ) -> None:
        self._thinking, self._workers, self._wake_table = thinking, workers, wake_table
        self._budget = (caps.thinking_of_person, caps.thinking_of_table)
        self.worker = Worker(store, thinking)
        self._thoughts = self.worker.thoughts
        self._answered: dict[bytes, asyncio.Event] = {}
        """For each question that waits here: set when it may have been answered."""
        self._given: list[bytes] = []
        self._closing = asyncio.Event()
        self._own = Counter[str]()
        """By table: questions whose answers this process is to play."""
        self._listening = Listening(url, {CHANNEL: self._heard}, self._missed)
        self._tidying = asyncio.create_task(self._tidy())

    async def answer(self, question: Question, person: str, table: str, wanted: Wanted) -> Choice | None:
        """Return a bot's choice, None if another process has played it or it is not wanted any more."""
        level, why = question.level_now()
        if not self._workers and question.level in LEVELS:
            level, why = question.level, ""  # the searches are the business of others
        searching = looks_ahead(question.engine.game, level)
        claim = not searching or self._thinking.free(question.quiet)
        expected = EXPECTED.get(level, AT_ONCE)
        what = Claimed(question.id(table), person, table, expected, question.packed())
        game = question.engine.game.key if searching else ""
        new, spent = await self._thoughts.ask(what, kind_of(question), game, claim, self._budget)
        if not new:
            return await self._stand_by(what, question, wanted)
        self._own[table] += 1
        if searching and spent:
            return await self.worker.think(what, question, AT_A_GLANCE, "budget", tell=False, paid=0.0)
        if claim or spent:
            return await self.worker.think(what, question, level, why, tell=False, paid=0.0)
        self.worker.wake()
        return await self._wait(what, question)

    def given(self, question: Question, table: str) -> None:
        """Note that an answer was played, or is not wanted any more."""
        self._given.append(question.id(table))
        self._own[table] -= 1
        if self._own[table] <= 0:
            del self._own[table]

    def leaves(self, table: str) -> bool:
        """Whether another process plays the answers of all bots at a table."""
        return table not in self._own

    async def _wait(self, what: Claimed, question: Question) -> Choice | None:
        """Wait for the answer. If nobody begins to think in time, this process plays at a glance."""
        changed = self._answered[what.id] = asyncio.Event()
        waited, loop = 0.0, asyncio.get_running_loop()
        try:
            while not self._closing.is_set():
                begun = loop.time()
                await happens(changed, RENEW_SECONDS / 2)
                changed.clear()
                seen = await self._thoughts.see(what.id)
                if seen is not None and seen.answer is not None:
                    return read(seen.answer)
                waited = 0.0 if seen is not None and not seen.waits else waited + loop.time() - begun
                if waited > self._thinking.patience and (seen is None or await self._thoughts.take(what.id)):
                    return await self.worker.think(what, question, AT_A_GLANCE, "busy", tell=False, paid=0.0)
            return None
        finally:
            del self._answered[what.id]

    async def _stand_by(self, what: Claimed, question: Question, wanted: Wanted) -> Choice | None:
        """Wait until the process that has asked has played the answer; if it does not, return it."""
        while True:
            await happens(self._closing, STAND_BY_SECONDS)
            if not wanted():
                return None
            seen = await self._thoughts.see(what.id)
            if seen is None or seen.given:
                # Without a trace of it the database has forgotten it, and it is asked again; if its answer was given
                # and is still wanted, the bot waits for its clock.
                return None if seen else await self.answer(question, what.person, what.table, wanted)
            if seen.answer is not None and seen.since > STAND_BY_SECONDS:
                return read(seen.answer)
            if seen.waits and seen.since > self._thinking.patience and await self._thoughts.take(what.id):
                level, why = question.level_now()
                return await self.worker.think(what, question, level, why, tell=True, paid=0.0)

    def _heard(self, text: str) -> None:
        if not text:
            self.worker.wake()
        elif (changed := self._answered.get(bytes.fromhex(text))) is not None:
            changed.set()

    def _missed(self) -> None:
        self.worker.wake()
        for changed in self._answered.values():
            changed.set()

    async def _tidy(self) -> None:
        """Note what was played; wake tables whose bots nobody has played for."""
        rounds = 0
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            rounds += 1
            given, self._given = self._given, []
            try:
                if given:
                    await self._thoughts.give(given)
                if rounds * RENEW_SECONDS % TIDY_ROUND == 0:
                    for id_, table in await self._thoughts.adopt():
                        if id_ not in await self._wake_table(table):
                            self._given.append(id_)
                    await self._thoughts.tidy()
            except Exception as error:  # the database may be unreachable for a while
                self._given += given
                log.warning("questions are not tidied up", why=repr(error))

    def stop(self) -> None:
        """Wait for no more answers."""
        self._closing.set()
        self._missed()

    async def close(self) -> None:
        """Stop asking and thinking."""
        self._tidying.cancel()
        await asyncio.gather(self._tidying, return_exceptions=True)
        await self._listening.close()
        if self._given:
            await self._thoughts.give(self._given)
        await self.worker.close()
