"""REST: what is asked for. Everything about tables under /api, and what operators look at."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery, JSONBody, Parameter
from msgspec import Meta
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from registan.bots import NAMES
from registan.core.errors import BadInput
from registan.core.game import Game
from registan.core.messages import LANGUAGES, catalogue
from registan.core.registry import find, keys
from registan.core.rulebook import rules_page
from registan.server import protocol as p
from registan.server.answers import TooFast, Unknown
from registan.server.granting import grant
from registan.server.house import House, audience_of
from registan.server.identity import COOKIE, Person, Signer, new_guest
from registan.server.limits import COOKIE_DAYS, LISTED, TABLES_OF_ONE
from registan.server.storage import Card
from registan.tables import requests
from registan.tables.pace import Pace
from registan.tables.seats import Seat
from registan.tables.views import show

WORDS_SECONDS = 600
"""How long a browser may keep the words of a game."""
TableId = FromPath[Annotated[str, Parameter(max_length=40)]]
Line = dict[str, Any]


class Guest(msgspec.Struct, forbid_unknown_fields=True):
    """How somebody wants to be called, and in which language."""

    name: p.Name
    lang: Literal["en", "fr"] = "en"


class Me(msgspec.Struct):
    """A person, as that person is told."""

    name: str
    lang: str


class Chair(msgspec.Struct, forbid_unknown_fields=True):
    """A seat of a new table: mine, a bot's of a level, or open. Several of mine make a hot-seat table."""

    kind: Literal["me", "bot", "open"] = "open"
    level: Annotated[str, Meta(max_length=20)] = "greedy"
    name: p.Name | None = None
    """At a hot-seat table each of my seats may have a name of its own."""
    salt: p.Salt = ""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be laid."""

    game: Annotated[str, Meta(max_length=20)]
    seats: Annotated[list[Chair], Meta(min_length=2, max_length=5)]
    options: dict[str, bool | str] = {}
    pace: Pace = Pace()
    box: Annotated[str, Meta(max_length=40)] | None = None
    listed: bool = False
    watch: Literal["none", "open", "hands"] = "open"
    stand_in: Annotated[str, Meta(max_length=20)] = "greedy"
    key: p.Key = ""
    """Asked twice with the same key, it is the same table."""


class Rematch(msgspec.Struct, forbid_unknown_fields=True):
    """Another game with the same people."""

    key: p.Key = ""


class Laid(msgspec.Struct):
    """A table was laid: its id, and the link that invites to it."""

    table: str
    link: str


class Handover(msgspec.Struct, forbid_unknown_fields=True):
    """What makes a second device the same person."""

    token: Annotated[str, Meta(max_length=500)]


class Granted(msgspec.Struct):
    """A request was granted: how many events the seats of the asker know of now."""

    seq: int


class Mine(msgspec.Struct):
    """The seats that are the asker's."""

    seats: list[int]


class TableCard(msgspec.Struct):
    """A table in a list."""

    table: str
    game: str
    status: str
    touched: int
    seats: list[str]
    asked: bool
    """Whether my decision is wanted."""


class GameOption(msgspec.Struct):
    """A choice made before the game: its default and what it may be."""

    default: bool | str
    values: list[bool | str]


class GameCard(msgspec.Struct):
    """A game that is played here."""

    game: str
    name: dict[str, str]
    about: dict[str, str]
    """What it is about, by language, in a sentence or two."""
    credits: str
    players: tuple[int, int]
    usual: int
    minutes: int
    options: dict[str, GameOption]
    boxes: list[str]
    ticking: bool
    """Whether it has questions that run against a clock."""
    levels: list[str]
    phrases: list[str]


def house_of(request: Request[Any, Any, Any]) -> House:
    """Return the house that is asked."""
    house: House = request.app.state.house
    return house


def person_of(request: Request[Any, Any, Any]) -> Person | None:
    """Return who asks, as far as the cookie tells."""
    signer: Signer = request.app.state.signer
    person = signer.person(request.cookies.get(COOKIE))
    request.scope.setdefault("state", {})["person"] = person
    return person


def somebody(request: Request[Any, Any, Any], what: str = "ask") -> Person:
    """Return who asks; raise Unknown if nobody has said so, TooFast if that person asks too often."""
    person = person_of(request)
    if person is None:
        raise Unknown("error.house.who")
    slow_down(request, what, person.who)
    return person


def slow_down(request: Request[Any, Any, Any], what: str, who: str | None = None) -> None:
    """Raise TooFast if a person, or an address, asks too often."""
    address = request.client.host if request.client else ""
    if not house_of(request).buckets.take(what, who or address, time.monotonic()):
        raise TooFast("error.house.too_fast")


def _cookie(request: Request[Any, Any, Any], person: Person) -> Cookie:
    signer: Signer = request.app.state.signer
    return Cookie(
        key=COOKIE,
        value=signer.cookie(person),
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        secure=request.app.state.public_url.startswith("https://"),
        samesite="lax",
    )


@get("/api/games", sync_to_thread=False)
def list_games(request: Request[Any, Any, Any]) -> list[GameCard]:
    """The games, their options and boxes, the levels of bots, and the ready-made phrases."""
    slow_down(request, "ask")
    return [_game_card(find(key)) for key in keys()]


def _game_card(game: Game) -> GameCard:
    return GameCard(
        game=game.key,
        name=dict(game.name),
        about={lang: catalogue(lang).get(f"{game.key}.about", "") for lang in LANGUAGES},
        credits=game.credits,
        players=(game.players[0], game.players[-1]),
        usual=game.usual,
        minutes=game.minutes,
        options={name: GameOption(option.default, list(option.values)) for name, option in game.options.items()},
        boxes=list(game.boxes),
        ticking=getattr(game.part("orders"), "TICKING", False),
        levels=list(NAMES),
        phrases=list(requests.PHRASES),
    )


@get("/api/games/{game:str}/messages/{lang:str}", sync_to_thread=False)
def get_messages(
    request: Request[Any, Any, Any],
    game: FromPath[Annotated[str, Parameter(max_length=20)]],
    lang: FromPath[Literal["en", "fr"]],
) -> Response[dict[str, str]]:
    """The words of a game that a client needs to show it; those of its errors, reports and terminal are left out."""
    slow_down(request, "ask")
    own = f"{find(game).key}."
    words = {key: text for key, text in catalogue(lang).items() if key.startswith(own)}
    return Response(words, headers={"Cache-Control": f"public, max-age={WORDS_SECONDS}"})


@get("/api/games/{game:str}/rules", media_type="text/markdown", sync_to_thread=False)
def get_rules(
    request: Request[Any, Any, Any],
    game: FromPath[Annotated[str, Parameter(max_length=20)]],
    lang: FromQuery[Literal["en", "fr"]] = "en",
) -> str:
    """The rules of a game, as Markdown; each has its id."""
    slow_down(request, "ask")
    return rules_page(find(game).folder, lang)


@post("/api/me", status_code=200)
async def set_me(request: Request[Any, Any, Any], data: JSONBody[Guest]) -> Response[Me]:
    """Say who one is: a guest is made, or an old one gets another name or language."""
    known = person_of(request)
    slow_down(request, "guest", known.who if known else None)
    name = requests.clean(data.name, requests.NAME_LENGTH)
    person = Person(known.who, name, data.lang) if known else new_guest(name, data.lang)
    if known and known.lang != data.lang:
        await request.app.state.postman.desk.speak(person.who, data.lang)
    return Response(Me(name, data.lang), cookies=[_cookie(request, person)])


@get("/api/me", sync_to_thread=False)
def get_me(request: Request[Any, Any, Any]) -> Me | None:
    """Who one is; null for somebody who has not said so yet."""
    person = person_of(request)
    slow_down(request, "ask", person.who if person else None)
    return Me(person.name, person.lang) if person else None


@get("/api/me/tables")
async def my_tables(request: Request[Any, Any, Any]) -> list[TableCard]:
    """One's own tables, those that wait for one first."""
    person = somebody(request)
    return [_card(card, person.who) for card in await house_of(request).store.tables_of(person.who, TABLES_OF_ONE)]


@post("/api/me/handover", status_code=200, sync_to_thread=False)
def give_handover(request: Request[Any, Any, Any]) -> Handover:
    """A token that makes a second device the same person, for ten minutes."""
    signer: Signer = request.app.state.signer
    return Handover(signer.handover(somebody(request, "act")))


@post("/api/handover", status_code=200, sync_to_thread=False)
def take_handover(request: Request[Any, Any, Any], data: JSONBody[Handover]) -> Response[Me]:
    """Become the person who handed over."""
    slow_down(request, "guest")
    signer: Signer = request.app.state.signer
    person = signer.handed_over(data.token)
    if person is None:
        raise BadInput("error.house.handover")
    return Response(Me(person.name, person.lang), cookies=[_cookie(request, person)])


@get("/api/tables")
async def list_tables(request: Request[Any, Any, Any]) -> list[TableCard]:
    """The tables that are listed and not over."""
    slow_down(request, "ask")
    return [_card(card, "") for card in await house_of(request).store.listed(LISTED)]


def _card(card: Card, who: str) -> TableCard:
    return TableCard(card.table, card.game, card.status, card.touched, card.seats, bool(who) and who in card.asked)


@post("/api/tables", status_code=201)
async def lay_table(request: Request[Any, Any, Any], data: JSONBody[NewTable]) -> Laid:
    """Lay a table."""
    person = somebody(request, "create")

    def made(table: str, at: int, secret: bytes) -> Any:
        seats = [_seat(chair, person) for chair in data.seats]
        options: dict[str, Any] = dict(data.options)
        return requests.create(
            table, person.who, at, secret, data.game, seats, options, data.pace,
            box=data.box, listed=data.listed, watch=data.watch, stand_in=data.stand_in,
        )  # fmt: skip

    return _laid(request, await house_of(request).create(made, _table_of(request, person, data.key)))


def _table_of(request: Request[Any, Any, Any], person: Person, key: str, old: str = "") -> str | None:
    """Return the id of the table that a person's request with this key lays; None without a key, for any new one."""
    signer: Signer = request.app.state.signer
    return signer.named(f"table {old} {person.who} {key}") if key else None


def _seat(chair: Chair, person: Person) -> Seat:
    if chair.kind == "me":
        return Seat(kind="person", who=person.who, name=chair.name or person.name, salt=chair.salt)
    return Seat(kind=chair.kind, level=chair.level)


def _laid(request: Request[Any, Any, Any], table: str) -> Laid:
    return Laid(table, f"{request.app.state.public_url}/t/{table}")


@post("/api/tables/{table:str}/rematch", status_code=201)
async def lay_rematch(request: Request[Any, Any, Any], table: TableId, data: JSONBody[Rematch | None] = None) -> Laid:
    """Lay the next table for the same people, the seats moved round by one."""
    person = somebody(request, "create")
    house = house_of(request)
    old = (await house.room(table)).table
    if not old.seats_of(person.who):
        raise BadInput("error.house.not_your_seat")
    new = _table_of(request, person, data.key if data else "", table)
    laid = await house.create(lambda new, at, secret: requests.rematch(old, new, secret, person.who, at), new)
    return _laid(request, laid)


@get("/api/tables/{table:str}")
async def look(request: Request[Any, Any, Any], table: TableId, seat: FromQuery[int | None] = None) -> Line:
    """The table as one's own seat sees it, or as spectators do."""
    person = person_of(request)
    slow_down(request, "ask", person.who if person else None)
    room = await house_of(request).room(table)
    async with room.lock:
        return show(room.table, audience_of(room.table, person.who if person else "", seat))


@post("/api/tables/{table:str}", status_code=200)
async def ask(request: Request[Any, Any, Any], table: TableId, data: JSONBody[p.Request]) -> Granted:
    """Ask something of a table: sit down, start, move, and all the rest."""
    person = somebody(request, "act")
    after = await house_of(request).act(table, grant(data, person))
    seats = after.seats_of(person.who)
    return Granted(after.told.get(seats[0] if seats else -1, 0))


@get("/api/tables/{table:str}/seats")
async def my_seats(request: Request[Any, Any, Any], table: TableId) -> Mine:
    """Which seats of a table are mine."""
    person = person_of(request)
    slow_down(request, "ask", person.who if person else None)
    found = (await house_of(request).room(table)).table
    return Mine(found.seats_of(person.who) if person else [])


@get("/api/tables/{table:str}/record")
async def get_record(request: Request[Any, Any, Any], table: TableId) -> Line:
    """The record of a game that is over, with all that is needed to verify its chance."""
    slow_down(request, "ask")
    found = (await house_of(request).room(table)).table
    if not found.finished:
        raise BadInput("error.house.not_over")
    return found.record()


@get("/api/tables/{table:str}/moments/{line:int}")
async def get_moment(
    request: Request[Any, Any, Any], table: TableId, line: FromPath[int], seat: FromQuery[int | None] = None
) -> Line:
    """The game after so many lines of its log, as one's own seat saw it, or spectators."""
    person = person_of(request)
    slow_down(request, "ask", person.who if person else None)
    house = house_of(request)
    if seat is None:
        # A finished game is opened from its snapshot, without replaying anything.
        stored = await house.store.snapshot(table)
        if stored is None:
            show((await house.room(table)).table, -1)  # are spectators welcome?
        return await house.moment(table, line, -1)
    room = await house.room(table)
    return await house.moment(table, line, audience_of(room.table, person.who if person else "", seat))


@get("/health", media_type=MediaType.TEXT, sync_to_thread=False)
def health() -> str:
    """Whether the process is alive."""
    return "ok"


@get("/ready", media_type=MediaType.TEXT)
async def ready(request: Request[Any, Any, Any]) -> Response[str]:
    """Whether requests can be granted: the store answers, and the house is not closing."""
    house = house_of(request)
    good = house.open and await house.store.ready()
    return Response("ready" if good else "not ready", status_code=200 if good else 503)


@get("/metrics", sync_to_thread=False, include_in_schema=False)
def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Figures for Prometheus."""
    return Response(generate_latest(house_of(request).metrics.registry), media_type=CONTENT_TYPE_LATEST)


ROUTES = [
    list_games, get_messages, get_rules, set_me, get_me, my_tables, give_handover, take_handover, list_tables,
    lay_table, lay_rematch, look, ask, my_seats, get_record, get_moment, health, ready, metrics,
]  # fmt: skip
