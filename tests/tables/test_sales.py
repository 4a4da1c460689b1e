"""S14 at a table: while the holder of a card is asked, nobody else can notice, and everybody may play on."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from registan.core.errors import IllegalMove
from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables import requests
from registan.tables.pace import SALE, Pace
from registan.tables.table import Table
from registan.tables.thinking import questions
from registan.tables.views import show
from tests.tables.house import any_move, board_of, lay, same, traffic


def asked(pace: Pace | None = None, seed: int = 0) -> Iterator[tuple[Table, list[e.Event], int, int]]:
    """Yield tables where a sale has just been asked for, with log, holder and mover."""
    for number in range(seed, seed + 60):
        rng = random.Random(number)
        table, log = lay("samarkand", 4, pace=pace, secret=bytes([number]) * 32)
        board = board_of(table)
        for i in range(80):
            log += any_move(table, rng, 3000 + i)
            if board.over:
                break
            if not board.settled:
                holder = next(play.seat for play in board.plays if play.open)
                mover = next(play.seat for play in reversed(board.plays) if not play.open)
                if mover != holder:
                    yield table, log, holder, mover
                break


def test_the_holder_is_asked_and_nobody_else_sees_it() -> None:
    table, log, holder, _ = next(asked())
    sight = show(table, holder)["view"]
    assert sight["asked"] == "sale"
    assert sight["waiting"] == [holder]
    assert {move["do"] for move in sight["legal"]} == {"sell", "keep"}
    assert same(table, Table(log))
    for other in range(SPECTATOR, 4):
        if other != holder:
            view = show(table, other)["view"]
            assert view["asked"] != "sale"
            assert view == board_of(table).view(other)


def test_a_card_kept_is_told_to_its_holder_only() -> None:
    table, _, holder, _ = next(asked())
    before = {seat: traffic(table, seat) for seat in table.audiences}
    at = table.touched
    (keep,) = [move for move in show(table, holder)["view"]["legal"] if move["do"] == "keep"]
    requests.play(table, f"p{holder}", holder, keep, 9000)
    assert [seat for seat in table.audiences if traffic(table, seat) != before[seat]] == [holder]
    assert board_of(table).settled
    assert table.touched == at  # lists of tables tell nothing either


def test_others_play_on_and_a_card_sold_late_is_sold_at_its_moment() -> None:
    checked = 0
    for table, log, holder, _ in asked():
        rng = random.Random(1)
        board = board_of(table)
        at = next(i for i, play in enumerate(board.plays) if play.open)
        early = 0
        for i in range(6):
            free = [seat for seat in board.waiting if board.question_of(seat) is None]
            if not free or board.over:
                break
            move = rng.choice(board.legal(free[0]))
            log.extend(requests.play(table, f"p{free[0]}", free[0], move, 9000 + i))
            early += 1
        since = board.plays[at + 1 :]
        money = int(board.state.dirhams[holder])
        frozen = show(table, holder)["view"]
        assert frozen["asked"] == "sale"
        sell = next(move for move in frozen["legal"] if move["do"] == "sell")
        log.extend(requests.play(table, f"p{holder}", holder, sell, 9100))
        assert board.plays[at + 1 :] == since
        assert int(board.state.dirhams[holder]) == money + 3
        line = {"seat": holder, **sell}
        assert line in board.log(SPECTATOR)
        assert same(table, Table(log))
        checked += early > 1
    assert checked >= 3


def test_two_tables_that_differ_in_the_question_only_send_the_same_bytes() -> None:
    """The very thing: one table where a holder is asked, one where the card is in the deck, in the same hands else."""
    compared = 0
    for table, log, holder, mover in asked(Pace(kind="live", bank=600, increment=5)):
        board = board_of(table)
        at = next(i for i, play in enumerate(board.plays) if play.open)
        other = Table(log[:-1])  # before the camel was placed
        elsewhere = board_of(other)
        good = 1 << int(board.moment(at).state.good)
        if elsewhere.state.deck_left == 0:
            continue
        # The card changes places with one of the deck, which only its holder could know.
        card = int(elsewhere.state.deck[0])
        elsewhere.state.hand[holder] = (int(elsewhere.state.hand[holder]) ^ good) | 1 << card - 1
        elsewhere.state.deck[0] = int(board.moment(at).state.good) + 1
        last = log[-1]
        assert isinstance(last, e.Moved)
        other.add(last)
        assert elsewhere.settled
        rng = random.Random(2)
        seats = [seat for seat in table.audiences if seat != holder]
        for i in range(8):
            for seat in seats:
                assert traffic(table, seat) == traffic(other, seat)
                assert table.told[seat] == other.told[seat]
            now = 9000 + 7000 * i
            free = [seat for seat in board.waiting if board.question_of(seat) is None]
            if i == 3:
                requests.say(table, f"p{mover}", mover, now, text="hm")
                requests.say(other, f"p{mover}", mover, now, text="hm")
            elif i == 5:
                # The question's own time runs out: the card is kept, and nobody knows.
                requests.tick(table, now + SALE)
                requests.tick(other, now + SALE)
                assert board.settled
            elif free:
                # A marriage draws cards, and those tell the worlds apart.
                moves = [move for move in board.legal(free[0]) if move["do"] not in ("marry", "discard")]
                if not moves:
                    break
                move = rng.choice(moves)
                for t in (table, other):
                    requests.play(t, f"p{free[0]}", free[0], move, now)
            if board.waiting and holder in board.waiting:
                break
        compared += 1
    assert compared > 10


def test_the_mover_may_take_a_camel_back_whether_somebody_is_asked_or_not() -> None:
    for table, _, holder, mover in asked(seed=100):
        board = board_of(table)
        at = board.last_of(mover)
        assert at is not None
        before = board.moment(at).state.tobytes()
        if board.free_to_undo(mover):
            keep = next(move for move in show(table, holder)["view"]["legal"] if move["do"] == "keep")
            requests.play(table, f"p{holder}", holder, keep, 9000)
            requests.undo(table, f"p{mover}", mover, 9001)
            assert table.proposal is None
            assert board.state.tobytes() == before
            return
    pytest.fail("no camel could be taken back")


def test_standing_orders_answer_at_once_and_silently() -> None:
    sold = kept = 0
    for table, log, holder, mover in asked(seed=200):
        good = show(table, holder)["view"]["good"]
        for word in ("sell", "keep", "ask"):
            again = Table(log[:-1])
            before = again.told[mover]
            requests.order(again, f"p{holder}", holder, {str(good): word}, 8000)
            assert again.told[mover] == before
            assert show(again, holder)["orders"] == {str(good): word}
            last = log[-1]
            assert isinstance(last, e.Moved)
            requests.play(again, f"p{mover}", mover, last.move, 8001)
            assert board_of(again).settled == (word != "ask")
            line = {"seat": holder, "do": word, "good": good}
            assert (line in board_of(again).log(mover)) == (word == "sell")
            sold += word == "sell"
            kept += word == "keep"
            if word == "keep":  # for all others as if they had not been given
                assert traffic(again, mover) == traffic(again_without(log, mover), mover)
        if sold > 3:
            break
    assert sold
    assert kept


def again_without(log: list[e.Event], mover: int) -> Table:
    table = Table(log[:-1])
    last = log[-1]
    assert isinstance(last, e.Moved)
    requests.play(table, f"p{mover}", mover, last.move, 8001)
    return table


def test_a_sale_that_is_taken_back_is_a_question_again() -> None:
    table, log, holder, _ = next(asked())
    before = board_of(table).state.tobytes()
    sell = next(move for move in show(table, holder)["view"]["legal"] if move["do"] == "sell")
    log += requests.play(table, f"p{holder}", holder, sell, 9000)
    log += requests.undo(table, f"p{holder}", holder, 9001)
    assert show(table, holder)["view"]["asked"] == "sale"
    assert board_of(table).state.tobytes() == before
    assert same(table, Table(log))


def test_the_holder_answers_nothing_else_first() -> None:
    table, _, holder, _ = next(asked())
    with pytest.raises(IllegalMove, match="S14"):
        requests.play(table, f"p{holder}", holder, {"do": "pass"}, 9000)


def test_a_bot_in_the_holders_place_is_asked_too() -> None:
    table, _, holder, _ = next(asked())
    table.add(e.Lapsed(at=9000, seat=holder))
    (question,) = [q for q in questions(table) if q.seat == holder]
    assert question.hidden.tobytes() == board_of(table).sight(holder).hidden(holder).tobytes()
    assert int(question.hidden[0].waiting) == 1 << holder


def test_all_are_told_when_the_last_answer_ends_the_game() -> None:
    """The last camel has ended the game, but a card could still be sold: the answer closes the books for everybody."""
    ended = 0
    for number in range(25):
        rng = random.Random(number)
        table, _ = lay("samarkand", 3, secret=bytes([number]) * 32)
        board = board_of(table)
        while not board.over:
            any_move(table, rng, 3000)
        while not board.settled:
            holder = min(board.asked_for_sale)
            before = dict(table.told)
            (keep,) = [move for move in show(table, holder)["view"]["legal"] if move["do"] == "keep"]
            requests.play(table, f"p{holder}", holder, keep, 9000)
            told = {seat for seat in table.audiences if table.told[seat] > before[seat]}
            assert told == ({holder} if not table.finished else set(table.audiences))
            ended += table.finished
        assert table.status == "over"
    assert ended
