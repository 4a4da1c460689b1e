"""Taking back: what is free follows from the rules, never from luck, and every take-back is in the record."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan.cli.verify import verify
from registan.core import chance
from registan.core.errors import BadInput, BadRecord
from registan.core.record import dumps, replay
from registan.core.registry import find, keys
from registan.tables import fairness, save
from registan.tables.boxes import open_box
from registan.tables.match import TableMatch
from registan.tables.requests import Answer, Play, Propose, Undo
from registan.tables.snapshot import snapshot, unpack
from registan.tables.table import Table
from registan.tables.views import show
from tests.tables.house import any_move, match_of, new_table

GAMES = [("khiva", 2), ("khiva", 4), ("souk", 3), ("souk", 4), ("samarkand", 2), ("samarkand", 4)]


def shows_by_sampling(match: TableMatch, at: int, worlds: int, rng: Any) -> bool:
    """Whether, in one of many worlds the seat holds possible, it would have seen something else than it saw."""
    run, (seat, action, *_) = match.engine, match.decisions[at]
    before = np.frombuffer(bytearray(match._before[at][0]), match.game.rules.STATE)
    saw = np.frombuffer(bytearray(match.state.tobytes()), match.game.rules.STATE)
    run.hide(saw, seat)
    for _ in range(worlds):
        world = before.copy()
        run.hide(world, seat)
        run.guess(world, seat, rng)
        run.apply(world, seat, action)
        run.hide(world, seat)
        if world.tobytes() != saw.tobytes():
            return True
    return False


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_sampling_never_finds_a_revelation_that_the_rule_does_not_forbid(game: str, players: int) -> None:
    found = find(game)
    rng = random.Random(f"{game} {players}")
    rolls = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rolls, players, 7)
    free = revealing = 0
    for _ in range(2):
        match = TableMatch(found, open_box(game), players)
        match.start()
        while not match.over and match.moves_played < 120:
            seat = rng.choice(match.waiting)
            match.decide(seat, rng.choice(match.for_seat(seat).actions(seat)))
            if match.decisions[-1].seat != seat or match.decisions[-1].quiet:
                continue  # the holder of a card was asked
            if match.revealed(match.moves_played - 1):
                revealing += 1
            else:
                free += 1
                assert not shows_by_sampling(match, match.moves_played - 1, 40, rolls), match.written[-1].line
    assert free > 10
    assert revealing > 3


def test_a_game_that_says_nothing_gives_nothing_back_for_free() -> None:
    from registan.core import rules

    assert rules.reveals.__wrapped__(None, None, 0, 0)  # type: ignore[attr-defined]


def over(game: str, players: int = 3, seed: int = 5) -> tuple[Table, int]:
    table, _ = new_table(game, players)
    rng = random.Random(seed)
    last = 0
    while not table.finished:
        (moved,) = any_move(table, rng, 3000)
        last = moved.seat  # type: ignore[attr-defined]
    return table, last


@pytest.mark.parametrize("game", keys())
def test_nothing_is_taken_back_after_the_end_not_even_by_consent(game: str) -> None:
    table, last = over(game)
    before = table.record()
    assert not match_of(table).free_to_undo(last)
    for seat in range(3):
        with pytest.raises(BadInput, match="over and its secrets are shown"):
            Undo(seat=seat).carry_out(table, f"p{seat}", 4000)
        with pytest.raises(BadInput, match="over and its secrets are shown"):
            Propose(seat=seat, what="undo").carry_out(table, f"p{seat}", 4000)
        assert not show(table, seat)["undo"]
    assert table.record() == before


@pytest.mark.parametrize(("game", "players"), [("souk", 3), ("souk", 4), ("khiva", 3)])
def test_the_answer_that_opens_the_seals_is_never_free(game: str, players: int) -> None:
    table, _ = new_table(game, players)
    rng = random.Random(3)
    closed = sealed = 0
    while not table.finished:
        match = match_of(table)
        waiting, several = match.waiting, len(match._answers)
        (moved,) = any_move(table, rng, 3000)
        seat = moved.seat  # type: ignore[attr-defined]
        if len(waiting) == 1 and several:
            closed += 1
            assert not match.free_to_undo(seat)
        elif len(waiting) > 1:
            sealed += 1
            assert match.free_to_undo(seat)
    assert closed > 10
    assert sealed > 10


def test_the_answer_that_opens_the_seals_is_not_free_even_if_the_game_says_it_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, _ = new_table("khiva", 3)
    match = match_of(table)
    monkeypatch.setattr(match.engine, "reveals", lambda *_: False)
    free = []
    for seat in range(3):
        Play(seat=seat, move=match.legal(seat)[0]).carry_out(table, f"p{seat}", 3000)
        free.append(match.free_to_undo(seat))
    assert free == [True, True, False]


def taken_back_once() -> tuple[Table, dict[str, Any], int]:
    """A table of Khiva where seat 0 to 2 chose, and the last took the opened question back by consent."""
    table, _ = new_table("khiva", 3)
    for seat in range(3):
        Play(seat=seat, move=match_of(table).legal(seat)[0]).carry_out(table, f"p{seat}", 3000)
    lines = [written.line for written in match_of(table).written]
    Undo(seat=2).carry_out(table, "p2", 3001)
    for seat in (0, 1):
        Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", 3002)
    return table, {"at": 0, "seats": [2], "moves": lines}, len(lines)


def test_what_was_taken_back_is_in_the_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, entry, count = taken_back_once()
    assert count == 3
    assert match_of(table).waiting == [2]
    assert table.record()["taken_back"] == [entry]
    kept = save.opened(save.packed(save.save(table)))
    assert kept is not None
    assert kept.record() == table.record()
    rng = random.Random(1)
    while not table.finished:
        any_move(table, rng, 4000)
    record = table.record()
    assert record["taken_back"] == [entry]
    assert unpack(snapshot(table).packed()).taken_back == [entry]
    assert [w.line for w in replay(record, find).written] == record["moves"]  # replaying ignores it
    file = tmp_path / "game.jsonl"
    file.write_bytes(dumps(record) + b"\n")
    assert verify(file) == 0
    assert "line 1: before move 1, seat 2 took back 3 lines" in capsys.readouterr().out
    record["taken_back"][0]["at"] = "soon"
    with pytest.raises(BadRecord, match="taken_back"):
        fairness.verify(record, find)


def test_a_sealed_answer_that_is_changed_leaves_no_line() -> None:
    table, _ = new_table("khiva", 3)
    Play(seat=1, move=match_of(table).legal(1)[0]).carry_out(table, "p1", 3000)
    Undo(seat=1).carry_out(table, "p1", 3001)
    assert "taken_back" not in table.record()


def test_the_end_is_no_secret_door_for_who_is_asked_quietly() -> None:
    """Who is asked quietly hears the same, whether the game has ended meanwhile or not."""
    for seed in range(40):
        table, _ = new_table("samarkand", 3, secret=bytes([seed] * 32))
        rng = random.Random(seed)
        while not table.finished and not match_of(table).asked_quietly:
            any_move(table, rng, 3000)
        for seat in match_of(table).asked_quietly:
            if match_of(table).last_of(seat) is None or match_of(table).free_to_undo(seat):
                continue  # it was their own move that asks them, and nobody has moved since
            with pytest.raises(BadInput, match="Answer the open question first"):
                Undo(seat=seat).carry_out(table, f"p{seat}", 3001)
            return
    raise AssertionError("nobody was asked")
