"""A house is killed, cut off and frozen under load; `make faults` does it for longer."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from bench import parts
from bench.faults import WRONG, run

WAYS = ("process_dies", "thinker_dies", "database_dies", "bus_dies", "connections_are_cut", "clock_jumps")


@pytest.mark.parametrize("sqlite", [False, True], ids=["postgres", "sqlite"])
def test_nothing_that_was_acknowledged_is_lost_or_doubled(sqlite: bool) -> None:
    # Not under pytest's own folder, which PostgreSQL may not enter.
    with tempfile.TemporaryDirectory(prefix="registan-trouble-") as name:
        only, times = ((), 3) if sqlite else (WAYS, 6)
        work = run(Path(name), 600, clients=2, sqlite=sqlite, seed=3, pause=0.3, only=only, times=times)
        found = asyncio.run(work)
    assert found["acknowledged"] > 0
    assert sum(found["happened"].values()) == times
    assert {what: found[what] for what in WRONG} == dict.fromkeys(WRONG, 0)


def test_a_pause_of_the_whole_run_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("bench.parts.time.monotonic", lambda: now)
    patience = parts.Patience(3)
    assert patience.lasts()
    now += 600  # everything was stopped
    assert patience.lasts()
    now += 1
    assert patience.lasts()
    now += 1
    assert not patience.lasts()
