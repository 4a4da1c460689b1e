"""The contract: what a game must bring along to be played, searched, simulated, recorded and shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from registan.core.errors import BadInput
from registan.core.messages import add_folder
from registan.core.unpacked import unpacked

Record: TypeAlias = Any
"""One state or one box: a NumPy record, whose fields are attributes (`s.gems[seat]`), compiled or not."""
Json: TypeAlias = dict[str, Any]
"""One line of a game record, as in JSON."""
Ints: TypeAlias = npt.NDArray[Any]

SEATS = 5
"""No game here seats more; arrays by seat have this length."""
SPECTATOR = -1
"""The seat of somebody who only watches, for `hide`."""


def record_type(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return the type of a record with these fields, aligned as C would.

    The gaps between them become fields too: NumPy does not copy what belongs to no field, and equality of states is
    equality of bytes.
    """
    bare = np.dtype(fields, align=True)
    filled: list[tuple[Any, ...]] = []
    end = 0
    for name, *rest in fields:
        kind, offset = bare.fields[name][:2]  # type: ignore[index]
        if offset > end:
            filled.append((f"gap_{end}", "u1", (offset - end,)))
        filled.append((name, *rest))
        end = offset + kind.itemsize
    if bare.itemsize > end:
        filled.append((f"gap_{end}", "u1", (bare.itemsize - end,)))
    return np.dtype((np.record, np.dtype(filled, align=True)))


class Rules(Protocol):
    """`rules.py` of a game: the state record and plain functions over it, each marked `@compiled`.

    Every state has the fields `players`, `waiting` (the set of seats that are asked, as bits), `due` (a chance event
    that comes before anybody is asked again, 0 for none), `over` (0 or how the game ended) and `rng` (see `chance`),
    and one field for each option. A game in which somebody begins (`Game.first`) also has the field `first`: 1 + the
    seat that begins, or 0 to draw lots; `setup` reads it and blanks it.
    """

    STATE: np.dtype[Any]
    BOX: np.dtype[Any]
    """The record of a box; asked for only where there is no `box.py`."""
    MOST: int
    """No seat ever has more legal actions than this."""

    @property
    def SCORES(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """The parts of a score, the total first."""
        ...

    def actions(self, players: int) -> int:
        """Return how many numbers of actions there are: every action is below that."""
        ...

    def setup(self, box: Record, s: Record) -> None:
        """Lay out a game in a state that is blank but for players, options, `first` and words."""
        ...

    def breaks(self, box: Record, s: Record, seat: int, action: int) -> int:
        """Return the number of the rule that the action would break, 0 if it is legal."""
        ...

    def legal(self, box: Record, s: Record, seat: int, out: Ints) -> int:
        """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
        ...

    def pick(self, box: Record, s: Record, seat: int, rng: Ints, out: Ints) -> int:
        """Return a legal action at random (with `rng`; `out` is room for a list), as a random player would play."""
        ...

    def act(self, box: Record, s: Record, seat: int, action: int) -> None:
        """Carry out a legal action, up to the next question or the next chance event (`due`)."""
        ...

    def chance(self, box: Record, s: Record) -> None:
        """Carry out the event that is due, with the state's words, up to the next question or event."""
        ...

    def scores(self, box: Record, s: Record, out: Ints) -> None:
        """Write what each seat would score now into `out[seat, part]`, in the order of SCORES."""
        ...

    def winners(self, box: Record, s: Record) -> int:
        """Return the seats that would win now, as bits."""
        ...


class Secrets(Protocol):
    """`secrets.py` of a game: who knows what."""

    def hide(self, box: Record, s: Record, seat: int) -> None:
        """Blank out of a state whatever the seat (or SPECTATOR) cannot know, having forgotten nothing."""
        ...

    def guess(self, box: Record, s: Record, seat: int, rng: Ints) -> None:
        """Deal what `hide` took away anew, with `rng`, as it might be for all the seat knows."""
        ...

    def seen(self, box: Record, s: Record, seat: int, actor: int, action: int) -> int:
        """Return what the seat learns at once when the actor acts, as a number; equal numbers look alike to it."""
        ...


@dataclass(frozen=True)
class Box:
    """What is in the box, ready for the rules: the record they read, and where it came from."""

    key: str
    sha256: str
    record: Record
    names: Any = None
    """What the game's own moves and view need to write keys and names."""

    @cached_property
    def unpacked(self) -> Any:
        """The record for reading often (`core.unpacked`)."""
        return unpacked(self.record)

    @cached_property
    def array(self) -> Any:
        """The record as an array of one, which compiled code takes quicker than a record."""
        return np.frombuffer(bytearray(self.record.tobytes()), self.record.dtype)


class View(Protocol):
    """`view.py` of a game: what an audience knows as plain JSON for people, made of nothing else.

    A game that says what its moves bring has `BRINGS`, how many numbers say it, `brings(box, s, seat, action, out)`,
    compiled, which writes them, and `brought(box, row)`, which makes JSON of them (`core.brings`).
    """

    PARTS: tuple[Any, ...]
    """The fields of the view, in their order (`core.views.Part` and `core.views.PerSeat`)."""


class Moves(Protocol):
    """`moves.py` of a game: states and actions as they are written in the record.

    Its functions take the whole `Box`: the record the rules read is `box.record`, and `box.names` is whatever the
    game's own `load_box` put there for writing keys and names.
    """

    UNORDERED: frozenset[str]
    """The parts of a written state that are lists of lists (by seat, mostly) whose inner order means nothing."""
    FREE: frozenset[str]
    """The parts of a written state that are lists whose own order means nothing."""

    def write(self, box: Box, s: Record, seat: int, action: int) -> Json:
        """Return an action as the record has it, without the seat."""
        ...

    def read(self, box: Box, s: Record, move: Json) -> int:
        """Return the number of a written move; raise BadMove if it cannot be one of this game."""
        ...

    def question(self, box: Box, s: Record, answers: list[tuple[int, int]]) -> list[tuple[Json, Json]] | None:
        """Return None for one line a seat (the usual), or the lines of a question that was answered by all.

        `s` is the state in which it was asked; with each line comes what `--legal` adds to it.
        """
        ...

    def replay(self, box: Box, s: Record, line: Json, play: Callable[[int, int], None]) -> None:
        """Play the answers that a line without a seat stands for, where no event is due yet.

        Raise BadMove if it makes no sense. If an event is due afterwards, `apply_event` is called with the same line.
        """
        ...

    def write_setup(self, box: Box, s: Record) -> Json:
        """Return the `setup` of a state that has just been set up."""
        ...

    def apply_setup(self, box: Box, s: Record, setup: Json) -> None:
        """Set a blank state up as written; raise BadMove if that is no set-up of this game."""
        ...

    def write_event(self, box: Box, before: Record, s: Record) -> Json:
        """Return the line of the event that was due in `before` and has been carried out in `s`."""
        ...

    def apply_event(self, box: Box, s: Record, line: Json) -> None:
        """Carry out the event that is due as the line says; raise BadMove if it cannot have come out so."""
        ...

    def write_state(self, box: Box, s: Record) -> Json:
        """Return the whole state, secrets included, as the record has it."""
        ...

    def score_details(self, box: Box, s: Record, seat: int) -> Json:
        """Return what a written score says besides the points: what they come from."""
        ...

    def comparable(self, score: Json) -> Json:
        """Return what of a written score must be the same whoever wrote it."""
        ...

    def redact(self, line: Json, seat: int, players: int) -> Json:
        """Return what the seat may read of a line."""
        ...

    def forgotten(self, s: Record, lines: Iterable[Json]) -> Collection[int]:
        """Return which lines of the record so far nobody may read again while the game lasts."""
        ...


class Tell(Protocol):
    """`text.tell` of a game: the record in words."""

    def __call__(self, line: Json, lang: str, who: Callable[[int], str]) -> str:
        """Return a line of the record, or a move without its seat, as a short sentence; `who` names seats."""
        ...


class Timed(NamedTuple):
    """A question that a real clock may ask: all who did nothing in time are taken to have waited."""

    question: tuple[int, ...]
    """Tells this question from the next, for which the clock starts again."""
    wait: int
    """The action of a seat that did nothing."""
    stop: int
    """The action of a seat that stopped the clock."""


class Orders(Protocol):
    """`orders.py` of a game (optional): orders that seats give in advance, and questions that need special care.

    What becomes of an order follows from what its seat may know: `hidden` is the state as the seat knows it. What is
    kept of orders is plain data, as in JSON.
    """

    SEALED: bool
    """Whether orders are for the question that is open, and go when a move is taken back; else they stand for good.

    Where they stand for good, a seat may also plan its next moves (`tables.plans`).
    """
    TIMED: bool
    """Whether there are questions that a real clock may ask (`timed`)."""

    def give(self, box: Box, hidden: Record, seat: int, orders: Json) -> Json:
        """Return what is kept of the orders of a seat; raise BadInput, BadMove or IllegalMove for wrong ones."""
        ...

    def stands(self, box: Box, hidden: Record, seat: int, kept: Json) -> bool:
        """Return whether a sealed order still stands; it falls when it is done or something unforeseen happens."""
        ...

    def answer(self, box: Box, hidden: Record, seat: int, kept: Json) -> int | None:
        """Return the action with which an order answers for its seat now, None if the player must be asked."""
        ...

    def show(self, kept: Json) -> Json:
        """Return an order as its own player sees it."""
        ...

    def quiet(self, box: Box, s: Record) -> int | None:
        """Return None, or the answer to assume if nobody else may know that the open question is asked.

        The game then goes on with this answer, which also counts when the time for the question is up. Any other
        answer must leave the moves that others make meanwhile legal.
        """
        ...

    def timed(self, box: Box, s: Record) -> Timed | None:
        """Return the open question if a real clock may ask it."""
        ...


@dataclass(frozen=True)
class Option:
    """A choice made before the game: its default and what it may be."""

    default: bool | str
    values: tuple[bool | str, ...] = (False, True)


@dataclass(frozen=True)
class Game:
    """A game: what is known of it at a glance, and its parts, which are the modules of its folder.

    Each part is loaded when it is first asked for. Some are optional: a game without them gets the plain ones.
    """

    package: str
    """The folder as a package: `__name__` where this is made."""
    key: str
    name: Mapping[str, str]
    players: range
    usual: int
    """How many usually play: the seats of a table that is opened with one click."""
    minutes: int
    """How long a game takes, about."""
    credits: str
    """Who made it: authors, artists, publisher."""
    letter: str
    """What the ids of its rules begin with."""
    rule_count: int
    box_names: tuple[str, ...]
    """The box files that come with it, `box/<name>.toml`; the first is the default."""
    options: Mapping[str, Option] = field(default_factory=dict)
    version: int = 1
    first: str = ""
    """The office of who begins, as the messages `first.*` have it; empty in a game where nobody does."""

    def __post_init__(self) -> None:
        add_folder(self.folder / "messages")

    @cached_property
    def folder(self) -> Path:
        """Where its files are."""
        return Path(str(import_module(self.package).__file__)).resolve().parent

    @cached_property
    def boxes(self) -> dict[str, Path]:
        """The box files that come with it, by key; the first is the default."""
        return {name: self.folder / "box" / f"{name}.toml" for name in self.box_names}

    def load_box(self, data: bytes, name: str) -> Box:
        """Return the box in the bytes of a file with that name; raise BadBox for what is wrong with it."""
        from registan.core.defaults import load_box

        module = self.part("box")
        return load_box(self, data, name) if module is None else module.load(data, name)

    @cached_property
    def rules(self) -> Rules:
        """`rules.py`."""
        return self._needed("rules")

    @cached_property
    def secrets(self) -> Secrets:
        """`secrets.py`."""
        return self._needed("secrets")

    @cached_property
    def moves(self) -> Moves:
        """`moves.py`, with the plain version of what it leaves out."""
        from registan.core.defaults import moves

        return moves(self._needed("moves"))  # type: ignore[no-any-return]

    @cached_property
    def view(self) -> View:
        """`view.py`."""
        return self._needed("view")

    @cached_property
    def tell(self) -> Tell:
        """What puts a line of the record into words: `tell` of `text.py`, or the plain one."""
        from registan.core.defaults import tell

        own: Tell | None = getattr(self.part("text"), "tell", None)
        return own or tell(self.key)

    @cached_property
    def orders(self) -> Orders | None:
        """`orders.py`, None if the game has none."""
        return self.part("orders")

    def part(self, name: str) -> ModuleType | None:
        """Return a module of the game's folder, None if there is none of that name."""
        found = f"{self.package}.{name}"
        return import_module(found) if _exists(found) else None

    def _needed(self, name: str) -> ModuleType:
        found = self.part(name)
        if found is None:
            raise ModuleNotFoundError(f"the game {self.key!r} has no {name}.py in {self.folder}")
        return found

    def rule_id(self, number: int) -> str:
        """Return the id of a rule, as "K5"."""
        return f"{self.letter}{number}"


@cache
def _exists(module: str) -> bool:
    spec = find_spec(module)
    return spec is not None and spec.origin is not None  # a folder of data, such as `box`, has no origin


def name_first(game: Game, states: Any, first: int | None) -> None:
    """Write who begins (S4, M4) into blank states; raise BadInput if nobody does in this game, or not that seat."""
    if first is None:
        return
    if not game.first:
        raise BadInput("error.first", game=game.key)
    last = int(states["players"][0]) - 1
    if type(first) is not int or not 0 <= first <= last:
        raise BadInput("error.seat", seat=first, last=last)
    states["first"] = 1 + first
