"""Every game: both modes agree, `legal` is what `breaks` allows, games end, checks hold."""

from __future__ import annotations

import numpy as np

from registan.core import batch, chance
from registan.core.rules import next_seat
from tests.conformance.conftest import SCALE, Case


def test_both_modes_agree_state_by_state(case: Case) -> None:
    rng = np.zeros(4, np.uint64)
    for number in range(int(2 * SCALE) or 1):
        a, b = batch.blank(case.game, 1, case.players), batch.blank(case.game, 1, case.players)
        both = ((a, case.slow), (b, case.fast))
        for states, engine in both:
            chance.seed(states[0].rng, 11, number)
            engine.setup(states)
        chance.seed(rng, 12, number)
        while not a[0].over:
            assert a.tobytes() == b.tobytes()
            seat = next_seat(a[0])
            assert case.slow.legal(a, seat) == case.fast.legal(b, seat)
            action = case.slow.pick(a, seat, rng)
            for states, engine in both:
                engine.act(states, seat, action)
                while states[0].due:
                    engine.chance(states)
        assert a.tobytes() == b.tobytes()
        assert (case.slow.scores(a) == case.fast.scores(b)).all()
        assert case.slow.winners(a) == case.fast.winners(b)


def test_both_modes_agree_on_secrets(case: Case) -> None:
    rng = np.zeros(4, np.uint64)
    for seat in range(-1, case.players):
        fast = case.states(20, seed=5)
        slow = fast.copy()
        batch.hide(case.box, fast, seat)
        case.slow.hide(slow, seat)
        assert slow.tobytes() == fast.tobytes()
        batch.guess(case.box, fast, seat, seed=6)
        chance.seed(rng, 6, 0)
        case.slow.guess(slow, seat, rng)
        assert slow.tobytes() == fast.tobytes()


def test_both_modes_agree_on_what_is_known(case: Case) -> None:
    seats = range(-1, case.players)
    for states in case.moments(10, seed=7):
        for slow, fast in zip(*(engine.look(states.tobytes(), seats) for engine in (case.slow, case.fast))):
            brings = slow.__dict__.pop("brings"), fast.__dict__.pop("brings")
            np.testing.assert_array_equal(*brings)
            assert vars(slow) == vars(fast)


def test_both_modes_agree_on_what_actions_reveal(case: Case) -> None:
    for states in case.moments(40, seed=8):
        for seat in range(case.players):
            hidden = states.copy()
            case.fast.hide(hidden, seat)
            for action in case.fast.legal(hidden, seat)[:20]:
                assert case.slow.reveals(hidden, seat, action) == case.fast.reveals(hidden, seat, action)


def test_legal_is_what_breaks_allows(case: Case) -> None:
    size = case.game.rules.actions(case.players)
    for states in case.moments(12, seed=2):
        for seat in range(case.players):
            listed = case.fast.legal(states, seat)
            assert listed == sorted(set(listed))
            assert (len(listed) > 0) == bool(int(states[0].waiting) >> seat & 1)
            if size <= 5000:
                tried = list(range(-2, size + 2))
            else:
                some = np.random.default_rng(1).integers(0, size + 9, 3000).tolist()
                tried = sorted({*listed, *range(-2, 50), *some})
            assert [a for a in tried if case.fast.breaks(states, seat, a) == 0] == listed


def test_every_refusal_names_a_rule(case: Case) -> None:
    for states in case.moments(30, seed=3):
        for seat in range(case.players):
            for action in range(0, case.game.rules.actions(case.players), 37):
                assert 0 <= case.fast.breaks(states, seat, action) <= case.game.rule_count


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
    rng = np.random.default_rng(7)
    several = 0
    for states in case.moments(150, seed=8):
        asked = [seat for seat in range(case.players) if int(states[0].waiting) >> seat & 1]
        if len(asked) < 2:
            continue
        several += 1
        answers = {seat: int(rng.choice(case.fast.legal(states, seat))) for seat in asked}
        worlds = states.copy(), states.copy()
        for world, order in zip(worlds, (asked, rng.permutation(asked).tolist())):
            for seat in order:
                assert case.fast.breaks(world, seat, answers[seat]) == 0
                case.fast.act(world, seat, answers[seat])
        assert worlds[0].tobytes() == worlds[1].tobytes()
    assert several > 10 or case.game.key == "samarkand"  # where nobody ever answers together with others
