"""A house is killed, cut off and frozen under load; `make faults` does it for longer."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from bench.faults import WRONG, run


@pytest.mark.parametrize("sqlite", [False, True], ids=["postgres", "sqlite"])
def test_nothing_that_was_acknowledged_is_lost_or_doubled(sqlite: bool) -> None:
    # Not under pytest's own folder, which PostgreSQL may not enter.
    with tempfile.TemporaryDirectory(prefix="registan-trouble-") as name:
        found = asyncio.run(run(Path(name), 2 if sqlite else 6, clients=2, sqlite=sqlite, seed=3, pause=0.5))
    assert found["acknowledged"] > 0
    assert sum(found["happened"].values()) > 0
    assert {what: found[what] for what in WRONG} == dict.fromkeys(WRONG, 0)
