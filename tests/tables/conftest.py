"""Tests of tables use compiled rules."""

from tests.compiled import as_before, compiled_rules

__all__ = ["as_before", "compiled_rules"]
