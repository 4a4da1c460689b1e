"""Updates: what has changed for an audience since it was last shown a table, as an encoded patch.

What several audiences see alike is compared and encoded once for all of them. It is what spectators may see, and
nothing else. The parts of a game's view are compared by their keys, and many changes from one key to another recur at
every table: they are kept encoded.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from msgspec.json import encode

from registan.core.views import BOXES, Assembly, Field, Sight
from registan.tables.patch import diff, written
from registan.tables.reading import Log
from registan.tables.views import Public, Shown

KEPT = 1 << 10
"""How many encoded changes of each part are kept for each box."""
ENTRIES = 1 << 12
"""How many encoded entries of seats are kept for each box: a table needs its last ones again with the next move."""
SHORT = 256
"""A part with fewer bytes is sent as a whole when it has changed."""


class Fragments:
    """The encoded changes of the parts of a game's views, from key to key."""

    def __init__(self, views: Assembly) -> None:
        self.shared = tuple(_Part(part).change if part.entry is None else None for part in views.shared)
        """By part that all see alike, None if it has an entry per seat."""
        self.entries = tuple(_Entries(views.shared[i]).change for i, _ in views.by_seat)
        self.own = tuple(_Part(part).whole for part in views.own)
        """By part of which a seat sees something else: hands and their moves, which are sent as they are now."""


class _Part:
    """A part as it is sent."""

    def __init__(self, part: Field) -> None:
        self._name, self._make = part.name, part.make
        self._head = encode([["view", part.name]])[:-1] + b","
        # Of a part whose values are not kept, keys may not be hashable.
        self.whole = lru_cache(KEPT)(self._whole) if hasattr(part.make, "cache_info") else self._whole
        self._long = lru_cache(KEPT)(self._compared) if hasattr(part.make, "cache_info") else self._compared

    def _whole(self, new: Any) -> bytes:
        """Return the part as it is now."""
        return self._head + encode(self._make(new)) + b"]"

    def _compared(self, old: Any, new: Any) -> bytes:
        return written(self._make(old), self._make(new), ("view", self._name))

    def change(self, old: Any, new: Any) -> bytes:
        """Return what has changed; if the part is short, all of it, since comparing would take longer."""
        whole = self.whole(new)
        return whole if len(whole) < SHORT else self._long(old, new)


class _Entries:
    """The entries of a part with one per seat."""

    def __init__(self, part: Field) -> None:
        assert part.one is not None
        self._name, self._one = part.name, part.one
        self._fields = lru_cache(ENTRIES)(self._encoded)
        self._heads = cache(self._paths)

    def _encoded(self, key: Any) -> tuple[tuple[str, ...], tuple[bytes, ...]] | None:
        """Return the fields of an entry and their values, encoded; None if it is not an object."""
        made = self._one(key)
        return (tuple(made), tuple(map(encode, made.values()))) if type(made) is dict else None

    def _paths(self, seat: int, names: tuple[str, ...]) -> list[bytes]:
        """Return how the change of each field begins."""
        return [encode([["view", self._name, seat, name]])[:-1] + b"," for name in names]

    def change(self, seat: int, old: Any, new: Any) -> bytes:
        """Return the fields of an entry that have changed, each as it is now."""
        before, after = self._fields(old), self._fields(new)
        if before is None or after is None or before[0] != after[0]:
            return written(self._one(old), self._one(new), ("view", self._name, seat))
        pairs = zip(self._heads(seat, after[0]), before[1], after[1])
        return b",".join([b"%b%b]" % (head, now) for head, was, now in pairs if was != now])


fragments = lru_cache(BOXES)(Fragments)


class Shared(NamedTuple):
    """What has changed for everybody from one moment to another."""

    old: tuple[Any, ...]
    new: tuple[Any, ...]
    rest: bytes
    entries: list[tuple[int, bytes]]
    """The changes of the entries of seats, as spectators see them, each with the seat."""


class Comparison:
    """Compares one moment with the one before, for several audiences: what they share is compared once."""

    __slots__ = ("_lines", "_shared", "_table")

    def __init__(self) -> None:
        self._table: tuple[Public, Public, bytes] | None = None
        self._lines: tuple[Log, Log, bytes] | None = None
        self._shared: Shared | None = None

    def update(self, old: Shown, new: Shown) -> bytes:
        """Return the encoded patch from what an audience was shown before to what it is shown now."""
        alike, before, after = old.own is new.own, old.sight, new.sight
        if before is None or after is None or not (alike or old.own.keys() == new.own.keys()):
            return encode(diff(old.whole(), new.whole()))
        parts = [b'[[["seq"],%d]' % new.seq]
        table = self._table
        if table is None or table[0] is not old.open or table[1] is not new.open:
            table = self._table = old.open, new.open, new.open.changes(old.open)
        if table[2]:
            parts.append(table[2])
        if old.log is not new.log:
            lines = self._lines
            if lines is None or lines[0] is not old.log or lines[1] is not new.log:
                lines = self._lines = old.log, new.log, _new_lines(old.log, new.log)
            if lines[2]:
                parts.append(lines[2])
        if not alike:
            own = [written(old.own[name], now, (name,)) for name, now in new.own.items() if old.own[name] is not now]
            parts += filter(None, own)
        return b",".join(self.game(before, after, parts)) + b"]"

    def game(self, old: Sight, new: Sight, parts: list[bytes]) -> list[bytes]:
        """Add the encoded changes of what an audience sees of the game to a list, and return it."""
        known, seat, shared = fragments(new.assembly), new.audience, self._shared
        if shared is None or shared.old is not old.shared or shared.new is not new.shared:
            shared = self._shared = _alike(old.shared, new.shared, known, new.assembly)
        if shared.rest:
            parts.append(shared.rest)
        parts += [change for whose, change in shared.entries if whose != seat]
        if old.mine != new.mine:
            changes = zip(known.entries, old.mine, new.mine)
            parts += filter(None, [entry(seat, was, now) for entry, was, now in changes if was != now])
        if old.own != new.own:
            parts += [part(now) for part, was, now in zip(known.own, old.own, new.own) if was != now]
        return parts


def _new_lines(old: Log, new: Log) -> bytes:
    """Return the changes of a log: usually there are new lines at its end, which are encoded already."""
    lines = new.since(old)
    if not lines:
        return written(old.all(), new.all(), ("log",))
    return b'[["log",%d],[%b],"rest"]' % (old.count, b",".join(lines))


def _alike(old: tuple[Any, ...], new: tuple[Any, ...], known: Fragments, views: Assembly) -> Shared:
    """Return the changes of what all see alike, and of the entries of seats as spectators see them."""
    rest = [part(was, now) for part, was, now in zip(known.shared, old, new) if was != now and part is not None]
    entries: list[tuple[int, bytes]] = []
    for (i, _), entry in zip(views.by_seat, known.entries):
        pairs = enumerate(zip(old[i], new[i]))
        entries += [(seat, change) for seat, (was, now) in pairs if was != now and (change := entry(seat, was, now))]
    return Shared(old, new, b",".join(filter(None, rest)), entries)
