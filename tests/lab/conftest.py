"""What the laboratory compiles stays here: other tests in the same process go on with interpreted rules."""

from tests.compiled import as_before

__all__ = ["as_before"]
