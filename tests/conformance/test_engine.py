"""What every game owes the engine: both modes agree, `legal` is what `breaks` allows, games end, checks hold."""

from __future__ import annotations

import numpy as np

from registan.core import batch, chance
from registan.core.engine import interpreted, machine_code
from tests.conformance.conftest import SCALE, Case


def test_both_modes_agree_state_by_state(case: Case) -> None:
    slow, fast = interpreted(case.game), machine_code(case.game)
    box, room = case.box.record, case.room()
    words = np.zeros(4, np.uint64)
    for number in range(int(2 * SCALE) or 1):
        states = batch.blank(case.game, 2, case.players)
        a, b = states
        for s, run in ((a, slow), (b, fast)):
            chance.seed(s.words, 11, number)
            run.setup(box, s)
        chance.seed(words, 12, number)
        while not a.over:
            assert a.tobytes() == b.tobytes()
            seat = batch.next_seat(a)
            count = slow.legal(box, a, seat, room)
            options = room[:count].copy()
            assert fast.legal(box, b, seat, room) == count
            assert (room[:count] == options).all()
            action = slow.pick(box, a, seat, words, room)
            for s, run in ((a, slow), (b, fast)):
                run.act(box, s, seat, action)
                while s.due:
                    run.chance(box, s)
        assert a.tobytes() == b.tobytes()
        assert slow.winners(box, a) == fast.winners(box, b)


def test_both_modes_agree_on_secrets(case: Case) -> None:
    slow, box = interpreted(case.game), case.box.record
    words = np.zeros(4, np.uint64)
    for seat in range(-1, case.players):
        fast = case.states(20, seed=5)
        worlds = fast.copy()
        batch.hide(case.box, fast, seat)
        batch.guess(case.box, fast, seat, seed=6)
        for number, world in enumerate(worlds):
            chance.seed(words, 6, number)
            slow.hide(box, world, seat)
            slow.guess(box, world, seat, words)
        assert worlds.tobytes() == fast.tobytes()


def test_legal_is_what_breaks_allows(case: Case) -> None:
    run = machine_code(case.game)
    box, room = case.box.record, case.room()
    size = case.game.rules.actions(case.players)
    for s in case.states(12, seed=2):
        for seat in range(case.players):
            listed = [int(a) for a in room[: run.legal(box, s, seat, room)]]
            assert listed == sorted(set(listed))
            assert (len(listed) > 0) == bool(int(s.waiting) >> seat & 1)
            if size <= 5000:
                tried = list(range(-2, size + 2))
            else:
                some = np.random.default_rng(1).integers(0, size + 9, 3000).tolist()
                tried = sorted({*listed, *range(-2, 50), *some})
            assert [a for a in tried if run.breaks(box, s, seat, a) == 0] == listed


def test_every_refusal_names_a_rule(case: Case) -> None:
    run = machine_code(case.game)
    for s in case.states(30, seed=3):
        for seat in range(case.players):
            for action in range(0, case.game.rules.actions(case.players), 37):
                assert 0 <= run.breaks(case.box.record, s, seat, action) <= case.game.rule_count


def test_random_games_end_and_every_check_holds(case: Case) -> None:
    states = batch.blank(case.game, int(1500 * SCALE), case.players)
    decisions = batch.play(case.game, case.box, states, seed=4, check=True)
    assert decisions.min() > 0, f"check {-decisions.min()} failed in game {decisions.argmin()}"
    assert (states["over"] != 0).all()
    assert (states["waiting"] == 0).all()


def test_results_do_not_depend_on_threads(case: Case) -> None:
    runs = []
    for threads in (1, 2, 3):
        states = batch.blank(case.game, 50, case.players)
        batch.play(case.game, case.box, states, seed=9, threads=threads)
        runs.append(states.tobytes())
    assert runs[0] == runs[1] == runs[2]


def test_states_survive_as_bytes(case: Case) -> None:
    states = case.states(20)
    again = np.frombuffer(states.tobytes(), case.game.rules.STATE)
    assert again.tobytes() == states.tobytes()
    assert (again == states).all()


def test_the_order_of_simultaneous_answers_changes_nothing(case: Case) -> None:
    run = machine_code(case.game)
    box, room = case.box.record, case.room()
    rng = np.random.default_rng(7)
    several = 0
    for s in case.states(150, seed=8):
        asked = [seat for seat in range(case.players) if int(s.waiting) >> seat & 1]
        if len(asked) < 2:
            continue
        several += 1
        answers = {seat: int(rng.choice(room[: run.legal(box, s, seat, room)])) for seat in asked}
        worlds = np.array([s, s])
        for world, order in zip(worlds, (asked, rng.permutation(asked).tolist())):
            for seat in order:
                assert run.breaks(box, world, seat, answers[seat]) == 0
                run.act(box, world, seat, answers[seat])
        assert worlds[0].tobytes() == worlds[1].tobytes()
    assert several > 10 or case.game.key == "samarkand"  # where nobody ever answers together with others
