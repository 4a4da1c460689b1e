"""What takes a while to recompute is computed once, one at a time, and never in the event loop."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest

from registan.server.limits import RATES, Buckets, Rate
from registan.server.live.recomputing import Recomputing
from registan.tables.match import TableMatch
from tests.server.place import PATIENT, Place


def test_however_many_ask_it_is_computed_once_and_one_at_a_time() -> None:
    running = threading.Lock()
    done: list[int] = []

    def work(number: int) -> int:
        assert running.acquire(blocking=False)
        assert threading.current_thread() is not threading.main_thread()
        done.append(number)
        running.release()
        return 10 * number

    async def ask() -> list[int]:
        recomputing = Recomputing()
        return await asyncio.gather(*(recomputing.once(n % 4, partial(work, n % 4)) for n in range(40)))

    assert asyncio.run(ask()) == [10 * (n % 4) for n in range(40)]
    assert sorted(done) == [0, 1, 2, 3]


def test_the_points_of_a_game_are_computed_once_outside_of_the_event_loop(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = place.guest()
    table = ann.new_table("khiva", ("random", "random"))
    ann.ask(table, do="propose", seat=0, what="abandon")
    where: list[threading.Thread] = []
    points = TableMatch.points

    def noted(match: TableMatch) -> list[list[int]]:
        where.append(threading.current_thread())
        return points(match)

    monkeypatch.setattr(TableMatch, "points", noted)
    told = [ann.get(f"/api/tables/{table}/points") for _ in range(5)]
    assert all(each == told[0] for each in told)
    assert len(where) == 1
    assert where[0] is not place.thread


def test_who_is_many_people_is_still_one_address(place: Place) -> None:
    people = [place.guest(f"Guest {n}") for n in range(4)]
    table = people[0].new_table("khiva", ("",))
    place.house.buckets = Buckets(dict.fromkeys(RATES, Rate(1e9, 1e9)) | {"here": Rate(10, 1e-6)})
    try:
        codes = [guest.http.get(f"/api/tables/{table}").status_code for _ in range(5) for guest in people]
        assert codes == [200] * 10 + [429] * 10
        assert people[0].http.get("/api/schema/openapi.json").status_code == 429
        assert people[0].http.get("/health").status_code == 200
        with people[0].socket(table) as line:
            assert line.ask(do="mute", seat=0, whom=1)["error"] == "error.house.too_fast"
    finally:
        place.house.buckets = PATIENT
