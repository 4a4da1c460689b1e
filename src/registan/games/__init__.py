"""The games, one folder each."""

from registan.core.registry import find, keys

__all__ = ["find", "keys"]
