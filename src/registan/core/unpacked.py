"""Records with fields that are fast to read: plain numbers, all taken out of NumPy at once.

Reading a field of a NumPy record takes microseconds, and a view reads hundreds of them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

_LETTERS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


class Grid(tuple[tuple[int, ...], ...]):
    """A two-dimensional array that reads like NumPy's: `grid[i, j]`, or `grid[i][j]`, which is faster."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        if type(at) is tuple:
            return tuple.__getitem__(self, at[0])[at[1]]
        return tuple.__getitem__(self, at)


class Packing:
    """Where each field of a record type is."""

    def __init__(self, kind: np.dtype[Any]) -> None:
        letters, at = "=", 0
        flat: dict[str, int | slice] = {}
        self.grids: list[tuple[str, Callable[[tuple[int, ...]], tuple[Any, ...]]]] = []
        """The two-dimensional arrays, and what cuts out their rows."""
        for name in kind.names or ():
            field = kind[name]
            size = prod(field.shape)
            letters += f"{size}{_LETTERS[field.base.str[1:]]}"
            if len(field.shape) == 2:
                rows = [slice(start, start + field.shape[1]) for start in range(at, at + size, field.shape[1])]
                self.grids.append((name, _cutter(rows)))
            else:
                flat[name] = slice(at, at + size) if field.shape else at
            at += size
        self.unpack = struct.Struct(letters).unpack_from
        self.names = tuple(flat)
        self.cut = itemgetter(*flat.values())
        self.singles = itemgetter(*(at for at in flat.values() if isinstance(at, int)))


def _cutter(rows: list[slice]) -> Callable[[tuple[int, ...]], tuple[Any, ...]]:
    cut: Callable[[tuple[int, ...]], Any] = itemgetter(*rows)
    return cut if len(rows) > 1 else lambda numbers: (cut(numbers),)


packing_of = cache(Packing)


class Unpacked:
    """The fields of a record, for reading: numbers are integers, arrays are tuples."""

    def __init__(self, packing: Packing, data: bytes | bytearray, offset: int = 0) -> None:
        numbers = packing.unpack(data, offset)
        self.__dict__ = fields = dict(zip(packing.names, packing.cut(numbers)))  # `update` takes twice as long
        for name, cut in packing.grids:
            fields[name] = cut(numbers)
        self._packing, self._numbers = packing, numbers

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    @property
    def singles(self) -> tuple[int, ...]:
        """All fields that are single numbers."""
        singles: tuple[int, ...] = self._packing.singles(self._numbers)
        return singles


def unpacked(record: Any) -> Unpacked:
    """Return a record with fields that are fast to read; compiled code that runs interpreted can read it too."""
    packing = packing_of(record.dtype)
    found = Unpacked(packing, record.tobytes())
    for name, _ in packing.grids:
        setattr(found, name, Grid(getattr(found, name)))
    return found
