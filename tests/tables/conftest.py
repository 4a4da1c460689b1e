"""Tables are about what lies around the rules."""

from tests.compiled import as_before, compiled_rules

__all__ = ["as_before", "compiled_rules"]
