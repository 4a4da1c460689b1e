"""Patches: the changes from one JSON value to the next, and how to apply them.

A patch is a list of changes `[path, value]`; a path is a list of keys and indexes. A change without a value removes
the entry. Lists keep their common beginning, and the rest is sent again: `[[…, "log", 7], [lines], "rest"]`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from operator import is_
from typing import Any

from msgspec.json import encode

Change = list[Any]
MISSING = object()


def diff(old: Any, new: Any) -> list[Change]:
    """Return the changes from `old` to `new`, both plain JSON."""
    changes: list[Change] = []
    _compare(old, new, [], changes)
    return changes


def _compare(old: Any, new: Any, way: list[Any], changes: list[Change]) -> None:
    """Add the changes at a path."""
    kind = type(new)
    if kind is not type(old):
        changes.append([way, new])
    elif kind is dict:
        if old.keys() != new.keys():
            changes += [[[*way, key]] for key in old if key not in new]
        for key, now in new.items():
            was = old.get(key, MISSING)
            if was is now:
                continue
            if was is MISSING:
                changes.append([[*way, key], now])
            else:
                _compare(was, now, [*way, key], changes)
    elif kind is list:
        _compare_lists(old, new, way, changes)
    elif old != new:
        changes.append([way, new])


def _compare_lists(old: list[Any], new: list[Any], way: list[Any], changes: list[Change]) -> None:
    if _alike(old, new):
        for i, now in enumerate(new):
            if old[i] is not now:
                _compare(old[i], now, [*way, i], changes)
        return
    start = _in_common(old, new)
    if start < max(len(old), len(new)):
        changes.append([[*way, start], new[start:], "rest"] if start else [way, new])


def _alike(old: list[Any], new: list[Any]) -> bool:
    """Whether to compare lists entry by entry: usually the seats."""
    if not new or type(new[0]) is not dict or len(old) != len(new):
        return False
    return set(map(type, old)) == set(map(type, new)) == {dict}


def _in_common(old: list[Any], new: list[Any]) -> int:
    """Return the length of the common beginning of two lists."""
    most = min(len(old), len(new))
    start = most if all(map(is_, old, new)) else list(map(is_, old, new)).index(False)
    while start < most and _same(old[start], new[start]):
        start += 1
    return start


def _same(old: Any, new: Any) -> bool:
    """Whether two values are the same on the wire, where True is not 1."""
    return old is new or (old == new and encode(old) == encode(new))


def written(old: Any, new: Any, way: Sequence[str | int]) -> bytes:
    """Return the changes of a value at a path, encoded, without the brackets of the list; b"" if there are none."""
    changes: list[Change] = []
    _compare(old, new, [*way], changes)
    return encode(changes)[1:-1] if changes else b""


def apply(old: Any, changes: list[Change]) -> Any:
    """Return a value with the changes applied; the original stays as it was."""
    return carry_out(copy.deepcopy(old), copy.deepcopy(changes))


def carry_out(value: Any, changes: list[Change]) -> Any:
    """Apply the changes to a value in place and return it; it may then share parts with the changes."""
    for path, *new in changes:
        if not path:
            value = new[0]
            continue
        *way, last = path
        place = value
        for step in way:
            place = place[step]
        if len(new) == 2:
            place[last:] = new[0]
        elif new:
            place[last] = new[0]
        else:
            del place[last]
    return value
