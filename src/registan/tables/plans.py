"""Standing orders "my next moves, if …": made for a seat when its turn comes, as long as nothing unforeseen happens.

A plan says what the others must have done before: `if` is the list of the lines that its seat will read in the log,
exactly as it reads them, with null for a line of whatever somebody does; or null for whatever they all do. Its own
lines do not count. Unforeseen is, always: what chance shows, a move that is taken back, a card that is sold at an
earlier moment, a question to the seat about a sale (S14), a move that has become illegal, a move of the own that shows
something new. Then the plan is dropped, and the seat is asked.

All this follows from what the seat may know: its own log, and what it may do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from registan.core.errors import BadInput, RegistanError
from registan.core.game import Line
from registan.tables.board import Board

GAMES = ("khiva", "samarkand")
"""Where plans can be made: the souk has sealed orders instead."""
MOST, MOST_MOVES, MOST_LINES = 8, 4, 24


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to play, and after what."""

    moves: list[Line]
    after: list[Line | None] | None = msgspec.field(default=None, name="if")

    def shown(self) -> Line:
        """Return the plan as it was given."""
        return {"if": self.after, "moves": self.moves}


class Given(NamedTuple):
    """A plan, and what its seat had read in its log when it was made."""

    plan: Plan
    known: list[Line]


def read(board: Board, seat: int, orders: Any) -> list[Plan]:
    """Return the plans written in orders; raise BadInput for what is none."""
    try:
        plans = msgspec.convert(orders, list[Plan])
    except msgspec.ValidationError:
        raise BadInput("error.house.plan") from None
    good = board.game.key in GAMES and len(plans) <= MOST
    for plan in plans:
        good = good and 0 < len(plan.moves) <= MOST_MOVES and len(plan.after or []) <= MOST_LINES
        good = good and all(line is None or line.get("seat") != seat for line in plan.after or [])
    if not good:
        raise BadInput("error.house.plan")
    first = board.moment(0) if board.moves_played else board  # where nothing depends on who moves now
    for plan in plans:
        for move in plan.moves:
            board.game.moves.read(board.box, first.state, move)  # is it a move of this game at all?
    return plans


def stands(board: Board, seat: int, given: Given) -> bool:
    """Whether nothing has happened that a plan does not foresee."""
    log = board.log(seat)
    if board.question_of(seat) is not None or log[: len(given.known)] != given.known:
        return False
    new = [line for line in log[len(given.known) :] if line.get("seat") != seat]
    after = given.plan.after
    if any("chance" in line and (after is None or i >= len(after) or after[i] is None) for i, line in enumerate(new)):
        return False
    if after is None:
        return True
    asked = seat in board.waiting
    fits = all(want is None or want == line for want, line in zip(after, new))
    return fits and (len(new) == len(after) if asked else len(new) <= len(after))


def action(board: Board, seat: int, given: Given) -> int | None:
    """Return the action that a plan which stands makes now, None if it may not."""
    try:
        number = board.game.moves.read(board.box, board.state, given.plan.moves[0])
        board.check(seat, number)
    except RegistanError:
        return None
    return number


def rest(board: Board, seat: int, given: Given) -> list[Given]:
    """Return what is left of a plan whose first move was made: nothing, if that move has shown something new."""
    moves, last = given.plan.moves[1:], board.last_of(seat)
    if not moves or last is None or board.revealed(last):
        return []
    return [Given(Plan(moves, []), board.log(seat))]


def prune(board: Board, given: dict[int, list[Given]]) -> None:
    """Drop what has become impossible by a move that was taken back; who is asked by that moves by hand."""
    for seat in sorted(given):
        given[seat] = [each for each in given[seat] if seat not in board.waiting and stands(board, seat, each)]
        if not given[seat]:
            del given[seat]


def carry_out(board: Board, given: dict[int, list[Given]], put: Callable[[int, int], None]) -> None:
    """Drop what is no longer foreseen, and let those who are asked move as they planned; `put` plays an action."""
    going = True
    while going:
        going = False
        for seat in sorted(given):
            given[seat] = [each for each in given[seat] if stands(board, seat, each)]
            if seat in board.waiting and given[seat]:
                ready = [(each, number) for each in given[seat] if (number := action(board, seat, each)) is not None]
                given[seat] = []
                if ready:
                    put(seat, ready[0][1])
                    given[seat] = rest(board, seat, ready[0][0])
                    going = True
            if not given[seat]:
                del given[seat]
