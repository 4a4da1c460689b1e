"""Snapshots: any moment of a game, without replaying it."""

from __future__ import annotations

import random

import pytest

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR
from registan.tables.snapshot import snapshot, unpack
from registan.tables.views import show
from tests.tables.house import any_move, lay, match_of


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
def test_every_moment_is_there_as_each_seat_saw_it(game: str) -> None:
    table, _ = lay(game)
    first = {seat: show(table, seat)["view"] for seat in table.audiences}
    rng = random.Random(8)
    for i in range(50):
        any_move(table, rng, 3000 + i)
    packed = snapshot(table).packed()
    kept = unpack(packed)
    assert kept.seq == table.seq
    assert len(packed) < 20_000
    match = match_of(table)
    for seat in (SPECTATOR, 0, 2):
        assert kept.moment(0, seat) == first[seat]
        lines = [i for i, w in enumerate(match.written) if match.game.moves.redact(w.line, seat, 3)]
        for n, i in list(enumerate(lines, 1))[::5]:
            assert kept.moment(n, seat) == match.view_after(i, seat)
        with pytest.raises(BadInput, match=f"0 to {len(lines)}"):
            kept.moment(len(lines) + 1, seat)


def test_a_snapshot_of_another_engine_version_is_refused() -> None:
    table, _ = lay("khiva")
    with pytest.raises(BadInput, match="not begun"):
        snapshot(table)
    any_move(table, random.Random(1), 3000)
    old = snapshot(table)
    old.version = 99
    with pytest.raises(BadInput, match="version 99"):
        unpack(old.packed())
