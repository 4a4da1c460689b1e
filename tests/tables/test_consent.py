"""Consent: absence is none, and whoever has a seat never sees the hands that spectators may see."""

from __future__ import annotations

import random

import pytest

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables.clocks import catch_up
from registan.tables.creation import DELAY, rematch
from registan.tables.pace import Pace
from registan.tables.requests import Answer, Back, Order, Play, Propose, Resign
from registan.tables.sight import Audience, audience_of
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import any_move, match_of, new_table, same
from tests.tables.test_sales import ended


def agreed(table: Table, what: str, *others: int) -> None:
    """Let seat 0 propose something, and others agree."""
    Propose(seat=0, what=what).carry_out(table, "p0", 5000)
    for seat in others:
        Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 5001)


@pytest.mark.parametrize("what", ["watch hands", "abandon", "undo"])
def test_who_is_away_has_not_agreed(what: str) -> None:
    table, _ = new_table("samarkand")
    first = match_of(table).waiting[0]
    any_move(table, random.Random(1), 2500)
    table.add(e.Lapsed(at=3000, seat=(first + 1) % 3))
    here = [seat for seat in range(3) if not table.seats[seat].away]
    Propose(seat=first, what=what).carry_out(table, f"p{first}", 5000)
    for seat in here:
        Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 5001)
    assert table.proposal is not None
    assert (table.watch, table.status, len(match_of(table).decisions)) == ("open", "running", 1)
    away = (first + 1) % 3
    Back(seat=away).carry_out(table, f"p{away}", 6000)
    Answer(seat=away, yes=True).carry_out(table, f"p{away}", 6001)
    assert table.proposal is None


def test_somebody_who_leaves_while_a_proposal_stands_has_not_agreed_either() -> None:
    table, _ = new_table("khiva")
    agreed(table, "watch hands", 1)
    table.add(e.Lapsed(at=6000, seat=2))
    assert table.watch == "open"


def test_a_proposal_ends_with_the_game() -> None:
    """A late yes must not turn a result into a game that was abandoned."""
    table, _ = new_table("khiva")
    agreed(table, "abandon", 1)
    rng = random.Random(5)
    while not table.finished:
        assert table.proposal is not None
        any_move(table, rng, 6000)
    assert table.proposal is None
    with pytest.raises(BadInput, match="Nothing has been proposed"):
        Answer(seat=2, yes=True).carry_out(table, "p2", 7000)
    assert table.status == "over"


@pytest.mark.parametrize("what", ["abandon", "pause", "watch none"])
def test_who_knows_the_result_agrees_to_nothing_any_more(what: str) -> None:
    """Who is still asked quietly may propose, and hears nothing of the end; it comes to nothing."""
    table, holder = next(ended())
    Propose(seat=holder, what=what).carry_out(table, f"p{holder}", 5000)
    for seat in {0, 1, 2} - {holder}:
        with pytest.raises(BadInput, match="Nothing has been proposed"):
            Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 5001)
    assert (table.status, table.watch, table.ended) == ("running", "open", True)


def test_who_has_resigned_is_not_asked() -> None:
    table, _ = new_table("khiva")
    Resign(seat=2).carry_out(table, "p2", 3000)
    agreed(table, "abandon", 1)
    assert table.status == "abandoned"


@pytest.mark.parametrize("created", ["open", "none", "hands"])
def test_who_comes_back_has_not_agreed_to_hands_that_were_opened_meanwhile(created: str) -> None:
    table, log = new_table("khiva", watch=created, delay=5)
    log += Resign(seat=2).carry_out(table, "p2", 3000)
    log += Propose(seat=0, what="watch hands 0").carry_out(table, "p0", 3001)
    log += Answer(seat=1, yes=True).carry_out(table, "p1", 3002)
    assert (table.watch, table.delay) == ("hands", 0)
    log += Back(seat=2).carry_out(table, "p2", 4000)
    assert (table.watch, table.delay) == (replay(log).watch, replay(log).delay) == (created, 5)


def for_sale(pace: Pace) -> tuple[Table, list[e.Event]]:
    """Return a souk in which something is for sale, and its log."""
    table, log = new_table("souk", pace=pace)
    rng = random.Random(4)
    while match_of(table).timed is None:
        log += any_move(table, rng, 3000)
    return table, log


def test_consent_is_to_taking_back_one_move_not_to_what_the_clock_plays_after_it() -> None:
    table, log = for_sale(Pace(kind="live", bank=600, tick=2.0))
    log += Propose(seat=0, what="undo").carry_out(table, "p0", 4200)
    log += Answer(seat=1, yes=True).carry_out(table, "p1", 4300)
    log += Play(seat=0, move={"do": "stop"}).carry_out(table, "p0", 4400)
    assert table.proposal is not None, "so far nothing has happened"
    log += catch_up(table, 5100)  # seat 0 buys: nobody has agreed to take that back
    with pytest.raises(BadInput, match="Nothing has been proposed"):
        Answer(seat=2, yes=True).carry_out(table, "p2", 6200)
    assert same(table, replay(log))


def test_consent_is_to_taking_back_one_move_not_to_what_an_order_plays_after_it() -> None:
    table, log = for_sale(Pace())
    log += Propose(seat=0, what="undo").carry_out(table, "p0", 4200)
    log += Answer(seat=1, yes=True).carry_out(table, "p1", 4300)
    proposed = table.proposal
    assert proposed is not None
    log += Order(seat=0, orders={"do": "wait", "down_to": 4}).carry_out(table, "p0", 4400)
    assert table.proposal is None
    assert same(table, replay(log))


def test_a_pause_needs_only_those_who_play_now() -> None:
    table, _ = new_table("khiva")
    table.add(e.Lapsed(at=3000, seat=2))
    agreed(table, "pause", 1)
    assert table.status == "paused"


def test_a_log_of_an_earlier_version_gives_the_table_it_gave() -> None:
    """There the consent of those who played was enough."""
    _, log = new_table("khiva")
    made = log[0]
    assert isinstance(made, e.Created)
    old = e.loads(e.dumps(made).replace(f',"house":{e.HOUSE}'.encode(), b""))
    assert not old.house  # type: ignore[union-attr]
    lapsed = e.Lapsed(at=3000, seat=2)
    asked = [e.Proposed(at=3001, seat=0, what="abandon"), e.Answered(at=3002, seat=1, yes=True)]
    assert replay([old, *log[1:], lapsed, *asked]).status == "abandoned"
    assert replay([*log, lapsed, *asked]).status == "running"


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_whoever_has_a_seat_never_sees_all_hands(game: str) -> None:
    table, _ = new_table(game, watch="hands")
    for who in ("p0", "p1", "p2"):
        seen = show(table, audience_of(table, who, None))
        assert "hands" not in seen
        assert seen["view"] == match_of(table).view(SPECTATOR)
    table.add(e.Resigned(at=3000, seat=1))
    assert "hands" not in show(table, audience_of(table, "p1", None)), "nor who has left the game to a bot"
    assert "hands" in show(table, audience_of(table, "stranger", None))
    assert audience_of(table, "", None) == audience_of(table, "stranger", None) == Audience()


@pytest.mark.parametrize(("what", "delay"), [("watch hands", DELAY), ("watch hands 0", 0), ("watch hands 1", 1)])
@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_spectators_see_hands_with_the_delay_that_the_table_chose(game: str, what: str, delay: int) -> None:
    table, _ = new_table(game)
    agreed(table, what, 1, 2)
    assert (table.watch, table.delay) == ("hands", delay)
    rng = random.Random(3)
    hands = []
    for i in range(20):
        hands.append([match_of(table).view(seat) for seat in range(3)])
        seen = show(table, SPECTATOR)
        assert (seen["watch"], seen["delay"]) == ("hands", delay)
        if match_of(table).settled:
            assert seen["hands"] == hands[max(0, len(match_of(table).decisions) - 3 * delay)]
        else:
            break
        any_move(table, rng, 6000 + i)
    assert len(hands) > 5


def test_a_delay_is_a_small_number_and_a_rematch_keeps_it() -> None:
    table, _ = new_table("khiva", watch="hands", delay=7)
    assert table.delay == 7
    for what in ("watch hands -1", "watch hands 21", "watch hands x", "watch open 3"):
        with pytest.raises(BadInput):
            Propose(seat=0, what=what).carry_out(table, "p0", 3000)
    agreed(table, "abandon", 1, 2)
    assert rematch(table, "n", b"", "p0", 9000).delay == 7
    table, log = new_table("khiva", watch="hands", delay=0)
    assert same(table, replay(log))
