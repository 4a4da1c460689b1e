"""Routes to study games: any moment of a record or a finished table, playing on from there, and looking back."""

from __future__ import annotations

import asyncio
import hashlib
import time
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.middleware import ASGIMiddleware
from litestar.params import FromQuery, JSONBody
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Meta

from registan.bots import check_level
from registan.core.errors import BadInput
from registan.core.game import SPECTATOR
from registan.core.match import CARRIED
from registan.server.http.boxes import BoxText, check_size
from registan.server.http.context import TableId, ended_table, house_of, limit_rate, person_of
from registan.server.http.tables import Guidance, guidance
from registan.server.limits import (
    STUDY_ANSWERS,
    STUDY_BODY,
    STUDY_MOMENTS,
    STUDY_MOVES,
    STUDY_SECONDS,
    TABLE_ID,
)
from registan.server.live.counting import Limit
from registan.server.origin import client_address
from registan.tables.bots import Question
from registan.tables.match import TableMatch
from registan.tables.requests import SeatNumber
from registan.tables.sight import audience_of
from registan.tables.study import Branch, Moments, checked_seat, looked_back, moments, open_record

Json = dict[str, Any]
Line = Annotated[int, Meta(ge=0, le=100_000)]


class Study(msgspec.Struct, forbid_unknown_fields=True):
    """A position to study: a line of a record, or of the game of a finished table; and what is played on from there."""

    record: Json | None = None
    table: Annotated[str, Meta(max_length=40, pattern=TABLE_ID)] | None = None
    box: BoxText | None = None
    """The contents of the box file, if the record was not played with a built-in box."""
    seat: SeatNumber | None = None
    """Whose view is wanted; null for a spectator's."""
    at: Line = 0
    """After how many lines of the record."""
    to: Line | None = None
    """The last moment that is wanted, if it is not the same."""
    moves: Annotated[list[Json], Meta(max_length=STUDY_MOVES)] | None = None
    """Decisions to play on from there, each with its seat. Null shows the game as it was played."""
    bots: Annotated[str, Meta(max_length=20)] | None = None
    """The level of the bots that answer for all other seats, until the seat is asked; null for no bots."""
    orders: Json | None = None
    """Orders of the seat, as at a table: they answer for it as long as they can."""
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 0
    """Where the chance of what is played on comes from."""


class Studied(msgspec.Struct):
    """Moments of a game: the first one whole, each later one as a patch on the one before."""

    game: str
    version: int
    box: str
    options: Json
    players: int
    lines: int
    """How many lines the record has."""
    read: list[int]
    """After how many lines of the record each line of the seat's log was written."""
    at: int
    """After how many lines the first moment is. Play goes on at a decision: between two, from the one before."""
    first: Json
    patches: list[list[Any]]
    points: list[list[int]]
    """By moment: everybody's points, as if the game had ended there. Empty while the game is going on."""
    moves: list[Json] | None = None
    """All that was played on, with the decisions of bots and orders. Send it again to be in the same position."""
    lowered: str = ""
    """Why a bot played below its level, empty if none did."""


class Crowd(ASGIMiddleware):
    """Keeps one person, or one address, from taking all studies: a request too many is refused before it is read."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request until it is answered."""
        request: Request[Any, Any, Any] = Request(scope)
        address, who = whose(request)
        limit_rate(request, "study", who or None)
        limit_rate(request, "study_here")
        house = house_of(request)
        limits = [
            Limit("person", who, house.caps.studies_of_person),
            Limit("address", address, house.caps.studies_of_address),
            Limit("house", "", house.caps.studies),
        ]
        with house.studying.one_more(*limits[0 if who else 1 :]):
            await next_app(scope, receive, send)


def whose(request: Request[Any, Any, Any]) -> tuple[str, str]:
    """Return the address of whoever asks, and who it is, if known."""
    person = person_of(request)
    return client_address(request), person.who if person else ""


@post("/api/study", status_code=200, request_max_body_size=STUDY_BODY, middleware=[Crowd()])
async def study(request: Request[Any, Any, Any], data: JSONBody[Study]) -> Studied:
    """Show moments of a game, or play on from one against bots. Nothing is stored."""
    match = await _game(request, data)
    data.record = data.box = None  # not needed while others have their turn
    seat = checked_seat(match, data.seat)
    if data.moves is None and data.bots is None:
        to = data.at if data.to is None else min(data.to, data.at + STUDY_MOMENTS - 1)
        work = partial(moments, match, seat, data.at, to)
        return _studied(match, data.at, await house_of(request).studies.apart(work, *whose(request)))
    return await _played_on(request, match, seat, data)


async def _game(request: Request[Any, Any, Any], data: Study) -> TableMatch:
    """Return the game to study; it is replayed only once."""
    studies = house_of(request).studies
    if (data.record is None) == (data.table is None):
        raise BadInput("error.house.study")
    if data.table is not None:
        found = await ended_table(request, data.table)
        game = found.playing.copy()  # a sale may still be added to a finished game
        return await studies.once(("table", data.table, found.seq), lambda: game, *whose(request))
    if isinstance(carried := (data.record or {}).get(CARRIED), str):
        check_size(carried)
    known = hashlib.sha256(msgspec.json.encode([data.record, data.box])).digest()
    work = partial(open_record, data.record or {}, data.box)
    return await studies.once(("record", known), work, *whose(request))


async def _played_on(request: Request[Any, Any, Any], match: TableMatch, seat: int, data: Study) -> Studied:
    house, (address, person) = house_of(request), whose(request)
    who = person or address
    if data.bots is not None:
        check_level(data.bots)

    def step(answered: Question | None, action: int) -> Question | None:
        if answered is not None:
            branch.answer(answered, action)
        return branch.question(seat, level)

    branch = await house.studies.apart(partial(_begun, match, seat, data), address, who)
    lowered, level, deadline = "", data.bots or "", time.monotonic() + STUDY_SECONDS
    question = await asyncio.to_thread(step, None, 0)
    for _ in range(STUDY_ANSWERS if level else 0):
        if question is None or time.monotonic() > deadline:
            break
        try:
            choice = await house.thinking.answer(question, who, f"study {who}")
        except TimeoutError:
            lowered = "slow"
            break
        lowered = lowered or choice.why
        question = await asyncio.to_thread(step, question, choice.action)
    made = await house.studies.apart(partial(branch.moments, seat), address, who)
    studied = _studied(match, branch.at, made)
    studied.moves, studied.lowered = branch.moves, lowered
    return studied


def _begun(match: TableMatch, seat: int, data: Study) -> Branch:
    """Return the game that goes on, after the moves and orders that were sent."""
    branch = Branch(match, data.at, data.seed)
    branch.play(data.moves or ())
    if data.orders and seat != SPECTATOR:
        branch.order(seat, data.orders)
    return branch


@post("/api/study/guide", status_code=200, request_max_body_size=STUDY_BODY, middleware=[Crowd()])
async def study_guide(request: Request[Any, Any, Any], data: JSONBody[Study]) -> Guidance:
    """What the guide says to a seat that is to decide in a game that is played on. Nothing is stored."""
    match = await _game(request, data)
    data.record = data.box = None  # not needed while others have their turn
    seat = checked_seat(match, data.seat)
    house, (address, person) = house_of(request), whose(request)
    who = person or address
    branch = await house.studies.apart(partial(_begun, match, seat, data), address, who)
    question = await house.studies.apart(partial(branch.guide_question, seat), address, who)
    if question is None:
        raise BadInput("error.house.no_hint_now")
    return guidance(await house.thinking.guide(question, who, f"study {who}"))


@get("/api/tables/{table:str}/moments", middleware=[Crowd()])
async def look_back(
    request: Request[Any, Any, Any],
    table: TableId,
    seat: FromQuery[int | None] = None,
    at: FromQuery[Line] = 0,
    to: FromQuery[Line | None] = None,
) -> Studied:
    """Moments of a game that may still be going on, by the lines of your seat's log, or of the spectators'."""
    house, (address, who) = house_of(request), whose(request)
    found = (await house.table(table)).table
    audience = audience_of(found, who, seat)
    last = audience.upto(found)
    match = (found.playing if last is None else found.playing.moment(last)).copy()
    to = at if to is None else min(to, at + STUDY_MOMENTS - 1)
    made = await house.studies.apart(partial(looked_back, match, audience.seat, at, to), address, who)
    studied = _studied(match, at, made)
    studied.lines = len(made.read)
    return studied


def _studied(match: TableMatch, at: int, made: Moments) -> Studied:
    return Studied(
        game=match.game.key,
        version=match.game.version,
        box=match.box.key,
        options=match.options,
        players=match.players,
        lines=len(match.written),
        read=made.read,
        at=at,
        first=made.first,
        patches=made.patches,
        points=made.points,
    )


ROUTES = [study, study_guide, look_back]
