"""Routes for tables: create, list and see them, send requests, and read finished games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR
from registan.server.http.context import (
    TableId,
    ended_table,
    house_of,
    limit_rate,
    person_of,
    require_person,
    signer_of,
)
from registan.server.identity import Person
from registan.server.limits import LISTED, TABLES_OF_ONE
from registan.server.live import protocol as p
from registan.server.storage.summary import TableSummary
from registan.tables.creation import DELAY, MOST_DELAY, create, rematch
from registan.tables.pace import Pace
from registan.tables.requests import Key, Salt
from registan.tables.seats import Seat
from registan.tables.sight import Audience, audience_of
from registan.tables.views import show

Json = dict[str, Any]


class NewSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat of a new table: mine, a bot's, or open. Several of mine make a hot-seat table."""

    kind: Literal["me", "bot", "open"] = "open"
    level: Annotated[str, Meta(max_length=20)] = "greedy"
    name: p.Name | None = None
    """At a hot-seat table each of my seats may have a different name."""
    salt: Salt = ""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to create."""

    game: Annotated[str, Meta(max_length=20)]
    seats: Annotated[list[NewSeat], Meta(min_length=2, max_length=5)]
    options: dict[str, bool | str] = {}
    pace: Pace = Pace()
    box: Annotated[str, Meta(max_length=40)] | None = None
    first: Annotated[int, Meta(ge=0, le=4)] | None = None
    """The seat that begins, where a game has one; drawn by lot by default."""
    listed: bool = False
    watch: Literal["none", "open", "hands"] = "open"
    delay: Annotated[int, Meta(ge=0, le=MOST_DELAY)] = DELAY
    """By how many moves of each seat spectators who see all hands are behind."""
    stand_in: Annotated[str, Meta(max_length=20)] = "greedy"
    key: Key = ""
    """A second request with the same key returns the same table."""


class Rematch(msgspec.Struct, forbid_unknown_fields=True):
    """Another game with the same people."""

    key: Key = ""


class CreatedTable(msgspec.Struct):
    """A new table: its id, and the link that invites people to it."""

    table: str
    link: str


class Granted(msgspec.Struct):
    """A request was granted; `seq` is the number of events that my seats now know of."""

    seq: int


class MySeats(msgspec.Struct):
    """The seats at a table that are mine."""

    seats: list[int]


class ListedTable(msgspec.Struct):
    """A table in a list."""

    table: str
    game: str
    status: str
    touched: int
    seats: list[str]
    asked: bool
    """Whether the table waits for my decision."""


@get("/api/me/tables")
async def my_tables(request: Request[Any, Any, Any]) -> list[ListedTable]:
    """Your tables, those that wait for you first."""
    person = require_person(request)
    found = await house_of(request).store.tables_of(person.who, TABLES_OF_ONE)
    listed = [_listed(summary, person.who) for summary in found]
    return sorted(listed, key=lambda table: (not table.asked, -table.touched))


@get("/api/tables")
async def list_tables(request: Request[Any, Any, Any]) -> list[ListedTable]:
    """The public tables that are not over."""
    limit_rate(request, "ask")
    return [_listed(summary, "") for summary in await house_of(request).store.listed(LISTED)]


def _listed(summary: TableSummary, who: str) -> ListedTable:
    status, touched = summary.status, summary.touched
    if who in summary.quiet:  # who is asked quietly sees nothing later than the question
        status, touched = "running", min(touched, summary.quiet[who])
    asked = bool(who) and who in summary.asked
    return ListedTable(summary.table, summary.game, status, touched, summary.seats, asked)


@post("/api/tables", status_code=201)
async def create_table(request: Request[Any, Any, Any], data: JSONBody[NewTable]) -> CreatedTable:
    """Create a table."""
    person = require_person(request, "create")

    def made(table: str, at: int, secret: bytes) -> Any:
        seats = [_seat(seat, person) for seat in data.seats]
        options: dict[str, Any] = dict(data.options)
        return create(
            table, person.who, at, secret, data.game, seats, options, data.pace,
            box=data.box, first=data.first, listed=data.listed, watch=data.watch, delay=data.delay,
            stand_in=data.stand_in,
        )  # fmt: skip

    return _created(request, await house_of(request).create(made, _table_id(request, person, data.key)))


def _table_id(request: Request[Any, Any, Any], person: Person, key: str, old: str = "") -> str | None:
    """Return the id that goes with the key of a person's request; None, for any new id, without a key."""
    return signer_of(request).named(f"table {old} {person.who} {key}") if key else None


def _seat(seat: NewSeat, person: Person) -> Seat:
    if seat.kind == "me":
        return Seat(kind="person", who=person.who, name=seat.name or person.name, salt=seat.salt)
    return Seat(kind=seat.kind, level=seat.level)


def _created(request: Request[Any, Any, Any], table: str) -> CreatedTable:
    return CreatedTable(table, f"{request.app.state.public_url}/t/{table}")


@post("/api/tables/{table:str}/rematch", status_code=201)
async def create_rematch(
    request: Request[Any, Any, Any], table: TableId, data: JSONBody[Rematch | None] = None
) -> CreatedTable:
    """Create the next table for the same people, each one seat further."""
    person = require_person(request, "create")
    house = house_of(request)
    old = await ended_table(request, table)
    if not old.seats_of(person.who):
        raise BadInput("error.house.not_your_seat")
    new = _table_id(request, person, data.key if data else "", table)
    created = await house.create(lambda new, at, secret: rematch(old, new, secret, person.who, at), new)
    return _created(request, created)


@get("/api/tables/{table:str}")
async def view_table(request: Request[Any, Any, Any], table: TableId, seat: FromQuery[int | None] = None) -> Json:
    """The table as your seat sees it, or as spectators do."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    live = await house_of(request).table(table)
    async with live.lock:
        return show(live.table, audience_of(live.table, person.who if person else "", seat))


@post("/api/tables/{table:str}", status_code=200)
async def act(request: Request[Any, Any, Any], table: TableId, data: JSONBody[p.Request]) -> Granted:
    """Send a request to a table: sit down, start, move, and so on."""
    person = require_person(request, "act")
    after = await house_of(request).carry_out(table, data, person)
    seats = after.seats_of(person.who)
    return Granted(after.seq_of(seats[0] if seats else SPECTATOR))


@get("/api/tables/{table:str}/seats")
async def my_seats(request: Request[Any, Any, Any], table: TableId) -> MySeats:
    """Which seats of a table are yours."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    found = (await house_of(request).table(table)).table
    return MySeats(found.seats_of(person.who) if person else [])


@get("/api/tables/{table:str}/record")
async def get_record(request: Request[Any, Any, Any], table: TableId) -> Json:
    """The record of a finished game, with everything needed to verify its chance."""
    limit_rate(request, "ask")
    return (await ended_table(request, table)).record()


@get("/api/tables/{table:str}/moments/{line:int}")
async def get_moment(
    request: Request[Any, Any, Any], table: TableId, line: FromPath[int], seat: FromQuery[int | None] = None
) -> Json:
    """The game after the first `line` lines of its log, as your seat saw it, or as spectators did."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    house = house_of(request)
    # A finished game opens from its snapshot, without replaying anything.
    if seat is None and await house.store.snapshot(table) is not None:
        return await house.moment(table, line, Audience())
    audience = audience_of((await house.table(table)).table, person.who if person else "", seat)
    return await house.moment(table, line, audience)


ROUTES = [
    my_tables, list_tables, create_table, create_rematch, view_table, act, my_seats, get_record, get_moment,
]  # fmt: skip
