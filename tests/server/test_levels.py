"""The levels of bots are a closed list, whichever way a level comes in: nobody sets a bot's budget from outside."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from registan.core.errors import BadInput
from registan.server.storage.store import Stored
from registan.server.storage.summary import summarize
from registan.server.storage.transfer import import_line
from registan.tables import events as e
from registan.tables import save
from registan.tables.bots import AT_A_GLANCE, questions, reply
from registan.tables.creation import create, rematch
from registan.tables.pace import Pace
from registan.tables.requests import Start
from registan.tables.seats import Seat
from registan.tables.table import Table, replay
from tests.server.place import Place, until
from tests.tables.house import people

FREE = ["search", "search:9999999s", "search:400", "master:600s", "master:0.1s", "genius", "MASTER", "master ", ""]


def with_level(level: str, stand_in: str = "random") -> e.Created:
    """Return a table as an earlier version may have stored it."""
    made = create("old", "p0", 1000, b"s" * 32, "khiva", [*people(1), Seat(), Seat()], {}, Pace())
    bot = Seat(kind="bot", level=level)
    return msgspec.structs.replace(made, seats=[made.seats[0], bot, bot], stand_in=stand_in)


def running(made: e.Created) -> tuple[Table, list[e.Event]]:
    table = replay([made])
    return table, [made, *Start().carry_out(table, "p0", 2000)]


@pytest.mark.parametrize("level", FREE)
def test_no_table_is_created_with_another_level(level: str, place: Place) -> None:
    ann = place.guest("Ann")
    bot, seat = {"kind": "bot", "level": level}, {"kind": "open"}
    for body in ({"seats": [{"kind": "me"}, bot, bot]}, {"seats": [{"kind": "me"}, seat, seat], "stand_in": level}):
        refused = ann.http.post("/api/tables", json={"game": "khiva", **body})
        assert (refused.status_code, refused.json()["error"]) == (422, "error.no_bot"), body


@pytest.mark.parametrize("level", FREE)
def test_no_bot_of_another_level_is_placed(level: str, place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("", "random"))
    request: dict[str, Any] = {"do": "place", "seat": 1, "level": level}
    refused = ann.http.post(f"/api/tables/{table}", json=request)
    assert (refused.status_code, refused.json()["error"]) == (422, "error.no_bot")
    with ann.socket(table) as socket:
        assert socket.ask(**request)["error"] == "error.no_bot"


@pytest.mark.parametrize("level", FREE)
def test_there_is_no_rematch_with_another_level(level: str) -> None:
    for made in (with_level(level), with_level("random", stand_in=level)):
        table, _ = running(made)
        table.status = "abandoned"
        with pytest.raises(BadInput, match="no bot"):
            rematch(table, "new", b"t" * 32, "p0", 3000)


@pytest.mark.parametrize("level", FREE[:-1])
def test_a_stored_seat_of_another_level_plays_at_a_glance_and_says_so(level: str) -> None:
    """From a log, and from a save."""
    table, log = running(with_level(level))
    for opened in (replay(map(e.loads, map(e.dumps, log))), save.opened(save.packed(save.save(table)))):
        assert opened is not None
        question = questions(opened)[0]
        assert question.level_now() == (AT_A_GLANCE, "level")
        reply(opened, question, question.think(), 3000)
        assert opened.lowered == {question.seat: (AT_A_GLANCE, "level")}


def test_the_bot_that_takes_over_for_somebody_who_left_is_of_the_list_too() -> None:
    table, _ = running(with_level("random", stand_in="search:9999999s"))
    table.seats[0] = msgspec.structs.replace(table.seats[0], resigned=True)
    table.seats[1] = Seat(kind="person", who="p1", name="Bo")  # bots wait while nobody plays by hand
    (question,) = [question for question in questions(table) if question.seat == 0]
    assert question.level_now() == (AT_A_GLANCE, "level")


def test_an_imported_table_with_another_level_is_played_at_a_glance(place: Place) -> None:
    table, log = running(with_level("search:9999999s"))
    stored = Stored(summarize(table), [e.dumps(event) for event in log])
    assert place.run(import_line(place.house.store, msgspec.json.encode(stored)))
    ann = place.guest("Ann")
    place.run(place.house.act("old", lambda _table, _now: []))
    until(lambda: all(seat["lowered"] for seat in ann.view("old", None)["seats"][1:]))
    assert ann.view("old", None)["seats"][1]["lowered"] == {"level": "greedy", "why": "level"}
