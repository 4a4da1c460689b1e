"""Patches: the changes from one JSON value to the next, and how to apply them.

A patch is a list of changes `[path, value]`; a path is a list of keys and indexes. A change without a value removes
the entry. Lists keep their common beginning, and the rest is sent again: `[[…, "log", 7], [lines], "rest"]`.
"""

from __future__ import annotations

import copy
from operator import is_
from typing import Any

from msgspec.json import encode

from registan.core.game import Json

Change = list[Any]


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
        changes += [[[*way, key]] for key in old if key not in new]
        for key, now in new.items():
            if key not in old:
                changes.append([[*way, key], now])
            elif old[key] is not now:
                _compare(old[key], now, [*way, key], changes)
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
    same = list(map(is_, old, new))
    start = same.index(False) if False in same else most
    while start < most and _same(old[start], new[start]):
        start += 1
    return start


def _same(old: Any, new: Any) -> bool:
    """Whether two values are the same on the wire, where True is not 1."""
    return old is new or (old == new and encode(old) == encode(new))


class Comparison:
    """Compares one moment with the one before, for several audiences; what they share is compared and encoded once.

    An audience sees two layers: what is public, and its own, which overrides what is public.
    """

    def __init__(self) -> None:
        self._shared: dict[tuple[int, int], tuple[dict[str, bytes], Json, Json]] = {}
        self._known: dict[tuple[int | str, ...], tuple[bytes, Any, Any]] = {}
        """By the ids of two values and their path: the changes, and both values, to keep them alive."""

    def written(self, old: tuple[Json, Json], new: tuple[Json, Json], *way: str) -> list[bytes]:
        """Return the encoded changes from two layers, the public one first, to two others; `way` is their path.

        Both layers must have the same keys as before.
        """
        (old_open, old_own), (new_open, new_own) = old, new
        shared = self._open(old_open, new_open, way)
        parts = [part for key, part in shared.items() if key not in new_own and key not in old_own]
        for key in new_own if new_own.keys() >= old_own.keys() else {**new_own, **old_own}:
            was = old_own[key] if key in old_own else old_open[key]
            now = new_own[key] if key in new_own else new_open[key]
            if was is not now:
                parts += self._parts(was, now, (*way, key))
        return parts

    def _open(self, old: Json, new: Json, way: tuple[str, ...]) -> dict[str, bytes]:
        """Return the changes of the public layer, by key."""
        pair = id(old), id(new)
        if pair not in self._shared:
            changed = {key: self._parts(old[key], now, (*way, key)) for key, now in new.items() if old[key] is not now}
            self._shared[pair] = {key: b",".join(parts) for key, parts in changed.items() if parts}, old, new
        return self._shared[pair][0]

    def _parts(self, old: Any, new: Any, way: tuple[str | int, ...]) -> list[bytes]:
        """Return the encoded changes of a value; seats one by one, since audiences share most of them."""
        if type(new) is list and type(old) is list and _alike(old, new):
            pairs = enumerate(zip(old, new))
            parts = [self._part(was, now, (*way, i)) for i, (was, now) in pairs if was is not now]
            return [part for part in parts if part]
        part = self._part(old, new, way)
        return [part] if part else []

    def _part(self, old: Any, new: Any, way: tuple[str | int, ...]) -> bytes:
        """Return the encoded changes of one value, without the brackets of the list; b"" if there are none."""
        if type(new) is not dict:
            return _written(old, new, way)
        here = id(old), id(new), *way
        if here not in self._known:
            self._known[here] = _written(old, new, way), old, new
        return self._known[here][0]


def _written(old: Any, new: Any, way: tuple[str | int, ...]) -> bytes:
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
