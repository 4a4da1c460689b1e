"""Small updates: what changed from one JSON value to the next, and how to carry it out.

A patch is a list of changes `[path, value]`; a path is a list of keys and indices. A change without a value removes
what stands there. Of lists, a common beginning stays, and the rest is given anew: `[[…, "log", 7], [lines], "rest"]`.
"""

from __future__ import annotations

import copy
from typing import Any

from msgspec.json import encode

Change = list[Any]


def diff(old: Any, new: Any) -> list[Change]:
    """Return the changes that make `new` out of `old`, both plain JSON."""
    changes: list[Change] = []
    _diff(old, new, [], changes)
    return changes


def _same(old: Any, new: Any) -> bool:
    """Whether two values are the same on the wire, where True is not 1."""
    return old is new or (old == new and encode(old) == encode(new))


def _diff(old: Any, new: Any, path: list[str | int], changes: list[Change]) -> None:
    if _same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        changes += ([[*path, key]] for key in old.keys() - new.keys())
        for key, value in new.items():
            if key in old:
                _diff(old[key], value, [*path, key], changes)
            else:
                changes.append([[*path, key], value])
    elif isinstance(old, list) and isinstance(new, list):
        _diff_lists(old, new, path, changes)
    else:
        changes.append([path, new])


def _diff_lists(old: list[Any], new: list[Any], path: list[str | int], changes: list[Change]) -> None:
    same = len(old) == len(new) and all(isinstance(x, dict) for x in (*old, *new))
    if same:  # the seats, mostly: look into each
        for i, (a, b) in enumerate(zip(old, new)):
            _diff(a, b, [*path, i], changes)
        return
    start = 0
    while start < min(len(old), len(new)) and _same(old[start], new[start]):
        start += 1
    if start == 0 and path:
        changes.append([path, new])
    else:
        changes.append([[*path, start], new[start:], "rest"])


def apply(old: Any, changes: list[Change]) -> Any:
    """Return what the changes make out of a value, which stays as it was."""
    new = copy.deepcopy(old)
    for path, *value in changes:
        if not path:
            new = value[0]
            continue
        *way, last = path
        place = new
        for step in way:
            place = place[step]
        if len(value) == 2:
            place[last:] = copy.deepcopy(value[0])
        elif value:
            place[last] = copy.deepcopy(value[0])
        else:
            del place[last]
    return new
