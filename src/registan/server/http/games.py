"""Routes for games: which there are, their rules, and what a browser needs of their boxes."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from typing import Annotated, Any, Literal, Protocol

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, Parameter

from registan.bots import NAMES
from registan.core.box import find_box
from registan.core.game import Box
from registan.core.registry import find, keys
from registan.core.rulebook import rules_page
from registan.server.http.context import GameKey, limit_rate
from registan.tables import requests

MAX_AGE = 600
"""Seconds for which a browser may use a box without asking whether it has changed."""


class GameInfo(msgspec.Struct):
    """A game that can be played here."""

    game: str
    name: dict[str, str]
    players: tuple[int, int]
    options: dict[str, list[bool | str]]
    boxes: list[str]
    levels: list[str]
    phrases: list[str]


class WebPart(Protocol):
    """`web.py` of a game, an optional part."""

    def board(self, box: Box, lang: str) -> dict[str, Any]:
        """Return what a browser needs of a box beyond the view, as plain JSON."""
        ...


@get("/api/games", sync_to_thread=False)
def list_games(request: Request[Any, Any, Any]) -> list[GameInfo]:
    """The games, their options and boxes, the levels of bots, and the ready-made phrases."""
    limit_rate(request, "ask")
    return [
        GameInfo(
            game=game.key,
            name=dict(game.name),
            players=(game.players[0], game.players[-1]),
            options={name: list(option.values) for name, option in game.options.items()},
            boxes=list(game.boxes),
            levels=list(NAMES),
            phrases=list(requests.PHRASES),
        )
        for game in map(find, keys())
    ]


@get("/api/games/{game:str}/rules", media_type="text/markdown", sync_to_thread=False)
def get_rules(request: Request[Any, Any, Any], game: GameKey, lang: FromQuery[Literal["en", "fr"]] = "en") -> str:
    """The rules of a game, as Markdown; each has its id."""
    limit_rate(request, "ask")
    return rules_page(find(game).folder, lang)


@lru_cache(maxsize=8)
def _packed(key: str, box: str, lang: str) -> tuple[bytes, str] | None:
    """Return what a browser needs of a box as compressed JSON, and its ETag; None if the game has no `web` part."""
    game = find(key)
    part: WebPart | None = game.part("web")
    if part is None:
        return None
    plain = msgspec.json.encode(part.board(find_box(game, box), lang))
    return gzip.compress(plain, 9, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:24]}"'


@get("/api/games/{game:str}/boxes/{box:str}", sync_to_thread=True)
def get_box(
    request: Request[Any, Any, Any],
    game: GameKey,
    box: FromPath[Annotated[str, Parameter(max_length=40)]],
    lang: FromQuery[Literal["en", "fr"]] = "en",
) -> Response[bytes]:
    """What a browser needs of a box beyond the view, such as a drawn map; 404 for games that need nothing."""
    found = _packed(game, box, lang) if box in find(game).boxes else None
    if found is None:
        raise NotFoundException
    packed, etag = found
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={MAX_AGE}", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, media_type=MediaType.JSON, headers=headers)


ROUTES = [list_games, get_rules, get_box]
