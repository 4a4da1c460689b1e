"""The contract of a game: what it must provide to be played, searched, simulated, recorded and shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from registan.core.errors import BadInput
from registan.core.fields import record_class
from registan.core.messages import add_folder
from registan.core.unpacked import unpacked

Record: TypeAlias = Any
"""One state or one box: a NumPy record, whose fields are attributes (`s.gems[seat]`), compiled or not."""
Json: TypeAlias = dict[str, Any]
"""A JSON object, such as a line of a game record."""
Ints: TypeAlias = npt.NDArray[Any]

SEATS = 5
"""The most players of any game, and the length of arrays indexed by seat."""
SPECTATOR = -1
"""The seat of a spectator, for `hide`."""


def record_type(fields: list[tuple[Any, ...]], version: int = 0) -> np.dtype[Any]:
    """Return the type of a record with these fields, aligned as C would.

    Padding becomes fields too: NumPy does not copy bytes outside fields, and states are equal if their bytes are.
    The states of an older version of a game have its number, so that nothing takes them for those of the present one.
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
    if version:
        name, *rest = filled[0]
        filled[0] = ((f"version {version}", name), *rest)
    made = np.dtype(filled, align=True)
    return np.dtype((record_class(made.names or ()), made))


class Rules(Protocol):
    """`rules.py` of a game: the state record and plain functions over it, each marked `@compiled`.

    Every state has the fields `players`, `waiting` (the seats to move, as bits), `due` (a chance event to carry out
    before anybody moves, 0 for none), `over` (0, or how the game ended) and `rng` (see `chance`), and one field for
    each option. A game with a start player (`Game.first`) also has the field `first`: 1 + the seat that begins, or 0
    to draw lots; `setup` reads and clears it.
    """

    STATE: np.dtype[Any]
    BOX: np.dtype[Any]
    """The record type of a box; needed only without a `box.py`."""
    MOST: int
    """The most legal actions a seat can have."""

    @property
    def SCORES(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """The names of the parts of a score, the total first."""
        ...

    def actions(self, players: int) -> int:
        """Return the number of possible actions; every action is below it."""
        ...

    def setup(self, box: Record, s: Record) -> None:
        """Set up a game in a state that is blank except for players, options, `first` and `rng`."""
        ...

    def breaks(self, box: Record, s: Record, seat: int, action: int) -> int:
        """Return the number of the rule that an action breaks, 0 if it is legal."""
        ...

    def legal(self, box: Record, s: Record, seat: int, out: Ints) -> int:
        """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
        ...

    def pick(self, box: Record, s: Record, seat: int, rng: Ints, out: Ints) -> int:
        """Return the random player's action, drawn with `rng`; `out` is a buffer for a list of actions."""
        ...

    def act(self, box: Record, s: Record, seat: int, action: int) -> None:
        """Carry out a legal action, up to the next decision or chance event (`due`)."""
        ...

    def chance(self, box: Record, s: Record) -> None:
        """Carry out the event that is due, with the state's `rng`, up to the next decision or event."""
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
        """Blank everything that the seat (or SPECTATOR) cannot know, even with a perfect memory."""
        ...

    def guess(self, box: Record, s: Record, seat: int, rng: Ints) -> None:
        """Deal what `hide` blanked at random, with `rng`, consistent with all that the seat knows."""
        ...

    def seen(self, box: Record, s: Record, seat: int, actor: int, action: int) -> int:
        """Return what the seat observes when the actor acts, as a number; the seat cannot tell equal numbers apart."""
        ...


@dataclass(frozen=True)
class Box:
    """The contents of a box: the record that the rules read, and where it came from."""

    key: str
    sha256: str
    record: Record
    names: Any = None
    """Whatever the game's moves and view need to write keys and names."""
    players: range | None = None
    """How many can play with it, if that is not as many as can play the game."""
    contents: str = ""
    """The text of its file, if it did not come with the game and travels with the records of its games."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what was read; the rest follows."""
        return _box_of, (self.key, self.sha256, self.record.tobytes(), self.record.dtype, self.names)

    @cached_property
    def unpacked(self) -> Any:
        """The record with fields that are fast to read (`core.unpacked`)."""
        return unpacked(self.record)

    @cached_property
    def array(self) -> Any:
        """The record as an array of one, which is faster to pass to compiled code than a record."""
        return np.frombuffer(bytearray(self.record.tobytes()), self.record.dtype)


class View(Protocol):
    """`view.py` of a game: what an audience knows, and nothing else, as JSON.

    To say what moves bring, it also has `brings(box, s, seat, action, out)`, compiled, which writes `BRINGS` numbers,
    and `brought(box, row)`, which makes JSON of them (`core.brings`). `TOLD` names the moves whose outcome everybody
    sees: lines of a table's log then say what such a move brought, as far as spectators knew. If that depends on what
    others answer at the same time, `settled(box, before, after, answers, line)` says what came of one of the answers.
    What else takes the rules to find out, `figures(box, s, audience, out)`, compiled, writes for all parts at once: up
    to `FIGURES` numbers, which keys find in `s.figures`.
    """

    PARTS: tuple[Any, ...]
    """The fields of the view, in order (`core.views.Part` and `core.views.PerSeat`)."""


class Moves(Protocol):
    """`moves.py` of a game: actions, events and states as written in the record.

    Its functions take the whole `Box`: `box.record` is what the rules read, `box.names` whatever the game's `box.py`
    put there for writing keys and names.
    """

    UNORDERED: frozenset[str]
    """The fields of a written state that are lists of lists (usually by seat) whose inner order has no meaning."""
    FREE: frozenset[str]
    """The fields of a written state that are lists whose order has no meaning."""

    def write(self, box: Box, s: Record, seat: int, action: int) -> Json:
        """Return an action as written in the record, without the seat."""
        ...

    def read(self, box: Box, s: Record, move: Json) -> int:
        """Return the number of a written move; raise BadMove if it cannot be one of this game."""
        ...

    def question(self, box: Box, s: Record, answers: list[tuple[int, int]]) -> list[tuple[Json, Json]] | None:
        """Return the lines for a decision that all have answered, or None for the usual one line per seat.

        `s` is the state before the answers; each line comes with what `--legal` adds to it.
        """
        ...

    def replay(self, box: Box, s: Record, line: Json, play: Callable[[int, int], None]) -> None:
        """Play the answers that a line without a seat stands for, while no event is due.

        Raise BadMove if the line is invalid. If an event is due afterwards, `apply_event` gets the same line.
        """
        ...

    def write_setup(self, box: Box, s: Record) -> Json:
        """Return the `setup` of a state that was just set up."""
        ...

    def apply_setup(self, box: Box, s: Record, setup: Json) -> None:
        """Set up a blank state as written; raise BadMove if that is not a valid setup."""
        ...

    def write_event(self, box: Box, before: Record, s: Record) -> Json:
        """Return the line of the event that was due in `before` and is carried out in `s`."""
        ...

    def apply_event(self, box: Box, s: Record, line: Json) -> None:
        """Carry out the event that is due as written; raise BadMove if that outcome is impossible."""
        ...

    def write_state(self, box: Box, s: Record) -> Json:
        """Return the whole state, secrets included, as written in the record."""
        ...

    def score_details(self, box: Box, s: Record, seat: int) -> Json:
        """Return what a written score contains besides the points, such as where they come from."""
        ...

    def comparable(self, score: Json) -> Json:
        """Return the part of a written score that every correct program agrees on."""
        ...

    def redact(self, line: Json, seat: int, players: int) -> Json:
        """Return a line as the seat may read it."""
        ...

    def forgotten(self, s: Record, lines: Iterable[Json]) -> Collection[int]:
        """Return the indexes of the lines that nobody may look up again during the game."""
        ...


class Tell(Protocol):
    """`text.tell` of a game: the record as sentences."""

    def __call__(self, box: Box, line: Json, lang: str, who: Callable[[int], str]) -> str:
        """Return a line of the record, or a move without its seat, as a short sentence; `who` names seats."""
        ...


class Timed(NamedTuple):
    """A decision against a real clock: seats that do nothing in time are taken to wait."""

    question: tuple[int, ...]
    """Identifies the decision; the clock restarts for the next one."""
    wait: int
    """The action of a seat that did nothing."""
    stop: int
    """The action of a seat that stopped the clock."""


class Orders(Protocol):
    """`orders.py` of a game (optional): orders that seats give in advance, quiet questions and real clocks.

    An order depends only on what its seat may know: `hidden` is the state as the seat knows it. Orders are stored as
    JSON.
    """

    SEALED: bool
    """Whether orders apply to the current decision only, and are dropped when a move is taken back.

    Otherwise they stand until they are withdrawn, and a seat may also plan its next moves (`tables.plans`).
    """
    TICKS: tuple[float, ...]
    """The seconds for a decision against a real clock (`timed`), the beginners' pace first; empty if there is none."""

    def give(self, box: Box, hidden: Record, seat: int, orders: Json) -> Json:
        """Return a seat's orders as they are stored; raise BadInput, BadMove or IllegalMove if they are invalid."""
        ...

    def stands(self, box: Box, hidden: Record, seat: int, kept: Json) -> bool:
        """Whether a sealed order still stands: it ends when it is done or something unforeseen happens."""
        ...

    def answer(self, box: Box, hidden: Record, seat: int, kept: Json) -> int | None:
        """Return the action that an order chooses now, None if the player must be asked."""
        ...

    def show(self, kept: Json) -> Json:
        """Return an order as its player sees it."""
        ...

    def quiet(self, box: Box, s: Record) -> int | None:
        """Return the answer to assume if nobody else may know that the seat is asked, else None.

        The game then continues with this answer, which also counts when time is up. Any other answer must leave
        legal whatever the others play in the meantime.
        """
        ...

    def timed(self, box: Box, s: Record) -> Timed | None:
        """Return the current decision if it can run against a real clock."""
        ...


@dataclass(frozen=True)
class Option:
    """A choice made before the game: its default and its values."""

    default: bool | str
    values: tuple[bool | str, ...] = (False, True)


@dataclass(frozen=True)
class Game:
    """A game: its metadata, and its parts, which are the modules of its folder.

    Parts are imported on first use. Some are optional: a game without them gets a default.
    """

    package: str
    """The package of its folder: `__name__` in its `__init__.py`."""
    key: str
    name: Mapping[str, str]
    players: range
    usual: int
    """The usual number of players, for a table opened with one click."""
    minutes: int
    """How long a game takes, roughly."""
    credits: str
    """Authors, artists, publisher."""
    letter: str
    """The prefix of its rule ids."""
    rule_count: int
    box_names: tuple[str, ...]
    """Its box files, `box/<name>.toml`; the first is the default."""
    options: Mapping[str, Option] = field(default_factory=dict)
    version: int = 1
    first: str = ""
    """What the player who begins is called (start_player, first_doyen), empty if nobody begins."""
    present: str = ""
    """Of an older version: the package of the present one, whose parts and files it uses where it has none itself."""

    def __post_init__(self) -> None:
        if not self.present:
            add_folder(self.folder / "messages")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the name of the package, whose modules are there already."""
        return _game_of, (self.package,)

    def older(self, package: str, version: int) -> Game:
        """Return an older version of this game, for `v<version>/__init__.py` in its folder."""
        return replace(self, package=package, version=version, present=self.package)

    @cached_property
    def folder(self) -> Path:
        """The folder with its files."""
        return Path(str(import_module(self.package).__file__)).resolve().parent

    def file(self, name: str) -> Path:
        """Return one of its files; an older version without it has that of the present one."""
        own = self.folder / name
        if own.exists() or not self.present:
            return own
        return Path(str(import_module(self.present).__file__)).resolve().parent / name

    @cached_property
    def boxes(self) -> dict[str, Path]:
        """Its box files by key; the first is the default."""
        return {name: self.file(f"box/{name}.toml") for name in self.box_names}

    def load_box(self, data: bytes, name: str) -> Box:
        """Return the box in the bytes of a file with that name; raise BadBox if there is a fault."""
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
        """`moves.py`, with defaults for what it leaves out."""
        from registan.core.defaults import moves

        return moves(self._needed("moves"))  # type: ignore[no-any-return]

    @cached_property
    def view(self) -> View:
        """`view.py`."""
        return self._needed("view")

    @cached_property
    def tell(self) -> Tell:
        """`tell` of `text.py`, or the default, which uses the game's messages."""
        from registan.core.defaults import tell

        own: Tell | None = getattr(self.part("text"), "tell", None)
        return own or tell(self.key)

    @cached_property
    def orders(self) -> Orders | None:
        """`orders.py`, None if the game has none."""
        return self.part("orders")

    def part(self, name: str) -> ModuleType | None:
        """Return a module of the game's folder, None if there is no such module."""
        packages = (self.package, self.present) if self.present else (self.package,)
        found = next((module for package in packages if _exists(module := f"{package}.{name}")), None)
        return None if found is None else import_module(found)

    def _needed(self, name: str) -> ModuleType:
        found = self.part(name)
        if found is None:
            raise ModuleNotFoundError(f"the game {self.key!r} has no {name}.py in {self.folder}")
        return found

    def rule_id(self, number: int) -> str:
        """Return the id of a rule, such as "K5"."""
        return f"{self.letter}{number}"


def _box_of(key: str, sha256: str, data: bytes, kind: np.dtype[Any], names: Any) -> Box:
    return Box(key, sha256, np.frombuffer(bytearray(data), kind)[0], names)


def _game_of(package: str) -> Game:
    game: Game = import_module(package).GAME
    return game


@cache
def _exists(module: str) -> bool:
    spec = find_spec(module)
    return spec is not None and spec.origin is not None  # a folder of data, such as `box`, has no origin


def check_players(game: Game, box: Box, players: int) -> None:
    """Raise BadInput if so many cannot play a game, or not with this box."""
    if players not in game.players:
        raise BadInput("error.players", game=game.key, low=game.players[0], high=game.players[-1], n=players)
    if box.players is not None and players not in box.players:
        low, high = box.players[0], box.players[-1]
        raise BadInput("error.box_players", box=box.key, low=low, high=high, n=players)


def name_first(game: Game, states: Any, first: int | None) -> None:
    """Write the start player (S4, M4) into blank states; raise BadInput if the game or the seat does not allow it."""
    if first is None:
        return
    if not game.first:
        raise BadInput("error.first", game=game.key)
    last = int(states["players"][0]) - 1
    if type(first) is not int or not 0 <= first <= last:
        raise BadInput("error.seat", seat=first, last=last)
    states["first"] = 1 + first
