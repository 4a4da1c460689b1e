"""These tests save their games in a temporary folder, and run the rules compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiled import as_before, compiled_rules

__all__ = ["as_before", "compiled_rules"]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "registan"
