"""Compiled rules for tests of the code around them: that is faster, and the machine code is cached."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from registan.core import engine
from registan.core.registry import find, keys


@pytest.fixture(scope="module", autouse=True)
def as_before() -> Iterator[None]:
    """Restore the mode of matches afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_compiled", set(engine._compiled))
        yield


@pytest.fixture(scope="module", autouse=True)
def compiled_rules(as_before: None) -> None:
    """Run matches compiled."""
    for key in keys():
        engine.use_compiled(find(key))


def compile_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run matches compiled until the end of a test: where many games are played, one of them interpreted is enough."""
    monkeypatch.setattr(engine, "_compiled", set(keys()))
