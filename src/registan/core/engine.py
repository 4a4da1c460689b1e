"""How Python code calls the rules: on arrays of states, interpreted or compiled.

Passing an array of one to compiled code is ten times as fast as passing a record, whose type NumPy describes again at
every call. So everything here takes arrays, and `look` serves all audiences of a moment in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from registan.core import rules
from registan.core.compiled import INTERPRET, cache_folder, compiled, jit
from registan.core.game import SEATS, SPECTATOR, Box, Game, Ints, Record
from registan.core.unpacked import Packing, Unpacked, packing_of

_compiled: set[str] = set()
_loaded: set[tuple[str, Callable[..., Any]]] = set()
_noted: set[str] = set()


def _note(game: Game, function: Callable[..., Any]) -> str:
    return f"{game.key}.{function.__name__}"


def is_cached(game: Game, function: Callable[..., Any]) -> bool:
    """Whether machine code of a marked function for a game is on disk."""
    return INTERPRET or (cache_folder() / _note(game, function)).exists()


def use_compiled(game: Game) -> None:
    """Run this game compiled from now on: worth it for long work only."""
    _compiled.add(game.key)


def is_compiled(game: Game) -> bool:
    """Whether this game runs compiled now."""
    return game.key in _compiled and not INTERPRET


def at_hand(game: Game) -> bool:
    """Whether the machine code of all rules of a game is on disk, so that nothing has to be compiled to use it."""
    if INTERPRET or game.present:
        return False
    return all(is_cached(game, function) for function in RULES)


class Known(Unpacked):
    """A state as an audience knows it, with its legal actions and everybody's points as far as it can tell."""

    def __init__(
        self,
        packing: Packing,
        data: bytes | bytearray,
        offset: int,
        actions: list[int],
        brings: list[list[int]] | None,
        points: list[list[int]],
        figures: list[int],
    ) -> None:
        super().__init__(packing, data, offset)
        self.actions = actions
        self.brings = brings
        """What each action would bring: a row of `view.BRINGS` numbers; None if no action brings anything."""
        self.points = points
        self.figures = figures
        """What the game's view has let compiled code find out (`view.figures`)."""


class Engine:
    """The rules of a game with a box. By default it is compiled if the game is at that moment (`use_compiled`).

    Otherwise the functions that were loaded (`load`) run as machine code, and the rest runs interpreted.
    A method that answers for a single state takes the first of the array.
    """

    def __init__(self, game: Game, box: Box, compiled: bool | None = None) -> None:
        rules.register(game)
        self.game, self.box = game, box
        self._mode = compiled
        view = game.part("view")
        self._columns: int = getattr(view, "BRINGS", 0)
        self._figures: int = getattr(view, "FIGURES", 0)
        self._twins: dict[Callable[..., Any], Callable[..., Any]] = {}
        """The machine code that has run: what is compiled once stays so."""

    @property
    def compiled(self) -> bool:
        """Whether the rules run as machine code."""
        if self._interpreted:
            return False
        return is_compiled(self.game) if self._mode is None else bool(self._mode)

    @property
    def _interpreted(self) -> bool:
        # Nobody compiles an older version for the few tables that still need it.
        return INTERPRET or bool(self.game.present)

    def run(self, function: Callable[..., Any], states: Any, *args: Any) -> Any:
        """Call a marked function with the box (as an array of one), the states and further arguments."""
        twin = self._twins.get(function)
        if twin is not None:
            return twin(self.box.array, states, *args)
        if not self.ready(function):
            return function(self.box.array, states, *args)
        twin = jit(function)
        result = twin(self.box.array, states, *args)
        self._is_there(function)
        self._twins[function] = twin
        return result

    def compile(self, function: Callable[..., Any], states: Any, *args: Any) -> None:
        """Compile a marked function for arguments like these, or load it from disk, without calling it."""
        if not INTERPRET:
            from numba import typeof

            twin: Any = jit(function)
            types = [typeof(arg) for arg in (self.box.array, states, *args)]  # type: ignore[no-untyped-call]
            twin.compile(tuple(types))
            self._is_there(function)

    def load(self, function: Callable[..., Any], states: Any, *args: Any) -> None:
        """Run a marked function as machine code from now on, even where nothing else of the game is compiled."""
        self.compile(function, states, *args)
        _loaded.add((self.game.key, function))

    def ready(self, function: Callable[..., Any]) -> bool:
        """Whether a marked function runs as machine code."""
        return self.compiled or self._has(function)

    def _has(self, function: Callable[..., Any]) -> bool:
        return self._mode is None and (self.game.key, function) in _loaded and not self._interpreted

    def _is_there(self, function: Callable[..., Any]) -> None:
        """Note for `is_cached` that the machine code of a function for this game is on disk."""
        note = _note(self.game, function)
        if note not in _noted:
            _noted.add(note)
            (cache_folder() / note).touch()

    def actions(self) -> Ints:
        """Return a buffer for a list of actions."""
        return np.zeros(self.game.rules.MOST, np.int32)

    def setup(self, states: Any) -> None:
        """Set up every game of an array."""
        self.run(_setup, states)

    def breaks(self, states: Any, seat: int, action: int) -> int:
        """Return the number of the rule that an action breaks, 0 if it is legal."""
        return int(self.run(_breaks, states, seat, action))

    def legal(self, states: Any, seat: int) -> list[int]:
        """Return the legal actions of a seat, lowest first."""
        out = self.actions()
        return out[: self.run(_legal, states, seat, out)].tolist()  # type: ignore[no-any-return]

    def pick(self, states: Any, seat: int, rng: Ints) -> int:
        """Return the random player's action."""
        return int(self.run(_pick, states, seat, rng, self.actions()))

    def act(self, states: Any, seat: int, action: int) -> int:
        """Carry out a legal action, up to the next decision or chance event, and return 0.

        An action that is not legal changes nothing; return the number of the rule that it breaks.
        """
        return int(self.run(_act, states, seat, action))

    def chance(self, states: Any) -> None:
        """Carry out the event that is due."""
        self.run(_chance, states)

    def apply(self, states: Any, seat: int, action: int) -> None:
        """Carry out a legal action and the chance events that follow, up to the next decision."""
        self.run(_apply, states, seat, action)

    def scores(self, states: Any) -> Ints:
        """Return what each seat would score now, by game, seat and part; part 0 is the total."""
        out = np.zeros((len(states), SEATS, len(self.game.rules.SCORES)), np.int64)
        self.run(_scores, states, out)
        return out

    def winners(self, states: Any) -> Ints:
        """Return the seats that would win now, as bits, by game."""
        out = np.zeros(len(states), np.int64)
        self.run(_winners, states, out)
        return out

    def hide(self, states: Any, seat: int) -> None:
        """Blank everything in the states that the seat cannot know."""
        self.run(_hide, states, seat)

    def guess(self, states: Any, seat: int, rng: Ints) -> None:
        """Deal what is hidden in the states at random, consistent with what the seat knows."""
        self.run(_guess, states, seat, rng)

    def seen(self, states: Any, seat: int, actor: int, action: int) -> int:
        """Return what the seat observes when the actor acts, as a number; the seat cannot tell equal numbers apart."""
        return int(self.run(_seen, states, seat, actor, action))

    def reveals(self, hidden: Any, seat: int, action: int) -> bool:
        """Return whether an action may show the seat something that does not follow from what it knows."""
        return bool(self.run(_reveals, hidden, seat, action))

    def brings(self, hidden: Any, seat: int, action: int) -> tuple[int, ...]:
        """Return what a legal action certainly brings the seat, as the numbers of `view.BRINGS`."""
        out = np.zeros(self._columns, np.int32)
        if self._columns:
            self.run(_brings, hidden, seat, action, out)
        return tuple(out.tolist())

    def openly(self, states: Any, seat: int, action: int) -> tuple[int, ...]:
        """Return what an action certainly brings the seat, as far as spectators know; the state is hidden from them."""
        out = np.zeros(self._columns, np.int32)
        if self._columns:
            self.run(_openly, states, seat, action, out)
        return tuple(out.tolist())

    def faults(self, states: Any) -> int:
        """Return the number of the first check that fails in an array of states, 0 if none does."""
        return int(self.run(_faults, states))

    def look(self, state: bytes, seats: Sequence[int]) -> list[Known]:
        """Return a state as each of these audiences knows it."""
        n, rules = len(seats), self.game.rules
        packing, size, data = packing_of(rules.STATE), rules.STATE.itemsize, bytearray(state * n)
        shape = n, rules.MOST, self._columns, len(rules.SCORES), self._figures
        sheets = _sheets.setdefault(shape, [])
        try:
            sheet = sheets.pop()
        except IndexError:  # other threads have taken them all
            sheet = _sheet(*shape)
        actions, brings, counts, points, figures = sheet
        self.run(_look, np.frombuffer(data, rules.STATE), _numbers(tuple(seats)), *sheet)
        known = [
            Known(
                packing,
                data,
                i * size,
                actions[i, :count].tolist() if count else [],
                brings[i, :count].tolist() if bring else None,
                all_points,
                figures[i, :more].tolist() if more else [],
            )
            for i, ((count, bring, more), all_points) in enumerate(zip(counts.tolist(), points.tolist()))
        ]
        sheets.append(sheet)
        return known


Sheet = tuple[Ints, Ints, Ints, Ints, Ints]
"""What `_look` writes: actions, what they bring, how many there are, points, and figures for the view."""
_sheets: dict[tuple[int, ...], list[Sheet]] = {}
"""By shape: those that nobody is using. To make new ones for every look takes longer than to look."""


def _sheet(n: int, most: int, columns: int, parts: int, figures: int) -> Sheet:
    return (
        np.zeros((n, most), np.int32),
        np.zeros((n, most, columns), np.int32),
        np.zeros((n, 3), np.int64),
        np.zeros((n, SEATS, parts), np.int64),
        np.zeros((n, figures), np.int32),
    )


_numbers = cache(np.array)


@compiled
def _setup(boxes: Record, states: Record) -> None:
    for i in range(len(states)):
        rules.setup(boxes[0], states[i])


@compiled
def _breaks(boxes: Record, states: Record, seat: int, action: int) -> int:
    return rules.breaks(boxes[0], states[0], seat, action)


@compiled
def _legal(boxes: Record, states: Record, seat: int, out: Ints) -> int:
    return rules.legal(boxes[0], states[0], seat, out)


@compiled
def _pick(boxes: Record, states: Record, seat: int, rng: Ints, out: Ints) -> int:
    return rules.pick(boxes[0], states[0], seat, rng, out)


@compiled
def _act(boxes: Record, states: Record, seat: int, action: int) -> int:
    rule = rules.breaks(boxes[0], states[0], seat, action)
    if rule == 0:
        rules.act(boxes[0], states[0], seat, action)
    return rule


@compiled
def _chance(boxes: Record, states: Record) -> None:
    rules.chance(boxes[0], states[0])


@compiled
def _apply(boxes: Record, states: Record, seat: int, action: int) -> None:
    rules.apply(boxes[0], states[0], seat, action)


@compiled
def _scores(boxes: Record, states: Record, out: Ints) -> None:
    for i in range(len(states)):
        rules.scores(boxes[0], states[i], out[i])


@compiled
def _winners(boxes: Record, states: Record, out: Ints) -> None:
    for i in range(len(states)):
        out[i] = rules.winners(boxes[0], states[i])


@compiled
def _reveals(boxes: Record, states: Record, seat: int, action: int) -> bool:
    return rules.reveals(boxes[0], states[0], seat, action)


@compiled
def _hide(boxes: Record, states: Record, seat: int) -> None:
    for i in range(len(states)):
        rules.hide(boxes[0], states[i], seat)


@compiled
def _guess(boxes: Record, states: Record, seat: int, rng: Ints) -> None:
    for i in range(len(states)):
        rules.guess(boxes[0], states[i], seat, rng)


@compiled
def _seen(boxes: Record, states: Record, seat: int, actor: int, action: int) -> int:
    return rules.seen(boxes[0], states[0], seat, actor, action)


@compiled
def _brings(boxes: Record, states: Record, seat: int, action: int, out: Ints) -> None:
    rules.brings(boxes[0], states[0], seat, action, out)


@compiled
def _openly(boxes: Record, states: Record, seat: int, action: int, out: Ints) -> None:
    rules.hide(boxes[0], states[0], SPECTATOR)
    rules.brings(boxes[0], states[0], seat, action, out)


@compiled
def _faults(boxes: Record, states: Record) -> int:
    for i in range(len(states)):
        fault = rules.faults(boxes[0], states[i])
        if fault != 0:
            return fault
    return 0


@compiled
def _look(
    boxes: Record,
    hidden: Record,
    seats: Ints,
    actions: Ints,
    brings: Ints,
    counts: Ints,
    points: Ints,
    figures: Ints,
) -> None:
    """Hide each state from its seat, and write the seat's actions, what they bring, everybody's points, and figures.

    `counts` has the number of actions, how many of the numbers of what they bring are not 0, and the number of figures.
    The arrays may have been used before.
    """
    box = boxes[0]
    for i in range(len(seats)):
        seat = int(seats[i])
        rules.hide(box, hidden[i], seat)
        counts[i, 1] = 0
        points[i, :, :] = 0
        counts[i, 0] = 0 if seat == SPECTATOR else rules.legal(box, hidden[i], seat, actions[i])
        if brings.shape[2] > 0:
            for k in range(counts[i, 0]):
                for column in range(brings.shape[2]):
                    brings[i, k, column] = 0
                rules.brings(box, hidden[i], seat, int(actions[i, k]), brings[i, k])
                for column in range(brings.shape[2]):
                    if brings[i, k, column] != 0:
                        counts[i, 1] += 1
        rules.scores(box, hidden[i], points[i])
        counts[i, 2] = rules.figures(box, hidden[i], seat, figures[i]) if figures.shape[1] > 0 else 0


RULES = (
    *(_setup, _breaks, _legal, _pick, _act, _chance, _apply, _scores, _winners),
    *(_hide, _guess, _seen, _reveals, _brings, _openly, _faults, _look),
)
"""Every function that the engine runs."""


def entry_points(engine: Engine) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Return RULES with arguments of the right types, for compiling."""
    game = engine.game
    most, parts = game.rules.MOST, len(game.rules.SCORES)
    rng, out, numbers = np.zeros(4, np.uint64), engine.actions(), np.zeros(1, np.int64)
    sheet = _sheet(1, most, engine._columns, parts, engine._figures)
    points, look = sheet[3], (numbers, *sheet)
    args: tuple[tuple[Any, ...], ...] = (
        *((), (0, 0), (0, out), (0, rng, out), (0, 0), (), (0, 0), (points,), (numbers,)),
        *((0,), (0, rng), (0, 0, 0), (0, 0), (0, 0, out), (0, 0, out), (), look),
    )
    return list(zip(RULES, args, strict=True))
