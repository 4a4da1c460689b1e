"""Small updates: what changed from one JSON value to the next, and how to carry it out.

A patch is a list of changes `[path, value]`; a path is a list of keys and indices. A change without a value removes
what stands there. Of lists, a common beginning stays, and the rest is given anew: `[[…, "log", 7], [lines], "rest"]`.
"""

from __future__ import annotations

import copy
from operator import is_
from typing import Any

from msgspec.json import encode

Change = list[Any]


Known = dict[tuple[int, int], tuple[list[Change], Any, Any]]
"""By the identities of two values: what changed from the one to the other, and both, so that they live as long."""


def diff(old: Any, new: Any, known: Known | None = None) -> list[Change]:
    """Return the changes that make `new` out of `old`, both plain JSON.

    Where several audiences share parts of what they are shown, `known` keeps what changed in these.
    """
    return _diff(old, new, {} if known is None else known)


def _same(old: Any, new: Any) -> bool:
    """Whether two values are the same on the wire, where True is not 1."""
    return old is new or (old == new and encode(old) == encode(new))


def carried_over(old: Any, new: Any) -> Any:
    """Return `new`, with whatever has not changed taken from `old`: the same things are the same objects."""
    if _same(old, new):
        return old
    if type(old) is dict and type(new) is dict:
        return {key: _carried(old[key], value) if key in old else value for key, value in new.items()}
    if type(old) is list and type(new) is list:
        return [*map(_carried, old, new), *new[len(old) :]]
    return new


def _carried(old: Any, new: Any) -> Any:
    kind = type(new)
    if kind is dict or kind is list:
        return carried_over(old, new)
    return old if kind is type(old) and old == new else new


def _diff(old: Any, new: Any, known: Known) -> list[Change]:
    kind = type(old)
    if kind is not type(new) or (kind is not dict and kind is not list):
        return [] if kind is type(new) and old == new else [[[], new]]
    pair = id(old), id(new)
    if pair not in known:
        changes: list[Change] = []
        if not _same(old, new):
            changes = _diff_dicts(old, new, known) if kind is dict else _diff_lists(old, new, known)
        known[pair] = changes, old, new
    return known[pair][0]


def _diff_dicts(old: dict[str, Any], new: dict[str, Any], known: Known) -> list[Change]:
    changes: list[Change] = [[[key]] for key in old if key not in new]
    for key, value in new.items():
        if key not in old:
            changes.append([[key], value])
        elif old[key] is not value:
            below = _diff(old[key], value, known)
            if below:
                changes += _below(key, below)
    return changes


def _below(step: str | int, changes: list[Change]) -> list[Change]:
    """Return changes as seen from one level higher."""
    return [[[step, *path], *value] for path, *value in changes]


def _diff_lists(old: list[Any], new: list[Any], known: Known) -> list[Change]:
    start = _in_common(old, new)
    if len(old) == len(new) and all(type(x) is dict for x in old) and all(type(x) is dict for x in new):
        # The seats, mostly: look into each.
        return [c for i in range(start, len(new)) for c in _below(i, _diff(old[i], new[i], known))]
    return [[[start], new[start:], "rest"]] if start else [[[], new]]


def _in_common(old: list[Any], new: list[Any]) -> int:
    """Return how long two lists are the same."""
    most = min(len(old), len(new))
    same = list(map(is_, old, new))
    start = same.index(False) if False in same else most
    while start < most and _same(old[start], new[start]):
        start += 1
    return start


def apply(old: Any, changes: list[Change]) -> Any:
    """Return what the changes make out of a value, which stays as it was."""
    return carry_out(copy.deepcopy(old), copy.deepcopy(changes))


def carry_out(value: Any, changes: list[Change]) -> Any:
    """Return what the changes make out of a value, which is changed along, and takes in parts of the changes."""
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
