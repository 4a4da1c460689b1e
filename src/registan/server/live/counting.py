"""How many of something are open at once, for each person, address or table, and whether there may be one more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from registan.server.errors import TooManyRequests


class Limit(NamedTuple):
    """How many there may be of a kind, for one person, address or table."""

    kind: str
    of: str
    most: int


class Counted:
    """What is open now. A refusal is called after `what` and the kind of which there are too many."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._open: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def one_more(self, *limits: Limit) -> Iterator[None]:
        """Count one while it is open; raise TooManyRequests if there are too many."""
        for kind, of, most in limits:
            if self._open[kind, of] >= most:
                raise TooManyRequests(f"error.house.{self._what}_{kind}")
        counted = [(limit.kind, limit.of) for limit in limits]
        self._open.update(counted)
        try:
            yield
        finally:
            self._open.subtract(counted)
            for key in counted:
                if not self._open[key]:
                    del self._open[key]
