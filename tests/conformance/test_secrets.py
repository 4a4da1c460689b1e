"""Secrecy has one door: whatever a seat is shown follows from `hide(state, seat)` alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan.core import batch, rules
from registan.core.game import SPECTATOR
from registan.core.match import Match
from registan.core.registry import find, keys
from tests.conformance.conftest import CASES, Case

OTHERWISE = [
    (key, 3, {name: next(v for v in option.values if v != option.default)})
    for key in keys()
    for name, option in find(key).options.items()
]
"""Each game with each of its options changed."""


@pytest.fixture(params=[*CASES, *OTHERWISE], ids=lambda case: "-".join(str(part) for part in case))
def case(request: pytest.FixtureRequest) -> Case:
    """Every game with every number of players, and with every option."""
    return Case(*request.param)


def test_hiding_a_guess_gives_what_was_hidden(case: Case) -> None:
    states = case.states(4000, seed=21)
    for seat in range(SPECTATOR, case.players):
        hidden = states.copy()
        batch.hide(case.box, hidden, seat)
        again = hidden.copy()
        batch.hide(case.box, again, seat)
        assert again.tobytes() == hidden.tobytes(), "hiding twice hides no more"
        worlds = hidden.copy()
        batch.guess(case.box, worlds, seat, 22)
        assert case.fast.faults(worlds) == 0, "a guess is a state that could be"
        batch.hide(case.box, worlds, seat)
        assert worlds.tobytes() == hidden.tobytes()


def test_guesses_differ(case: Case) -> None:
    """A guess that always deals the same would satisfy the law above, and be useless."""
    states = case.states(200, seed=23)
    hidden = states.copy()
    batch.hide(case.box, hidden, SPECTATOR)
    worlds = [hidden.copy(), hidden.copy()]
    for number, world in enumerate(worlds):
        batch.guess(case.box, world, SPECTATOR, number)
        world["rng"] = 0
    differing = sum(a.tobytes() != b.tobytes() for a, b in zip(*worlds))
    assert differing > 20


def test_nobody_notices_when_what_nobody_knows_is_shuffled(case: Case) -> None:
    """What an open-hands review imagines: every seat knows the same before and after, and hands stay."""
    states = case.states(100, seed=25)
    rng = np.arange(1, 5, dtype=np.uint64)
    changed = 0
    for i in range(len(states)):
        state = states[i : i + 1].copy()
        rules.reshuffle(case.box.record, state.view(np.recarray)[0], rng)
        assert case.fast.faults(state) == 0
        changed += state.tobytes() != states[i : i + 1].tobytes()
        for seat in range(case.players):
            before, after = states[i : i + 1].copy(), state.copy()
            batch.hide(case.box, before, seat)
            batch.hide(case.box, after, seat)
            assert before.tobytes() == after.tobytes()
    assert changed > 80


def test_legal_moves_and_views_follow_from_what_is_hidden(case: Case) -> None:
    for number, states in enumerate(case.moments(60, seed=24)):
        for seat in range(SPECTATOR, case.players):
            hidden = states.copy()
            batch.hide(case.box, hidden, seat)
            world = hidden.copy()
            batch.guess(case.box, world, seat, number)
            if seat != SPECTATOR:
                listed = case.fast.legal(hidden, seat)
                assert listed == case.fast.legal(world, seat)
                if int(states[0].waiting) >> seat & 1:
                    assert listed == case.fast.legal(states, seat)
            assert _shown(case, states, seat) == _shown(case, world, seat)


def _shown(case: Case, states: Any, seat: int) -> Any:
    """Return the view a match gives when this is its state."""
    match = Match(case.game, case.box, case.players)
    match.restore(states.tobytes())
    return match.view(seat)


def test_lines_of_the_log_follow_from_what_is_seen(case: Case) -> None:
    """Where a seat cannot tell two actions apart (`seen`), it reads the same line of both."""
    moves = case.game.moves
    for number, states in enumerate(case.moments(150, seed=26)):
        s = states[0]
        actor = int(s.waiting).bit_length() - 1
        if int(s.waiting) != 1 << actor:
            continue  # several are asked: nothing is written before the last has answered
        actions = case.slow.legal(states, actor)
        for seat in range(SPECTATOR, case.players):
            if seat == actor:
                continue
            seen: dict[int, Any] = {}
            for action in actions[number % 3 :: 3]:
                line = {"seat": actor, **moves.write(case.box, s, actor, action)}
                told = moves.redact(line, seat, case.players)
                key = case.slow.seen(states, seat, actor, action)
                assert seen.setdefault(key, told) == told
