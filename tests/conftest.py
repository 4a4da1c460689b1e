"""What all tests share."""

from __future__ import annotations

import sys

import pytest

from registan.core import engine


@pytest.fixture(autouse=True)
def interpreted_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let matches run interpreted whether or not machine code is on disk: coverage sees only that."""
    monkeypatch.setattr(engine, "at_hand", lambda game: False)


def pytest_collection_finish() -> None:
    """Give absl, which OpenSpiel brings, the real standard error: configuring logs would close the captured one."""
    absl = sys.modules.get("absl.logging")
    if absl is not None:
        absl.get_absl_handler().python_handler.setStream(sys.__stderr__)
