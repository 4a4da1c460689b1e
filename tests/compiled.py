"""Rules that run compiled, for tests of what lies around them: that is quicker, and the compiler was warmed before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from registan.core import engine
from registan.core.registry import find, keys


@pytest.fixture(scope="module", autouse=True)
def as_before() -> Iterator[None]:
    """Let matches run afterwards as they did before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_compiled", set(engine._compiled))
        yield


@pytest.fixture(scope="module", autouse=True)
def compiled_rules(as_before: None) -> None:
    """Let matches run compiled here."""
    for key in keys():
        engine.use_compiled(find(key))
