"""S14 at a table: while the holder of a card is asked, nobody else can notice, and everybody may play on."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from registan.core.errors import BadInput, IllegalMove
from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables.bots import questions
from registan.tables.clocks import catch_up
from registan.tables.creation import rematch
from registan.tables.hints import hint_question
from registan.tables.pace import QUIET, Pace
from registan.tables.requests import Order, Play, Propose, Say, Undo
from registan.tables.sight import audience_of
from registan.tables.snapshot import snapshot
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import any_move, match_of, new_table, same, traffic


def asked(pace: Pace | None = None, seed: int = 0) -> Iterator[tuple[Table, list[e.Event], int, int]]:
    """Yield tables where a sale has just been asked for, with log, holder and mover."""
    for number in range(seed, seed + 60):
        rng = random.Random(number)
        table, log = new_table("samarkand", 4, pace=pace, secret=bytes([number]) * 32)
        match = match_of(table)
        for i in range(80):
            log += any_move(table, rng, 3000 + i)
            if match.over:
                break
            if not match.settled:
                holder = next(play.seat for play in match.decisions if play.open)
                mover = next(play.seat for play in reversed(match.decisions) if not play.open)
                if mover != holder:
                    yield table, log, holder, mover
                break


def test_the_holder_is_asked_and_nobody_else_sees_it() -> None:
    table, log, holder, _ = next(asked())
    sight = show(table, holder)["view"]
    assert sight["asked"] == "sale"
    assert sight["waiting"] == [holder]
    assert {move["do"] for move in sight["legal"]} == {"sell", "keep"}
    assert same(table, replay(log))
    for other in range(SPECTATOR, 4):
        if other != holder:
            view = show(table, other)["view"]
            assert view["asked"] != "sale"
            assert view == match_of(table).view(other)


def test_a_card_kept_is_told_to_its_holder_only() -> None:
    table, _, holder, _ = next(asked())
    before = {seat: traffic(table, seat) for seat in table.audiences}
    at = table.touched
    (keep,) = [move for move in show(table, holder)["view"]["legal"] if move["do"] == "keep"]
    Play(seat=holder, move=keep).carry_out(table, f"p{holder}", 9000)
    assert [seat for seat in table.audiences if traffic(table, seat) != before[seat]] == [holder]
    assert match_of(table).settled
    assert table.touched == at  # lists of tables tell nothing either


def test_others_play_on_and_a_card_sold_late_is_sold_at_its_moment() -> None:
    checked = 0
    for table, log, holder, _ in asked():
        rng = random.Random(1)
        match = match_of(table)
        at = next(i for i, play in enumerate(match.decisions) if play.open)
        early = 0
        for i in range(6):
            free = [seat for seat in match.waiting if match.question_of(seat) is None]
            if not free or match.over:
                break
            move = rng.choice(match.legal(free[0]))
            log.extend(Play(seat=free[0], move=move).carry_out(table, f"p{free[0]}", 9000 + i))
            early += 1
        since = match.decisions[at + 1 :]
        money = int(match.state.dirhams[holder])
        frozen = show(table, holder)["view"]
        assert frozen["asked"] == "sale"
        sell = next(move for move in frozen["legal"] if move["do"] == "sell")
        log.extend(Play(seat=holder, move=sell).carry_out(table, f"p{holder}", 9100))
        assert match.decisions[at + 1 :] == since
        assert int(match.state.dirhams[holder]) == money + 3
        line = {"seat": holder, **sell}
        assert line in match.log(SPECTATOR)
        assert same(table, replay(log))
        checked += early > 1
    assert checked >= 3


def test_two_tables_that_differ_in_the_question_only_send_the_same_bytes() -> None:
    """Compares a table where a holder is asked with one where the card is in the deck, otherwise equal."""
    compared = 0
    for table, log, holder, mover in asked(Pace(kind="live", bank=600, increment=5)):
        match = match_of(table)
        at = next(i for i, play in enumerate(match.decisions) if play.open)
        other = replay(log[:-1])  # before the camel was placed
        elsewhere = match_of(other)
        good = 1 << int(match.moment(at).state.good)
        if elsewhere.state.deck_left == 0:
            continue
        # The card changes places with one of the deck, which only its holder could know.
        card = int(elsewhere.state.deck[0])
        elsewhere.state.hand[holder] = (int(elsewhere.state.hand[holder]) ^ good) | 1 << card - 1
        elsewhere.state.deck[0] = int(match.moment(at).state.good) + 1
        last = log[-1]
        assert isinstance(last, e.Moved)
        other.add(last)
        assert elsewhere.settled
        rng = random.Random(2)
        seats = [seat for seat in table.audiences if seat != holder]
        for i in range(8):
            for seat in seats:
                assert traffic(table, seat) == traffic(other, seat)
                assert table.seqs[seat] == other.seqs[seat]
            now = 9000 + 7000 * i
            free = [seat for seat in match.waiting if match.question_of(seat) is None]
            if i == 3:
                Say(seat=mover, text="hm").carry_out(table, f"p{mover}", now)
                Say(seat=mover, text="hm").carry_out(other, f"p{mover}", now)
            elif i == 5:
                # The question's own time runs out: the card is kept, and nobody knows.
                catch_up(table, now + QUIET)
                catch_up(other, now + QUIET)
                assert match.settled
            elif free:
                # A marriage draws cards, and those tell the worlds apart.
                moves = [move for move in match.legal(free[0]) if move["do"] not in ("marry", "discard")]
                if not moves:
                    break
                move = rng.choice(moves)
                for t in (table, other):
                    Play(seat=free[0], move=move).carry_out(t, f"p{free[0]}", now)
            if match.waiting and holder in match.waiting:
                break
        compared += 1
    assert compared > 10


def test_the_mover_may_take_a_camel_back_whether_somebody_is_asked_or_not() -> None:
    for table, _, holder, mover in asked(seed=100):
        match = match_of(table)
        at = match.last_of(mover)
        assert at is not None
        before = match.moment(at).state.tobytes()
        if match.free_to_undo(mover):
            keep = next(move for move in show(table, holder)["view"]["legal"] if move["do"] == "keep")
            Play(seat=holder, move=keep).carry_out(table, f"p{holder}", 9000)
            Undo(seat=mover).carry_out(table, f"p{mover}", 9001)
            assert table.proposal is None
            assert match.state.tobytes() == before
            return
    pytest.fail("no camel could be taken back")


def test_standing_orders_answer_at_once_and_silently() -> None:
    sold = kept = 0
    for table, log, holder, mover in asked(seed=200):
        good = show(table, holder)["view"]["good"]
        for word in ("sell", "keep", "ask"):
            again = replay(log[:-1])
            before = again.seqs[mover]
            Order(seat=holder, orders={str(good): word}).carry_out(again, f"p{holder}", 8000)
            assert again.seqs[mover] == before
            assert show(again, holder)["orders"] == {str(good): word}
            last = log[-1]
            assert isinstance(last, e.Moved)
            Play(seat=mover, move=last.move).carry_out(again, f"p{mover}", 8001)
            assert match_of(again).settled == (word != "ask")
            line = {"seat": holder, "do": word, "good": good}
            assert (line in match_of(again).log(mover)) == (word == "sell")
            sold += word == "sell"
            kept += word == "keep"
            if word == "keep":  # for all others as if they had not been given
                assert traffic(again, mover) == traffic(again_without(log, mover), mover)
        if sold > 3:
            break
    assert sold
    assert kept


def again_without(log: list[e.Event], mover: int) -> Table:
    table = replay(log[:-1])
    last = log[-1]
    assert isinstance(last, e.Moved)
    Play(seat=mover, move=last.move).carry_out(table, f"p{mover}", 8001)
    return table


def test_a_sale_that_is_taken_back_is_a_question_again() -> None:
    table, log, holder, _ = next(asked())
    before = match_of(table).state.tobytes()
    sell = next(move for move in show(table, holder)["view"]["legal"] if move["do"] == "sell")
    log += Play(seat=holder, move=sell).carry_out(table, f"p{holder}", 9000)
    log += Undo(seat=holder).carry_out(table, f"p{holder}", 9001)
    assert show(table, holder)["view"]["asked"] == "sale"
    assert match_of(table).state.tobytes() == before
    assert same(table, replay(log))


def test_the_holder_answers_nothing_else_first() -> None:
    table, _, holder, _ = next(asked())
    with pytest.raises(IllegalMove, match="S14"):
        Play(seat=holder, move={"do": "pass"}).carry_out(table, f"p{holder}", 9000)


def test_a_bot_in_the_holders_place_is_asked_too() -> None:
    table, _, holder, _ = next(asked())
    table.add(e.Lapsed(at=9000, seat=holder))
    (question,) = [q for q in questions(table) if q.seat == holder]
    assert question.hidden.tobytes() == match_of(table).for_seat(holder).hidden(holder).tobytes()
    assert int(question.hidden[0].waiting) == 1 << holder


def ended(pace: Pace | None = None) -> Iterator[tuple[Table, int]]:
    """Yield tables where the last camel has ended the game while a holder is still asked, with the holder."""
    for table, _, holder in ended_with_log(pace):
        yield table, holder


def ended_with_log(pace: Pace | None = None) -> Iterator[tuple[Table, list[e.Event], int]]:
    """Yield the same tables with their logs."""
    for number in range(40):
        rng = random.Random(number)
        table, log = new_table("samarkand", 3, secret=bytes([number]) * 32, pace=pace)
        match = match_of(table)
        while not match.over:
            free = [seat for seat in match.waiting if match.question_of(seat) is None]
            if free:
                move = Play(seat=free[0], move=rng.choice(match.legal(free[0])))
                log += move.carry_out(table, f"p{free[0]}", 3000)
            else:
                log += any_move(table, rng, 3000)
        if len(match.asked_quietly) == 1:
            yield table, log, min(match.asked_quietly)


def test_for_everybody_else_the_game_is_over_whether_a_holder_is_asked_or_not() -> None:
    """Neither the status, nor the secret, nor a clock, nor what is refused tells of the open question."""
    compared = 0
    for table, holder in ended(Pace(kind="live", bank=600)):
        others = [seat for seat in table.audiences if seat != holder]
        before = {seat: traffic(table, seat) for seat in others}
        told = dict(table.seqs)
        for seat in others:
            seen = show(table, seat)
            assert (seen["status"], seen["fairness"]["secret"]) == ("over", table.created.secret.hex())
            assert seen["winners"] is not None
        for seat in set(others) - {SPECTATOR}:
            with pytest.raises(BadInput, match="over"):
                Propose(seat=seat, what="abandon").carry_out(table, f"p{seat}", 9000)
        rematch(table, "next", b"", f"p{others[-1]}", 9000)
        while match_of(table).question_of(holder) is not None:
            (keep,) = [move for move in show(table, holder)["view"]["legal"] if move["do"] == "keep"]
            Play(seat=holder, move=keep).carry_out(table, f"p{holder}", 9000)
        assert table.status == "over"
        assert before == {seat: traffic(table, seat) for seat in others}
        assert {seat for seat in table.audiences if table.seqs[seat] > told[seat]} == {holder}
        compared += 1
    assert compared > 3


def test_the_holder_does_not_see_that_the_game_is_over() -> None:
    table, holder = next(ended())
    seen = show(table, holder)
    assert (seen["status"], seen["winners"], seen["view"]["asked"]) == ("running", None, "sale")
    assert seen["fairness"]["secret"] is None
    as_spectator = show(table, audience_of(table, f"p{holder}", None))
    assert as_spectator["status"] == "running"
    assert as_spectator["fairness"]["secret"] is None
    assert as_spectator["view"] == match_of(table).for_seat(holder).view(SPECTATOR)


@pytest.mark.parametrize("pace", [Pace(), Pace(kind="live", bank=600, increment=5), Pace(kind="days", days=2)])
def test_the_holder_sees_nothing_later_than_the_question(pace: Pace) -> None:
    checked = 0
    for table, _, holder, _ in asked(pace):
        match = match_of(table)
        who = f"p{holder}"
        before = traffic(table, holder), msgspec.json.encode(show(table, audience_of(table, who, None)))
        lines = len(snapshot(table, match.question_of(holder)).lines)
        for i in range(4):
            free = [seat for seat in match.waiting if match.question_of(seat) is None]
            if not free:
                break
            Play(seat=free[0], move=match.legal(free[0])[0]).carry_out(table, f"p{free[0]}", 9000 + i)
            if match.question_of(holder) is None:
                break
            after = traffic(table, holder), msgspec.json.encode(show(table, audience_of(table, who, None)))
            assert after == before
            assert len(snapshot(table, table.question_of([holder])).lines) == lines
            checked += 1
    assert checked > 20


def drawn(table: Table, seat: int) -> list[list[int]]:
    """Return the random words of a bot in somebody's place, and of a hint."""
    bots = [question.rng.tolist() for question in questions(table) if question.seat == seat]
    return [*bots, hint_question(table, seat).rng.tolist()]


def test_what_bots_and_hints_draw_does_not_depend_on_quiet_answers() -> None:
    compared = 0
    for table, _, holder, _ in asked():
        match = match_of(table)
        free = [seat for seat in match.waiting if match.question_of(seat) is None]
        if not free:
            continue
        table.add(e.Lapsed(at=9000, seat=free[0]))

        before = drawn(table, free[0])
        (keep,) = [move for move in show(table, holder)["view"]["legal"] if move["do"] == "keep"]
        Play(seat=holder, move=keep).carry_out(table, f"p{holder}", 9001)
        assert len(before) == 2
        assert drawn(table, free[0]) == before
        compared += 1
        if compared == 4:
            return
    pytest.fail("too few questions to compare")


@pytest.mark.parametrize("pace", [Pace(), Pace(kind="live", bank=600, increment=5), Pace(kind="days", days=2)])
def test_the_question_has_a_deadline_in_every_pace(pace: Pace) -> None:
    table, _, holder, _ = next(asked(pace))
    until = show(table, holder)["sale_until"]
    assert until == table.quiet_since[holder] + pace.quiet()
    others = {seat: traffic(table, seat) for seat in table.audiences if seat != holder}
    if pace.kind != "days":  # where the next player's day ends at the same moment
        catch_up(table, until)
        assert match_of(table).question_of(holder) is None
        assert others == {seat: traffic(table, seat) for seat in others}
