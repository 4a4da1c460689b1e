"""Everybody at a table sees whose connection is gone, within five seconds, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from registan.server.limits import GONE_SECONDS, PRESENCE_ROUND, SIGNS_OF_LIFE, SILENT_SECONDS
from registan.server.live.outbox import Outbox
from registan.server.live.presence import Presence, Presences
from registan.server.live.table import LiveTable, Watcher
from registan.tables.seats import Seat
from tests.server.conftest import fresh_database
from tests.server.place import Place
from tests.server.test_bus import Redis, redis

__all__ = ["redis"]
SEATS = [Seat("person", "ann", "Ann"), Seat("person", "bo", "Bo"), Seat("bot", level="novice")]


class Room:
    """A table with a clock of its own."""

    def __init__(self) -> None:
        self.presence, self.watchers, self.now, self.silences = Presence(), set[Watcher](), 0.0, dict[str, float]()
        self.sent: list[list[int]] = []
        self.pinged: list[str] = []

    def enter(self, who: str) -> Watcher:
        """Let somebody watch from now on."""
        watcher = Watcher(who, None, Outbox(self._send if who == "ann" else None, self._silence(who)))
        self.watchers.add(watcher)
        return watcher

    def _send(self, message: bytes) -> bool:
        self.sent.append(msgspec.json.decode(message)["seats"])
        return True

    def _silence(self, who: str) -> Callable[[float | None], float]:
        def silence(patience: float | None) -> float:
            if patience is not None:
                self.pinged.append(who)
            return self.silences.get(who, 0.0)

        return silence

    def wait(self, seconds: float) -> None:
        """Let time pass, and see who is there."""
        self.now += seconds
        self.presence.check(SEATS, self.watchers, self.now)


@pytest.mark.parametrize(("tables", "patience"), [(1, SILENT_SECONDS), (700, SILENT_SECONDS), (4000, 8.0)])
def test_a_full_house_asks_each_connection_less_often(tables: int, patience: float) -> None:
    asked: list[float | None] = []

    def silence(patience: float | None) -> float:
        asked.append(patience)
        return 0.0

    async def play() -> None:
        watchers = {Watcher(who, None, Outbox(None, silence)) for who in ("ann", "bo")}
        live = SimpleNamespace(watchers=watchers, presence=Presence(), table=SimpleNamespace(seats=SEATS))
        await Presences({str(number): cast(LiveTable, live) for number in range(tables)}).check()

    asyncio.run(play())
    assert set(asked) == {patience}
    assert SIGNS_OF_LIFE * patience >= len(asked)


def test_a_short_break_is_no_absence_and_a_longer_one_is_told_once() -> None:
    async def play() -> None:
        room = Room()
        room.enter("ann")
        bo = room.enter("bo")
        room.wait(1)
        room.watchers.discard(bo)  # Bo reloads the page
        room.wait(GONE_SECONDS - 0.2)
        bo = room.enter("bo")
        room.wait(1)
        assert room.sent == []
        room.watchers.discard(bo)
        room.wait(GONE_SECONDS - 0.2)
        assert room.sent == []
        room.wait(0.4)
        room.wait(1)
        assert room.sent == [[1]]
        late = room.enter("")
        room.presence.join(late.outbox)
        assert msgspec.json.decode(await late.outbox.get() or b"") == {"type": "gone", "seats": [1]}
        room.enter("bo")
        room.wait(0.5)
        assert room.sent == [[1], []]

    asyncio.run(play())


def test_a_silent_connection_is_as_good_as_none() -> None:
    async def play() -> None:
        room = Room()
        room.enter("ann")
        room.wait(1)
        assert room.pinged == []  # nobody else is there to know
        room.enter("bo")
        room.wait(0.5)
        assert set(room.pinged) == {"ann", "bo"}
        room.silences["bo"] = GONE_SECONDS + 0.1
        room.wait(GONE_SECONDS + 0.1)
        assert room.sent == [[1]]
        room.silences["bo"] = 0
        room.wait(0.5)
        assert room.sent == [[1], []]

    asyncio.run(play())


def test_the_limits_leave_no_more_than_five_seconds() -> None:
    # A connection that dies just after a sign of life: the next ping, then silence, then the next check.
    asked = SILENT_SECONDS + PRESENCE_ROUND
    assert asked + (GONE_SECONDS - SILENT_SECONDS) + PRESENCE_ROUND < 5


def test_everybody_learns_that_a_connection_was_closed_and_is_back(place: Place) -> None:
    ann, bo, cy = place.guest("Ann"), place.guest("Bo"), place.guest(None)
    table = ann.new_table("khiva", ("",))
    bo.sit(table)
    with ann.socket(table) as one, cy.socket(table) as other:
        one.ask(do="watch", seat=0)
        other.ask(do="watch", seat=None)
        with bo.socket(table) as two:
            two.ask(do="watch", seat=1)
            one.until_gone()
        one.until_gone(1)
        other.until_gone(1)
        seen = one.views[0]["seq"]
        with bo.socket(table) as two:
            two.ask(do="watch", seat=1)
            one.until_gone()
            other.until_gone()
        assert ann.view(table)["seq"] == seen  # it is no event


def test_a_connection_that_dies_without_a_word_is_noticed(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    bo.sit(table)
    with ann.socket(table) as one, bo.socket(table) as two:
        one.ask(do="watch", seat=0)
        two.ask(do="watch", seat=1)
        # Bo's end reads nothing any more, not even pings; the connection stays open.
        two.ws.protocol.receive_data = lambda data: None  # type: ignore[method-assign]
        one.until_gone(1)
        del two.ws.protocol.receive_data


@pytest.mark.parametrize("bus", ["redis", "postgres"])
def test_whoever_is_connected_to_another_process_is_there(
    bus: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if bus == "redis":
        server: Redis = request.getfixturevalue("redis")
        store, url = str(tmp_path / "house.db"), server.url
    else:
        store, url = fresh_database(request.getfixturevalue("postgres")), ""
    east, west = Place(store, bus=url), Place(store, bus=url)
    try:
        ann, bo = east.guest("Ann"), west.guest("Bo")
        table = ann.new_table("khiva", ("",))
        bo.sit(table)
        with ann.socket(table) as one:
            one.ask(do="watch", seat=0)
            one.until_gone(1)
            with bo.socket(table) as two:
                two.ask(do="watch", seat=1)
                one.until_gone()
            one.until_gone(1)
    finally:
        east.close()
        west.close()
