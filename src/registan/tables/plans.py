"""Plans: "my next moves, if …", played for a seat when its turn comes, unless something unforeseen happens.

A plan says what the others must do first: `if` is the list of lines that will appear in the seat's log, exactly as the
seat reads them, with null for any line; or null instead of the list for anything at all. The seat's own lines do not
count. Always unforeseen are chance events, moves taken back, quiet answers that take effect at an earlier moment,
quiet questions to the seat, planned moves that have become illegal, and planned moves that reveal something. The plan
is then dropped, and the seat is asked.

Plans depend only on what the seat may know: its log and its legal moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from registan.core.errors import BadInput, RegistanError
from registan.core.game import Json
from registan.tables.match import TableMatch

MOST, MOST_MOVES, MOST_LINES = 8, 4, 24


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to play, and after what."""

    moves: list[Json]
    after: list[Json | None] | None = msgspec.field(default=None, name="if")

    def shown(self) -> Json:
        """Return the plan as it was given."""
        return {"if": self.after, "moves": self.moves}


class Given(NamedTuple):
    """A plan, and the seat's log when it was made."""

    plan: Plan
    known: list[Json]


def read(match: TableMatch, seat: int, orders: Any) -> list[Plan]:
    """Return the plans in a request; raise BadInput if they are invalid."""
    try:
        plans = msgspec.convert(orders, list[Plan])
    except msgspec.ValidationError:
        raise BadInput("error.house.plan") from None
    rules = match.game.orders
    good = len(plans) <= MOST and not (rules is not None and rules.SEALED)  # sealed orders replace plans
    for plan in plans:
        good = good and 0 < len(plan.moves) <= MOST_MOVES and len(plan.after or []) <= MOST_LINES
        good = good and all(line is None or line.get("seat") != seat for line in plan.after or [])
    if not good:
        raise BadInput("error.house.plan")
    first = match.moment(0) if match.moves_played else match  # so that nothing depends on whose turn it is
    for plan in plans:
        for move in plan.moves:
            match.game.moves.read(match.box, first.state, move)  # is it a move of this game at all?
    return plans


def stands(match: TableMatch, seat: int, given: Given) -> bool:
    """Whether nothing unforeseen has happened."""
    log = match.log(seat)
    if match.question_of(seat) is not None or log[: len(given.known)] != given.known:
        return False
    new = [line for line in log[len(given.known) :] if line.get("seat") != seat]
    after = given.plan.after
    if any("chance" in line and (after is None or i >= len(after) or after[i] is None) for i, line in enumerate(new)):
        return False
    if after is None:
        return True
    asked = seat in match.waiting
    fits = all(want is None or want == line for want, line in zip(after, new))
    return fits and (len(new) == len(after) if asked else len(new) <= len(after))


def action(match: TableMatch, seat: int, given: Given) -> int | None:
    """Return the next action of a plan, None if it is not legal now."""
    try:
        number = match.game.moves.read(match.box, match.state, given.plan.moves[0])
        match.check(seat, number)
    except RegistanError:
        return None
    return number


def rest(match: TableMatch, seat: int, given: Given) -> list[Given]:
    """Return what is left of a plan after its first move: nothing if that move revealed something."""
    moves, last = given.plan.moves[1:], match.last_of(seat)
    if not moves or last is None or match.revealed(last):
        return []
    return [Given(Plan(moves, []), match.log(seat))]


def prune(match: TableMatch, given: dict[int, list[Given]]) -> None:
    """Drop plans that a move taken back has made impossible; a seat that is asked because of it decides itself."""
    for seat in sorted(given):
        given[seat] = [each for each in given[seat] if seat not in match.waiting and stands(match, seat, each)]
        if not given[seat]:
            del given[seat]


def carry_out(match: TableMatch, given: dict[int, list[Given]], decide: Callable[[int, int], None]) -> None:
    """Drop plans that no longer apply, and play those of the seats to move; `decide` plays an action."""
    going = True
    while going:
        going = False
        for seat in sorted(given):
            given[seat] = [each for each in given[seat] if stands(match, seat, each)]
            if seat in match.waiting and given[seat]:
                ready = [(each, number) for each in given[seat] if (number := action(match, seat, each)) is not None]
                given[seat] = []
                if ready:
                    decide(seat, ready[0][1])
                    given[seat] = rest(match, seat, ready[0][0])
                    going = True
            if not given[seat]:
                del given[seat]
