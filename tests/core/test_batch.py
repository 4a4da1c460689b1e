"""Many games at once: one step each, or all the way, on any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan.core import batch, rules
from registan.core.box import find_box
from registan.core.compiled import jit
from registan.core.engine import Engine
from registan.core.game import Ints
from registan.games.khiva import GAME

BOX = find_box(GAME)
ENGINE = Engine(GAME, BOX, compiled=True)
THREADS = pytest.mark.parametrize("threads", [1, 2, 3])


def set_up(n: int, players: int = 3) -> Any:
    return batch.sample(GAME, BOX, batch.blank(GAME, n, players), seed=11)


def any_actions(states: Any) -> tuple[Ints, Ints]:
    """Return for each game a seat that is asked and a legal action of it."""
    buffer, rng = ENGINE.actions(), np.array([1, 2, 3, 4], np.uint64)
    seats = np.array([rules.next_seat(s) for s in states])
    actions = [rules.pick(BOX.record, s, int(seat), rng, buffer) for s, seat in zip(states, seats)]
    return seats, np.array(actions)


def test_the_next_seat_is_the_lowest_that_is_asked() -> None:
    s = batch.blank(GAME, 1, 5)[0]
    for waiting, seat in ((0, -1), (0b1, 0), (0b10100, 2), (0b10000, 4)):
        s.waiting = waiting
        assert rules.next_seat(s) == jit(rules.next_seat)(s) == seat


def test_blank_states_have_players_and_options() -> None:
    states = batch.blank(GAME, 2, 4, {"open_scores": True})
    assert states["players"].tolist() == [4, 4]
    assert states["open_scores"].tolist() == [1, 1]
    assert batch.blank(GAME, 1, 4)["open_scores"].tolist() == [0]


@THREADS
def test_legal_actions_are_played_as_one_by_one(threads: int) -> None:
    states = set_up(25)
    alone = states.copy()
    seats, actions = any_actions(states)
    assert not batch.step(BOX, states, seats, actions, threads).any()
    for s, seat, action in zip(alone, seats, actions):
        rules.apply(BOX.record, s, int(seat), int(action))
    assert states.tobytes() == alone.tobytes()


@THREADS
def test_illegal_actions_leave_a_game_as_it_was_and_name_the_rule(threads: int) -> None:
    states = set_up(25)
    before = states.tobytes()
    seats, _ = any_actions(states)
    out = batch.step(BOX, states, seats, np.full(25, 10_000), threads)
    assert out.tolist() == [{0: 3, 1: 5, 2: 8}[int(s.phase)] for s in states]
    assert states.tobytes() == before


def test_good_and_bad_actions_do_not_disturb_each_other() -> None:
    states = set_up(12)
    seats, actions = any_actions(states)
    actions[::2] = -1
    before = states.copy()
    out = batch.step(BOX, states, seats, actions)
    assert out[::2].all()
    assert not out[1::2].any()
    assert states[::2].tobytes() == before[::2].tobytes()
    assert all(states[i].tobytes() != before[i].tobytes() for i in range(1, 12, 2))


def test_a_seat_that_nobody_asks_for_is_illegal() -> None:
    states = set_up(3)
    ended = batch.blank(GAME, 1, 3)
    batch.play(GAME, BOX, ended, seed=1)
    states[2] = ended[0]
    before = states.tobytes()
    assert batch.step(BOX, states, np.array([-1, 3, 0]), np.zeros(3, np.int64)).tolist() == [batch.ILLEGAL] * 3
    assert states.tobytes() == before


@pytest.mark.parametrize("players", [2, 5])
def test_games_come_out_the_same_on_any_number_of_threads(players: int) -> None:
    runs = []
    for threads in (1, 2, 3):
        states = batch.blank(GAME, 20, players)
        decisions = batch.play(GAME, BOX, states, seed=3, threads=threads)
        runs.append((decisions.tolist(), states.tobytes()))
    assert runs[0] == runs[1] == runs[2]


def test_a_run_can_be_cut_into_parts() -> None:
    whole, parts = batch.blank(GAME, 10, 3), batch.blank(GAME, 10, 3)
    batch.play(GAME, BOX, whole, seed=3)
    batch.play(GAME, BOX, parts[:4], seed=3)
    batch.play(GAME, BOX, parts[4:], seed=3, first=4)
    assert whole.tobytes() == parts.tobytes()


def test_checked_games_are_the_same_games() -> None:
    plain, checked = batch.blank(GAME, 10, 4), batch.blank(GAME, 10, 4)
    assert batch.play(GAME, BOX, plain, seed=4).tolist() == batch.play(GAME, BOX, checked, seed=4, check=True).tolist()
    assert plain.tobytes() == checked.tobytes()


def test_a_game_that_fails_a_check_says_which() -> None:
    states = batch.blank(GAME, 2, 3)
    states["gems"][1, 0] = -50
    out = batch.play(GAME, BOX, states, seed=4, check=True)
    assert out[0] > 0
    assert out[1] == -8
    assert ENGINE.faults(states[:1]) == 0
    assert ENGINE.faults(states) == 8


def test_samples_ask_somebody_and_differ() -> None:
    states = set_up(30)
    assert all(s.waiting and not s.over for s in states)
    assert len({s.tobytes() for s in states}) == 30


def test_results_are_the_scores_of_each_game() -> None:
    states = batch.blank(GAME, 6, 3)
    batch.play(GAME, BOX, states, seed=5)
    scores, winners = batch.results(GAME, BOX, states)
    assert (scores[:, :, 0] == scores[:, :, 1:].sum(axis=2)).all()
    for s, total, who in zip(states, scores[:, :, 0].tolist(), winners.tolist()):
        assert rules.winners(BOX.record, s) == who
        assert any(total[seat] == max(total) for seat in range(3) if who >> seat & 1)


def everything() -> list[Any]:
    """Do once all that can be done to many games, and return what came out."""
    states = batch.sample(GAME, BOX, batch.blank(GAME, 8, 3), seed=12)
    out: list[Any] = [states.tobytes()]
    seats, actions = any_actions(states)
    actions[0], seats[1] = -1, 9
    out += [batch.step(BOX, states, seats, actions).tolist(), states.tobytes()]
    out += [part.tolist() for part in batch.results(GAME, BOX, states)]
    batch.hide(BOX, states, 1)
    out.append(states.tobytes())
    batch.guess(BOX, states, 1, seed=13)
    out += [states.tobytes(), ENGINE.faults(states)]
    spoilt = batch.blank(GAME, 2, 4)
    spoilt["gems"][1, 0] = -50
    out += [batch.play(GAME, BOX, spoilt, seed=4, check=True).tolist(), ENGINE.faults(spoilt)]
    return out


def test_all_of_it_is_the_same_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = everything()
    monkeypatch.setattr("registan.core.engine.INTERPRET", True)
    assert everything() == fast


def test_what_compiled_code_calls_finds_the_games_own() -> None:
    rng, buffer = np.array([1, 2, 3, 4], np.uint64), ENGINE.actions()
    for s in set_up(5):
        seat = rules.next_seat(s)
        assert rules.game_of(s) is GAME
        assert rules.faults(BOX.record, s) == 0
        n = rules.legal(BOX.record, s, seat, buffer)
        assert all(rules.breaks(BOX.record, s, seat, int(a)) == 0 for a in buffer[:n])
        action = int(buffer[0])
        assert rules.seen(BOX.record, s, seat, seat, action) == GAME.secrets.seen(BOX.record, s, seat, seat, action)
        known = s.copy()
        rules.hide(BOX.record, known, seat)
        guessed = known.copy()
        rules.guess(BOX.record, guessed, seat, rng)
        rules.hide(BOX.record, guessed, seat)
        assert known.tobytes() == guessed.tobytes()
