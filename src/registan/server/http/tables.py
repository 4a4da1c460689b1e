"""Routes for tables: create, list and see them, send requests, and read finished games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import UNSET, Meta

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR
from registan.core.registry import find
from registan.server.http.boxes import BoxText, open_own
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
from registan.server.limits import BOX_BODY
from registan.server.live import protocol as p
from registan.server.live.chat import lines_for
from registan.server.live.thinking import Guided
from registan.server.origin import client_address
from registan.server.storage.summary import TableSummary
from registan.tables import events as e
from registan.tables.creation import DELAY, MOST_DELAY, create, rematch, remember_rematch
from registan.tables.pace import Pace
from registan.tables.requests import Key, current
from registan.tables.seats import Seat
from registan.tables.sight import Audience, audience_of
from registan.tables.texts import PROGRAM, face_of
from registan.tables.views import Showing

Json = dict[str, Any]
Made = Callable[[str, int, bytes], e.Created]
"""Makes the first event of a table from its id, the time and a secret."""


class NewSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat of a new table: mine, a bot's, or open. Several of mine make a hot-seat table."""

    kind: Literal["me", "bot", "open"] = "open"
    level: Annotated[str, Meta(max_length=20)] = "greedy"
    name: p.Name | None = None
    """At a hot-seat table each of my seats may have a different name."""
    salt: str | None = None
    """Pages of an earlier version send it; they are told to reload."""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to create."""

    game: Annotated[str, Meta(max_length=20)]
    seats: Annotated[list[NewSeat], Meta(min_length=2, max_length=5)]
    options: dict[str, bool | str] = {}
    pace: Pace = Pace()
    box: Annotated[str, Meta(max_length=40)] | None = None
    contents: BoxText | None = None
    """The file of a box of your own, instead of one of the game's."""
    first: Annotated[int, Meta(ge=0, le=4)] | None = None
    """The seat that begins, where a game has one; drawn by lot by default."""
    listed: bool = False
    watch: Literal["none", "open", "hands"] = "open"
    delay: Annotated[int, Meta(ge=0, le=MOST_DELAY)] = DELAY
    """By how many moves of each seat spectators who see all hands are behind."""
    stand_in: Annotated[str, Meta(max_length=20)] = "greedy"
    rated: bool = False
    """Whether the game counts for ratings; then there are no hints."""
    key: Key = ""
    """A second request with the same key returns the same table."""


class Rematch(msgspec.Struct, forbid_unknown_fields=True):
    """Another game with the same people."""

    key: Key = ""
    """Every table has one rematch, with or without a key."""


class CreatedTable(msgspec.Struct):
    """A new table: its id, and the link that invites people to it."""

    table: str
    link: str


class Granted(msgspec.Struct):
    """A request was granted; `seq` is the number of events that my seats now know of."""

    seq: int


class AskHint(msgspec.Struct, forbid_unknown_fields=True):
    """Which of my seats wants a hint."""

    seat: Annotated[int, Meta(ge=0, le=4)]


class HintedMove(msgspec.Struct):
    """One of the best moves; `wins`, `sure` and `margin` are null if there was no choice."""

    move: Json
    wins: float | None
    """Its chance to win, from 0 to 1."""
    sure: float | None
    """Half the 95 % interval of `wins`."""
    margin: float | None
    """The points by which the seat is expected to be ahead of the best other one, negative if behind."""
    simulations: int
    """How many games were played out after it."""
    why: list[Json]
    """Why it is better or worse than the others (docs/protocol.md)."""


class GuidedMove(HintedMove):
    """A move with what depends on others, by language."""

    brings: dict[str, str]
    """What it may bring; what it is sure to bring is in the view."""
    risks: dict[str, str]


class Guidance(msgspec.Struct):
    """What the guide says of a decision."""

    situation: dict[str, list[str]]
    """What it is about and what matters now, as sentences by language."""
    moves: list[GuidedMove]
    """The best moves, as in a hint; empty while the search cannot run."""


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
    deletable: bool = False
    """Whether I created it and may delete it."""


@get("/api/me/tables")
async def my_tables(request: Request[Any, Any, Any]) -> list[ListedTable]:
    """Your tables, those that wait for you first."""
    person = require_person(request)
    found = await house_of(request).store.tables_of(person.who, house_of(request).caps.tables_of_person)
    listed = [_listed(summary, person.who) for summary in found]
    return sorted(listed, key=lambda table: (not table.asked, -table.touched))


@get("/api/tables")
async def list_tables(request: Request[Any, Any, Any]) -> list[ListedTable]:
    """The public tables that are not over, your own first."""
    limit_rate(request, "ask")
    person = person_of(request)
    found = await house_of(request).lobby.tables(person.who if person else "")
    return [_listed(summary, "") for summary in found]


def _listed(summary: TableSummary, who: str) -> ListedTable:
    status, touched = summary.status, summary.touched
    if who in summary.quiet:  # who is asked quietly sees nothing later than the question
        status, touched = "running", min(touched, summary.quiet[who])
    asked = bool(who) and who in summary.asked
    alone = all(other == who for other in summary.people)
    counts = summary.rated and status == "over"
    deletable = bool(who) and summary.host == who and (alone or status in ("open", "over", "abandoned")) and not counts
    return ListedTable(summary.table, summary.game, status, touched, summary.seats, asked, deletable)


@post("/api/tables", status_code=201, request_max_body_size=BOX_BODY)
async def create_table(request: Request[Any, Any, Any], data: JSONBody[NewTable]) -> CreatedTable:
    """Create a table."""
    person = require_person(request, "create")
    if data.contents is not None:
        await open_own(request, find(data.game), data.contents)  # from now on it is remembered

    def made(table: str, at: int, secret: bytes) -> e.Created:
        seats = [_seat(seat, person) for seat in data.seats]
        options: dict[str, Any] = dict(data.options)
        return create(
            table, person.who, at, secret, data.game, seats, options, data.pace,
            box=data.box, contents=data.contents or "", first=data.first, listed=data.listed, watch=data.watch,
            delay=data.delay, stand_in=data.stand_in, rated=data.rated,
        )  # fmt: skip

    return await _create(request, person, made, data.listed, _table_id(request, person, data.key))


async def _create(
    request: Request[Any, Any, Any], person: Person, made: Made, listed: bool, table: str | None
) -> CreatedTable:
    limit_rate(request, "create_here")
    house = house_of(request)
    async with house.lobby.one_more(person.who, listed, table):
        created = await house.create(made, table)
    house.lobby.came_from(created, client_address(request))
    return _created(request, created)


def _created(request: Request[Any, Any, Any], table: str) -> CreatedTable:
    return CreatedTable(table, f"{request.app.state.public_url}/t/{table}")


def _table_id(request: Request[Any, Any, Any], person: Person, key: str) -> str | None:
    """Return the id that goes with the key of a person's request; None, for any new id, without a key."""
    return signer_of(request).named(f"table  {person.who} {key}") if key else None


def _seat(seat: NewSeat, person: Person) -> Seat:
    current(seat.salt)
    if seat.kind == "me":
        # Somebody else on the same device has a face of their own.
        other = seat.name is not None and seat.name != person.name and person.face != PROGRAM
        face = face_of(f"{person.who} {seat.name}") if other else person.face or UNSET
        return Seat(kind="person", who=person.who, name=seat.name or person.name, face=face)
    return Seat(kind=seat.kind, level=seat.level)


@post("/api/tables/{table:str}/rematch", status_code=201)
async def create_rematch(
    request: Request[Any, Any, Any], table: TableId, data: JSONBody[Rematch | None] = None
) -> CreatedTable:
    """The next table for the same people, each one seat further: the first who asks creates it, the others join it."""
    person = require_person(request, "create")
    old = await ended_table(request, table)
    seats = old.seats_of(person.who)
    if not seats:
        raise BadInput("error.house.not_your_seat")
    house, number = house_of(request), 0
    if old.rematch is not None and not await house.journal.deleted(old.rematch[1]):
        return _created(request, old.rematch[1])

    def made(new: str, at: int, secret: bytes) -> e.Created:
        return rematch(old, new, secret, person.who, at)

    # Its id follows from the last table's, so the store lets only one of two people create it.
    while await house.journal.deleted(wanted := signer_of(request).named(f"rematch {table} {number}")):
        number += 1
    new = await _create(request, person, made, old.created.listed, wanted)
    await house.act(table, lambda found, at: remember_rematch(found, seats[0], new.table, at))
    return new


@get("/api/tables/{table:str}")
async def view_table(request: Request[Any, Any, Any], table: TableId, seat: FromQuery[int | None] = None) -> Json:
    """The table as your seat sees it, or as spectators do."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    found = (await house_of(request).table(table)).table
    return Showing(found)(audience_of(found, person.who if person else "", seat)).whole()


@post("/api/tables/{table:str}", status_code=200)
async def act(request: Request[Any, Any, Any], table: TableId, data: JSONBody[p.Request]) -> Granted:
    """Send a request to a table: sit down, start, move, and so on."""
    person = require_person(request, "act")
    after = await house_of(request).carry_out(table, data, person)
    seats = after.seats_of(person.who)
    return Granted(after.seq_of(seats[0] if seats else SPECTATOR))


@delete("/api/tables/{table:str}", status_code=204)
async def delete_table(request: Request[Any, Any, Any], table: TableId) -> None:
    """Delete a table that you created: before the start, after the end, or if only bots play with you."""
    person = require_person(request, "act")
    await house_of(request).delete(table, person.who)


@post("/api/tables/{table:str}/hint", status_code=200)
async def get_hint(request: Request[Any, Any, Any], table: TableId, data: JSONBody[AskHint]) -> list[HintedMove]:
    """The best moves of your seat, which is to decide now. Everybody sees that you asked."""
    person = require_person(request, "hint")
    return msgspec.convert(await house_of(request).hint(table, data.seat, person), list[HintedMove])


@post("/api/tables/{table:str}/guide", status_code=200)
async def get_guidance(request: Request[Any, Any, Any], table: TableId, data: JSONBody[AskHint]) -> Guidance:
    """What the guide says to your seat, which is to decide now. With moves, it counts as a hint."""
    person = require_person(request, "hint")
    return guidance(await house_of(request).guide(table, data.seat, person))


def guidance(said: Guided) -> Guidance:
    """Return what the guide says as it is sent."""
    return Guidance(said.situation, msgspec.convert(said.moves, list[GuidedMove]))


@get("/api/tables/{table:str}/seats")
async def my_seats(request: Request[Any, Any, Any], table: TableId) -> MySeats:
    """Which seats of a table are yours."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    found = (await house_of(request).table(table)).table
    return MySeats(found.seats_of(person.who) if person else [])


@get("/api/tables/{table:str}/chat")
async def get_chat(
    request: Request[Any, Any, Any], table: TableId, before: FromQuery[int | None] = None
) -> list[p.ChatLine]:
    """The latest lines of the chat, or those before a line."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    found = (await house_of(request).table(table)).table
    return lines_for(found, person.who if person else "", before)


@get("/api/tables/{table:str}/record")
async def get_record(request: Request[Any, Any, Any], table: TableId) -> Json:
    """The record of a finished game, with everything needed to verify its chance."""
    limit_rate(request, "ask")
    return (await ended_table(request, table)).record()


@get("/api/tables/{table:str}/points")
async def get_points(request: Request[Any, Any, Any], table: TableId) -> list[list[int]]:
    """Everybody's points in a finished game, before its first line and after each, as if it had ended there."""
    person = person_of(request)
    limit_rate(request, "verify", person.who if person else None)
    found = await ended_table(request, table)
    recomputing, whose = house_of(request).recomputing, (client_address(request), person.who if person else "")
    return await recomputing.once(("points", table, found.seq), found.playing.points, *whose)


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
    my_tables, list_tables, create_table, create_rematch, view_table, act, delete_table, get_hint, get_guidance,
    my_seats, get_chat, get_record, get_points, get_moment,
]  # fmt: skip
