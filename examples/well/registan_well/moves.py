"""The Well: actions, events and states as written in the record. A camel is written as its thirst."""

from __future__ import annotations

from typing import Any

from registan.core.errors import BadMove
from registan.core.game import Box, Json, Record
from registan_well.rules import THIRSTS, everybody


def camels(counts: Any) -> list[int]:
    """Return a hand as a list of thirsts."""
    return [thirst for thirst, count in enumerate(counts, 1) for _ in range(count)]


def write(box: Box, s: Record, seat: int, action: int) -> Json:
    """Return an action as written in the record, without the seat."""
    return {"do": "lead", "camel": action + 1}


def read(box: Box, s: Record, move: Json) -> int:
    """Return the number of a written move; raise BadMove if it cannot be one of this game."""
    if move.get("do") != "lead":
        raise BadMove("error.unknown_move", game="well", do=move.get("do"), moves="lead")
    return _number(move.get("camel"), THIRSTS, "camel") - 1


def _number(value: Any, most: int, field: str) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise BadMove("well.error.number", field=field, value=value, most=most)
    return value


def write_setup(box: Box, s: Record) -> Json:
    """Return the `setup` of a state that was just set up."""
    return {"hands": [camels(s.hand[seat]) for seat in range(s.players)], "water": int(s.water)}


def apply_setup(box: Box, s: Record, setup: Json) -> None:
    """Set up a blank state as written; raise BadMove if that is not a valid setup."""
    _deal(box, s, setup, "hands", int(box.record.cards))


def _deal(box: Box, s: Record, line: Json, field: str, size: int) -> None:
    hands = line.get(field)
    if not isinstance(hands, list) or len(hands) != s.players:
        raise BadMove("error.record.field", field=field, want="list")
    for seat, hand in enumerate(hands):
        if not isinstance(hand, list) or len(hand) != size:
            raise BadMove("error.record.field", field=field, want="list")
        for thirst in hand:
            s.hand[seat, _number(thirst, THIRSTS, field) - 1] += 1
    s.waiting = everybody(s)
    s.water = _number(line.get("water"), int(box.record.water) * int(s.players), "water")


def write_event(box: Box, before: Record, s: Record) -> Json:
    """Return the line of the event that was due in `before` and is carried out in `s`."""
    drawn = [camels(s.hand[seat] - before.hand[seat]) for seat in range(s.players)]
    return {"chance": "morning", "drawn": drawn, "water": int(s.water)}


def apply_event(box: Box, s: Record, line: Json) -> None:
    """Carry out the event that is due as written; raise BadMove if that outcome is impossible."""
    if line.get("chance") != "morning":
        raise BadMove("error.record.due")
    s.due = 0
    _deal(box, s, line, "drawn", 1)


def redact(line: Json, seat: int, players: int) -> Json:
    """Return a line as the seat may read it: of the camels drawn, only its own."""
    if "drawn" not in line:
        return line
    return {**line, "drawn": [drawn if other == seat else [] for other, drawn in enumerate(line["drawn"])]}


def write_state(box: Box, s: Record) -> Json:
    """Return the whole state, secrets included, as written in the record."""
    seats = range(s.players)
    return {
        "hands": [camels(s.hand[seat]) for seat in seats],
        "points": [int(s.points[seat]) for seat in seats],
        "water": int(s.water),
    }
