"""What all tests share."""

from __future__ import annotations

import pytest

from registan.core import engine


@pytest.fixture(autouse=True)
def interpreted_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let matches run interpreted whether or not machine code is on disk: coverage sees only that."""
    monkeypatch.setattr(engine, "at_hand", lambda game: False)
