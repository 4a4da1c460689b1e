"""What goes on at a table by itself: clocks, bots, and the end of a game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from registan.server.errors import Deleted
from registan.server.live import forgetting
from registan.server.live.table import LiveTable
from registan.server.logs import log
from registan.tables.bots import Choice, Question, questions, release, reply
from registan.tables.snapshot import snapshot

if TYPE_CHECKING:
    from registan.server.live.house import House

RETRY_SECONDS = 2.0
"""How long to wait before trying again what could not be stored."""


class Continuing:
    """Lets the tables of a house go on."""

    def __init__(self, house: House) -> None:
        self._house = house

    def try_again(self, live: LiveTable) -> None:
        """Come back to a table after a write that failed: find out what became of it, and see what is due."""
        if live.timer is not None:
            live.timer.cancel()
        if self._house.open:
            loop = asyncio.get_running_loop()
            live.timer = loop.call_later(RETRY_SECONDS, self._tick, live.table.created.table)

    def schedule(self, live: LiveTable) -> None:
        """Set the table's timer and ask its bots; store a snapshot when the game is over."""
        try:
            self._continue(live)
        except Exception as error:  # what was granted is granted, and other tables continue
            log.error("bots and clocks do not continue", table=live.table.created.table, why=repr(error))

    def _continue(self, live: LiveTable) -> None:
        table = live.table
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        if not self._house.open:
            return
        if table.ended and not table.finished:
            self._house.spawn(self._keep_results(live), table.created.table)
        if table.finished:
            self._house.spawn(self._finish(live), table.created.table)
            return
        due = table.next_deadline()
        if due is not None:
            wait = max(0, due - self._house.now()) / 1000
            live.timer = asyncio.get_running_loop().call_later(min(wait, 3600), self._tick, table.created.table)
        if self._house.notices is not None:
            self._house.notices.look(live)
        asked = questions(table)
        live.asked &= {(question.seat, question.moment) for question in asked}
        for question in asked:
            if (question.seat, question.moment) not in live.asked:
                live.asked.add((question.seat, question.moment))
                self._house.spawn(self._think(table.created.table, question), table.created.table)

    def _tick(self, table: str) -> None:
        if self._house.open:
            self._house.spawn(self._house.act(table, lambda _table, _now: []), table)

    async def _think(self, table: str, question: Question) -> None:
        """Let a bot think, and play the move it chose."""
        try:
            choice = await self._choose(table, question)
            if choice is None:
                return
            if question.since is not None and self._house.open:
                now = self._house.now()
                await asyncio.sleep((release(question.since, now, self._house.bot_pace) - now) / 1000)
            if self._house.open:
                await self._house.act(table, lambda t, now: reply(t, question, choice, now))
                if self._house.asking is not None:
                    self._house.asking.given(question, table)
        except Deleted:
            return
        except Exception:
            # The disk may be full, for example. The bot is asked again, or the table would wait forever.
            (await self._house.table(table)).asked.discard((question.seat, question.moment))
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self._tick, table)
            raise

    async def _choose(self, table: str, question: Question) -> Choice | None:
        """Return a bot's choice, None if another process has played it."""
        live = await self._house.table(table)
        host = live.table.created.host
        if self._house.asking is None:
            return await self._house.thinking.answer(question, host, table)
        return await self._house.asking.answer(
            question, host, table, lambda: self._house.open and (question.seat, question.moment) in live.asked
        )

    async def _keep_results(self, live: LiveTable) -> None:
        """Store the results of a game that is over, again if a card was sold after the end."""
        match = live.table.match
        if match is not None and live.results != match.moves_played:
            live.results = match.moves_played
            await self._house.results.keep(live.table)

    async def _finish(self, live: LiveTable) -> None:
        table = live.table
        if not live.finished:  # otherwise somebody has only said something after the end
            await self._keep_results(live)
            await self._house.saver.forget(table)
            if table.match is not None and table.match.moves_played:
                made = snapshot(table)
                await self._house.store.keep_snapshot(
                    table.created.table, made.seq, await asyncio.to_thread(made.packed)
                )
            live.finished = True
            await forgetting.finish(self._house, table)
        self._house.unload(table.created.table)
