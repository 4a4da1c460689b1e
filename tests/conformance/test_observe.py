"""Observations: made from what is hidden alone, bounded, laid out as described, and the same from every chair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan.core import batch, rows
from registan.core.engine import Engine
from registan.core.observation import layout_of, numbers_of
from tests.conformance.conftest import Case

pytestmark = pytest.mark.no_cover


def observed(case: Case, engine: Engine, states: Any, seat: int) -> tuple[Any, Any]:
    """Return what a seat observes of each state, and its masks."""
    layout, n = layout_of(case.game, case.players), len(states)
    out = np.full((n, layout.size), np.nan, np.float32)
    masks = np.full((n, numbers_of(case.game, case.players)), 9, np.int8)
    seats = np.full(n, seat, np.int8)
    engine.run(rows.observe, states, np.zeros(1, states.dtype), seats, out, masks, engine.actions())
    return out, masks


def test_observations_follow_from_what_is_hidden(case: Case) -> None:
    states = case.states(400, seed=31)
    for seat in range(case.players):
        worlds = states.copy()
        batch.hide(case.box, worlds, seat)
        batch.guess(case.box, worlds, seat, 32)
        for mine, theirs in zip(observed(case, case.fast, states, seat), observed(case, case.fast, worlds, seat)):
            assert np.array_equal(mine, theirs)


def test_observing_changes_nothing(case: Case) -> None:
    states = case.states(20, seed=33)
    before = states.tobytes()
    observed(case, case.fast, states, 0)
    assert states.tobytes() == before


def test_numbers_are_within_their_bounds_and_use_them(case: Case) -> None:
    layout = layout_of(case.game, case.players)
    states = case.states(1500, seed=34)
    ended = batch.blank(case.game, 20, case.players)
    batch.play(case.game, case.box, ended, seed=35)
    found = np.concatenate([observed(case, case.fast, some, seat)[0] for some in (states, ended) for seat in (0, 1)])
    assert (found >= layout.low).all()
    assert (found <= 1).all()
    for block in layout.blocks:
        values = found[:, layout.at[block.name]]
        assert values.min() < values.max() or block.name in CONSTANT, f"{block.name} is always {values.max()}"


CONSTANT = {"players", "due", "dowry", "removed", "bag", "may_stop", "passes"}
"""Blocks that need not vary in a box or among some thousand states."""


def test_both_modes_observe_the_same(case: Case) -> None:
    states = case.states(15, seed=36)
    for seat in range(case.players):
        for fast, slow in zip(observed(case, case.fast, states, seat), observed(case, case.slow, states, seat)):
            assert np.array_equal(fast, slow)


def test_a_layout_names_each_block_once_and_its_size_is_what_is_written(case: Case) -> None:
    from registan.core import rules

    layout = layout_of(case.game, case.players)
    assert len(layout.at) == len(layout.blocks)
    assert layout.version >= 1
    for s in case.states(5, seed=37):
        hidden = np.frombuffer(bytearray(s.tobytes()), s.dtype)
        case.slow.hide(hidden, 0)
        out = np.zeros(layout.size + 7, np.float32)[: layout.size]
        assert rules.observe(case.box.record, hidden[0], 0, out) == layout.size


def test_masks_list_the_legal_actions_and_numbers_lead_back_to_them(case: Case) -> None:
    total = numbers_of(case.game, case.players)
    for states in case.moments(60, seed=38):
        for seat in range(case.players):
            if not int(states[0].waiting) >> seat & 1:
                continue
            actions = case.fast.legal(states, seat)
            listed = [int(case.fast.run(rows.to_number, states, seat, action)) for action in actions]
            assert listed == sorted(set(listed))
            assert all(0 <= number < total for number in listed)
            assert [case.fast.run(rows.to_action, states, seat, number) for number in listed] == actions
            assert np.flatnonzero(observed(case, case.fast, states, seat)[1][0]).tolist() == listed


def test_numbers_that_are_not_legal_expand_to_actions_that_are_not_legal(case: Case) -> None:
    total = numbers_of(case.game, case.players)
    for states in case.moments(4, seed=39):
        seat = int(states[0].waiting).bit_length() - 1
        mask = observed(case, case.fast, states, seat)[1][0]
        for number in np.random.default_rng(1).integers(0, total, 200).tolist():
            action = int(case.fast.run(rows.to_action, states, seat, number))
            legal = action >= 0 and case.fast.breaks(states, seat, action) == 0
            assert legal == bool(mask[number])


def test_learners_never_get_more_than_some_thousand_numbers(case: Case) -> None:
    assert numbers_of(case.game, case.players) <= 2000
