"""What all tests share."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, settings

from registan.core import compiled, engine
from registan.core.registry import find, keys
from registan.core.sources import PARTS
from tests.untraced import do_not_trace_the_compiler, tracer, untraced

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
compiled.ALONE = True


@pytest.fixture(autouse=True)
def interpreted_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let matches run interpreted whatever is on disk and whichever test ran before: coverage sees only that."""
    monkeypatch.setattr(engine, "at_hand", lambda game: False)
    monkeypatch.setattr(engine, "_compiled", set(engine._compiled))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Prepare what has been imported.

    Import the parts of all games while everything is traced: their first use may be in a test that is not. Give absl,
    which OpenSpiel brings, the real standard error: configuring logs would close the captured one.
    """
    if tracer(session.config) is not None:
        for game in map(find, keys()):
            for part in PARTS:
                game.part(part)
    do_not_trace_the_compiler(session.config)
    absl = sys.modules.get("absl.logging")
    if absl is not None:
        absl.get_absl_handler().python_handler.setStream(sys.__stderr__)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Trace nothing of a test marked `no_cover`: pytest-cov pauses for the test alone, not for what its fixtures do."""
    with untraced(item.config) if item.get_closest_marker("no_cover") else nullcontext():
        return (yield)
