"""Chat is a stream beside the views: a few lines at first, then each line alone, and earlier ones on demand."""

from __future__ import annotations

from typing import Any

import pytest

from registan.server.limits import CHAT_LINES
from tests.server.place import Guest, Place


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


@pytest.fixture(scope="module")
def eve(place: Place) -> Guest:
    return place.guest("Eve")


def told_of(guest: Guest, table: str, count: int, start: int = 1) -> None:
    for n in range(start, start + count):
        guest.ask(table, do="say", seat=0, text=f"line {n} " + "x" * 480)


def numbers(lines: list[Any]) -> list[int]:
    return [line["n"] for line in lines]


def test_a_line_is_sent_alone_however_much_was_said_before(ann: Guest, eve: Guest) -> None:
    table = ann.new_table("khiva", ("",))
    told_of(ann, table, 60)
    with eve.socket(table) as line:
        line.ask(do="watch")
        assert "chat" not in line.views[None]
        assert numbers(line.chat) == list(range(61 - CHAT_LINES, 61))
        count = len(line.heard)
        told_of(ann, table, 1, 61)
        line.until_said("line 61 ")
        assert [message["type"] for message in line.heard[count:]] == ["chat"]
        assert numbers(line.heard[-1]["lines"]) == [61]


def test_watching_again_repeats_nothing(ann: Guest, eve: Guest) -> None:
    table = ann.new_table("khiva", ("",))
    told_of(ann, table, 3)
    with ann.socket(table) as line:
        line.ask(do="watch", seat=0)
        line.ask(do="watch", seat=None)
        line.ask(do="watch", seat=0)
        assert numbers(line.chat) == [1, 2, 3]
        told_of(ann, table, 1, 4)
        line.until_said("line 4 ")
        assert line.ask(do="watch")["type"] == "done"
        assert numbers(line.chat) == [1, 2, 3, 4]


def test_who_comes_back_is_sent_what_was_missed(ann: Guest, eve: Guest) -> None:
    table = ann.new_table("khiva", ("",))
    told_of(ann, table, 5)
    for line_had, wanted in ((3, [4, 5]), (5, []), (0, [1, 2, 3, 4, 5]), (99, [1, 2, 3, 4, 5])):
        with eve.socket(table) as line:
            line.ask(do="watch", line=line_had)
            assert numbers(line.chat) == wanted


def test_earlier_lines_load_on_demand(ann: Guest, eve: Guest) -> None:
    table = ann.new_table("khiva", ("",))
    told_of(ann, table, 50)
    latest = eve.chat(table)
    assert numbers(latest) == list(range(51 - CHAT_LINES, 51))
    assert numbers(eve.chat(table, before=latest[0]["n"])) == list(range(1, 51 - CHAT_LINES))
    assert eve.chat(table, before=1) == []


def test_chat_is_for_those_who_may_see_the_table(ann: Guest, eve: Guest) -> None:
    table = ann.new_table("khiva", ("random",))
    with eve.socket(table) as line:
        line.ask(do="watch")
        ann.ask(table, do="propose", seat=0, what="watch none")
        while line.next()["type"] != "ended":
            pass
        told_of(ann, table, 1)
        assert line.ask(do="watch")["error"] == "error.house.no_spectators"
        assert line.chat == []
    refused = eve.http.get(f"/api/tables/{table}/chat")
    assert (refused.status_code, refused.json()["error"]) == (403, "error.house.no_spectators")
    assert numbers(ann.chat(table)) == [1]


def test_a_table_that_is_loaded_again_counts_on(ann: Guest, place: Place) -> None:
    table = ann.new_table("khiva", ("",))
    told_of(ann, table, 2)
    del place.house._tables[table]
    told_of(ann, table, 1, 3)
    assert numbers(ann.chat(table)) == [1, 2, 3]
