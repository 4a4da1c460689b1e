"""Tables leave memory when nobody uses them, and come back on demand as they were."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from registan.server.limits import IDLE_SECONDS, IDLE_TABLES
from registan.server.live.idle import unused
from tests.server.place import Guest, Place, until


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    opened = Place(str(tmp_path / "house.db"))
    yield opened
    opened.close()


@pytest.fixture
def ann(place: Place) -> Guest:
    return place.guest("Ann")


def later(place: Place) -> list[str]:
    return unused(place.house._tables, time.monotonic() + IDLE_SECONDS + 1)


def age(place: Place) -> None:
    """Let a while pass without anybody using a table."""

    async def run() -> None:
        for live in place.house._tables.values():
            live.used -= IDLE_SECONDS + 1
        place.house.unload_idle()

    place.run(run())


def finished(ann: Guest, place: Place) -> str:
    table = ann.new_table("khiva", ("random",))
    ann.ask(table, do="propose", seat=0, what="abandon")
    until(lambda: table not in place.house._tables)
    return table


def test_a_finished_table_that_was_looked_at_leaves_memory_again(ann: Guest, place: Place) -> None:
    table = finished(ann, place)
    before = ann.view(table)
    assert table in place.house._tables
    age(place)
    assert table not in place.house._tables
    assert ann.view(table) == before


def test_an_idle_table_leaves_memory_and_play_goes_on(ann: Guest, place: Place) -> None:
    table = ann.new_table("khiva", ("",))
    before = ann.view(table)
    age(place)
    assert table not in place.house._tables
    assert ann.view(table) == before
    bo = place.guest("Bo")
    age(place)
    bo.sit(table)
    ann.start(table)
    assert ann.view(table)["status"] == "running"


def test_a_table_that_somebody_watches_stays(ann: Guest, place: Place) -> None:
    table = ann.new_table("khiva", ("",))
    with ann.socket(table) as line:
        line.ask(do="watch", seat=0)
        assert later(place) == []
    until(lambda: later(place) == [table])


def test_a_table_whose_bot_thinks_stays(ann: Guest, place: Place) -> None:
    table = ann.new_table("khiva", ("",))
    live = place.house._tables[table]
    live.asked.add((1, 0))
    assert later(place) == []
    live.asked.clear()
    assert later(place) == [table]


def test_a_clock_runs_on_while_its_table_is_away(ann: Guest, place: Place) -> None:
    table = ann.new_table("khiva", ("random",), pace={"kind": "days", "days": 1})
    until(lambda: not place.house._tables[table].asked)
    live = place.house._tables[table]
    timer = live.timer
    assert timer is not None
    age(place)
    assert table not in place.house._tables
    assert not timer.cancelled()
    now = place.house.now
    place.house.now = lambda: now() + 2 * 86_400_000
    place.loop.call_soon_threadsafe(timer._run)  # as if its time had come
    until(lambda: table in place.house._tables and place.house._tables[table].table.seats[0].away)


def test_only_so_many_idle_tables_stay(ann: Guest, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    assert IDLE_TABLES >= 3
    monkeypatch.setattr("registan.server.live.idle.IDLE_TABLES", 3)
    tables = [finished(ann, place) for _ in range(6)]
    for table in tables:
        ann.view(table)
        assert len(place.house._tables) <= 3
    assert list(place.house._tables) == tables[3:]


def test_chat_after_the_end_does_not_pack_the_game_again(ann: Guest, place: Place) -> None:
    packed = []
    keep = place.house.store.keep_snapshot

    async def counted(table: str, seen: int, data: bytes) -> None:
        packed.append(table)
        await keep(table, seen, data)

    place.house.store.keep_snapshot = counted  # type: ignore[method-assign]
    table = ann.new_table("khiva", ("random",))
    move = ann.view(table)["view"]["legal"][0]
    ann.ask(table, do="play", seat=0, move=move)
    with ann.socket(table) as line:
        line.ask(do="watch", seat=0)
        ann.ask(table, do="propose", seat=0, what="abandon")
        until(lambda: packed == [table] and place.house._tables[table].finished)
        for _ in range(5):
            assert line.ask(do="say", seat=0, phrase="good_game")["type"] == "done"
        assert packed == [table]
