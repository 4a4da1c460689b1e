"""The games, each in a folder of its own."""

from registan.core.registry import find, keys

__all__ = ["find", "keys"]
