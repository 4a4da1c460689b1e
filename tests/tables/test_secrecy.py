"""The law of secrecy on whole tables: what an audience is sent follows from what it may know."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from registan.core import chance
from registan.core.errors import RegistanError
from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables.clocks import catch_up
from registan.tables.requests import Play, Say, Undo
from registan.tables.table import Table, replay
from tests.tables.house import any_move, match_of, new_table, traffic

QUICK = (Phase.explicit, Phase.reuse, Phase.generate)
"""A seed is all there is to shrink, and that says nothing."""


def another_world(log: list[e.Event], seat: int, number: int) -> Table:
    """Return the table of a log, with all that the seat cannot know dealt again."""
    table = replay(log)
    match = match_of(table)
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, number, 1)
    world = match.hidden(seat)
    match.engine.guess(world, seat, rng)
    match.restore(world.tobytes())
    return table


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
@given(seed=st.integers(0, 10**6), moves=st.integers(0, 40), seat=st.integers(SPECTATOR, 2))
@settings(max_examples=15, deadline=None, phases=QUICK)
def test_tables_that_differ_in_what_a_seat_cannot_know_send_it_the_same_bytes(
    game: str, seed: int, moves: int, seat: int
) -> None:
    rng = random.Random(seed)
    table, log = new_table(game)
    for i in range(moves):
        if table.finished:
            return
        log += any_move(table, rng, 3000 + i)
    if not match_of(table).settled:
        return  # the sales (S14) have their own test
    other = another_world(log, seat, seed)
    assert traffic(table, seat) == traffic(other, seat)
    for i in range(12):
        at = 9000 + 100 * i
        results = [_do(t, random.Random(seed + i), at) for t in (table, other)]
        if results[0] != results[1] or table.finished:
            return  # somebody did what is only possible in one of the worlds
        if _known(table, seat) != _known(other, seat):
            return  # chance, or an open answer, has shown the seat which world it is in
        assert traffic(table, seat) == traffic(other, seat)
        assert table.seqs[seat] == other.seqs[seat]


def _known(table: Table, seat: int) -> Any:
    match = match_of(table)
    return match.for_seat(seat).hidden(seat).tobytes(), [play.seat for play in match.decisions if not play.quiet]


def _do(table: Table, rng: random.Random, at: int) -> Any:
    """Do something at a table that people do; return what the one who did it noticed."""
    seat = rng.randrange(len(table.seats))
    try:
        what = rng.random()
        if what < 0.1:
            Say(seat=seat, phrase="oops").carry_out(table, f"p{seat}", at)
        elif what < 0.2:
            Undo(seat=seat).carry_out(table, f"p{seat}", at)
            return "undo", table.proposal is None
        elif what < 0.3:
            catch_up(table, at)
        elif match_of(table).waiting:
            seat = rng.choice(match_of(table).waiting)
            move = rng.choice(match_of(table).for_seat(seat).legal(seat))
            Play(seat=seat, move=move).carry_out(table, f"p{seat}", at)
            return seat, move
    except RegistanError as error:
        return error.key if hasattr(error, "key") else str(error)
    return seat
