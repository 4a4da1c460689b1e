"""Routes for boxes that people bring along: check them, draw them, measure how fair they are, and see a table's.

Such a file is only ever read as TOML, as data: it names no file, and nothing in it is run.
"""

from __future__ import annotations

import gzip
from collections import OrderedDict
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery, JSONBody
from msgspec import Meta

from registan.core import toml
from registan.core.box import box_faults
from registan.core.errors import BadInput
from registan.core.game import Box, Game
from registan.core.registry import find
from registan.server.http.context import GameKey, TableId, house_of, limit_rate, person_of
from registan.server.http.errors import lang_of
from registan.server.http.games import WebPart
from registan.server.limits import BALANCE_GAMES, BALANCE_SECONDS, BOX_BODY, BOX_BYTES, DRAWINGS
from registan.server.origin import client_address
from registan.tables.balance import check_ready, quick_look
from registan.tables.boxes import own_box

Json = dict[str, Any]
BoxText = Annotated[str, Meta(min_length=1, max_length=BOX_BYTES)]
FAULTS = 200
"""How many faults are told."""


class BoxFile(msgspec.Struct, forbid_unknown_fields=True):
    """The text of a box file (TOML)."""

    contents: BoxText


class BoxMeasure(BoxFile, forbid_unknown_fields=True):
    """A box to measure, and for how many players."""

    players: Annotated[int, Meta(ge=2, le=5)]


class BoxFault(msgspec.Struct):
    """A fault of a box file: its line, the keys and indexes that lead to the value, and what is wrong."""

    line: int | None
    path: list[str | int]
    text: str


class CheckedBox(msgspec.Struct):
    """What is wrong with a box; if nothing is, its key, its SHA-256 and how many can play with it."""

    faults: list[BoxFault]
    key: str = ""
    sha256: str = ""
    players: list[int] = []


async def open_own(request: Request[Any, Any, Any], game: Game, contents: str) -> Box:
    """Return the box in the text of a file, read outside of the event loop; raise BadBox if there is a fault in it."""
    check_size(contents)
    box: Box = await _aside(request, partial(own_box, game.key, contents))
    return box


def check_size(contents: str) -> None:
    """Raise BadInput if a box file is too long."""
    if len(contents.encode("utf-8", "replace")) > BOX_BYTES:
        raise BadInput("error.house.box_size", most=BOX_BYTES)


async def _aside(request: Request[Any, Any, Any], work: Any, seconds: float = 1.0) -> Any:
    person = person_of(request)
    who = person.who if person else client_address(request)
    limit_rate(request, "box_here")
    limit_rate(request, "box", who)
    return await house_of(request).thinking.aside(work, who, seconds)


@post("/api/games/{game:str}/boxes/check", status_code=200, request_max_body_size=BOX_BODY)
async def check_box(request: Request[Any, Any, Any], game: GameKey, data: JSONBody[BoxFile]) -> CheckedBox:
    """Every fault of a box file, in your language. Nothing is stored."""
    check_size(data.contents)
    person_of(request)  # faults are told in their language
    checked: CheckedBox = await _aside(request, partial(_checked, find(game), data.contents, lang_of(request)))
    return checked


def _checked(game: Game, contents: str, lang: str) -> CheckedBox:
    faults = box_faults(game, contents)
    if faults:
        return CheckedBox([BoxFault(fault.line, list(fault.path), fault.text(lang)) for fault in faults[:FAULTS]])
    box = game.load_box(contents.encode("utf-8", "replace"), f"{game.key}.toml")
    return CheckedBox([], box.key, box.sha256, list(box.players or game.players))


@post("/api/games/{game:str}/boxes/parsed", status_code=200, request_max_body_size=BOX_BODY)
async def parse_box(request: Request[Any, Any, Any], game: GameKey, data: JSONBody[BoxFile]) -> Json:
    """The data of a box file as JSON, whatever its faults, so that a page can mend them. Nothing is stored."""
    check_size(data.contents)
    parsed: Json = await _aside(request, partial(_parsed, find(game), data.contents))
    return parsed


def _parsed(game: Game, contents: str) -> Json:
    try:
        parsed: Json = msgspec.json.decode(msgspec.json.encode(toml.loads(contents)))
    except (ValueError, RecursionError, OverflowError):  # the game says it better, with the line
        game.load_box(contents.encode("utf-8", "replace"), f"{game.key}.toml")
        raise BadInput("error.house.request") from None
    return parsed


@post("/api/games/{game:str}/boxes/drawn", status_code=200, request_max_body_size=BOX_BODY)
async def draw_box(
    request: Request[Any, Any, Any],
    game: GameKey,
    data: JSONBody[BoxFile],
    lang: FromQuery[Literal["en", "fr"]] = "en",
) -> Response[bytes]:
    """What a browser needs of a box besides the view, such as a drawn map. Nothing is stored."""
    return await _drawn(request, find(game), data.contents, lang)


@get("/api/tables/{table:str}/box")
async def table_box(
    request: Request[Any, Any, Any], table: TableId, lang: FromQuery[Literal["en", "fr"]] = "en"
) -> Response[bytes]:
    """What a browser needs of the box of a table besides the view; 404 for games that need nothing."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    made = (await house_of(request).table(table)).table.created
    if not made.contents:
        raise NotFoundException
    return await _drawn(request, find(made.game, made.version), made.contents, lang)


@get("/api/tables/{table:str}/box/file", media_type="application/toml")
async def table_box_file(request: Request[Any, Any, Any], table: TableId) -> str:
    """The file of the box that was brought along to a table."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    made = (await house_of(request).table(table)).table.created
    if not made.contents:
        raise NotFoundException
    return made.contents


_drawings: OrderedDict[tuple[str, str, str], bytes] = OrderedDict()


async def _drawn(request: Request[Any, Any, Any], game: Game, contents: str, lang: str) -> Response[bytes]:
    """Return the drawing of a box; a few are remembered, since everybody at a table asks for the same."""
    part: WebPart | None = game.part("web")
    if part is None:
        raise NotFoundException
    box = await open_own(request, game, contents)
    known = (game.package, box.sha256, lang)
    if known not in _drawings:
        packed = await _aside(request, partial(_packed, part, box, lang), 2.0)
        _drawings[known] = packed
        while len(_drawings) > DRAWINGS:
            _drawings.popitem(last=False)
    packed = _drawings[known]
    _drawings.move_to_end(known)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, media_type=MediaType.JSON, headers=headers)


def _packed(part: WebPart, box: Box, lang: str) -> bytes:
    return gzip.compress(msgspec.json.encode(part.board(box, lang)), 6, mtime=0)


@post("/api/games/{game:str}/boxes/balance", status_code=200, request_max_body_size=BOX_BODY)
async def measure_box(request: Request[Any, Any, Any], game: GameKey, data: JSONBody[BoxMeasure]) -> Json:
    """How fair a box is: what a few hundred quick games of greedy bots tell. Nothing is stored."""
    person = person_of(request)
    limit_rate(request, "balance", person.who if person else None)
    found = find(game)
    box = await open_own(request, found, data.contents)
    check_ready(found, box, data.players)
    work = partial(quick_look, found, box, data.players, BALANCE_GAMES, BALANCE_SECONDS)
    measured: Json = await _aside(request, work, BALANCE_SECONDS)
    return measured


ROUTES = [check_box, parse_box, draw_box, table_box, table_box_file, measure_box]
