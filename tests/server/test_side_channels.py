"""What players must not know is not told by metrics, by the time an answer takes, nor by lists."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registan.core.game import SPECTATOR
from registan.server.http.health import _operator
from registan.server.identity import COOKIE, Person
from registan.server.storage.summary import summarize
from registan.tables import events as e
from registan.tables.bots import Choice, Question, release
from registan.tables.table import Table
from tests.server.place import Guest, Place
from tests.tables.test_sales import ended, ended_with_log

PACE = 250


def test_metrics_are_for_this_machine_only(place: Place) -> None:
    http = place.guest(None).http
    assert http.get("/metrics").status_code == 200
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        refused = http.get("/metrics", headers={header: "127.0.0.1"})
        assert (refused.status_code, refused.content) == (403, b"")


@pytest.mark.parametrize(
    ("address", "allowed"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("192.168.1.7", False), ("2001:db8::1", False),
     ("garbage", False), (None, False)],
)  # fmt: skip
def test_metrics_are_not_for_other_machines(address: str | None, allowed: bool) -> None:
    client = SimpleNamespace(host=address) if address else None
    request: Any = SimpleNamespace(
        app=SimpleNamespace(state=SimpleNamespace(metrics_token="")), headers={}, client=client
    )
    assert _operator(request) == allowed


def test_metrics_may_have_a_token(tmp_path: Path) -> None:
    guarded = Place(str(tmp_path / "house.db"), metrics_token="open sesame")
    try:
        http = guarded.guest(None).http
        assert http.get("/metrics").status_code == 403
        assert http.get("/metrics", headers={"Authorization": "Bearer sesame"}).status_code == 403
        assert http.get("/metrics", headers={"Authorization": "Bearer open sesame"}).status_code == 200
    finally:
        guarded.close()


@given(since=st.integers(0, 10**6), took=st.integers(0, 10**4), pace=st.integers(1, 1000))
def test_an_answer_comes_a_whole_number_of_paces_after_the_last_public_event(since: int, took: int, pace: int) -> None:
    when = release(since, since + took, pace)
    assert when >= since + max(took, pace)
    assert (when - since) % pace == 0
    assert when - since - took < pace or when == since + pace
    assert release(since + took, since, pace) <= since + pace, "a clock that was set back stops no bot"


@pytest.fixture
def paced(tmp_path: Path) -> Iterator[Place]:
    opened = Place(str(tmp_path / "house.db"), bot_pace=PACE)
    yield opened
    opened.close()


def test_a_bot_that_is_asked_quietly_changes_nothing_in_the_pace_of_others(
    paced: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quiet questions are made slow: still every move of a bot comes at the pace."""
    think = Question.think

    def slowly(question: Question, *level: str) -> Choice:
        time.sleep(0.1 if question.quiet else 0)
        return think(question, *level)

    monkeypatch.setattr(Question, "think", slowly)
    ann = paced.guest("Ann")
    table = ann.new_table("samarkand", ("random", "random", "random"))
    live = paced.run(paced.house.table(table))
    while len(moves(paced, table)) < 12 and not live.table.finished:
        legal = ann.view(table)["view"]["legal"]
        if legal:
            ann.http.post(f"/api/tables/{table}", json={"do": "play", "seat": 0, "move": legal[0]})
        time.sleep(0.02)
    waits = [wait for wait, quiet in moves(paced, table) if not quiet]
    assert len(waits) > 4
    assert min(waits) >= PACE - 20  # two clocks may differ a little


def moves(place: Place, table: str) -> list[tuple[int, bool]]:
    """Return how long after the last public event each bot moved, and whether it was a quiet answer."""
    log = [e.loads(data) for data in place.run(place.house.store.log(table))]
    first = log[0]
    assert isinstance(first, e.Created)
    replayed, found, sold = Table(first), [], False
    for event in log:
        quiet = isinstance(event, e.Moved) and replayed.question_of([event.seat]) is not None
        if isinstance(event, e.Moved) and event.by == "bot":
            found.append((event.at - replayed.touched, quiet or sold))  # a sale does not put a move off
        sold = quiet
        replayed.add(event)
    return found


def test_the_holder_finds_nothing_later_than_the_question_anywhere(place: Place) -> None:
    """The game is over for all but the holder of a card, who learns it neither from moments nor from the record."""
    table, log, holder, at = next(
        (table, log, holder, at)
        for table, log, holder in ended_with_log()
        if (at := table.playing.questions[holder]) < len(table.playing.decisions) - 1  # others have moved since
    )
    name, match = table.created.table, table.playing

    async def store() -> None:
        await place.house.store.append(summarize(table), 0, [e.dumps(event) for event in log])

    place.run(store())
    place.house.now = lambda: 3500  # no deadline has passed
    asked, stranger = place.guest(None), place.guest(None)
    asked.http.cookies[COOKIE] = place.signer.cookie(Person(f"p{holder}", "Ann"))
    first, last = len(match.moment(at).log(SPECTATOR)), len(match.log(SPECTATOR))
    assert first < last

    def status(guest: Guest, path: str, **query: Any) -> int:
        return guest.http.get(f"/api/tables/{name}{path}", params=query).status_code

    assert [status(stranger, f"/moments/{line}") for line in (first, first + 1, last)] == [200, 200, 200]
    assert [status(asked, f"/moments/{line}") for line in (first, first + 1, last)] == [200, 422, 422]
    mine = len(match.moment(at).log(holder))
    assert [status(asked, f"/moments/{line}", seat=holder) for line in (mine, mine + 1, last)] == [200, 422, 422]
    assert [status(guest, "/record") for guest in (stranger, asked)] == [200, 422]
    assert [status(guest, "/verify") for guest in (stranger, asked)] == [200, 422]
    assert asked.http.post(f"/api/tables/{name}/rematch").status_code == 422
    seen = [guest.view(name, None)["status"] for guest in (stranger, asked)]
    assert seen == ["over", "running"]


def test_a_list_shows_the_holder_nothing_later_than_the_question() -> None:
    from registan.server.http.tables import _listed

    table, holder = next(ended())
    summary = summarize(table)
    assert (summary.status, summary.work) == ("over", "ending")
    others: Any = [_listed(summary, who) for who in ("", f"p{(holder + 1) % 3}")]
    assert [(seen.status, seen.asked) for seen in others] == [("over", False)] * 2
    seen = _listed(summary, f"p{holder}")
    assert (seen.status, seen.asked) == ("running", True)
    assert seen.touched <= table.quiet_since[holder]
