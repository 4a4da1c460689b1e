"""Tables: the log is all there is; undo, consent, clocks, orders and chat follow from it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from registan.core.errors import BadInput, IllegalMove, RegistanError
from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables.bots import questions, reply
from registan.tables.clocks import catch_up
from registan.tables.creation import rematch
from registan.tables.pace import DAY, SECOND, Pace
from registan.tables.requests import (
    Answer,
    Back,
    Mute,
    Order,
    Place,
    Play,
    Propose,
    Resign,
    Resume,
    Say,
    Sit,
    Stand,
    Start,
    Undo,
)
from registan.tables.seats import Seat
from registan.tables.table import replay
from registan.tables.views import show
from tests.tables.house import SECRET, any_move, begin, match_of, new_table, people, same, traffic

GAMES = ("khiva", "souk", "samarkand")
LIVE = Pace(kind="live", bank=60, increment=5)

QUICK = (Phase.explicit, Phase.reuse, Phase.generate)
"""A seed is all there is to shrink, and that says nothing."""


def stored(log: list[e.Event]) -> list[e.Event]:
    """Return a log as it comes back from a disk."""
    return [e.loads(e.dumps(event)) for event in log]


@given(game=st.sampled_from(GAMES), seed=st.integers(0, 10**6), data=st.data())
@settings(max_examples=25, deadline=None, phases=QUICK)
def test_replaying_the_log_gives_the_table(game: str, seed: int, data: st.DataObject) -> None:
    pace = data.draw(st.sampled_from([Pace(), LIVE, Pace(kind="days", days=2)]))
    table, log = new_table(game, pace=pace)
    rng = random.Random(seed)
    at = 3000
    for _ in range(data.draw(st.integers(0, 30))):
        at += rng.choice([10, 1000, 40 * SECOND])
        seat = rng.randrange(3)
        who = f"p{seat}"
        try:
            log += catch_up(table, at)
            what = rng.random()
            if what < 0.7:
                log += any_move(table, rng, at)
            elif what < 0.8:
                log += Undo(seat=seat).carry_out(table, who, at)
            elif what < 0.85:
                log += Say(seat=seat, phrase="hello").carry_out(table, who, at)
            elif what < 0.9:
                log += Answer(seat=seat, yes=rng.random() < 0.7).carry_out(table, who, at)
            elif what < 0.95:
                log += Propose(seat=seat, what=rng.choice(["pause", "watch hands"])).carry_out(table, who, at)
            else:
                log += Resume(seat=seat).carry_out(table, who, at)
        except (RegistanError, IndexError):
            pass
        for question in questions(table):
            log += reply(table, question, question.think(), at)
    assert table.seq == len(log)
    assert same(table, replay(stored(log)))


@given(game=st.sampled_from(GAMES), seed=st.integers(0, 10**6), moves=st.integers(0, 25))
@settings(max_examples=25, deadline=None, phases=QUICK)
def test_an_undo_that_is_free_leaves_no_trace_in_the_game(game: str, seed: int, moves: int) -> None:
    table, _ = new_table(game)
    rng = random.Random(seed)
    for i in range(moves):
        any_move(table, rng, 3000 + i)
    match = match_of(table)
    before = match.state.tobytes(), match.record(states=True)
    (moved,) = any_move(table, rng, 9000)
    assert isinstance(moved, e.Moved)
    if moved.move["do"] == "keep" or not match.free_to_undo(moved.seat):
        return
    Undo(seat=moved.seat).carry_out(table, f"p{moved.seat}", 9001)
    assert (match.state.tobytes(), match.record(states=True)) == before


def test_a_sealed_choice_may_be_changed_while_others_have_answered() -> None:
    table, _ = new_table("khiva")
    match = match_of(table)
    for seat in (1, 0):
        Play(seat=seat, move=match.legal(seat)[0]).carry_out(table, f"p{seat}", 3000)
    Undo(seat=1).carry_out(table, "p1", 3001)
    assert match.waiting == [1, 2]
    assert match.sealed(0)
    Play(seat=1, move=match.legal(1)[1]).carry_out(table, "p1", 3002)
    Play(seat=2, move=match.legal(2)[0]).carry_out(table, "p2", 3003)
    assert len(match.written) >= 3


def test_what_was_revealed_is_taken_back_by_consent_only() -> None:
    table, _ = new_table("khiva")
    match = match_of(table)
    start = match.state.tobytes()
    for seat in range(3):
        Play(seat=seat, move=match.legal(seat)[0]).carry_out(table, f"p{seat}", 3000)
    Undo(seat=2).carry_out(table, "p2", 3001)
    assert table.proposal is not None
    assert match.state.tobytes() != start
    Answer(seat=0, yes=True).carry_out(table, "p0", 3002)
    Answer(seat=1, yes=True).carry_out(table, "p1", 3003)
    assert show(table, 0)["proposal"] is None
    assert match.waiting == [2]


def test_a_refusal_or_a_move_ends_what_was_proposed() -> None:
    table, _ = new_table("khiva")
    match = match_of(table)
    for seat in range(3):
        Play(seat=seat, move=match.legal(seat)[0]).carry_out(table, f"p{seat}", 3000)
    Undo(seat=2).carry_out(table, "p2", 3001)
    Answer(seat=0, yes=False).carry_out(table, "p0", 3002)
    assert table.proposal is None
    Undo(seat=2).carry_out(table, "p2", 3003)
    seat = match.waiting[0]
    Play(seat=seat, move=match.legal(seat)[0]).carry_out(table, f"p{seat}", 3004)
    assert table.proposal is None


def test_a_draw_from_the_deck_reveals_something_and_an_end_of_turn_does_not() -> None:
    table, _ = new_table("samarkand", 3)
    match = match_of(table)
    seat = match.waiting[0]
    marry = next(move for move in match.legal(seat) if move["do"] == "marry")
    Play(seat=seat, move=marry).carry_out(table, f"p{seat}", 3000)
    assert not match.free_to_undo(seat)  # three cards were drawn
    table, _ = new_table("samarkand", 3)
    match = match_of(table)
    rng = random.Random(4)
    free = 0
    for i in range(40):
        (moved,) = any_move(table, rng, 3000 + i)
        assert isinstance(moved, e.Moved)
        if moved.move["do"] == "place":
            free += match.free_to_undo(moved.seat)
    assert free


def test_pause_stops_the_clocks() -> None:
    table, _ = new_table("khiva", pace=LIVE)
    until = table.next_deadline()
    assert until == 2000 + 60 * SECOND
    Propose(seat=0, what="pause").carry_out(table, "p0", 3000)
    for seat in (1, 2):
        Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 3000)
    assert table.status == "paused"
    assert table.next_deadline() is None
    with pytest.raises(BadInput, match="paused"):
        Play(seat=0, move=match_of(table).legal(0)[0]).carry_out(table, "p0", 4000)
    Resume(seat=2).carry_out(table, "p2", 10_000)
    assert table.next_deadline() == until + 7000


def test_a_decision_takes_time_from_the_bank_and_brings_the_increment() -> None:
    table, _ = new_table("khiva", pace=LIVE)
    Play(seat=0, move=match_of(table).legal(0)[0]).carry_out(table, "p0", 12_000)
    assert table.clock is not None
    assert table.clock.bank[0] == 55 * SECOND
    assert show(table, 1)["seats"][0]["since"] is None
    assert show(table, 1)["seats"][1]["until"] == 62_000


@pytest.mark.parametrize(("pace", "span"), [(LIVE, 60 * SECOND), (Pace(kind="days", days=3), 3 * DAY)])
def test_when_time_is_up_a_bot_plays_until_the_player_returns(pace: Pace, span: int) -> None:
    table, _ = new_table("khiva", pace=pace, stand_in="random")
    Play(seat=0, move=match_of(table).legal(0)[0]).carry_out(table, "p0", 3000)
    assert catch_up(table, 2000 + span - 1) == []
    lapsed = catch_up(table, 2000 + span)
    assert lapsed == [e.Lapsed(at=2000 + span, seat=1), e.Lapsed(at=2000 + span, seat=2)]
    asked = questions(table)
    assert [question.seat for question in asked] == [1, 2]
    assert asked[0].level == "random"
    at = 3000 + span
    assert reply(table, asked[0], asked[0].think(), at)
    assert reply(table, asked[0], asked[0].think(), at) == []  # no longer wanted
    back = Play(seat=2, move=match_of(table).legal(2)[0]).carry_out(table, "p2", at)
    assert back[0] == e.Returned(at=at, seat=2)
    assert not table.seats[2].away
    assert table.clock is not None
    assert table.clock.bank[2] >= 20 * SECOND or pace.kind == "days"
    assert reply(table, asked[1], asked[1].think(), at) == []


BOTS = [Seat(kind="bot", level="random"), Seat(kind="bot", level="random")]


def test_whoever_left_the_game_to_a_bot_may_come_back() -> None:
    seats = [*people(2), Seat(kind="bot", level="random")]
    table, log = new_table("khiva", seats=seats, stand_in="random")
    log += Resign(seat=0).carry_out(table, "p0", 3000)
    with pytest.raises(BadInput, match="left this game"):
        Resign(seat=0).carry_out(table, "p0", 3000)
    assert {question.seat for question in questions(table)} == {0, 2}
    assert Back(seat=0).carry_out(table, "p0", 3500) == [e.Returned(at=3500, seat=0)]
    assert Back(seat=0).carry_out(table, "p0", 3500) == []
    assert {question.seat for question in questions(table)} == {2}
    Resign(seat=0).carry_out(table, "p0", 4000)
    move = match_of(table).legal(0)[0]
    assert Play(seat=0, move=move).carry_out(table, "p0", 4500)[0] == e.Returned(at=4500, seat=0)
    assert table.seats[0].by_hand


def test_bots_wait_while_nobody_plays_by_hand() -> None:
    table, _ = new_table("khiva", seats=[*people(1), *BOTS], stand_in="random")
    assert questions(table)
    Resign(seat=0).carry_out(table, "p0", 3000)
    assert questions(table) == []
    Back(seat=0).carry_out(table, "p0", 4000)
    assert questions(table)


def test_a_whole_game_with_bots_ends_and_can_be_rematched() -> None:
    for game in ("khiva", "samarkand"):
        table, log = new_table(game, seats=[*people(1), *BOTS])
        with pytest.raises(BadInput, match="not over yet"):
            rematch(table, "t2", b"s", "p0", 4000)
        while not table.finished:
            if table.asked(0):
                log += Play(seat=0, move=match_of(table).for_seat(0).legal(0)[0]).carry_out(table, "p0", 4000)
            for question in questions(table):
                log += reply(table, question, question.think(), 4000)
        assert table.status == "over"
        again = replay([rematch(table, "t2", b"s", "p0", 5000)])
        assert [seat.kind for seat in again.seats] == ["bot", "bot", "person"]
        assert again.created.before == "t"
        assert Start().carry_out(again, "p0", 6000)


def test_people_sit_down_and_the_host_starts() -> None:
    seats = [Seat(kind="person", who="p0", name="Ann"), Seat(), Seat()]
    table, _ = new_table("khiva", seats=seats, start=False)
    with pytest.raises(BadInput, match="still open"):
        Start().carry_out(table, "p0", 1)
    Sit().carry_out(table, "p1", 2, "  Bo\u202e\n  b ")
    assert table.seats[1].name == "Bo b"
    with pytest.raises(BadInput, match="already"):
        Sit().carry_out(table, "p1", 2, "Bo")
    for name in ("", "  ", "x" * 31):
        with pytest.raises(BadInput, match="Write something"):
            Sit().carry_out(table, "p2", 2, name)
    with pytest.raises(BadInput, match="host of the table"):
        Place(seat=2, level="random").carry_out(table, "p1", 3)
    Place(seat=2, level="random").carry_out(table, "p0", 3)
    with pytest.raises(BadInput, match="not free"):
        Sit().carry_out(table, "p3", 4, "Cy")
    Stand(seat=1).carry_out(table, "p1", 5)
    Sit().carry_out(table, "p3", 6, "Cy")
    begin(table, 7)
    with pytest.raises(BadInput, match="already begun"):
        Sit().carry_out(table, "p4", 8, "Di")


def test_nobody_plays_another_ones_seat() -> None:
    table, _ = new_table("khiva")
    move = match_of(table).legal(1)[0]
    before = traffic(table)
    asks: list[Callable[[], object]] = [
        lambda: Play(seat=1, move=move).carry_out(table, "p0", 3000),
        lambda: Undo(seat=1).carry_out(table, "stranger", 3000),
        lambda: Say(seat=1, text="hello").carry_out(table, "", 3000),
        lambda: Resign(seat=0).carry_out(table, "p2", 3000),
        lambda: Order(seat=0, orders={}).carry_out(table, "p2", 3000),
    ]
    for ask in asks:
        with pytest.raises(BadInput, match="not your seat"):
            ask()
    assert traffic(table) == before


def test_several_seats_of_one_person_are_played_from_one_device() -> None:
    seats = [Seat(kind="person", who="p0", name=name) for name in ("Ann", "Bo")]
    table, _ = new_table("samarkand", seats=seats)
    assert table.seats_of("p0") == [0, 1]
    seat = match_of(table).waiting[0]
    Play(seat=seat, move=match_of(table).legal(seat)[-1]).carry_out(table, "p0", 3000)
    Propose(seat=0, what="watch hands").carry_out(table, "p0", 4000)
    assert table.watch == "hands"


def test_a_request_that_comes_twice_is_carried_out_once() -> None:
    table, log = new_table("khiva")
    move = match_of(table).legal(0)[0]
    log += Play(key="k1", seat=0, move=move).carry_out(table, "p0", 3000)
    log += Say(key="k2", seat=0, text="hm").carry_out(table, "p0", 3001)
    again = replay(stored(log))
    assert same(table, again)
    for t in (table, again):
        assert Play(key="k1", seat=0, move=move).carry_out(t, "p0", 3002) == []
        assert Say(key="k2", seat=0, text="hm").carry_out(t, "p0", 3002) == []
    assert len(table.chat) == 1


def test_an_illegal_move_names_its_rule_and_changes_nothing() -> None:
    table, _ = new_table("khiva")
    seq, before = table.seq, traffic(table, 0)
    card = match_of(table).view(0)["hand"][0]
    with pytest.raises(IllegalMove, match="K3"):
        Play(seat=0, move={"do": "choose", "play": [card], "give": [card]}).carry_out(table, "p0", 3000)
    assert (table.seq, traffic(table, 0)) == (seq, before)


def test_chat_changes_no_view() -> None:
    table, log = new_table("khiva")
    before = {seat: traffic(table, seat) for seat in table.audiences}
    told = dict(table.seqs)
    log += Say(seat=0, text="hello").carry_out(table, "p0", 3001)
    log += Say(seat=1, phrase="luck").carry_out(table, "p1", 3002)
    assert table.seqs == told
    assert {seat: traffic(table, seat) for seat in table.audiences} == before
    assert [(number, said.seat, said.text or said.phrase) for number, said in table.chat] == [
        (1, 0, "hello"),
        (2, 1, "luck"),
    ]
    assert same(table, replay(stored(log)))


def test_a_seat_sees_whom_it_has_muted() -> None:
    table, _ = new_table("khiva")
    Mute(seat=2, whom=0, on=True).carry_out(table, "p2", 3000)
    assert show(table, 2)["muted"] == [0]
    assert show(table, 1)["muted"] == []


def test_spectators_see_what_all_agreed_to() -> None:
    table, _ = new_table("khiva", watch="none")
    with pytest.raises(BadInput, match="no spectators"):
        show(table, SPECTATOR)
    for how in ("open", "hands"):
        Propose(seat=0, what=f"watch {how}").carry_out(table, "p0", 3000)
        for seat in (1, 2):
            with_hands = show(table, SPECTATOR).get("hands") if table.watch != "none" else None
            assert with_hands is None
            Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 3000)
        assert table.watch == how
    seen = show(table, SPECTATOR)
    assert seen["view"].get("hand") is None
    assert [view["hand"] for view in seen["hands"]] == [show(table, seat)["view"]["hand"] for seat in range(3)]


def test_a_game_is_abandoned_by_consent() -> None:
    table, _ = new_table("khiva")
    Propose(seat=0, what="abandon").carry_out(table, "p0", 3000)
    Resign(seat=1).carry_out(table, "p1", 3001)  # who has left is not asked
    Answer(seat=2, yes=True).carry_out(table, "p2", 3002)
    assert table.status == "abandoned"
    assert table.record()["status"] == "abandoned"
    with pytest.raises(BadInput, match="over"):
        Play(seat=0, move={}).carry_out(table, "p0", 3003)


@pytest.mark.parametrize(
    "pace",
    [
        Pace(kind="live"),
        Pace(kind="live", bank=9),
        Pace(kind="days"),
        Pace(kind="days", days=31),
        Pace(kind="free", bank=10),
        Pace(kind="live", bank=60, tick=2),
    ],
)
def test_a_pace_must_make_sense(pace: Pace) -> None:
    with pytest.raises(BadInput, match="pace"):
        new_table("khiva", pace=pace)


def test_a_table_of_another_engine_version_is_not_guessed_at() -> None:
    _, log = new_table("khiva", start=False)
    assert isinstance(log[0], e.Created)
    old = e.Created(**{name: getattr(log[0], name) for name in log[0].__struct_fields__} | {"version": 99})
    with pytest.raises(BadInput, match="version 99"):
        replay([old])


def test_a_box_from_outside_is_no_file() -> None:
    with pytest.raises(BadInput, match="no box"):
        new_table("khiva", box="/etc/passwd")
    for level in ("genius", "search", "search:9999999s", "master:600s"):  # nobody sets a bot's budget from outside
        with pytest.raises(BadInput, match="no bot"):
            new_table("khiva", stand_in=level)


@pytest.mark.parametrize("game", ["samarkand", "souk"])
def test_who_begins_may_be_named_and_a_rematch_moves_on(game: str) -> None:
    table, log = new_table(game, 3, first=2)
    assert isinstance(log[0], e.Created)
    setup = table.record()["setup"]
    assert setup["first" if game == "samarkand" else "doyen"] == 2
    assert table.record()["options"] == {}
    table.status = "abandoned"
    again = rematch(table, "t2", SECRET, "p0", 9000)
    assert again.seats[2].who == table.seats[0].who, "the left-hand neighbour of who began"
    assert again.first == 2


def test_who_begins_must_be_a_seat_of_a_game_with_a_beginner() -> None:
    for game, first, key in (("khiva", 0, "error.first"), ("souk", 3, "error.seat")):
        with pytest.raises(BadInput) as refused:
            new_table(game, 3, first=first)
        assert refused.value.key == key
