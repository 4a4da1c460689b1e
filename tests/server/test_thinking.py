"""Bots at work: one table's thinking never starves another's, and a bot that fails does not stop its table."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from registan.bots import find_bot
from registan.core.game import Ints
from registan.server.limits import Caps
from registan.server.live import lane
from registan.server.live.thinking import Thinking
from registan.server.logs import log
from registan.server.metrics import Metrics
from registan.tables import bots
from registan.tables import events as e
from registan.tables.bots import Choice, Question, questions, reply
from registan.tables.creation import create
from registan.tables.pace import Pace
from registan.tables.requests import Start
from registan.tables.seats import Seat
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.server.place import Place, until
from tests.tables.house import people


def thinking(metrics: Metrics | None = None, patience: float = 60, **more: Any) -> Thinking:
    """Return bots at work in a house with one thread for searches, where nothing takes too long."""
    caps = Caps(thinking_of_table=more.pop("table", 1000), thinking_of_person=more.pop("person", 1000))
    return Thinking(metrics or Metrics(), caps, 1, patience=patience, limit=60, **more)


def table_with_bots(game: str = "khiva", level: str = "master") -> tuple[Table, list[e.Event]]:
    """Return a running table of a person with three bots, and its log."""
    seats = [*people(1), *(Seat(kind="bot", level=level) for _ in range(3))]
    made = create("t", "p0", 1000, b"s" * 32, game, seats, {}, Pace())
    table = replay([made])
    return table, [made, *Start().carry_out(table, "p0", 2000)]


def question_of(level: str = "master") -> Question:
    return replace(questions(table_with_bots(level=level)[0])[0], level=level)


class FakeBot:
    """A bot that does what a test wants before it plays its first legal action."""

    def __init__(self, name: str, before: Callable[[], Any]) -> None:
        self.name, self.before = name, before

    def choose(self, engine: Any, hidden: Any, seat: int, rng: Ints) -> int:
        found = self.before()
        legal: int = engine.legal(hidden, seat)[0]
        return legal if found is None else int(found)


@pytest.fixture
def level(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replace bots of some levels by fakes, in new threads; searches are ready."""
    monkeypatch.setattr(Question, "level_now", lambda question: (question.level, ""))
    monkeypatch.setattr(bots, "_thread", threading.local())
    found = find_bot

    def fake(**levels: Callable[[], Any]) -> None:
        def find(name: str) -> Any:
            return FakeBot(name, levels[name]) if name in levels else found(name)

        monkeypatch.setattr(bots, "find_bot", find)

    return fake


def fail() -> None:
    raise ZeroDivisionError("a bug in a bot")


def test_a_flood_of_searches_delays_the_bot_of_another_table_by_one_slot(level: Callable[..., None]) -> None:
    """A slot is a search: the fake bots wait until the test lets the next one go on."""
    slots = threading.Semaphore(0)
    level(master=lambda: slots.acquire() and None)

    async def run() -> int:
        at_work = thinking()
        question = question_of()
        flood = [
            asyncio.create_task(at_work.answer(question, "flood", f"table {number % 40}")) for number in range(200)
        ]
        await asyncio.sleep(0)  # they all wait
        wanted = asyncio.create_task(at_work.answer(question, "ann", "hers"))
        used = 0
        while not wanted.done():
            slots.release()
            used += 1
            before = sum(task.done() for task in (*flood, wanted))
            while sum(task.done() for task in (*flood, wanted)) == before:
                await asyncio.sleep(0.001)
        for task in flood:
            task.cancel()
        slots.release(500)
        at_work.close()
        return used

    assert asyncio.run(run()) <= 2  # the one that had begun, and her own


def test_a_bot_that_answers_at_a_glance_does_not_wait_for_searches(level: Callable[..., None]) -> None:
    blocked = threading.Event()
    level(master=lambda: blocked.wait() and None)

    async def run() -> Choice:
        at_work = thinking()
        search = asyncio.create_task(at_work.answer(question_of(), "ann", "t"))
        choice = await at_work.answer(question_of("greedy"), "ann", "t")
        assert not search.done()
        blocked.set()
        await search
        at_work.close()
        return choice

    assert asyncio.run(run()).level == "greedy"


def test_beyond_its_budget_a_table_plays_at_a_glance_and_others_do_not(level: Callable[..., None]) -> None:
    now = 0.0

    def work() -> None:
        start = time.thread_time()
        while time.thread_time() - start < 0.02:
            pass

    level(master=work)

    async def run() -> list[tuple[str, str]]:
        nonlocal now
        at_work = thinking(table=0.01, person=0.03, now=lambda: now)
        question, seen = question_of(), []
        for person, table in (("ann", "one"), ("ann", "one"), ("ann", "two"), ("ann", "three"), ("bob", "four")):
            choice = await at_work.answer(question, person, table)
            seen.append((choice.level, choice.why))
        now = 61.0
        choice = await at_work.answer(question, "ann", "one")
        seen.append((choice.level, choice.why))
        at_work.close()
        return seen

    full, low = ("master", ""), ("greedy", "budget")
    assert asyncio.run(run()) == [full, low, full, low, full, full]


def test_a_bot_that_waits_too_long_for_the_processor_plays_at_a_glance(level: Callable[..., None]) -> None:
    blocked = threading.Event()
    level(master=lambda: blocked.wait() and None)

    async def run() -> Choice:
        at_work = thinking(patience=0.01)
        first = asyncio.create_task(at_work.answer(question_of(), "ann", "t"))
        await asyncio.sleep(0)
        choice = await at_work.answer(question_of(), "bob", "u")
        blocked.set()
        assert (await first).why == ""
        at_work.close()
        return choice

    choice = asyncio.run(run())
    assert (choice.level, choice.why, choice.failures) == ("greedy", "busy", ())


class Hasty(lane.Lane[Choice]):
    """A lane that gives up at once what the test says never answers."""

    hasty = True

    async def run(self, *args: Any) -> tuple[Choice, float]:
        *others, _patience, _limit = args
        return await super().run(*others, *((60, 0.01) if self.hasty else (0.01, 60)))


def test_a_bot_that_never_answers_is_given_up_and_its_thread_replaced(
    level: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = threading.Event()
    waits = iter([True, False, True, False])
    level(master=lambda: (blocked.wait() and None) if next(waits) else None)
    monkeypatch.setattr(lane, "LOST_THREADS", 2)

    async def run() -> list[tuple[str, str]]:
        metrics = Metrics()
        at_work = thinking(metrics)
        search = at_work._open.search = Hasty("search", 1)
        seen = []

        async def ask(hasty: bool) -> None:
            search.hasty = hasty
            choice = await at_work.answer(question_of(), "ann", "t")
            seen.append((choice.level, choice.why))

        await ask(hasty=True)
        await ask(hasty=False)
        await ask(hasty=True)
        await ask(hasty=False)  # two threads are lost: there are no more
        blocked.set()
        while search._lost:
            await asyncio.sleep(0.001)
        await ask(hasty=False)
        assert metrics.failed._value.get() == 2
        at_work.close()
        return seen

    slow, thought = ("greedy", "slow"), ("master", "")
    assert asyncio.run(run()) == [slow, thought, slow, ("greedy", "busy"), thought]


def test_a_bot_that_fails_is_logged_once_counted_each_time_and_replaced(
    level: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[dict[str, Any]] = []
    monkeypatch.setattr(log, "error", lambda event, **more: logged.append({"event": event, **more}))
    level(merchant=fail, master=lambda: 10**6)
    metrics = Metrics()

    async def run() -> list[Choice]:
        at_work = thinking(metrics)
        choices = [await at_work.answer(question_of(name), "ann", "t") for name in ("merchant", "merchant", "master")]
        at_work.close()
        return choices

    assert [(choice.level, choice.why) for choice in asyncio.run(run())] == [("greedy", "failed")] * 3
    assert len(logged) == 2
    assert "ZeroDivisionError: a bug in a bot" in logged[0]["why"]
    assert "Traceback" in logged[0]["why"]
    assert "master chose 1000000, which is not legal" in logged[1]["why"]
    assert metrics.failed._value.get() == 3
    assert metrics.lowered.labels("failed")._value.get() == 3


def test_if_the_bot_that_plays_at_a_glance_fails_too_chance_decides(level: Callable[..., None]) -> None:
    level(master=fail, greedy=fail)
    choice = question_of().think()
    assert (choice.level, choice.why, len(choice.failures)) == ("random", "failed", 2)


def test_the_seat_of_a_bot_that_failed_says_so_to_everybody(level: Callable[..., None]) -> None:
    level(master=fail)
    table, written = table_with_bots()
    for number, question in enumerate(questions(table)):
        if number == 2:
            level()
        written += reply(table, question, question.think(), 3000)
    for audience in table.audiences:
        lowered = [seat["lowered"] for seat in show(table, audience)["seats"]]
        assert lowered == [None, *[{"level": "greedy", "why": "failed"}] * 2, None]
    again = replay(e.loads(e.dumps(event)) for event in written)
    assert [show(again, audience) for audience in again.audiences] == [
        show(table, audience) for audience in table.audiences
    ]
    assert again.record() == table.record()


def test_a_bot_that_plays_at_its_level_again_says_so_once(level: Callable[..., None]) -> None:
    table, _ = table_with_bots(level="random")
    lows: list[str] = []
    at = 3000
    while len(lows) < 3:
        at += 1000
        for question in questions(table):
            if question.seat == 1:
                why = "busy" if len(lows) == 0 else ""
                events = reply(table, question, replace(question.think(), why=why), at)
                lows += ["low" if ev.level else "own" for ev in events if isinstance(ev, e.Lowered)]
                if why == "" and not any(isinstance(ev, e.Lowered) for ev in events):
                    lows.append("nothing")
            else:
                reply(table, question, question.think(), at)
        if table.asked(0):
            match = table.playing
            event = e.Moved(at=at, seat=0, move=match.legal(0)[0])
            table.add(event)
    assert lows == ["low", "own", "nothing"]


def test_a_table_with_a_failing_bot_goes_on_over_the_network(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "_thread", threading.local())
    found = find_bot
    monkeypatch.setattr(bots, "find_bot", lambda name: FakeBot(name, fail) if name == "novice" else found(name))
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("novice", "random"))
    until(lambda: ann.view(table)["seats"][1]["lowered"] is not None)
    ann.ask(table, do="play", seat=0, move=ann.view(table)["view"]["legal"][0])
    until(lambda: bool(ann.view(table)["log"]))
    assert [seat["lowered"] for seat in ann.view(table)["seats"]] == [None, {"level": "greedy", "why": "failed"}, None]
    metrics = place.guest(None).http.get("/metrics").text
    assert 'registan_bots_lowered_total{why="failed"}' in metrics
