"""Bots in a house with several processes on one PostgreSQL: each decision is thought about once, and none is lost."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg
import pytest

from registan.server.limits import Caps
from registan.server.live import asking
from registan.tables.bots import Choice, Question, questions, unpacked
from tests.server.conftest import fresh_database
from tests.server.place import Guest, Place, until
from tests.server.test_thinking import table_with_bots

THOUGHT: Counter[bytes] = Counter()
"""How often each question was thought about, in all houses of this process."""


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """Count what bots think about, by what they see."""
    lock, found = threading.Lock(), Question.think

    def think(question: Question, *how: Any) -> Choice:
        with lock:
            THOUGHT[question.packed()] += 1
        return found(question, *how)

    THOUGHT.clear()
    monkeypatch.setattr(Question, "think", think)
    return THOUGHT


@contextmanager
def doors(store: str, count: int = 2, **more: Any) -> Iterator[list[Place]]:
    """Open some houses on one database."""
    opened = [Place(store, **more) for _ in range(count)]
    try:
        yield opened
    finally:
        for place in opened:
            place.close()


def rows(store: str, sql: str) -> list[Any]:
    async def fetch() -> list[Any]:
        db: Any = await asyncpg.connect(store)
        try:
            found: list[Any] = await db.fetch(sql)
        finally:
            await db.close()
        return found

    return asyncio.run(fetch())


def play_on(guest: Guest, table: str, moves: int) -> None:
    """Play some moves of one's own, and wait for bots in between."""
    for _ in range(moves):
        until(lambda: guest.view(table)["view"]["legal"] or guest.view(table)["status"] != "running")
        legal = guest.view(table)["view"]["legal"]
        if not legal:
            return
        guest.ask(table, do="play", seat=0, move=legal[0])


@pytest.mark.parametrize("level", ["greedy", "merchant"])
def test_two_processes_think_about_each_decision_once(postgres: str, counted: Counter[bytes], level: str) -> None:
    store = fresh_database(postgres)
    with doors(store) as (east, west):
        ann = east.guest("Ann")
        table = ann.new_table("khiva", (level, level))
        there = Guest(west.url, None)
        there.http.cookies.update(ann.http.cookies)
        with there.socket(table) as watching:  # so both processes have the table, and know its questions
            watching.ask(do="watch", seat=0)
            for guest in (ann, there, ann, there):
                play_on(guest, table, 2)
            until(lambda: guest.view(table)["view"]["legal"] or guest.view(table)["status"] != "running")
        found = east.run(east.house.table(table)).table
        by_bots = [event for event in rows(store, "SELECT data FROM events") if b'"by":"bot"' in event[0]]
        assert len(by_bots) >= 8
        assert set(counted.values()) == {1}
        assert len(counted) >= len(by_bots)
        assert found.seq == len(rows(store, "SELECT 1 FROM events"))
