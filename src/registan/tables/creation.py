"""Creating tables: a new one, or a rematch. And who may delete one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registan.bots import check_level
from registan.core.batch import blank
from registan.core.errors import BadInput
from registan.core.game import check_players
from registan.core.match import checked_options
from registan.core.registry import find
from registan.tables import events as e
from registan.tables.boxes import open_box, own_box
from registan.tables.pace import Pace
from registan.tables.seats import Seat
from registan.tables.table import Table
from registan.tables.texts import NAME_LENGTH, clean, one_of

WATCH = ("none", "open", "hands")
"""What spectators may see: nothing, what is public, or all hands."""
DELAY, MOST_DELAY = 3, 20
"""By how many moves of each seat those who see all hands are behind, unless the table chooses otherwise."""


def create(
    table: str,
    host: str,
    at: int,
    secret: bytes,
    game: str,
    seats: Sequence[Seat],
    options: dict[str, Any],
    pace: Pace,
    *,
    box: str | None = None,
    contents: str = "",
    first: int | None = None,
    listed: bool = False,
    watch: str = "open",
    delay: int = DELAY,
    stand_in: str = "greedy",
    rated: bool = False,
    key: str = "",
) -> e.Created:
    """Return the first event of a new table; raise BadInput if it cannot be played.

    `box` is one of the game's; `contents` is the file of a box that people bring along.
    """
    found = find(game)
    if box is not None and (contents or box not in found.boxes):
        # Only a box of the game: user input must never name a file.
        raise BadInput("error.no_box", box=box, boxes=", ".join(found.boxes))
    for level in (stand_in, *(seat.level for seat in seats if seat.kind == "bot")):
        check_level(level)
    opened = own_box(game, contents) if contents else open_box(game, box)
    check_players(found, opened, len(seats))
    blank(found, 1, len(seats), first=first)  # raises BadInput for a seat that cannot begin
    people = [seat.who for seat in seats if seat.kind == "person"]
    if rated and len(people) != len(set(people)):
        raise BadInput("error.house.rated_seats")
    return e.Created(
        at=at,
        key=key,
        table=table,
        game=game,
        version=found.version,
        box=opened.key,
        sha256=opened.sha256,
        seats=[_tidied(seat) for seat in seats],
        secret=secret,
        host=host,
        options=checked_options(found, options),
        pace=pace.checked(found),
        listed=listed,
        watch=one_of(watch, WATCH),
        delay=delay,
        house=e.HOUSE,
        stand_in=stand_in,
        first=first,
        rated=rated,
        contents=contents,
    )


def _tidied(seat: Seat) -> Seat:
    if seat.kind == "person":
        return Seat(kind="person", who=seat.who, name=clean(seat.name, NAME_LENGTH), face=seat.face)
    return Seat(kind=seat.kind, level=seat.level if seat.kind == "bot" else "")


def rematch(table: Table, new: str, secret: bytes, host: str, at: int) -> e.Created:
    """Return the first event of the next table for the same people: the seats rotate, so that somebody else begins.

    It is played by the present version of the rules, even if the last one was older.
    """
    if not table.ended:
        raise BadInput("error.house.not_over")
    made = table.created
    found = find(made.game)
    box = own_box(made.game, made.contents) if made.contents else open_box(made.game, made.box)
    for level in (made.stand_in, *(seat.level for seat in table.seats if seat.kind == "bot")):
        check_level(level)  # a table of an earlier version may have another
    order = (*table.seats[1:], table.seats[0])
    seats = [Seat(kind=s.kind, who=s.who, name=s.name, level=s.level, face=s.face) for s in order]
    return e.Created(
        at=at, table=new, game=made.game, version=found.version, box=box.key, sha256=box.sha256, seats=seats,
        secret=secret, host=host, options=checked_options(found, made.options), pace=made.pace, listed=made.listed,
        watch=made.watch, delay=made.delay, house=e.HOUSE,
        stand_in=made.stand_in, before=made.table, first=made.first, rated=made.rated,
        contents=made.contents,
    )  # fmt: skip


def remember_rematch(table: Table, seat: int, new: str, at: int) -> list[e.Event]:
    """Let a finished table remember its rematch, so that everybody there is told; once is enough."""
    if table.rematch is not None and table.rematch[1] == new:
        return []
    event = e.Rematched(at=at, seat=seat, table=new)
    table.add(event)
    return [event]


def check_deletable(table: Table, who: str) -> None:
    """Refuse to delete a table, except to its host: before the start, after the end, or if nobody else sits there."""
    if who != table.created.host:
        raise BadInput("error.house.not_host")
    others = any(seat.kind == "person" and seat.who != who for seat in table.seats)
    # For a host who is asked quietly the game is not over: that must not be told by a refusal either.
    if others and table.status != "open" and not table.ended_for(table.seats_of(who)):
        raise BadInput("error.house.delete_running")
    if table.created.rated and table.status == "over":
        raise BadInput("error.house.delete_rated")
