"""What the laboratory compiles stays here: other tests in the same process go on with interpreted rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from registan.core import engine


@pytest.fixture(autouse=True, scope="module")
def as_before() -> Iterator[None]:
    """Let matches run afterwards as they did before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_current", dict(engine._current))
        patch.setattr(engine, "_compiled", set(engine._compiled))
        yield
