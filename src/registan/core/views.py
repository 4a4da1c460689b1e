"""Views: what everybody at a table sees, as JSON.

A view is made of parts. Each part has a key, plain numbers from what an audience knows, and a function that makes JSON
from the box and the key alone. Values are cached: equal keys give the same object, at every table and for every
audience, so nothing unchanged is made or compared again. Never modify a view.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

from registan.core.engine import Engine, Known
from registan.core.game import SPECTATOR, Box, Game, Json

KEPT = 1 << 11
"""How many values of each part are cached for each box."""
BOXES = 8
"""For how many boxes values are cached."""
NOTHING: list[Any] = []
"""The moves of an audience without any."""


class Part(NamedTuple):
    """A field of a view. Its key is made of integers, None and tuples; without `make`, the key itself is the JSON."""

    name: str
    key: Callable[[Box, Known, int], Any]
    """Return the key, given what an audience (a seat or SPECTATOR) knows."""
    make: Callable[[Box, Any], Any] | None = None
    own: bool = False
    """Whether a seat sees something else here than spectators do."""


class PerSeat(NamedTuple):
    """A field that is a list with one entry per seat; only its own entry may look different to a seat."""

    name: str
    key: Callable[[Box, Known, int, int], Any]
    """Return the key of an entry, given what an audience knows and the seat the entry is about."""
    make: Callable[[Box, Any], Any]


class Field(NamedTuple):
    """A part with the box filled in, and its values kept."""

    name: str
    key: Callable[[Box, Known, int], Any]
    make: Callable[[Any], Any]
    own: bool
    entry: Callable[[Box, Known, int, int], Any] | None = None
    one: Callable[[Any], Any] | None = None
    """Makes an entry, if there is one per seat."""


class Sight(NamedTuple):
    """What an audience sees of a game at one moment, as keys. Equal keys give equal JSON, with nothing to be made."""

    assembly: Assembly
    audience: int
    shared: tuple[Any, ...]
    """The keys of the parts that all see alike, the same object for everybody at the same moment."""
    own: tuple[Any, ...]
    """The keys of the parts of which a seat sees something else than spectators do."""
    mine: tuple[Any, ...] = ()
    """The keys of a seat's own entries in the parts with one entry per seat."""

    def json(self) -> Json:
        """Return the table as the audience sees it."""
        return self.assembly.json(self)


class Assembly:
    """All parts of a game's views for one box. With `kept=0` nothing is cached."""

    def __init__(self, game: Game, box: Box, kept: int = KEPT) -> None:
        self.game, self.box = game, box
        self._kept = lru_cache(kept)
        brought = getattr(game.view, "brought", None)
        self.brought = self._kept(partial(brought, box)) if brought else _nothing
        names = {part.name for part in game.view.PARTS}
        self.parts: tuple[Field, ...] = (
            Field("players", lambda box, s, _: s.players, _itself, own=False),
            Field("waiting", lambda box, s, _: s.waiting, self._kept(_seats), own=False),
            *map(self._prepared, game.view.PARTS),
        )
        if "legal" not in names:
            self.parts += (Field("legal", self._legal, _itself, own=True),)
        if "brings" not in names:
            self.parts += (Field("brings", _rows, self._kept(self._brings), own=True),)
        self.shared = tuple(part for part in self.parts if not part.own)
        self.own = tuple(part for part in self.parts if part.own)
        self.by_seat = tuple((i, part.entry) for i, part in enumerate(self.shared) if part.entry is not None)
        """The parts with one entry per seat: their places in `shared`, and the keys of their entries."""
        self._shared_keys = tuple(part.key for part in self.shared)
        self._own_keys = tuple(part.key for part in self.own)

    def _prepared(self, part: Part | PerSeat) -> Field:
        if isinstance(part, Part):
            make = self._kept(partial(part.make, self.box)) if part.make else _itself
            return Field(part.name, part.key, make, part.own)
        entry, one = part.key, self._kept(partial(part.make, self.box))

        def key(box: Box, s: Known, audience: int) -> Any:
            return tuple([entry(box, s, audience, seat) for seat in range(s.players)])

        return Field(part.name, key, self._kept(lambda keys: [one(key) for key in keys]), False, entry, one)

    def sight(self, s: Known, audience: int, table: Sight | None = None) -> Sight:
        """Return what an audience sees; `table` is what spectators see at the same moment, if that is known."""
        box = self.box
        own = tuple([key(box, s, audience) for key in self._own_keys])
        if table is None:
            shared = tuple([key(box, s, audience) for key in self._shared_keys])
            mine = () if audience == SPECTATOR else tuple([shared[i][audience] for i, _ in self.by_seat])
        else:
            shared = table.shared
            mine = tuple([entry(box, s, audience, audience) for _, entry in self.by_seat])
        return Sight(self, audience, shared, own, mine)

    def json(self, sight: Sight) -> Json:
        """Return the table as an audience sees it."""
        seat = sight.audience
        view: Json = {"game": self.game.key, "seat": None if seat == SPECTATOR else seat}
        shared, own, mine = iter(sight.shared), iter(sight.own), iter(sight.mine)
        for part in self.parts:
            key = next(own if part.own else shared)
            if part.entry is not None and seat != SPECTATOR:
                key = (*key[:seat], next(mine), *key[seat + 1 :])
            view[part.name] = part.make(key)
        return view

    def _legal(self, box: Box, s: Known, audience: int) -> list[Json]:
        write = self.game.moves.write
        return [write(box, s, audience, action) for action in s.actions] if s.actions else NOTHING

    def _brings(self, rows: int | tuple[tuple[int, ...], ...]) -> list[Json | None]:
        if isinstance(rows, int):
            return [None] * rows if rows else NOTHING
        return [self.brought(row) for row in rows]


def _rows(box: Box, s: Known, audience: int) -> int | tuple[tuple[int, ...], ...]:
    """Return what each legal move brings, or only their number if no move brings anything."""
    return len(s.actions) if s.brings is None else tuple(map(tuple, s.brings))


def _seats(members: int) -> list[int]:
    return [seat for seat in range(members.bit_length()) if members >> seat & 1]


def _itself(key: Any) -> Any:
    return key


def _nothing(row: tuple[int, ...]) -> None:
    return None


_assemblies: dict[tuple[str, str], Assembly] = {}
"""The one that was used last at the end: boxes that somebody sends in do not push out those that others play with."""


def assembly(game: Game, box: Box) -> Assembly:
    """Return the views of a game for a box, with their cached values."""
    key = game.package, box.sha256
    try:
        found = _assemblies.pop(key)
    except KeyError:  # it may be another thread that has just taken it out
        found = Assembly(game, box)
    _assemblies[key] = found
    if len(_assemblies) > BOXES:
        for oldest in list(_assemblies)[:-BOXES]:
            _assemblies.pop(oldest, None)
    return found


class Views:
    """One moment of a game as everybody sees it."""

    def __init__(self, engine: Engine, state: bytes, players: int) -> None:
        self._assembly = assembly(engine.game, engine.box)
        self._known = engine.look(state, range(SPECTATOR, players))
        self._table = self._assembly.sight(self._known[0], SPECTATOR)
        self._singles = self._known[0].singles

    def sight(self, seat: int = SPECTATOR) -> Sight:
        """Return what the seat, or a spectator, sees."""
        if seat == SPECTATOR:
            return self._table
        known = self._known[seat - SPECTATOR]
        # A seat that is asked something of which nobody else may know is at another moment than spectators are.
        alike = known.singles == self._singles
        return self._assembly.sight(known, seat, self._table if alike else None)

    def __call__(self, seat: int = SPECTATOR) -> Json:
        """Return the table as the seat, or a spectator, sees it."""
        return self.sight(seat).json()


def view_of(engine: Engine, state: bytes, seat: int) -> Json:
    """Return a state as the seat, or a spectator, sees it."""
    return assembly(engine.game, engine.box).sight(engine.look(state, [seat])[0], seat).json()
