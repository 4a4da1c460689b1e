"""What everybody at a table sees, made at once: hidden states, legal actions and scores, ready to be shown.

Calling compiled code with a record costs ten times as much as with an array of one: NumPy describes the whole record
each time. So everything here takes arrays of one, and all audiences are served by one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from registan.core import generic
from registan.core.compiled import INTERPRET, compiled
from registan.core.engine import in_use, is_compiled
from registan.core.game import SEATS, SPECTATOR, Box, Game, Ints, Line, Record
from registan.core.plain import Plain, loose, settle


class Sight(Plain):
    """A state as an audience may know it, with the actions it has and what everybody would score for all it knows."""

    def __init__(self, kind: np.dtype[Any], data: bytes, offset: int, actions: list[int], points: Any) -> None:
        super().__init__(kind, data, offset)
        self.actions: list[int] = actions
        self.points: list[list[int]] = points


@compiled
def breaks(boxes: Record, states: Record, seat: int, action: int) -> int:
    """Return the number of the rule that the action would break, 0 if it is legal."""
    return generic.breaks(boxes[0], states[0], seat, action)


@compiled
def act(boxes: Record, states: Record, seat: int, action: int) -> None:
    """Carry out a legal action, up to the next question or chance event."""
    generic.act(boxes[0], states[0], seat, action)


@compiled
def look(boxes: Record, hidden: Record, seats: Ints, actions: Ints, counts: Ints, points: Ints) -> None:
    """Hide each state from its seat, list the seat's legal actions, and count what everybody would score."""
    for i in range(len(seats)):
        seat = int(seats[i])
        generic.hide(boxes[0], hidden[i], seat)
        counts[i] = 0 if seat == SPECTATOR else generic.legal(boxes[0], hidden[i], seat, actions[i])
        generic.scores(boxes[0], hidden[i], points[i])


def sights(game: Game, box: Box, state: bytes, seats: Sequence[int]) -> list[Sight]:
    """Return a state as each of these audiences may know it."""
    n, kind = len(seats), game.rules.STATE
    hidden = np.frombuffer(bytearray(state * n), kind)
    actions = np.empty((n, game.rules.MOST), np.int32)
    counts = np.empty(n, np.int64)
    points = np.zeros((n, SEATS, len(game.rules.SCORES)), np.int64)
    if is_compiled(game) and not INTERPRET:
        in_use(game, look)(box.array, hidden, _numbers(tuple(seats)), actions, counts, points)
        data = hidden.tobytes()
    else:
        data = _look_slowly(game, box, hidden, seats, actions, counts, points)
    size = kind.itemsize
    legal = [actions[i, :count].tolist() if count else [] for i, count in enumerate(counts.tolist())]
    return [Sight(kind, data, i * size, legal[i], scored) for i, scored in enumerate(points.tolist())]


_numbers = cache(np.array)


def _look_slowly(
    game: Game, box: Box, hidden: Any, seats: Sequence[int], actions: Ints, counts: Ints, points: Ints
) -> bytes:
    """Do the same interpreted, but without reading and writing NumPy's records."""
    for i, seat in enumerate(seats):
        fields = loose(hidden[i])
        game.secrets.hide(box.plain, fields, seat)
        settle(hidden[i], fields)
    data: bytes = hidden.tobytes()
    for i, seat in enumerate(seats):
        s = Plain(game.rules.STATE, data, i * game.rules.STATE.itemsize)
        counts[i] = 0 if seat == SPECTATOR else game.rules.legal(box.plain, s, seat, actions[i])
        game.rules.scores(box.plain, s, points[i])
    return data


class Views:
    """One moment of a game as everybody sees it; what lies open is put into words once for all."""

    def __init__(self, game: Game, box: Box, state: bytes, players: int) -> None:
        self.game, self.box = game, box
        self._sights = sights(game, box, state, range(SPECTATOR, players))
        self.table: Line = game.view(box, self._sights[0], SPECTATOR)
        """What lies open: the spectators' view."""

    def __call__(self, seat: int = SPECTATOR) -> Line:
        """Return the table as the seat, or a spectator, sees it."""
        if seat == SPECTATOR:
            return self.table
        return self.game.view(self.box, self._sights[seat - SPECTATOR], seat, self.table)
