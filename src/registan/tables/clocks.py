"""What happens at a table because time is up."""

from __future__ import annotations

from registan.core.game import Json
from registan.tables import events as e
from registan.tables.pace import SECOND
from registan.tables.table import Table

LATE = 3
"""How many ticks may be made up. After more, the server was down: then only one tick is."""


def catch_up(table: Table, at: int) -> list[e.Event]:
    """Add the events that time has made due, and return them."""
    done: list[e.Event] = []
    while (due := table.next_deadline()) is not None and due <= at:
        if table.counting is not None:
            span = table.created.pace.tick * SECOND
            done += _add(table, e.Ticked(at=at if at - due > LATE * span else due))
            continue
        for seat, until in table.quiet_deadlines().items():
            if until <= at:
                done += _add(table, e.Moved(at=at, seat=seat, move=_assumed(table, seat), by="clock"))
        for seat in range(len(table.seats)):
            limit = table.deadlines().get(seat)
            if limit is not None and limit <= at:
                done += _add(table, e.Lapsed(at=at, seat=seat))
    return done


def _add(table: Table, event: e.Event) -> list[e.Event]:
    table.add(event)
    return [event]


def _assumed(table: Table, seat: int) -> Json:
    """Return the assumed answer to a quiet question, as a move."""
    match = table.playing
    at = match.question_of(seat)
    assert at is not None
    return match.game.moves.write(match.box, match.moment(at).state, seat, match.decisions[at].action)
