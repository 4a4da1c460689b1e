"""Matches."""

from __future__ import annotations

from typing import Any

import pytest

import registan
from registan.core import engine
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine, use_compiled
from registan.core.errors import BadInput, BadMove, IllegalMove, RegistanError
from registan.core.match import Match
from registan.games.khiva import GAME
from tests.games.khiva.table import any_turn, random_game


def choose_all(match: Match, which: int = 0) -> None:
    for seat in range(match.players):
        match.play(seat, match.legal(seat)[which])


def test_legal_moves_are_those_that_can_be_played() -> None:
    match = registan.new("khiva", 3, seed=1)
    for move in match.legal(1):
        match.play(1, move)
        match.undo()
    assert match.legal(1)[0] == {"do": "choose", "play": [hand(match, 1)[0]], "give": [hand(match, 1)[1]]}


def hand(match: Match, seat: int) -> list[str]:
    cards: list[str] = match.view(seat)["hand"]
    return cards


def test_a_seed_gives_the_same_game_again() -> None:
    assert random_game(4, 7).record(states=True) == random_game(4, 7).record(states=True)
    assert registan.new("khiva", 4, seed=7).record() != registan.new("khiva", 4, seed=8).record()


def test_without_a_number_as_many_play_as_usually_do() -> None:
    assert registan.new("samarkand", seed=1).players == 3


def test_without_a_seed_every_game_is_another() -> None:
    assert registan.new("khiva", 4).record() != registan.new("khiva", 4).record()


def test_a_refused_move_changes_nothing_and_says_the_rule_in_both_languages() -> None:
    match = registan.new("khiva", 3, seed=1)
    before = match.state.tobytes()
    with pytest.raises(IllegalMove) as error:
        match.play(0, {"do": "choose", "play": [hand(match, 0)[0]], "give": [hand(match, 0)[0]]})
    assert error.value.rule == "K3"
    assert str(error.value) == error.value.text("en")
    assert error.value.text("en").startswith("K3: All of you choose at the same time")
    assert error.value.text("fr").startswith("K3: ")
    assert error.value.text("fr") != error.value.text("en")
    assert match.state.tobytes() == before
    assert match.moves_played == 0


@pytest.mark.parametrize("seat", [-1, 3, 7, True, "0", None, 1.0])
def test_a_seat_that_does_not_exist_is_named(seat: Any) -> None:
    match = registan.new("khiva", 3, seed=1)
    move = match.legal(0)[0]
    for ask in (lambda: match.play(seat, move), lambda: match.legal(seat)):
        with pytest.raises(BadInput, match=f"no seat {seat}; seats are 0 to 2"):
            ask()


def test_undo_takes_back_the_last_move() -> None:
    match = registan.new("khiva", 3, seed=2)
    choose_all(match)
    before = match.state.tobytes(), match.record(legal=True, states=True)
    seat = match.waiting[0]
    match.play(seat, match.legal(seat)[0])
    assert match.moves_played == 4
    match.undo()
    assert (match.state.tobytes(), match.record(legal=True, states=True)) == before
    assert match.moves_played == 3


def test_undo_works_in_an_open_question() -> None:
    match = registan.new("khiva", 3, seed=2)
    start = match.state.tobytes()
    match.play(2, match.legal(2)[0])
    match.play(0, match.legal(0)[0])
    match.undo()
    assert match.waiting == [0, 1]
    assert match.record()["sealed"] == [2]
    match.play(0, match.legal(0)[5])
    match.play(1, match.legal(1)[0])
    lines = match.record()["moves"]
    assert [line["seat"] for line in lines] == [0, 1, 2]
    other = registan.new("khiva", 3, seed=2)
    for seat in range(3):
        other.play(seat, {k: v for k, v in lines[seat].items() if k != "seat"})
    assert other.state.tobytes() == match.state.tobytes()
    for _ in range(3):
        match.undo()
    assert match.state.tobytes() == start
    assert "sealed" not in match.record()
    assert match.record()["moves"] == []


def test_undo_takes_back_the_deal_that_followed() -> None:
    match = registan.new("khiva", 3, seed=3)
    while match.state.deals == 1:
        before = match.record(states=True)
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[0])
    record = match.record(states=True)
    assert "chance" in record["moves"][-1]
    match.undo()
    assert match.record(states=True) == before
    assert match.state.deals == 1
    match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    assert match.record(states=True) == record  # the same move brings the same cards


def test_undo_without_a_move_says_so() -> None:
    with pytest.raises(BadInput, match="no move to take back"):
        registan.new("khiva", 3).undo()


def test_a_running_game_is_written_with_who_has_answered() -> None:
    match = registan.new("khiva", 4, seed=4)
    assert "sealed" not in match.record()
    match.play(3, match.legal(3)[0])
    match.play(1, match.legal(1)[0])
    record = match.record()
    assert record["sealed"] == [1, 3]
    assert record["moves"] == []
    assert (record["status"], record["scores"], record["winners"]) == ("running", None, None)


def test_a_record_may_carry_more() -> None:
    record = registan.new("khiva", 3, seed=1).record(names=["Ann", "Bo", "Cy"])
    assert record["names"] == ["Ann", "Bo", "Cy"]
    assert registan.replay(record).moves_played == 0


def test_options_are_written_where_they_differ_from_the_default() -> None:
    assert registan.new("khiva", 3, open_scores=True).record()["options"] == {"open_scores": True}
    assert registan.new("khiva", 3, open_scores=False).record()["options"] == {}


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: registan.new("chess", 2), "chess"),
        (lambda: registan.new("khiva", 1), "2 to 5, not by 1"),
        (lambda: registan.new("khiva", 6), "2 to 5, not by 6"),
        (lambda: registan.new("khiva", 3, hidden_money=True), "hidden_money"),
        (lambda: registan.new("khiva", 3, open_scores=1), "open_scores cannot be “1”"),
        (lambda: registan.new("khiva", 3, open_scores="yes"), "open_scores cannot be “yes”"),
        (lambda: registan.new("khiva", 3, box="nowhere.toml"), "nowhere.toml"),
    ],
)
def test_a_wrong_word_is_named(make: Any, named: str) -> None:
    with pytest.raises(RegistanError, match=named):
        make()


def test_a_table_can_be_looked_at_as_it_was() -> None:
    match = registan.new("khiva", 3, seed=5)
    views = []
    for _ in range(2):
        any_turn(match)
        views.append((len(match.written) - 1, match.view(1)))
    for i, view in views:
        assert match.view_after(i, 1) == view
    assert match.view_after(0)["seat"] is None


def test_a_state_can_be_kept_as_bytes_and_put_back() -> None:
    match = registan.new("khiva", 3, seed=6)
    kept = match.state.tobytes()
    choose_all(match)
    match.restore(kept)
    assert match.waiting == [0, 1, 2]
    choose_all(match, 1)


def test_matches_run_interpreted_until_compiled_rules_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_compiled", set())
    fast, slow = registan.new("khiva", 3, seed=7), registan.new("khiva", 3, seed=7)
    slow.engine = Engine(GAME, slow.box, compiled=False)
    assert not fast.engine.compiled
    use_compiled(GAME)
    assert fast.engine.compiled == (not INTERPRET)
    assert not slow.engine.compiled
    for seat in range(3):
        assert fast.legal(seat) == slow.legal(seat)
        move = fast.legal(seat)[3]
        fast.play(seat, move)
        slow.play(seat, move)
    assert fast.view(0) == slow.view(0)
    assert fast.state.tobytes() == slow.state.tobytes()


def test_a_move_must_be_an_object() -> None:
    with pytest.raises(BadMove):
        registan.new("khiva", 3).play(0, ["choose"])  # type: ignore[arg-type]
