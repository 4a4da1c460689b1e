"""Nobody stops others from studying: requests are few at a time, small in memory, and take their turns fairly."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from registan.core.messages import LANGUAGES, say
from registan.server.errors import TooManyRequests
from registan.server.limits import CONTAINERS, Buckets, Rate
from registan.server.live.recomputing import Recomputing
from registan.tables.study import open_record
from tests.server.place import PATIENT, Guest, Place, until
from tests.tables.test_study import records

another = itertools.count()
"""Records that were studied before are known."""


@pytest.fixture
def stuck(place: Place, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let records open only when told."""
    go = threading.Event()

    def slowly(*args: Any) -> Any:
        assert go.wait(20)
        return open_record(*args)

    monkeypatch.setattr("registan.server.http.study.open_record", slowly)
    yield go
    go.set()


def in_a_crowd(place: Place, guests: list[Guest], expected: int, go: threading.Event) -> list[str]:
    """Let guests study at the same time, and return how they are refused, sorted, "" for those who are not."""

    def ask(number: int) -> str:
        record = {**records("khiva")[0], "number": next(another)}
        answer = guests[number].http.post("/api/study", json={"record": record})
        return "" if answer.status_code == 200 else str(answer.json()["error"])

    with ThreadPoolExecutor(len(guests)) as threads:
        asked = [threads.submit(ask, number) for number in range(len(guests))]
        until(lambda: sum(future.done() for future in asked) >= expected)
        go.set()
        return sorted(future.result() for future in asked)


def test_a_person_studies_only_so_much_at_once(place: Place, stuck: threading.Event) -> None:
    ann, caps = place.guest("Ann"), place.house.caps
    told = in_a_crowd(place, [ann] * 6, 6 - caps.studies_of_person, stuck)
    assert told == [""] * caps.studies_of_person + ["error.house.studies_person"] * (6 - caps.studies_of_person)
    assert ann.post("/api/study", record=records("khiva")[0])["game"] == "khiva", "what is answered counts no more"


def test_so_does_an_address_whoever_they_are(place: Place, stuck: threading.Event) -> None:
    guests, most = [place.guest(f"Guest {i}") for i in range(6)], place.house.caps.studies_of_address
    told = in_a_crowd(place, [*guests, *guests], 12 - most, stuck)
    assert told == [""] * most + ["error.house.studies_address"] * (12 - most)


def test_so_do_all_together(place: Place, stuck: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place.house.caps, "studies", 2)
    guests = [place.guest(f"Guest {i}") for i in range(4)]
    assert in_a_crowd(place, guests, 2, stuck) == ["", "", *["error.house.studies_house"] * 2]


def test_every_refusal_has_a_text() -> None:
    for key in ("studies_person", "studies_address", "studies_house", "recompute_busy", "deep"):
        assert len({say(lang, f"error.house.{key}", most=1) for lang in LANGUAGES}) == len(LANGUAGES)


def test_the_rate_is_checked_before_a_body_is_read(place: Place) -> None:
    ann = place.guest("Ann")
    place.house.buckets = Buckets({**PATIENT.rates, "study_here": Rate(1, 1e-6)})
    try:
        codes = [ann.http.post("/api/study", content=b"{ no JSON").status_code for _ in range(3)]
        assert codes == [400, 429, 429]
    finally:
        place.house.buckets = PATIENT


def test_a_request_of_many_empty_objects_is_not_even_parsed(place: Place) -> None:
    """A megabyte of them would take dozens of megabytes of memory, and a fifth of a second of everybody's time."""
    ann = place.guest("Ann")
    for one in (b"{}", b"[]"):
        body = b'{"record":{"moves":[' + b",".join([one] * CONTAINERS) + b"]}}"
        answer = ann.http.post("/api/study", content=body)
        assert (answer.status_code, answer.json()["error"]) == (413, "error.house.too_large")


def test_whoever_asks_waits_for_one_piece_of_work_of_each_other_address() -> None:
    order: list[str] = []

    async def ask() -> None:
        recomputing = Recomputing()
        begun = threading.Event()

        def work(name: str) -> Callable[[], None]:
            def note() -> None:
                begun.set()
                time.sleep(0.02)
                order.append(name)

            return note

        # One address is many people.
        crowd = [asyncio.ensure_future(recomputing.apart(work("crowd"), "1", f"g{i}")) for i in range(12)]
        await asyncio.to_thread(begun.wait, 20)
        await recomputing.apart(work("ann"), "2", "ann")
        await asyncio.gather(*crowd)

    asyncio.run(ask())
    assert order.index("ann") <= 2
    assert len(order) == 13


def test_what_does_not_end_is_given_up_and_holds_up_nobody() -> None:
    go = threading.Event()

    async def ask() -> str:
        recomputing = Recomputing(limit=0.2)
        with pytest.raises(TooManyRequests, match="busy"):
            await recomputing.apart(lambda: go.wait(20), "1", "eve")
        return await recomputing.once("it", lambda: "done", "2", "ann")

    try:
        assert asyncio.run(ask()) == "done"
    finally:
        go.set()


def test_a_failure_is_told_to_all_who_wait_for_it_and_not_remembered() -> None:
    async def ask() -> None:
        recomputing = Recomputing()
        tries: list[int] = []

        def fails() -> int:
            tries.append(1)
            time.sleep(0.05)
            raise ValueError("no")

        told = await asyncio.gather(*(recomputing.once("it", fails) for _ in range(3)), return_exceptions=True)
        assert [str(error) for error in told] == ["no"] * 3
        assert len(tries) == 1
        assert await recomputing.once("it", lambda: 7) == 7

    asyncio.run(ask())
