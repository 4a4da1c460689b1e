"""The deal in two phases: everybody commits, then everything is frozen, then everybody reveals."""

from __future__ import annotations

import hashlib
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registan.core.errors import BadInput, BadRecord, RegistanError
from registan.core.registry import find
from registan.server.storage.summary import summarize
from registan.tables import events as e
from registan.tables import save
from registan.tables.creation import create, rematch
from registan.tables.fairness import verify
from registan.tables.pace import DEAL, Pace
from registan.tables.requests import (
    Answer,
    AnyRequest,
    CallOff,
    Contribute,
    Place,
    Play,
    Propose,
    Reveal,
    Sit,
    Stand,
    Start,
)
from registan.tables.seats import Seat
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import SECRET, begin, commit, contribution, new_table, people, reveal, same, traffic
from tests.tables.test_fairness import play

FROZEN = "already begun"


def sealed(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def dealing(players: int = 3) -> tuple[Table, list[e.Event]]:
    """Return a table at which everybody has committed and the host has started, and its log."""
    table, log = new_table("khiva", players, start=False)
    for seat in range(players):
        log += commit(table, seat, 1500)
    return table, log + Start().carry_out(table, "p0", 2000)


def test_everybody_commits_then_everything_is_frozen_then_everybody_reveals() -> None:
    table, log = new_table("khiva", start=False)
    assert table.awaited == [1, 2]
    with pytest.raises(BadInput, match="Player 1, Player 2"):
        Start().carry_out(table, "p0", 1500)
    for seat in range(3):
        log += commit(table, seat, 1500)
    assert show(table, 1)["fairness"]["commitments"] == [sealed(contribution(seat)) for seat in range(3)]
    with pytest.raises(BadInput, match="No deal"):
        reveal(table, 0, 1600)
    log += Start().carry_out(table, "p0", 2000)
    assert (table.status, table.match, table.awaited) == ("dealing", None, [0, 1, 2])
    log += reveal(table, 1, 2100)
    assert reveal(table, 1, 2100) == []
    log += reveal(table, 0, 2200)
    assert table.match is None
    assert (show(table, 2)["awaited"], show(table, 2)["call_off"]) == ([2], 2000 + DEAL)
    assert [event.__class__ for event in reveal(table, 2, 2300)] == [e.Revealed, e.Started]
    assert table.status == "running"
    assert show(table, -1)["fairness"]["contributions"] == [contribution(seat).hex() for seat in range(3)]
    play(table)
    verify(table.record(), find)


def test_no_contribution_is_shown_before_the_cards_are_dealt() -> None:
    table, _ = dealing()
    for seat in range(2):
        reveal(table, seat, 2100)
    for audience in table.audiences:
        told = traffic(table, audience).decode()
        assert all(contribution(seat).hex() not in told for seat in range(3))


@pytest.mark.parametrize(
    ("who", "request_", "said"),
    [
        ("p9", Sit(), FROZEN),
        ("p1", Stand(seat=1), FROZEN),
        ("p0", Stand(seat=1), FROZEN),
        ("p0", Place(seat=1, level="random"), FROZEN),
        ("p1", Contribute(seat=1, commitment=sealed(b"another")), FROZEN),
        ("p0", Start(), FROZEN),
        ("p1", Reveal(seat=1, contribution=contribution(5).hex()), "not the contribution"),
        ("p1", Reveal(seat=0, contribution=contribution(0).hex()), "not your seat"),
        ("p0", Play(seat=0, move={}), "not begun"),
    ],
)
def test_nothing_that_the_deal_depends_on_changes_while_it_waits(who: str, request_: AnyRequest, said: str) -> None:
    table, log = dealing()
    with pytest.raises(BadInput, match=said):
        request_.carry_out(table, who, 2500, "Di")
    assert same(table, replay(log))


def test_the_host_may_start_without_a_contribution_of_their_own() -> None:
    bots = [Seat(kind="bot", level="random")] * 2
    table, _ = new_table("khiva", seats=[*people(1), *bots], start=False)
    (started,) = Start().carry_out(table, "p0", 2000)
    assert started == e.Started(at=2000, scheme=2)
    assert table.record()["fairness"]["contributions"] == ["", "", ""]
    assert table.record()["fairness"]["owners"] == ["person", "bot", "bot"]


def test_an_operator_who_plays_cannot_try_one_contribution_after_the_other() -> None:
    """Who knows the secret of the house has to commit before knowing what the others contribute, and only once."""
    table, _ = new_table("khiva", start=False)
    for seat in range(3):
        commit(table, seat, 1500)
    for tried in range(100):
        with pytest.raises(BadInput, match="cannot be changed"):
            Contribute(seat=0, commitment=sealed(bytes([tried]))).carry_out(table, "p0", 1600)
    Start().carry_out(table, "p0", 2000)
    for seat in (1, 2):
        reveal(table, seat, 2100)
    for tried in range(100):  # now that the others have revealed
        with pytest.raises(BadInput, match="not the contribution"):
            Reveal(seat=0, contribution=sealed(bytes([tried]))).carry_out(table, "p0", 2200)
        with pytest.raises(BadInput, match=FROZEN):
            Contribute(seat=0, commitment=sealed(bytes([tried]))).carry_out(table, "p0", 2200)
    assert table.match is None


def test_a_commitment_goes_with_its_owner() -> None:
    table, _ = new_table("khiva", seats=[*people(1), Seat(), Seat(kind="bot", level="random")], start=False)
    Sit().carry_out(table, "p1", 1500, "Bo")
    commit(table, 1, 1500)
    Stand(seat=1).carry_out(table, "p1", 1600)
    assert table.commitments == {}
    Sit().carry_out(table, "p2", 1700, "Cy")
    assert table.awaited == [1]
    commit(table, 1, 1700)
    Stand(seat=1).carry_out(table, "p0", 1800)
    Place(seat=1, level="random").carry_out(table, "p0", 1900)
    assert table.commitments == {}
    assert table.awaited == []


def test_a_deal_that_somebody_holds_up_waits_and_may_be_called_off_but_is_never_repeated() -> None:
    table, _ = dealing()
    reveal(table, 1, 2100)
    with pytest.raises(BadInput, match="after 20 seconds"):
        CallOff().carry_out(table, "p0", 2000 + DEAL - 1)
    with pytest.raises(BadInput, match="host"):
        CallOff().carry_out(table, "p1", 2000 + DEAL)
    CallOff().carry_out(table, "p0", 2000 + DEAL)
    assert (table.status, table.match, table.call_off) == ("abandoned", None, None)
    for audience in table.audiences:
        told = traffic(table, audience).decode()
        assert SECRET.hex() not in told
        assert contribution(1).hex() not in told
    for again in (Start(), CallOff(), Reveal(seat=0, contribution=contribution(0).hex())):
        with pytest.raises(BadInput):
            again.carry_out(table, "p0", 3000 + DEAL)
    with pytest.raises(BadInput):
        table.record()
    assert rematch(table, "t2", b"another", "p0", 4000 + DEAL).secret != SECRET


def test_nobody_calls_off_what_is_not_waiting() -> None:
    for start in (False, True):
        table, _ = new_table("khiva", start=start)
        with pytest.raises(BadInput, match="No deal"):
            CallOff().carry_out(table, "p0", 10**6)


def test_all_may_agree_to_give_up_a_deal_that_waits() -> None:
    table, _ = dealing()
    Propose(seat=1, what="abandon").carry_out(table, "p1", 2100)
    Answer(seat=0, yes=True).carry_out(table, "p0", 2200)
    assert table.status == "dealing"
    Answer(seat=2, yes=True).carry_out(table, "p2", 2300)
    assert table.status == "abandoned"
    assert table.fairness["secret"] is None


def test_a_deal_goes_on_after_a_restart() -> None:
    table, log = dealing()
    log += reveal(table, 1, 2100)
    kept = save.opened(save.packed(save.save(table)))
    assert kept is not None
    replayed = replay(e.loads(e.dumps(event)) for event in log)
    for again in (kept, replayed):
        assert same(table, again)
    for opened in (table, kept, replayed):
        for seat in (0, 2):
            reveal(opened, seat, 2200)
    assert table.status == "running"
    assert same(table, kept)
    assert same(table, replayed)


def test_a_seat_that_is_renamed_in_a_save_no_longer_verifies() -> None:
    table, _ = new_table("khiva")
    play(table)
    verify(table.record(), find)
    kept = save.opened(save.packed(save.save(table)))
    assert kept is not None
    kept.seats[1] = msgspec.structs.replace(kept.seats[1], name="Somebody else")
    with pytest.raises(BadRecord, match="setup"):
        verify(kept.record(), find)


def test_lists_say_whom_the_deal_waits_for() -> None:
    table, _ = new_table("khiva", start=False)
    assert summarize(table).asked == ["p1", "p2"]
    for seat in range(3):
        commit(table, seat, 1500)
    assert summarize(table).asked == []
    Start().carry_out(table, "p0", 2000)
    reveal(table, 0, 2100)
    assert (summarize(table).status, summarize(table).asked) == ("dealing", ["p1", "p2"])
    assert sorted(table.turns) == [1, 2]
    reveal(table, 1, 2100)
    reveal(table, 2, 2100)
    assert summarize(table).status == "running"


def test_pages_of_an_earlier_version_are_told_to_reload() -> None:
    table, _ = new_table("khiva", seats=[*people(1), Seat(), Seat()], start=False)
    for request in (b'{"do":"sit","salt":"4f1c9a"}', b'{"do":"contribute","seat":0,"salt":"4f1c9a"}'):
        with pytest.raises(BadInput, match="out of date: reload") as refused:
            msgspec.json.decode(request, type=AnyRequest).carry_out(table, "p0", 1500, "Ann")
        assert "rechargez" in refused.value.text("fr")
    with pytest.raises(BadInput, match="SHA-256"):
        Contribute(seat=0).carry_out(table, "p0", 1500)


def test_a_rematch_needs_contributions_of_its_own() -> None:
    table, _ = new_table("khiva")
    play(table)
    again = replay([rematch(table, "t2", b"another", "p0", 5000)])
    assert again.commitments == {}
    assert again.awaited == [0, 1]  # everybody but the host, who has the last seat now
    begin(again, 6000)
    assert again.record()["fairness"]["contributions"] == [contribution(seat).hex() for seat in range(3)]


WAYS = (
    "sit", "stand", "remove", "place", "open", "commit", "commit", "start", "start", "reveal", "reveal", "call off",
)  # fmt: skip
steps = st.lists(
    st.tuples(
        st.sampled_from(WAYS),
        st.integers(0, 2),
        st.integers(0, 2),
        st.integers(0, 1),
    ),
    max_size=60,
)


@given(steps=steps)
@settings(max_examples=200, deadline=None)
def test_no_sequence_of_requests_changes_a_deal_or_deals_twice(steps: list[tuple[str, int, int, int]]) -> None:
    seats = [*people(2), Seat(kind="bot", level="random")]
    made = create("t", "p0", 1000, SECRET, "khiva", seats, {}, Pace())
    log: list[e.Event] = [made]
    table, at = replay(log), 1000
    frozen: object = None
    for what, person, seat, which in steps:
        at += DEAL // 2
        host = what in ("remove", "place", "open", "start", "call off")
        request: dict[str, AnyRequest] = {
            "sit": Sit(seat=seat),
            "stand": Stand(seat=seat),
            "remove": Stand(seat=seat),
            "place": Place(seat=seat, level="random"),
            "open": Place(seat=seat),
            "commit": Contribute(seat=seat, commitment=sealed(contribution(which))),
            "start": Start(),
            "reveal": Reveal(seat=seat, contribution=contribution(which).hex()),
            "call off": CallOff(),
        }
        with suppress(RegistanError):
            owner = table.seats[seat].who if what in ("commit", "reveal") else f"p{person}"
            log += request[what].carry_out(table, "p0" if host else owner, at, f"P{person}")
        now = (table.commitments, [(held.kind, held.who, held.name, held.level) for held in table.seats])
        if table.status != "open":
            frozen = frozen or msgspec.json.encode(now)
            assert msgspec.json.encode(now) == frozen
    kinds = [type(event) for event in log]
    assert kinds.count(e.Started) + kinds.count(e.CalledOff) <= 1
    assert kinds.count(e.Dealing) <= 1
    assert all(table.commitments[seat] == sealed(bytes.fromhex(told)) for seat, told in table.contributions.items())
    assert same(table, replay(log))
