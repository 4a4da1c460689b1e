"""Bots in a house with several processes on one PostgreSQL: each decision is thought about once, and none is lost."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import asyncpg
import msgspec
import numpy as np
import pytest

from registan.core.game import SPECTATOR
from registan.server.limits import Caps
from registan.server.live import worker
from registan.server.live.house import House
from registan.server.live.thinking import Thinking
from registan.server.live.worker import Worker
from registan.server.metrics import Metrics
from registan.server.storage.postgres import PostgresStore
from registan.server.storage.thoughts import Claimed, Thoughts
from registan.tables import events as e
from registan.tables.bots import Choice, Question, questions, unpacked
from registan.tables.table import replay
from tests.server.conftest import fresh_database
from tests.server.place import Guest, Place, until
from tests.server.test_thinking import table_with_bots

T = TypeVar("T")
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


def same_person(guest: Guest, place: Place) -> Guest:
    """Return the same person at another door."""
    there = place.guest(None)
    there.http.cookies.update(guest.http.cookies)
    return there


def in_database(store: str, work: Callable[[Any], Awaitable[T]]) -> T:
    async def run() -> T:
        db: Any = await asyncpg.connect(store)
        try:
            return await work(db)
        finally:
            await db.close()

    return asyncio.run(run())


def rows(store: str, sql: str) -> list[Any]:
    found: list[Any] = in_database(store, lambda db: db.fetch(sql))
    return found


def asked(guest: Guest, table: str) -> list[Any]:
    """Return the guest's legal moves as soon as the bots have played."""
    until(lambda: bool(guest.view(table)["view"]["legal"]) or guest.view(table)["status"] != "running")
    legal: list[Any] = guest.view(table)["view"]["legal"]
    return legal


def play(guest: Guest, table: str) -> None:
    """Play the guest's first legal move; a process that has not heard of the last moves yet may offer one too old."""

    def accepted() -> bool:
        answer = guest.http.post(f"/api/tables/{table}", json={"do": "play", "seat": 0, "move": asked(guest, table)[0]})
        assert answer.status_code in (200, 409), (answer.status_code, answer.text)
        return answer.status_code == 200

    until(accepted)


def stored(place: Place, table: str) -> int:
    """Return how many events of a table a house knows."""
    return place.run(place.house.table(table)).table.seq


def by_bots(store: str) -> int:
    return sum(b'"by":"bot"' in event[0] for event in rows(store, "SELECT data FROM events"))


@pytest.mark.parametrize("level", ["greedy", "merchant"])
def test_two_processes_think_about_each_decision_once(postgres: str, counted: Counter[bytes], level: str) -> None:
    store = fresh_database(postgres)
    with doors(store) as (east, west):
        ann = east.guest("Ann")
        table = ann.new_table("khiva", (level, level))
        there = same_person(ann, west)
        with there.socket(table) as watching:  # so both processes have the table, and know its questions
            watching.ask(do="watch", seat=0)
            for guest in (ann, there, there, ann, there, ann):
                play(guest, table)
            asked(ann, table)
        assert by_bots(store) >= 8
        assert set(counted.values()) == {1}
        for place in (east, west):  # bots may still play
            until(lambda place=place: stored(place, table) == len(rows(store, "SELECT 1 FROM events")))  # type: ignore[misc]


def test_a_question_holds_what_its_bot_may_see_and_nothing_else() -> None:
    table, _ = table_with_bots("khiva")
    for question in questions(table):
        fields = msgspec.msgpack.decode(question.packed())
        hidden = table.playing.hidden(question.seat).tobytes()
        game = question.engine.game
        assert fields[:6] == [game.key, game.version, question.engine.box.key, "", question.seat, "master"]
        assert fields[6:] == [hidden, question.rng.tobytes(), False]
        # Whatever the bot does not know may be different: it is asked the same.
        other = question.hidden.copy()
        question.engine.guess(other, question.seat, np.arange(1, 5, dtype=np.uint64))
        question.engine.hide(other, question.seat)
        assert other.tobytes() == hidden != table.playing.hidden(SPECTATOR).tobytes()
        again = unpacked(question.packed())
        assert again.think("greedy").action == question.think("greedy").action


def claimed(name: str, person: str = "p", table: str = "t", expected: float = 1.0) -> Claimed:
    return Claimed(name.encode(), person, table, expected, b"question")


def with_store(url: str, do: Callable[[PostgresStore], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await PostgresStore.open(url)
        try:
            await do(store)
        finally:
            await store.close()

    asyncio.run(run())


BUDGET = (45.0, 30.0)


def test_whose_bots_have_thought_least_is_next(postgres: str) -> None:
    async def do(store: PostgresStore) -> None:
        thoughts = Thoughts(store, "here", "code")
        for name, person, table in (
            ("a1", "ann", "one"), ("a2", "ann", "one"), ("a3", "ann", "two"), ("b1", "bo", "three"),
        ):  # fmt: skip
            assert await thoughts.ask(claimed(name, person, table), "open", "khiva", False, BUDGET) == (True, False)
        assert not (await thoughts.ask(claimed("a1"), "open", "khiva", False, BUDGET)).new
        order = [await thoughts.claim("open", ["khiva"]) for _ in range(5)]
        # Ann was first; then Bo, who has had nothing; then Ann's other table.
        assert [found.id for found in order if found] == [b"a1", b"b1", b"a3", b"a2"]
        assert order[-1] is None
        await thoughts.answer(b"a1", b"", 40.0, tell=False)
        assert (await thoughts.ask(claimed("a4", "ann", "one"), "open", "khiva", False, BUDGET)).spent
        assert not (await thoughts.ask(claimed("a5", "ann", "one"), "quiet", "khiva", False, BUDGET)).spent
        assert await thoughts.claim("open", ["khiva"]) is None, "who asks beyond the budget holds the question itself"

    with_store(fresh_database(postgres), do)


def test_only_programs_with_the_same_rules_and_the_game_compiled_think(postgres: str) -> None:
    async def do(store: PostgresStore) -> None:
        ours, theirs = Thoughts(store, "a", "code"), Thoughts(store, "b", "other code")
        await ours.ask(claimed("x"), "open", "khiva", False, BUDGET)
        assert await theirs.claim("open", ["khiva", ""]) is None
        assert await ours.claim("open", ["souk", ""]) is None
        assert await ours.claim("quiet", ["khiva"]) is None
        assert await ours.claim("open", ["khiva"]) is not None

    with_store(fresh_database(postgres), do)


def test_a_lease_that_runs_out_lets_another_think_and_one_that_is_renewed_does_not(postgres: str) -> None:
    async def do(store: PostgresStore) -> None:
        dead, alive = Thoughts(store, "dead", "code"), Thoughts(store, "alive", "code")
        await dead.ask(claimed("x"), "open", "khiva", True, BUDGET)
        assert await alive.claim("open", ["khiva"]) is None
        assert not await alive.take(b"x")
        await store.execute("UPDATE thoughts SET until = now() - interval '1 second'")
        await dead.renew([b"x"])
        assert await alive.claim("open", ["khiva"]) is None
        await store.execute("UPDATE thoughts SET until = now() - interval '1 second'")
        assert await alive.claim("open", ["khiva"]) is not None
        await dead.renew([b"x"])  # too late: it is somebody else's
        await alive.answer(b"x", b"first", 1.0, tell=True)
        await dead.answer(b"x", b"second", 1.0, tell=True)
        seen = await alive.see(b"x")
        assert seen is not None
        assert seen.answer == b"first"

    with_store(fresh_database(postgres), do)


def test_a_thinker_that_stops_gives_its_questions_back(postgres: str) -> None:
    async def do(store: PostgresStore) -> None:
        leaving, staying = Thoughts(store, "leaving", "code"), Thoughts(store, "staying", "code")
        await leaving.ask(claimed("x"), "open", "khiva", True, BUDGET)
        await leaving.release()
        assert await staying.claim("open", ["khiva"]) is not None

    with_store(fresh_database(postgres), do)


def test_a_thinker_needs_no_other_table_of_the_database(postgres: str) -> None:
    """As docs/house.md describes the role."""
    store = fresh_database(postgres)
    role = f"thinker_{store.rpartition('/')[2]}"

    async def grant(db: Any) -> None:
        await db.execute(f"CREATE ROLE {role} LOGIN")
        await db.execute(f"GRANT SELECT, INSERT, UPDATE ON thoughts, thinking_time TO {role}")

    with_store(store, lambda opened: asyncio.sleep(0))
    in_database(store, grant)
    theirs = store.replace("postgres@", f"{role}@")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        rows(theirs, "SELECT * FROM events")

    async def think() -> Any:
        opened, house = await PostgresStore.open(theirs, upgrade=False), await PostgresStore.open(store)
        working = Worker(opened, Thinking(Metrics(), Caps(), 1))
        question = questions(table_with_bots(level="greedy")[0])[0]
        asking = Thoughts(house, "house", worker.code())
        what = Claimed(question.id("t"), "p", "t", 0.1, question.packed())
        await asking.ask(what, "open", "", False, BUDGET)
        working.wake()
        async with asyncio.timeout(20):
            while (seen := await asking.see(what.id)) is None or seen.answer is None:
                await asyncio.sleep(0.01)
        await working.close()
        working.thinking.close()
        for each in (opened, house):
            await each.close()
        return worker.read(seen.answer), question.think()

    there, here = asyncio.run(think())
    assert (there.action, there.level) == (here.action, "greedy")
    in_database(store, lambda db: db.execute(f"DROP OWNED BY {role}; DROP ROLE {role}"))


def die(place: Place) -> None:
    """Let the bots of a house hang: as if its process had been killed, but for its connections."""

    async def stop() -> None:
        assert place.house.asking is not None
        asking = place.house.asking
        for task in (*place.house._tasks, asking._tidying, *asking.worker._running):
            task.cancel()
        asking.worker.held.clear()
        place.house.open = False

    place.run(stop())


def test_what_a_process_has_begun_another_one_ends(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = fresh_database(postgres)
    begun, go_on, found = threading.Event(), threading.Event(), Question.think

    def think(question: Question, *how: Any) -> Choice:
        if not begun.is_set():
            begun.set()
            go_on.wait(60)
        return found(question, *how)

    begun.set()
    monkeypatch.setattr(Question, "think", think)
    with doors(store) as (east, west):
        ann = east.guest("Ann")
        table = ann.new_table("khiva", ("greedy", "greedy"))
        there = same_person(ann, west)
        with there.socket(table) as watching:
            watching.ask(do="watch", seat=0)
            asked(ann, table)
            begun.clear()

            def goes_on() -> bool:
                if legal := ann.view(table)["view"]["legal"]:
                    ann.ask(table, do="play", seat=0, move=legal[0])
                return begun.is_set()

            until(goes_on)
            before = by_bots(store)
            die(east)
            until(lambda: by_bots(store) > before)
            assert asked(there, table)
            go_on.set()
        # A move that were there twice could not be replayed.
        log = [e.loads(row[0]) for row in rows(store, "SELECT data FROM events ORDER BY seq")]
        assert replay(log).seq == len(log)


def test_a_table_that_no_process_has_in_memory_is_woken(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = fresh_database(postgres)
    with doors(store, 1) as (east,):
        ann = east.guest("Ann")
        table = ann.new_table("khiva", ("greedy", "greedy"))
        moves = asked(ann, table)
        until(lambda: not rows(store, "SELECT 1 FROM thoughts WHERE NOT given"))  # it is noted after they have played
        east.house.bot_pace = 3_600_000  # its bots have thought, and wait before they play
        while moves:  # until it is for the bots to decide
            ann.ask(table, do="play", seat=0, move=moves[0])
            moves = ann.view(table)["view"]["legal"]
        until(lambda: bool(rows(store, "SELECT 1 FROM thoughts WHERE answer IS NOT NULL AND NOT given")))
        die(east)
    before = by_bots(store)

    async def sleep_on(_: House) -> None:
        """As if a machine were gone for good: the others were open all the time, and do not wake its tables."""

    monkeypatch.setattr(House, "resume", sleep_on)
    with doors(store, 1):
        sql = "UPDATE thoughts SET asked = now() - interval '1 hour', until = now() - interval '1 hour'"
        in_database(store, lambda db: db.execute(sql))
        until(lambda: by_bots(store) > before)
        until(lambda: not rows(store, "SELECT 1 FROM thoughts WHERE NOT given"))


def test_without_anybody_to_think_a_bot_plays_at_a_glance_and_says_so(postgres: str) -> None:
    with doors(fresh_database(postgres), 1, workers=0) as (place,):
        ann = place.guest("Ann")
        table = ann.new_table("khiva", ("master", "master"))
        ann.ask(table, do="play", seat=0, move=asked(ann, table)[0])
        asked(ann, table)
        lowered = [seat.get("lowered") for seat in ann.view(table)["seats"]]
        assert {"level": "greedy", "why": "busy"} in lowered


def test_a_budget_counts_what_bots_have_thought_in_any_process(postgres: str) -> None:
    store = fresh_database(postgres)
    with doors(store, caps=Caps(thinking_of_person=0.05)) as (east, west):
        ann = east.guest("Ann")
        first = ann.new_table("khiva", ("master", "master"))
        asked(ann, first)
        until(lambda: (rows(store, "SELECT sum(seconds) FROM thinking_time")[0][0] or 0) > 0.05)
        there = same_person(ann, west)
        second = there.new_table("khiva", ("master", "master"))
        spent = {"level": "greedy", "why": "budget"}
        until(lambda: spent in [seat.get("lowered") for seat in there.view(second)["seats"]])
