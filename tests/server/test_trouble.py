"""A house is killed, cut off and frozen under load; `make faults` does it for longer."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
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
