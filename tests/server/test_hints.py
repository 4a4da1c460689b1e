"""Hints over HTTP: who gets them, when, and that they hold up nobody's bots."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from registan.server.errors import TooManyRequests
from registan.server.live import thinking as at_work
from registan.tables.hints import HintQuestion, hint_question
from tests.server.place import Place
from tests.server.test_thinking import table_with_bots, thinking


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is compiled, and thinks the first legal move is best."""
    monkeypatch.setattr(HintQuestion, "ready", True)
    monkeypatch.setattr(HintQuestion, "think", think)


def think(question: HintQuestion, seconds: float) -> list[dict[str, Any]]:
    action = question.engine.legal(question.hidden, question.seat)[0]
    move = question.engine.game.moves.write(question.engine.box, question.hidden[0], question.seat, action)
    known = {"wins": 0.5, "sure": 0.1, "margin": -1.5, "simulations": 90}
    return [{"move": move, **known, "why": [{"why": "denies", "seat": 1, "points": 2.0}]}]


def test_a_guest_among_bots_gets_a_hint_and_everybody_sees_it(ready: None, place: Place) -> None:
    ann, bob = place.guest("Ann"), place.guest("Bob")
    table = ann.new_table("khiva")
    view = ann.view(table)
    (row,) = ann.post(f"/api/tables/{table}/hint", seat=0)
    assert row["move"] in view["view"]["legal"]
    assert (row["wins"], row["sure"], row["margin"]) == (0.5, 0.1, -1.5)
    assert row["why"] == [{"why": "denies", "seat": 1, "points": 2.0}]
    assert [seat["hints"] for seat in bob.view(table, None)["seats"]] == [1, 0, 0]
    refused = bob.http.post(f"/api/tables/{table}/hint", json={"seat": 0})
    assert (refused.status_code, refused.json()["error"]) == (403, "error.house.not_your_seat")
    refused = ann.http.post(f"/api/tables/{table}/hint", json={"seat": 9})
    assert refused.status_code == 400


def test_among_people_a_hint_needs_consent(ready: None, place: Place) -> None:
    ann, bob = place.guest("Ann"), place.guest("Bob")
    table = ann.new_table("khiva", ("", "random"))
    bob.sit(table)
    ann.start(table)
    refused = ann.http.post(f"/api/tables/{table}/hint", json={"seat": 0})
    assert (refused.status_code, refused.json()["error"]) == (422, "error.house.hints_agreed")
    ann.ask(table, do="propose", seat=0, what="hints")
    bob.ask(table, do="answer", seat=1, yes=True)
    assert len(bob.post(f"/api/tables/{table}/hint", seat=1)) == 1


def test_nobody_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    monkeypatch.setattr(HintQuestion, "ready", False)
    ann = place.guest("Ann")
    table = ann.new_table("khiva")
    refused = ann.http.post(f"/api/tables/{table}/hint", json={"seat": 0})
    assert (refused.status_code, refused.json()["error"]) == (422, "error.house.hint_compiling")
    assert "Ask again" in refused.json()["text"]
    assert ann.view(table)["seats"][0]["hints"] == 0, "no hint was taken"


def test_a_hint_that_nobody_is_free_to_give_does_not_count(
    ready: None, monkeypatch: pytest.MonkeyPatch, place: Place
) -> None:
    async def busy(*_: Any) -> None:
        raise TooManyRequests("error.house.hint_busy")

    ann = place.guest("Ann")
    table = ann.new_table("khiva")
    with monkeypatch.context() as patch:
        patch.setattr(place.house.thinking, "hint", busy)
        refused = ann.http.post(f"/api/tables/{table}/hint", json={"seat": 0})
    assert (refused.status_code, refused.json()["error"]) == (429, "error.house.hint_busy")
    assert ann.view(table)["seats"][0]["hints"] == 0
    assert len(ann.post(f"/api/tables/{table}/hint", seat=0)) == 1
    assert ann.view(table)["seats"][0]["hints"] == 1


def test_hints_do_not_wait_for_bots_and_have_a_budget_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = table_with_bots()
    question = hint_question(table, 0)
    monkeypatch.setattr(HintQuestion, "ready", True)
    monkeypatch.setattr(HintQuestion, "think", think)
    blocked = threading.Event()
    search: Any = blocked.wait

    async def run() -> None:
        house = thinking(table=0.0)
        searching = asyncio.create_task(house._open.search.run(search, "bob", "u", 1.0, 60, 60))
        await asyncio.sleep(0)
        assert len(await house.hint(question, "ann", "t")) == 1
        blocked.set()
        await searching
        with pytest.raises(TooManyRequests):
            house.check_hint(question, "ann", "t")  # nothing of that budget is left for this table
        house.close()

    asyncio.run(run())


def test_a_hint_for_which_nobody_is_free_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = table_with_bots()
    question = hint_question(table, 0)
    going, blocked = threading.Event(), threading.Event()

    def wait(question: HintQuestion, seconds: float) -> list[dict[str, Any]]:
        going.set()
        blocked.wait()
        return []

    monkeypatch.setattr(HintQuestion, "think", wait)
    monkeypatch.setattr(at_work, "HINT_PATIENCE", 0.01)

    async def run() -> None:
        house = thinking()
        first = asyncio.create_task(house.hint(question, "bob", "u"))
        while not going.is_set():
            await asyncio.sleep(0.001)
        with pytest.raises(TooManyRequests):
            await house.hint(question, "ann", "t")
        blocked.set()
        assert await first == []
        house.close()

    asyncio.run(run())
