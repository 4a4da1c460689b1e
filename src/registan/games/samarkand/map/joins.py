"""How spaces are joined, as far as a board file with faults tells: who names whom, and what is cut off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

MOST_GUESSED = 20
"""How many misspelt neighbours are compared with all keys, which takes a while."""

Neighbours = Mapping[str, Collection[str]]


def strangers(neighbours: Neighbours, known: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each neighbour that does not exist: who names it, its key, and the key that was probably meant."""
    guesses = MOST_GUESSED
    for key, listed in neighbours.items():
        missing = [other for other in dict.fromkeys(listed) if other not in known]
        if not missing:
            continue
        waiting = [other for other, theirs in neighbours.items() if key in theirs and other not in listed]
        for stranger in missing:
            guesses -= 1
            meant = _close(stranger, waiting, 0.6) or _close(stranger, known, 0.8) if guesses >= 0 else ""
            yield key, stranger, meant


def _close(word: str, known: Collection[str], likeness: float) -> str:
    return next(iter(get_close_matches(word, known, 1, likeness)), "")


def one_sided(neighbours: Neighbours, known: Collection[str]) -> Iterator[tuple[str, list[str], bool]]:
    """Yield spaces with others that they name without being named in return (True), or the reverse (False).

    Each pair is told once, with the space that is part of most such pairs: that one is probably wrong. What a slip of
    the pen explains (`strangers`) is not told again.
    """
    explained = {(meant, key) for key, _, meant in strangers(neighbours, known)}
    listed_by = {key: set(listed) for key, listed in neighbours.items()}
    pairs = [
        (key, other)
        for key, listed in neighbours.items()
        for other in dict.fromkeys(listed)
        if other != key and other in listed_by and key not in listed_by[other] and (key, other) not in explained
    ]
    while pairs:
        counts = Counter(key for pair in pairs for key in pair)
        worst, most = counts.most_common(1)[0]
        if most == 1:
            for key, other in pairs:
                yield key, [other], True
            return
        naming = [other for key, other in pairs if key == worst]
        named = [key for key, other in pairs if other == worst]
        for others, names_them in ((naming, True), (named, False)):
            if others:
                yield worst, others, names_them
        pairs = [pair for pair in pairs if worst not in pair]


def parts(neighbours: Neighbours) -> list[list[str]]:
    """Return the parts of a board that are not connected with each other, the largest first.

    A connection counts if it is named at one end: that it is not named at the other is a fault of its own.
    """
    joined: dict[str, set[str]] = {key: set() for key in neighbours}
    for key, listed in neighbours.items():
        for other in listed:
            if other in joined:
                joined[key].add(other)
                joined[other].add(key)
    found: list[list[str]] = []
    left = dict.fromkeys(neighbours)
    while left:
        part = [next(iter(left))]
        del left[part[0]]
        for here in part:
            for other in sorted(joined[here]):
                if other in left:
                    del left[other]
                    part.append(other)
        found.append(part)
    return sorted(found, key=len, reverse=True)
