"""Updates: what has changed for an audience since it was last shown a table, as an encoded patch.

What several audiences see alike is compared and encoded once for all of them. It is what spectators may see, and
nothing else. The parts of a game's view are compared by their keys, and many changes from one key to another recur at
every table: they are kept encoded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import Raw
from msgspec.json import encode

from registan.core.game import SPECTATOR, Json
from registan.core.views import BOXES, Assembly, Field, Sight
from registan.tables.patch import diff, written
from registan.tables.views import Shown

KEPT = 1 << 10
"""How many encoded changes of each part are kept for each box."""
SHORT = 256
"""A part with fewer bytes is sent as a whole when it has changed."""


class Fragments:
    """The encoded changes of the parts of a game's views, from key to key."""

    def __init__(self, views: Assembly) -> None:
        keep = lru_cache(KEPT)
        self.shared = tuple(keep(_Part(part).change) if part.entry is None else None for part in views.shared)
        """By part that all see alike, None if it has an entry per seat."""
        self.entries = tuple(_Entries(views.shared[i]).change for i, _ in views.by_seat)
        self.own = tuple(_kept_if(part, _Part(part).whole) for part in views.own)
        """By part of which a seat sees something else: hands and their moves, which are sent as they are now."""


class _Part:
    """A part as it is sent."""

    def __init__(self, part: Field) -> None:
        self._name, self._make = part.name, part.make
        self._head = encode([["view", part.name]])[:-1] + b","

    def whole(self, new: Any) -> bytes:
        """Return the part as it is now."""
        return self._head + encode(self._make(new)) + b"]"

    def change(self, old: Any, new: Any) -> bytes:
        """Return what has changed; if the part is short, all of it, since comparing would take longer."""
        whole = self.whole(new)
        return whole if len(whole) < SHORT else written(self._make(old), self._make(new), ("view", self._name))


def _kept_if(part: Field, change: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Keep the changes of a part whose values are kept; other keys may not be hashable."""
    return lru_cache(KEPT)(change) if hasattr(part.make, "cache_info") else change


class _Entries:
    """The entries of a part with one per seat."""

    def __init__(self, part: Field) -> None:
        assert part.one is not None
        self._name, self._one = part.name, part.one

    def change(self, seat: int, old: Any, new: Any) -> bytes:
        """Return the fields of an entry that have changed, each as it is now."""
        before, after = self._one(old), self._one(new)
        if type(after) is not dict or type(before) is not dict or before.keys() != after.keys():
            return written(before, after, ("view", self._name, seat))
        changed = [name for name, now in after.items() if not _same(before[name], now)]
        return b",".join([encode([["view", self._name, seat, name], after[name]]) for name in changed])


def _same(was: Any, now: Any) -> bool:
    """Whether two values are the same JSON, where True is not 1."""
    if was is now:
        return True
    if was != now:
        return False
    return type(was) is type(now) and (type(now) not in (list, dict) or not now or encode(was) == encode(now))


fragments = lru_cache(BOXES)(Fragments)
Entries = list[tuple[Any, ...]]
"""By part with an entry per seat: the changes of each entry, as spectators see them."""


class Comparison:
    """Compares one moment with the one before, for several audiences."""

    def __init__(self) -> None:
        # By the ids of the two values that are compared; both are kept, or their ids could be given to others.
        self._open: dict[tuple[int, int], tuple[bytes, Json, Json]] = {}
        self._shared: dict[tuple[int, int], tuple[list[bytes], Entries, Any, Any]] = {}

    def update(self, old: Shown, new: Shown) -> bytes:
        """Return the encoded patch from what an audience was shown before to what it is shown now."""
        alike = old.own is new.own
        if old.sight is None or new.sight is None or not (alike or old.own.keys() == new.own.keys()):
            return encode(diff(old.whole(), new.whole()))
        parts = [b'[["seq"],%d]' % new.seq]
        if old.open is not new.open:
            parts.append(self._table(old.open, new.open))
        if old.log is not new.log:
            parts.append(self._log(old.log, new.log))
        if not alike:
            parts += [written(old.own[name], now, (name,)) for name, now in new.own.items() if old.own[name] is not now]
        parts += self.game(old.sight, new.sight)
        return b"[%b]" % b",".join(filter(None, parts))

    def _table(self, old: Json, new: Json) -> bytes:
        """Return the changes of what everybody sees of a table, without the game."""
        pair = id(old), id(new)
        if pair not in self._open:
            changed = [written(old[name], now, (name,)) for name, now in new.items() if old[name] is not now]
            self._open[pair] = b",".join(filter(None, changed)), old, new
        return self._open[pair][0]

    def _log(self, old: list[Raw], new: list[Raw]) -> bytes:
        """Return the changes of a log: usually there are new lines at its end, which are encoded already."""
        count = len(old)
        if not count or count >= len(new) or old[-1] is not new[count - 1]:
            return written(old, new, ("log",))
        return b'[["log",%d],[%b],"rest"]' % (count, b",".join(new[count:]))

    def game(self, old: Sight, new: Sight) -> list[bytes]:
        """Return the encoded changes of what an audience sees of the game."""
        known = fragments(new.assembly)
        rest, entries = self._alike(old.shared, new.shared, known, new.assembly)
        parts = rest.copy()
        if new.audience == SPECTATOR:
            for changes in entries:
                parts += changes
        else:
            mine = zip(known.entries, entries, old.mine, new.mine)
            for entry, changes, was, now in mine:
                parts += changes[: new.audience]
                parts += changes[new.audience + 1 :]
                if was != now:
                    parts.append(entry(new.audience, was, now))
        if old.own != new.own:
            parts += [part(now) for part, was, now in zip(known.own, old.own, new.own) if was != now]
        return parts

    def _alike(self, old: Any, new: Any, known: Fragments, views: Assembly) -> tuple[list[bytes], Entries]:
        """Return the changes of what all see alike, and of the entries of seats as spectators see them."""
        pair = id(old), id(new)
        if pair not in self._shared:
            rest = [part(was, now) for part, was, now in zip(known.shared, old, new) if was != now and part is not None]
            entries: Entries = []
            for (i, _), entry in zip(views.by_seat, known.entries):
                pairs = enumerate(zip(old[i], new[i]))
                entries.append(tuple([entry(seat, was, now) if was != now else b"" for seat, (was, now) in pairs]))
            self._shared[pair] = [b",".join(filter(None, rest))], entries, old, new
        return self._shared[pair][:2]
