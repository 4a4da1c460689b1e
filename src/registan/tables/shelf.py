"""Earlier states of a match, put away: those of several moves compressed together take a tenth of the memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from registan.core.game import Json
from registan.core.match import Written

AT_HAND = 3
"""How many of the latest decisions are never put away."""
TOGETHER = 8
"""How many decisions are put away together."""
UNPACKED = 64
"""How many shelves are kept unpacked, of all matches: somebody may be looking back."""
Before = tuple[bytes, int, Any, list[tuple[int, int]]]
"""What a match keeps from before a decision: the state, the number of lines, the open question and its answers."""


class Shelf:
    """States of one kind, packed."""

    __slots__ = ("_packed", "kind")

    def __init__(self, kind: np.dtype[Any], states: Iterable[bytes]) -> None:
        self.kind, self._packed = kind, zlib.compress(b"".join(states), 1)

    def unpack(self) -> bytes:
        """Return all states, one after the other."""
        return zlib.decompress(self._packed)

    def data(self, place: int) -> bytes:
        """Return the bytes of a state."""
        size = self.kind.itemsize
        return _unpacked(self)[place * size : (place + 1) * size]

    def record(self, place: int) -> Any:
        """Return a state as a record."""
        return np.frombuffer(bytearray(self.data(place)), self.kind)[0]


@lru_cache(UNPACKED)
def _unpacked(shelf: Shelf) -> bytes:
    return shelf.unpack()


class ShelvedLine(Written):
    """A line of the record whose states are put away."""

    __slots__ = ("_after", "_asked", "_shelf")

    _after: int
    _asked: Any
    _shelf: Shelf

    def __init__(self, line: Json, asked: Any, after: int, shelf: Shelf) -> None:
        for name, value in {"line": line, "_asked": asked, "_after": after, "_shelf": shelf}.items():
            object.__setattr__(self, name, value)

    @property
    def asked(self) -> Any:
        """The state before the decision, or whatever else it was."""
        return self._shelf.record(self._asked) if isinstance(self._asked, int) else self._asked

    @property
    def after(self) -> Any:
        """The state after the line."""
        return self._shelf.record(self._after)

    def __reduce__(self) -> Any:
        return Written, (self.line, self.asked, self.after)


class ShelvedBefore:
    """What a match keeps from before a decision, with its states put away."""

    __slots__ = ("_answers", "_data", "_lines", "_opened", "_shelf")

    def __init__(self, data: int, lines: int, opened: int | None, answers: list[tuple[int, int]], shelf: Shelf) -> None:
        self._data, self._lines, self._opened, self._answers, self._shelf = data, lines, opened, answers, shelf

    def __getitem__(self, i: int) -> Any:
        return tuple(self)[i]

    def __iter__(self) -> Iterator[Any]:
        yield self._shelf.data(self._data)
        yield self._lines
        yield None if self._opened is None else self._shelf.record(self._opened)
        yield self._answers

    def __reduce__(self) -> Any:
        return tuple, (tuple(self),)


def put_away(kind: np.dtype[Any], before: list[Any], written: list[Written], start: int, lines: int) -> int:
    """Put away the states of the next decisions from number `start` on, and their lines from number `lines` on.

    Return how many decisions are put away now; that many are as long as too few are left at hand.
    """
    stop = start + TOGETHER
    if len(before) < stop + AT_HAND:
        return start
    places: dict[bytes, int] = {}

    def place(state: Any) -> int:
        return places.setdefault(state if isinstance(state, bytes) else state.tobytes(), len(places))

    def place_if(state: Any) -> Any:
        return place(state) if isinstance(state, np.void) else state

    kept = [(place(data), upto, place_if(opened), answers) for data, upto, opened, answers in before[start:stop]]
    upto: int = before[stop][1]
    told = [(one.line, place_if(one.asked), place(one.after)) for one in written[lines:upto]]
    shelf = Shelf(kind, places)
    before[start:stop] = [ShelvedBefore(*one, shelf) for one in kept]
    written[lines:upto] = [ShelvedLine(*one, shelf) for one in told]
    return stop
