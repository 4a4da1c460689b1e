"""Routes for games: the list, their messages, rules and lessons, and what a browser needs of their boxes."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache, lru_cache
from threading import Lock
from typing import Annotated, Any, Literal, Protocol

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, Parameter

from registan.bots import LEVELS
from registan.bots.ladder import ratings_of
from registan.core.box import find_box
from registan.core.game import Box, Game
from registan.core.messages import LANGUAGES, catalogue
from registan.core.registry import find, keys
from registan.core.rulebook import rules_page
from registan.server.http.context import GameKey, limit_rate
from registan.server.logs import log
from registan.tables.lessons import BadLesson, LessonInfo, info, names_of, play_through
from registan.tables.texts import PHRASES

MAX_AGE = 600
"""Seconds for which a browser may cache a box or messages."""


class GameOption(msgspec.Struct):
    """A choice made before the game: its default and its values."""

    default: bool | str
    values: list[bool | str]


class GameInfo(msgspec.Struct):
    """A game that can be played here."""

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
    ticks: list[float]
    """How many seconds a decision against the clock may take, the beginners' pace first; empty if there are none."""
    first: str
    """What the player who begins is called (start_player, first_doyen), empty if nobody can be named."""
    levels: list[str]
    ratings: dict[str, tuple[int, int, int]]
    """By level of the ladder: its rating with four players and the ends of its 95 % interval, if it was measured."""
    phrases: list[str]
    lessons: list[LessonInfo]
    """Its lessons, in order; a game may have none."""


class WebPart(Protocol):
    """`web.py` of a game, an optional part."""

    def board(self, box: Box, lang: str) -> dict[str, Any]:
        """Return what a browser needs of a box besides the view, as JSON."""
        ...


@get("/api/games", sync_to_thread=False)
def list_games(request: Request[Any, Any, Any]) -> list[GameInfo]:
    """The games, their options and boxes, the levels of bots, and the phrases for the chat."""
    limit_rate(request, "ask")
    return [_info(find(key)) for key in keys()]


def _info(game: Game) -> GameInfo:
    return GameInfo(
        game=game.key,
        name=dict(game.name),
        about={lang: catalogue(lang).get(f"{game.key}.about", "") for lang in LANGUAGES},
        credits=game.credits,
        players=(game.players[0], game.players[-1]),
        usual=game.usual,
        minutes=game.minutes,
        options={name: GameOption(option.default, list(option.values)) for name, option in game.options.items()},
        boxes=list(game.boxes),
        ticks=list(game.orders.TICKS) if game.orders is not None else [],
        first=game.first,
        levels=list(LEVELS),
        ratings=ratings_of(game),
        phrases=list(PHRASES),
        lessons=_lessons(game.key),
    )


@cache
def _lessons(key: str) -> list[LessonInfo]:
    """Return the lessons of a game; one that cannot be read is left out, so that the others can be had."""
    game, found = find(key), list[LessonInfo]()
    for name in names_of(game):
        try:
            found.append(info(game, name))
        except BadLesson as error:
            log.error("a lesson cannot be read", game=key, why=str(error))
    return found


@get("/api/games/{game:str}/messages/{lang:str}", sync_to_thread=False)
def get_messages(
    request: Request[Any, Any, Any], game: GameKey, lang: FromPath[Literal["en", "fr"]]
) -> Response[dict[str, str]]:
    """The messages of a game that a client needs to show it."""
    limit_rate(request, "ask")
    own = f"{find(game).key}."
    words = {key: text for key, text in catalogue(lang).items() if key.startswith(own)}
    return Response(words, headers={"Cache-Control": f"public, max-age={MAX_AGE}"})


@get("/api/games/{game:str}/rules", media_type="text/markdown", sync_to_thread=False)
def get_rules(request: Request[Any, Any, Any], game: GameKey, lang: FromQuery[Literal["en", "fr"]] = "en") -> str:
    """The rules of a game, as Markdown; each has its id."""
    limit_rate(request, "ask")
    return rules_page(find(game).folder, lang, figures=True)


_packing = Lock()


def packed_box(key: str, box: str, lang: str) -> tuple[bytes, str] | None:
    """Return what a browser needs of a box as compressed JSON, and its ETag; None if the game has no `web` part."""
    with _packing:  # a map takes a second to draw: those who ask meanwhile wait for it
        return _packed(key, box, lang)


@lru_cache(maxsize=8)
def _packed(key: str, box: str, lang: str) -> tuple[bytes, str] | None:
    game = find(key)
    part: WebPart | None = game.part("web")
    if part is None:
        return None
    return pack(msgspec.json.encode(part.board(find_box(game, box), lang)))


@lru_cache(maxsize=32)
def _lesson(key: str, name: str) -> tuple[bytes, str]:
    return pack(msgspec.json.encode(play_through(find(key), name)))


@get("/api/games/{game:str}/lessons/{lesson:str}", sync_to_thread=True)
def get_lesson(
    request: Request[Any, Any, Any], game: GameKey, lesson: FromPath[Annotated[str, Parameter(max_length=40)]]
) -> Response[bytes]:
    """A lesson: its texts in both languages, and every position as the learner's seat sees it (docs/lessons.md)."""
    limit_rate(request, "ask")
    if lesson not in names_of(find(game)):
        raise NotFoundException
    with _packing:
        found = _lesson(game, lesson)
    return packed_json(request, *found)


@get("/api/games/{game:str}/boxes/{box:str}", sync_to_thread=True)
def get_box(
    request: Request[Any, Any, Any],
    game: GameKey,
    box: FromPath[Annotated[str, Parameter(max_length=40)]],
    lang: FromQuery[Literal["en", "fr"]] = "en",
) -> Response[bytes]:
    """What a browser needs of a box besides the view, such as a drawn map; 404 for games that need nothing."""
    found = packed_box(game, box, lang) if box in find(game).boxes else None
    if found is None:
        raise NotFoundException
    return packed_json(request, *found)


def pack(plain: bytes) -> tuple[bytes, str]:
    """Return JSON that never changes as it is kept: compressed, and with its ETag."""
    return gzip.compress(plain, 9, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:24]}"'


def packed_json(request: Request[Any, Any, Any], packed: bytes, etag: str) -> Response[bytes]:
    """Return the response with such JSON, empty if the browser has it already."""
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={MAX_AGE}", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, media_type=MediaType.JSON, headers=headers)


ROUTES = [list_games, get_messages, get_rules, get_lesson, get_box]
