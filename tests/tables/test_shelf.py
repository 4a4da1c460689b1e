"""Earlier states are put away compressed: nothing that can be asked of a match tells the difference."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

from registan.tables import match as matches
from registan.tables.match import TableMatch
from registan.tables.shelf import AT_HAND, TOGETHER, ShelvedLine
from tests.tables.house import any_move, match_of, new_table

GAMES = ["khiva", "souk", "samarkand"]


def everything(match: TableMatch) -> list[Any]:
    """Return all that a match keeps of the past."""
    lines = [(w.line, _bytes(w.asked), _bytes(w.after)) for w in match.written]
    before = [(data, upto, _bytes(opened), answers) for data, upto, opened, answers in match._before]
    return [lines, before]


def _bytes(state: Any) -> Any:
    return state.tobytes() if hasattr(state, "tobytes") else state


@pytest.mark.parametrize("game", GAMES)
def test_a_match_remembers_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = new_table(game)
    rng = random.Random(5)
    for at in range(60):
        any_move(table, rng, 3000 + at)
    match = match_of(table)
    kept = everything(match)
    assert match._shelved >= TOGETHER
    assert len(match._before) - match._shelved < TOGETHER + AT_HAND
    assert all(map(match._before.on_shelf, range(match._shelved)))
    monkeypatch.setattr(matches, "put_away", lambda kind, before, written, start: start)
    other, _ = new_table(game)
    rng = random.Random(5)
    for at in range(60):
        any_move(other, rng, 3000 + at)
    plain = match_of(other)
    assert not any(map(plain._before.on_shelf, range(plain.moves_played)))
    assert not any(isinstance(line, ShelvedLine) for line in plain.written)
    assert everything(plain) == kept
    assert plain.record() == match.record()
    assert plain.record(legal=True, states=True) == match.record(legal=True, states=True)
    for before in range(match.moves_played):
        for seat in range(-1, match.players):
            assert plain.moment(before).view(seat) == match.moment(before).view(seat)


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_put_away_can_be_taken_back_and_played_again(game: str) -> None:
    table, _ = new_table(game)
    rng = random.Random(6)
    for at in range(50):
        any_move(table, rng, 3000 + at)
    match = match_of(table)
    kept, decisions = everything(match), list(match.decisions)
    other = match.copy()
    for count in (33, 21, 2, 0):
        other.back_to(count)
        assert other._shelved <= count
        assert [len(part) for part in everything(other)][1] == count
        assert everything(other)[1] == kept[1][:count]
    other._again(decisions)
    assert everything(other) == kept
    assert everything(match) == kept, "a copy changes nothing"


def test_it_can_be_copied_and_pickled() -> None:
    table, _ = new_table("khiva")
    rng = random.Random(7)
    for at in range(40):
        any_move(table, rng, 3000 + at)
    match = match_of(table)
    line = next(line for line in match.written if isinstance(line, ShelvedLine))
    for twin in (copy.deepcopy(line), pickle.loads(pickle.dumps(line))):
        assert (twin.line, _bytes(twin.asked), _bytes(twin.after)) == (
            line.line,
            _bytes(line.asked),
            _bytes(line.after),
        )
    again = pickle.loads(pickle.dumps(match._before))
    assert [before[:2] for before in again] == [before[:2] for before in match._before]
    assert not any(map(again.on_shelf, range(len(again)))), "whoever gets it needs no shelf"
