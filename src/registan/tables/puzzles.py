"""Puzzles as a table would show them: what the seat sees, and what its answer is worth."""

from __future__ import annotations

from typing import Any

from registan.advice.puzzles.puzzle import Judged, Posed, Puzzle
from registan.core.errors import BadInput, BadMove
from registan.core.game import Json
from registan.tables.match import TableMatch
from registan.tables.study import Branch, open_record


def open_puzzle(posed: Posed) -> TableMatch:
    """Return the match in which the seat of a puzzle is asked."""
    branch = Branch(open_record(posed.before), posed.puzzle.at, seed=0)
    branch.play(posed.puzzle.since)
    return branch.match


def answer_of(match: TableMatch, puzzle: Puzzle, move: Any = None, orders: Json | None = None) -> Judged:
    """Return how a move is judged, or the one that orders would choose now; raise IllegalMove or BadMove for others."""
    seat, rules = puzzle.seat, match.game.orders
    hidden = match.hidden(seat)[0]
    if orders is not None:
        if rules is None:
            raise BadInput("error.house.orders")
        action = rules.answer(match.box, hidden, seat, rules.give(match.box, hidden, seat, orders))
        if action is None:
            raise BadInput("error.house.orders")
    elif isinstance(move, dict):
        action = match.game.moves.read(match.box, match.state, move)
    else:
        raise BadMove("error.record.line")
    match.check(seat, action)
    written = match.game.moves.write(match.box, hidden, seat, action)
    return next(row for row in puzzle.moves if row.move == written)
