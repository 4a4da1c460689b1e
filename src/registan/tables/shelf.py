"""Earlier decisions of a match, put away: several of them packed together take a tenth of the memory.

The lists of a match look as if nothing were packed: whatever is read is unpacked for the moment.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Self, TypeVar, overload

import msgspec
import numpy as np

from registan.core.game import Json
from registan.core.match import Written

AT_HAND = 3
"""How many of the latest decisions are never put away."""
TOGETHER = 8
"""How many decisions are put away together."""
UNPACKED = 256
"""How many shelves are kept unpacked, of all matches: somebody may be looking back."""
Before = tuple[bytes, int, Any, list[tuple[int, int]]]
"""What a match keeps from before a decision: the state, the number of lines, the open question and its answers."""
T = TypeVar("T")


class Rows(msgspec.Struct, array_like=True):
    """What is on a shelf. A state is the place of one of the distinct ones."""

    states: bytes
    """One after the other, each as its difference from the one before: most of that is zeros."""
    before: list[tuple[int, int, int | None, list[tuple[int, int]]]]
    lines: list[tuple[Json, int | Json | None, int]]
    """Each line with `Written.asked` (a state, or something else) and the state after it."""


def differences(states: Iterable[bytes], size: int) -> bytes:
    """Return states of a size, each as its difference from the one before."""
    rows = np.frombuffer(b"".join(states), np.uint8).reshape(-1, size)
    return np.concatenate([rows[:1], rows[1:] ^ rows[:-1]]).tobytes()


def from_differences(data: bytes, size: int) -> bytes:
    """Return the states again."""
    return np.bitwise_xor.accumulate(np.frombuffer(data, np.uint8).reshape(-1, size)).tobytes()


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Rows).decode


class Shelf:
    """Some decisions and the lines that they wrote, packed."""

    __slots__ = ("_packed", "first", "kind", "start")

    def __init__(self, kind: np.dtype[Any], rows: Rows, start: int, first: int) -> None:
        self.kind, self._packed = kind, zlib.compress(_encode(rows), 1)
        self.start, self.first = start, first
        """The number of the first decision, and of the first line."""

    def rows(self) -> Rows:
        """Return what is packed, with whole states."""
        rows = _decode(zlib.decompress(self._packed))
        rows.states = from_differences(rows.states, self.kind.itemsize)
        return rows

    def data(self, place: int) -> bytes:
        """Return the bytes of a state."""
        size = self.kind.itemsize
        return _unpacked(self).states[place * size : (place + 1) * size]

    def record(self, place: int) -> Any:
        """Return a state as a record."""
        return np.frombuffer(bytearray(self.data(place)), self.kind)[0]

    def before(self, number: int) -> Before:
        """Return what there was before a decision, by its number in the match."""
        data, lines, opened, answers = _unpacked(self).before[number - self.start]
        return self.data(data), lines, None if opened is None else self.record(opened), answers.copy()

    def line(self, number: int) -> ShelvedLine:
        """Return a line, by its number in the record."""
        return ShelvedLine(self, number - self.first)


@lru_cache(UNPACKED)
def _unpacked(shelf: Shelf) -> Rows:
    return shelf.rows()


class ShelvedLine(Written):
    """A line of the record that is put away."""

    __slots__ = ("_place", "_shelf")

    _place: int
    _shelf: Shelf

    def __init__(self, shelf: Shelf, place: int) -> None:
        object.__setattr__(self, "_shelf", shelf)
        object.__setattr__(self, "_place", place)

    @property
    def line(self) -> Json:
        """What was written."""
        return _unpacked(self._shelf).lines[self._place][0]

    @property
    def asked(self) -> Any:
        """The state before the decision, or whatever else it was."""
        asked = _unpacked(self._shelf).lines[self._place][1]
        return self._shelf.record(asked) if isinstance(asked, int) else asked

    @property
    def after(self) -> Any:
        """The state after the line."""
        return self._shelf.record(_unpacked(self._shelf).lines[self._place][2])

    def __reduce__(self) -> Any:
        return Written, (self.line, self.asked, self.after)


class Past(list[T]):
    """A list whose earlier entries are on shelves: in their place is the shelf."""

    __slots__ = ()

    def _from(self, shelf: Shelf, number: int) -> T:
        raise NotImplementedError

    def _at(self, entry: Any, number: int) -> T:
        return self._from(entry, number) if type(entry) is Shelf else entry

    @overload  # type: ignore[override]
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return an entry, or several, unpacked."""
        if isinstance(at, slice):
            numbers = range(len(self))[at]
            return [self._at(entry, number) for number, entry in zip(numbers, super().__getitem__(at))]
        return self._at(super().__getitem__(at), at if at >= 0 else at + len(self))

    def __iter__(self) -> Iterator[T]:
        for number, entry in enumerate(super().__iter__()):
            yield self._at(entry, number)

    def pop(self, at: Any = -1) -> T:
        """Take out the last entry."""
        return self._at(super().pop(at), len(self))

    def first(self, count: int) -> Self:
        """Return the first entries; what is packed stays so."""
        return type(self)(super().__getitem__(slice(count)))

    def copy(self) -> Self:
        """Return all entries; what is packed stays so."""
        return self.first(len(self))

    def on_shelf(self, number: int) -> bool:
        """Whether an entry is put away."""
        return type(super().__getitem__(number)) is Shelf

    def put_away(self, start: int, stop: int, shelf: Shelf) -> None:
        """Let a shelf take the place of entries."""
        super().__setitem__(slice(start, stop), [shelf] * (stop - start))  # type: ignore[list-item]


class Befores(Past[Before]):
    """What a match keeps from before each decision."""

    __slots__ = ()

    def _from(self, shelf: Shelf, number: int) -> Before:
        return shelf.before(number)


class Lines(Past[Written]):
    """The lines of the record."""

    __slots__ = ()

    def _from(self, shelf: Shelf, number: int) -> Written:
        return shelf.line(number)


def put_away(kind: np.dtype[Any], before: Befores, written: Lines, start: int) -> int:
    """Put away the next decisions from number `start` on, with their lines.

    Return how many decisions are put away now; that many are as long as too few are left at hand.
    """
    stop = start + TOGETHER
    if len(before) < stop + AT_HAND:
        return start
    _put_on_shelf(kind, before, written, start, stop)
    return stop


def _put_on_shelf(kind: np.dtype[Any], before: Befores, written: Lines, start: int, stop: int) -> None:
    """Pack decisions and their lines together."""
    places: dict[bytes, int] = {}

    def place(state: Any) -> int:
        # Of a record, even `isinstance` asks NumPy's Python code.
        return places.setdefault(state if type(state) is bytes else state.tobytes(), len(places))

    def place_if(state: Any) -> Any:
        return place(state) if isinstance(state, np.void) else state

    each = (before[number] for number in range(start, stop))
    kept = [(place(data), upto, place_if(opened), answers) for data, upto, opened, answers in each]
    lines, upto = kept[0][1], before[stop][1]
    told = (written[number] for number in range(lines, upto))
    rows = [(one.line, place_if(one.asked), place(one.after)) for one in told]
    shelf = Shelf(kind, Rows(differences(places, kind.itemsize), kept, rows), start, lines)
    before.put_away(start, stop, shelf)
    written.put_away(lines, upto, shelf)
