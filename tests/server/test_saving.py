"""Running tables are opened from their saves after a restart, and bots go on where they were."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

from registan.server.limits import SAVE_AFTER
from registan.server.storage.store import Store, open_store
from registan.server.storage.summary import summarize
from registan.tables import events as e
from registan.tables.seats import Seat
from tests.server.place import Guest, Place, until
from tests.tables.house import new_table, people


def with_store(url: str, do: Callable[[Store], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        store = await open_store(url)
        try:
            return await do(store)
        finally:
            await store.close()

    return asyncio.run(run())


def played(place: Place) -> tuple[Guest, str]:
    """Return somebody who plays all seats of a table alone, after some moves and much talk."""
    ann = place.guest()
    table = ann.post("/api/tables", game="samarkand", seats=[{"kind": "me"}] * 3)["table"]
    ann.start(table)
    rng = random.Random(1)
    for i in range(SAVE_AFTER):
        ann.ask(table, do="say", seat=0, text=f"line {i}")
        if i % 8 == 0:
            move(ann, table, rng)
    return ann, table


def move(ann: Guest, table: str, rng: random.Random) -> None:
    for seat in range(3):
        legal = ann.view(table, seat)["view"]["legal"]
        if legal:
            ann.ask(table, do="play", seat=seat, move=rng.choice(legal))
            return


def again(place: Place, old: Guest) -> Guest:
    guest = place.guest(None)
    guest.http.cookies.update(old.http.cookies)
    return guest


def test_a_table_is_opened_from_its_save_and_what_came_after(url: str) -> None:
    first = Place(url)
    ann, table = played(first)
    first.run(first.house.saver.save_all())
    for _ in range(3):  # fewer than are worth another save
        move(ann, table, random.Random(2))
    views = [ann.view(table, seat) for seat in (None, 0, 1, 2)]
    first.close()

    async def only_the_end(store: Store) -> int:
        ((seen, _),) = await store.fetch("SELECT seen, data FROM saves WHERE table_id = $1", table)
        assert await store.log(table, seen)
        # The proof that nothing before the save is replayed: it is no longer there.
        return await store.execute("UPDATE events SET data = $2 WHERE table_id = $1 AND seq <= $3", table, b"", seen)

    assert with_store(url, only_the_end) >= SAVE_AFTER
    second = Place(url)
    back = again(second, ann)
    assert [back.view(table, seat) for seat in (None, 0, 1, 2)] == views
    move(back, table, random.Random(3))
    assert back.view(table)["seq"] > views[1]["seq"]
    second.close()


def test_a_save_that_cannot_be_read_is_no_loss(url: str) -> None:
    first = Place(url)
    ann, table = played(first)
    view = ann.view(table)
    first.close()
    assert with_store(url, lambda store: store.execute("UPDATE saves SET data = $1", b"nonsense")) == 1
    second = Place(url)
    assert again(second, ann).view(table) == view
    second.close()


def test_the_save_of_a_table_that_is_over_is_dropped(url: str) -> None:
    first = Place(url)
    ann, table = played(first)
    first.run(first.house.saver.save_all())
    ann.ask(table, do="propose", seat=0, what="abandon")
    first.close()
    assert with_store(url, lambda store: store.fetch("SELECT seen FROM saves")) == []


def test_bots_go_on_after_a_restart(url: str) -> None:
    """The house was closed when two bots had been asked and had not answered."""
    seats = [people(1)[0], Seat(kind="bot", level="random"), Seat(kind="bot", level="random")]
    table, log = new_table("khiva", seats=seats)
    with_store(url, lambda store: store.append(summarize(table), 0, [e.dumps(event) for event in log]))
    place = Place(url)
    until(lambda: len(with_store(url, _moved)) == 2)
    place.close()
    assert {(event.seat, event.by) for event in with_store(url, _moved)} == {(1, "bot"), (2, "bot")}


async def _moved(store: Store) -> list[e.Moved]:
    events = [e.loads(data) for data in await store.log("t")]
    return [event for event in events if isinstance(event, e.Moved)]
