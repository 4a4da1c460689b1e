"""The lab compiles games; other tests in the same process continue with interpreted rules."""

from tests.compiled import as_before

__all__ = ["as_before"]
