"""Snapshots: any moment of a game, without replaying it."""

from __future__ import annotations

import random

import pytest

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Json
from registan.core.match import Match
from registan.tables.snapshot import snapshot, unpack
from registan.tables.table import replay
from registan.tables.views import show
from tests.tables.house import any_move, match_of, new_table


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
def test_every_moment_is_there_as_each_seat_saw_it(game: str) -> None:
    table, _ = new_table(game)
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
    table, _ = new_table("khiva")
    with pytest.raises(BadInput, match="not begun"):
        snapshot(table)
    any_move(table, random.Random(1), 3000)
    old = snapshot(table)
    old.version = 99
    with pytest.raises(BadInput, match="version 99"):
        unpack(old.packed())


def plain(log: list[Json]) -> list[Json]:
    """Return a log without what came of its lines."""
    return [{key: value for key, value in line.items() if key != "brings"} for line in log]


def test_m8_hidden_purchases_of_earlier_rounds_are_in_no_log_and_no_moment() -> None:
    rng = random.Random(8)
    table, log = new_table("souk", 3, options={"hidden_purchases": True})
    match = match_of(table)
    forgot = False
    while True:
        rounds = int(match.state.rounds)
        log += any_move(table, rng, 3000 + len(log))
        if match.over:
            break
        opened = match.state.phase != 0  # the round's cards lie open
        for seat in range(SPECTATOR, 3):
            lines = show(table, seat)["log"]
            # What came of a purchase is told with it, for as long as it is in the log.
            assert plain(lines) == Match.log(match, seat)
            assert all("item" in line for line in lines if "brings" in line)
            ends = [i for i, line in enumerate(lines) if line.get("price") == 0]
            past = lines[: ends[-1] if opened and ends else 0]
            assert all(line.get("do") == "offer" or line.get("price") == 0 for line in past)
            forgot |= bool(past)
            seats = show(table, seat)["view"]["seats"]
            assert all((has["goods"] is None) == (other != seat) for other, has in enumerate(seats))
        if opened and match.state.rounds == rounds + 1:
            made = snapshot(table)
            last = len(show(table, 0)["log"])
            assert made.moment(last, 0) == match.view(0)
            with pytest.raises(BadInput):
                made.moment(last + 1, 0)
    assert forgot
    assert plain(show(table, 0)["log"]) == [match.line_for(i, 0) for i in range(len(match.written))]
    assert snapshot(table).moment(len(match.written), 1) == match.view(1)
    assert replay(log).record() == table.record()
