"""A decision in small steps: narrow the legal moves field by field until one is left.

It needs only the list of legal moves, so it works for every game.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from registan.core.game import Json

FEW = 9
"""Up to this many moves are offered as whole sentences; more are asked in steps."""


@dataclass(frozen=True)
class Choice:
    """One possible answer: a whole move, or the value of a field."""

    number: int
    value: Any
    moves: tuple[Json, ...]
    """The moves that are left after it."""
    closes: bool = False
    """Whether it says of a set that it is complete."""


@dataclass(frozen=True)
class Step:
    """One question: about whole moves (no field), or about one field of them."""

    field: str | None
    choices: tuple[Choice, ...]
    taken: tuple[Any, ...] = ()
    """Of a field that is a set: what was chosen before."""
    size: int | None = None
    """Of a field that is a set: how many it will have, if that is sure."""


class Decision:
    """The moves still possible, and the step that comes next.

    `sets` names the fields whose values are sets (cards to give, …): they are asked element by element.
    """

    def __init__(self, moves: list[Json], sets: Iterable[str] = ()) -> None:
        self.moves = tuple(moves)
        self.sets = frozenset(sets)
        self._taken: dict[str, tuple[Any, ...]] = {}
        self._numbers: dict[str, int] = {}

    @property
    def move(self) -> Json | None:
        """The move, once only one is left."""
        return self.moves[0] if len(self.moves) == 1 else None

    def step(self) -> Step:
        """Return the next question; there is one as long as `move` is None."""
        fields = self._open_fields()
        if len(self.moves) <= FEW and not self.sets.intersection(fields):
            whole = tuple(Choice(i, move, (move,)) for i, move in enumerate(self.moves, 1))
            return Step(None, whole)
        field = fields[0]
        return self._set_step(field) if field in self.sets else self._value_step(field)

    def take(self, step: Step, choice: Choice) -> None:
        """Go on with what was answered."""
        self._numbers = {_key(c.value): c.number for c in step.choices}
        self.moves = choice.moves
        if step.field is not None and not choice.closes:
            self._taken[step.field] = (*step.taken, choice.value)

    def _open_fields(self) -> list[str]:
        """Return the fields in which the moves differ, in the order in which they are written."""
        names = dict.fromkeys(name for move in self.moves for name in move)
        return [name for name in names if len({_key(move.get(name)) for move in self.moves}) > 1]

    def _value_step(self, field: str) -> Step:
        groups: dict[str, list[Json]] = {}
        for move in self.moves:
            groups.setdefault(_key(move.get(field)), []).append(move)
        return Step(field, self._numbered([(g[0].get(field), g, False) for g in groups.values()]))

    def _set_step(self, field: str) -> Step:
        taken = self._taken.get(field, ())
        groups: dict[str, tuple[Any, list[Json]]] = {}
        complete = []
        for move in self.moves:
            rest = [value for value in move[field] if value not in taken]
            if not rest:
                complete.append(move)
            for value in rest:
                groups.setdefault(_key(value), (value, []))[1].append(move)
        answers = [(value, moves, False) for value, moves in groups.values()]
        if complete:
            answers.append((None, complete, True))
        sizes = {len(move[field]) for move in self.moves}
        return Step(field, self._numbered(answers), taken, sizes.pop() if len(sizes) == 1 else None)

    def _numbered(self, answers: list[tuple[Any, list[Json], bool]]) -> tuple[Choice, ...]:
        """Number the answers; those that were just offered keep their numbers, so that the cards of a hand do."""
        keys = [_key(value) for value, _, _ in answers]
        kept = all(key in self._numbers for key in keys)
        return tuple(
            Choice(self._numbers[key] if kept else i, value, tuple(moves), closes)
            for i, (key, (value, moves, closes)) in enumerate(zip(keys, answers), 1)
        )


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def plain(text: str) -> str:
    """Return a text without accents, capitals and punctuation, to compare what people type with what we wrote."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(re.findall(r"\w+", bare.casefold()))


def understand(text: str, choices: Iterable[Choice], words: Callable[[Choice], list[str]]) -> list[Choice]:
    """Return the choices that an answer may mean: a number, or what a choice is called (`words`), or a part of it."""
    offered = list(choices)
    if text.strip().isdecimal():
        return [choice for choice in offered if choice.number == int(text)]
    typed = plain(text)
    if not typed:
        return []
    named = [(choice, [plain(word) for word in words(choice)]) for choice in offered]
    for fits in (_same, _begins, _holds):
        found = [choice for choice, names in named if any(fits(typed, name) for name in names)]
        if found:
            return found
    return []


def _same(typed: str, name: str) -> bool:
    return typed.replace(" ", "") == name.replace(" ", "")


def _begins(typed: str, name: str) -> bool:
    return name.startswith(typed)


def _holds(typed: str, name: str) -> bool:
    return set(typed.split()) <= set(name.split())
