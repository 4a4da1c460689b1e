"""A record to be read often: its fields as plain numbers, taken out of NumPy at once.

Reading a field of a NumPy record costs microseconds, and a view reads hundreds of them.
"""

from __future__ import annotations

import struct
from functools import cache
from math import prod
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

_LETTERS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


class Grid(tuple[tuple[int, ...], ...]):
    """An array of two dimensions that is read like NumPy's: `grid[i, j]`, or `grid[i][j]`, which is faster."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        if type(at) is tuple:
            return tuple.__getitem__(self, at[0])[at[1]]
        return tuple.__getitem__(self, at)


class _Field(NamedTuple):
    """Where the numbers of a field are: from, to, and in how many columns; a single number has no end."""

    start: int
    stop: int
    columns: int


class _Layout:
    """Where everything is in a record of a type."""

    def __init__(self, kind: np.dtype[Any]) -> None:
        letters, at = "=", 0
        self.fields: dict[str, _Field] = {}
        for name in kind.names or ():
            field = kind[name]
            size = prod(field.shape)
            letters += f"{size}{_LETTERS[field.base.str[1:]]}"
            columns = field.shape[1] if len(field.shape) == 2 else 0
            self.fields[name] = _Field(at, at + size if field.shape else 0, columns)
            at += size
        self.unpack = struct.Struct(letters).unpack_from


_layout = cache(_Layout)


class Plain:
    """The fields of a record, for reading: numbers are integers, arrays are tuples."""

    def __init__(self, kind: np.dtype[Any], data: bytes, offset: int = 0) -> None:
        self._layout = _layout(kind)
        self._numbers = self._layout.unpack(data, offset)

    def __getattr__(self, name: str) -> Any:
        """Cut a field out of the numbers when it is first asked for."""
        try:
            start, stop, columns = self.__dict__["_layout"].fields[name]
        except KeyError:
            raise AttributeError(name) from None
        value: Any = self._numbers[start]
        if columns:
            value = Grid([self._numbers[i : i + columns] for i in range(start, stop, columns)])
        elif stop:
            value = self._numbers[start:stop]
        self.__dict__[name] = value
        return value


def plain(record: Any) -> Plain:
    """Return the fields of a record for reading."""
    return Plain(record.dtype, record.tobytes())


def loose(record: Any) -> Any:
    """Return a record whose fields are quick to read and to write, until `settle`: arrays still are the record's."""
    fields = {}
    for name in record.dtype.names:
        value = record[name]
        fields[name] = value if value.ndim else value.item()
    return SimpleNamespace(**fields)


def settle(record: Any, fields: Any) -> None:
    """Write the single numbers of `loose` back."""
    for name, value in vars(fields).items():
        if isinstance(value, int):
            record[name] = value
