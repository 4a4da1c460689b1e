"""Hints at a table: who may take them, what others see of it, and what they are made from."""

from __future__ import annotations

import numpy as np
import pytest

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables.hints import hint_question
from registan.tables.requests import Answer, Back, Hint, Propose, Resign
from registan.tables.seats import Seat
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import match_of, new_table, people, same, traffic
from tests.tables.test_sales import asked

BOT = Seat(kind="bot", level="greedy")


def hint(table: Table, seat: int, at: int = 5000) -> list[e.Event]:
    return Hint(seat=seat).carry_out(table, f"p{seat}", at)


def refused(table: Table, seat: int) -> str:
    with pytest.raises(BadInput) as error:
        hint(table, seat)
    return error.value.key


def agree(table: Table, *others: int) -> list[e.Event]:
    log = Propose(seat=0, what="hints").carry_out(table, "p0", 3000)
    for seat in others:
        log += Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 3001)
    return log


def test_among_bots_a_hint_is_free_and_everybody_sees_that_it_was_taken() -> None:
    table, log = new_table("khiva", seats=[*people(1), BOT, BOT])
    assert show(table, 0)["hints"] is True
    log += hint(table, 0)
    assert hint(table, 0) == [], "the same decision counts once"
    for audience in (SPECTATOR, 0, 1):
        assert [seat["hints"] for seat in show(table, audience)["seats"]] == [1, 0, 0]
    assert table.record()["hints"] == [{"at": 0, "seat": 0}]
    assert same(table, replay(map(e.loads, map(e.dumps, log))))


def test_among_people_everybody_must_agree() -> None:
    table, _ = new_table("khiva", seats=[*people(3), BOT])
    assert refused(table, 0) == "error.house.hints_agreed"
    agree(table, 1)
    assert refused(table, 0) == "error.house.hints_agreed"
    Answer(seat=2, yes=True).carry_out(table, "p2", 3002)
    assert [show(table, seat)["hints"] for seat in range(3)] == [True] * 3
    assert len(hint(table, 2)) == 1


def test_who_comes_back_has_not_agreed_to_what_was_agreed_meanwhile() -> None:
    table, _ = new_table("khiva", seats=[*people(3), BOT])
    Resign(seat=2).carry_out(table, "p2", 2500)
    agree(table, 1)
    assert len(hint(table, 0)) == 1
    Back(seat=2).carry_out(table, "p2", 6000)
    assert refused(table, 1) == "error.house.hints_agreed"


def test_there_is_no_hint_for_a_seat_that_is_not_asked() -> None:
    table, _ = new_table("samarkand", seats=[*people(1), BOT, BOT], first=1)
    assert refused(table, 0) == "error.house.no_hint_now"
    with pytest.raises(BadInput, match="not your seat"):
        Hint(seat=1).carry_out(table, "p0", 5000)


def test_there_is_no_hint_for_a_question_of_which_nobody_else_may_know() -> None:
    """S14: others would see that the seat is asked, and the seat would see that they play on."""
    table, _, holder, _ = next(asked())
    table.hinters = {f"p{seat}" for seat in range(4)}
    assert refused(table, holder) == "error.house.no_hint_now"
    sent = traffic(table, holder)
    playing = next(seat for seat in match_of(table).waiting if seat != holder)
    assert len(hint(table, playing)) == 1
    assert traffic(table, holder) == sent
    assert show(table, SPECTATOR)["seats"][playing]["hints"] == 1


def test_tables_of_earlier_versions_have_no_hints() -> None:
    _, (made, *_) = new_table("khiva", seats=[*people(1), BOT, BOT], start=False)
    old = replay([e.loads(e.dumps(made).replace(f'"house":{e.HOUSE}'.encode(), b'"house":3'))])
    old.add(e.Started(at=2000, scheme=2))
    assert refused(old, 0) == "error.house.no_hints"
    assert show(old, 0)["hints"] is False
    with pytest.raises(BadInput, match="no hints"):
        agree(old)


def test_a_hint_is_made_from_what_the_seat_knows() -> None:
    table, _ = new_table("khiva", seats=[*people(1), BOT, BOT])
    match = match_of(table)
    question = hint_question(table, 0)
    assert question.hidden.tobytes() == match.hidden(0).tobytes()
    another = np.array(match.hidden(0))
    match.engine.guess(another, 0, np.arange(1, 5, dtype=np.uint64))
    assert another.tobytes() != match.state.tobytes()
    match.restore(another.tobytes())  # other cards in the hands of others
    assert hint_question(table, 0).hidden.tobytes() == question.hidden.tobytes()
