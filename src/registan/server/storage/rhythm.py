"""When to commit: at once while little happens, and several appends together while much does.

A commit costs as much processor time as ten further appends in it. Whoever moves at a busy moment waits a few
milliseconds for others, and all of them wait less than if each were committed alone.
"""

from __future__ import annotations

from registan.server.limits import COMMITS_APART


class Rhythm:
    """Says how long to wait before the next commit."""

    __slots__ = ("_begun", "_several")

    def __init__(self) -> None:
        self._begun, self._several = 0.0, False

    def wait(self, now: float) -> float:
        """Return how many seconds the next commit should wait: none if the last was of a single append."""
        return max(0.0, self._begun + COMMITS_APART - now) if self._several else 0.0

    def begin(self, now: float, count: int) -> None:
        """Begin a commit of so many appends."""
        self._begun, self._several = now, count > 1
