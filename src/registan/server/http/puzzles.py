"""Routes for puzzles: which there are, the one of the day, the position as its seat sees it, and the solution."""

from __future__ import annotations

import hashlib
import time
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath, JSONBody, Parameter

from registan.advice.puzzles.puzzle import Judged, Posed, puzzles_of
from registan.core.registry import find, keys
from registan.server.errors import NoPuzzle
from registan.server.http.context import GameKey, house_of, limit_rate, person_of, require_person
from registan.server.http.study import Crowd, whose
from registan.server.storage.tries import PastTry, Try
from registan.tables.match import TableMatch
from registan.tables.puzzles import answer_of, open_puzzle
from registan.tables.study import as_shown

Json = dict[str, Any]
PuzzleId = FromPath[Annotated[str, Parameter(max_length=16, pattern=r"^[0-9a-f]{1,16}$")]]
DAY = 86_400


class PuzzleInfo(msgspec.Struct):
    """A puzzle in a list."""

    id: str
    players: int
    rating: int
    """How hard it is, about 1000 to 2000; it learns from the first answers of people."""


class PuzzleBook(msgspec.Struct):
    """The puzzles of a game, the easiest first."""

    game: str
    today: str
    """The one of the day, the same for everybody; a new one at midnight UTC."""
    puzzles: list[PuzzleInfo]


class ShownPuzzle(msgspec.Struct):
    """A position: what its seat sees, and may do."""

    game: str
    id: str
    box: str
    options: Json
    players: int
    seat: int
    rating: int
    moment: Json
    """As the first moment of a study."""


class PuzzleAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """The move that somebody chose, or orders as at a table; neither of them to give up."""

    move: Json | None = None
    orders: Json | None = None


class Solution(msgspec.Struct):
    """How good an answer is, and all moves with their chances to win."""

    right: bool
    chosen: int | None
    """The place of the answer in `moves`; null for who gave up."""
    obvious: int
    """The place of the move that looks best at a glance."""
    moves: list[Judged]
    """The best first."""


def of_the_day(ids: list[str], day: int) -> str:
    """Return the puzzle of a day: each comes once before any comes again, in an order that cannot be guessed."""
    turn, place = divmod(day, len(ids))
    return sorted(ids, key=lambda id_: hashlib.sha256(f"{turn} {id_}".encode()).digest())[place]


def today_of(found: dict[str, Posed]) -> str:
    """Return today's puzzle."""
    return of_the_day(sorted(found), int(time.time() // DAY))


@get("/api/puzzles")
async def list_puzzles(request: Request[Any, Any, Any]) -> list[PuzzleBook]:
    """The puzzles of all games that have some."""
    limit_rate(request, "ask")
    books = []
    for game in map(find, keys()):
        ratings = await house_of(request).tries.ratings(game)
        if found := puzzles_of(game):
            infos = [PuzzleInfo(id_, int(one.record["players"]), ratings[id_]) for id_, one in found.items()]
            infos.sort(key=lambda info: (info.rating, info.id))
            books.append(PuzzleBook(game.key, today_of(found), infos))
    return books


@get("/api/me/puzzles")
async def my_puzzles(request: Request[Any, Any, Any]) -> list[PastTry]:
    """The puzzles you have tried with this identity, on any device, the latest first."""
    return await house_of(request).tries.of(require_person(request).who)


async def _opened(request: Request[Any, Any, Any], game: str, puzzle: str) -> tuple[Posed, TableMatch]:
    """Return a puzzle and its match; raise NoPuzzle if there is none."""
    posed = puzzles_of(find(game)).get(puzzle)
    if posed is None:
        raise NoPuzzle("error.house.puzzle")
    work = partial(open_puzzle, posed)
    return posed, await house_of(request).studies.once(("puzzle", game, puzzle), work, *whose(request))


@get("/api/puzzles/{game:str}/{puzzle:str}", middleware=[Crowd()])
async def show_puzzle(request: Request[Any, Any, Any], game: GameKey, puzzle: PuzzleId) -> ShownPuzzle:
    """A puzzle, as its seat sees it."""
    posed, match = await _opened(request, game, puzzle)
    one = posed.puzzle
    house = house_of(request)
    moment = await house.studies.apart(partial(as_shown, match, one.seat), *whose(request))
    rating = (await house.tries.ratings(find(game)))[one.id]
    return ShownPuzzle(game, one.id, match.box.key, match.options, match.players, one.seat, rating, moment)


@post("/api/puzzles/{game:str}/{puzzle:str}", status_code=200, middleware=[Crowd()])
async def answer_puzzle(
    request: Request[Any, Any, Any], game: GameKey, puzzle: PuzzleId, data: JSONBody[PuzzleAnswer]
) -> Solution:
    """Answer a puzzle, or give up, and see how good each move is. The house remembers the first answer of a person."""
    posed, match = await _opened(request, game, puzzle)
    house = house_of(request)
    one = posed.puzzle
    moves = [row.move for row in one.moves]
    chosen = None
    if data.move is not None or data.orders is not None:
        work = partial(answer_of, match, one, data.move, data.orders)
        chosen = moves.index((await house.studies.apart(work, *whose(request))).move)
    if (person := person_of(request)) is not None:
        rating = (await house.tries.ratings(find(game)))[one.id]
        daily = today_of(puzzles_of(find(game))) == one.id
        await house.tries.remember(person.who, one.id, Try(game, chosen == 0, rating, daily), house.now())
    return Solution(chosen == 0, chosen, moves.index(one.obvious), one.moves)


ROUTES = [list_puzzles, my_puzzles, show_puzzle, answer_puzzle]
