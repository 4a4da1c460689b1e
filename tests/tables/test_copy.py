"""A copy of a table goes on alone: whatever happens to it, the table stays as its log gives it."""

from __future__ import annotations

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from registan.tables.pace import Pace
from registan.tables.requests import Play, Undo
from registan.tables.table import replay
from tests.tables.house import match_of, new_table, same
from tests.tables.test_save import PACES, do_something


@pytest.mark.parametrize("pace", [True, False])
@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
@given(seed=st.integers(0, 10**6), length=st.integers(0, 40))
@settings(max_examples=5, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_what_happens_to_a_copy_does_not_happen_to_the_table(game: str, pace: bool, seed: int, length: int) -> None:
    rng = random.Random(seed)
    table, log = new_table(game, pace=PACES[game] if pace else Pace())
    at = 3000
    for i in range(length):
        at += rng.choice([100, 3000, 40_000])
        draft = table.copy()
        new = do_something(draft, rng, at)
        if rng.random() < 0.5:
            table, log = draft, log + new  # it was stored
        elif i % 5 == 0:
            assert same(table, replay(log))
    assert same(table, replay(log))
    assert same(table.copy(), table)


def test_an_answer_that_a_copy_changes_stays_as_it_was() -> None:
    """Both have the list of sealed answers from before: the copy adds to it after taking its own back."""
    table, log = new_table("khiva")
    for seat in (0, 1):
        log += Play(seat=seat, move=match_of(table).legal(seat)[0]).carry_out(table, f"p{seat}", 3000)
    draft = table.copy()
    Undo(seat=1).carry_out(draft, "p1", 4000)
    Play(seat=1, move=match_of(draft).legal(1)[1]).carry_out(draft, "p1", 5000)
    log += Undo(seat=1).carry_out(table, "p1", 6000)
    assert same(table, replay(log))
