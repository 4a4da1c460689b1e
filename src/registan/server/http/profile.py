"""Routes for one's own page: finished games, ratings, mistakes, puzzles; taking all of it along, or deleting it."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, delete, get
from litestar.params import FromQuery, Parameter

from registan.server.http.context import cookie_of, house_of, require_person, sessions_of
from registan.server.http.notifications import delivery_of
from registan.server.identity import Person
from registan.server.limits import GAMES_PAGE
from registan.server.live.forgetting import forget
from registan.server.live.house import House
from registan.server.storage.results import Played
from registan.server.storage.reviews import SeatFigures
from registan.server.storage.summary import summaries
from registan.server.storage.tries import PastTry
from registan.tables.ratings import Rating as Known

HISTORY = 60
"""Ratings that are drawn as a line."""


class Rating(msgspec.Struct):
    """A rating with its 95 % interval, on the Elo scale."""

    value: int
    low: int
    high: int


class SeatResult(msgspec.Struct):
    """How a game ended for a seat."""

    name: str
    level: str
    place: int
    points: int
    mine: bool


class FinishedGame(msgspec.Struct):
    """A finished game of mine."""

    table: str
    game: str
    ended: int
    rated: bool
    seats: list[SeatResult]
    rating: Rating | None
    """My rating after it."""
    accuracy: float | None
    """That of my moves, if the game was reviewed."""


class GamesPage(msgspec.Struct):
    """Some of my finished games, the latest first."""

    games: list[FinishedGame]
    total: int


class WinShare(msgspec.Struct):
    """How often I win: all games of a kind (`level` null), or those with somebody of that level ("" for people)."""

    game: str
    level: str | None
    games: int
    wins: float
    """Shared wins count in part."""
    par: float
    """The wins of somebody who is as good as the others."""


class MyRating(msgspec.Struct):
    """My rating in a game."""

    game: str
    rating: Rating
    games: int
    history: list[Rating]
    """The latest ratings, the oldest first."""


class BotRating(msgspec.Struct):
    """The rating of bots of a level in a game."""

    game: str
    level: str
    rating: Rating
    games: int


class Mistakes(msgspec.Struct):
    """My mistakes in reviewed games: with moves of one kind, in one part of the game (0 to 2)."""

    game: str
    do: str
    phase: int
    moves: int
    mistakes: int
    cost: float
    """The chance to win that they cost, in all."""


class Accuracy(msgspec.Struct):
    """The accuracy of my moves in the reviewed games of a kind."""

    game: str
    games: int
    accuracy: float


class Profile(msgspec.Struct):
    """My figures."""

    games: int
    wins: list[WinShare]
    ratings: list[MyRating]
    bots: list[BotRating]
    accuracy: list[Accuracy]
    mistakes: list[Mistakes]
    """Those that cost most come first."""
    solved: list[PastTry]
    """The puzzles I have tried, the latest first."""


def _rating(known: Known) -> Rating:
    reach = 1.96 * known.spread
    return Rating(round(known.mean), round(known.mean - reach), round(known.mean + reach))


@get("/api/me/profile")
async def get_profile(request: Request[Any, Any, Any]) -> Profile:
    """Your finished games in figures, your ratings and those of the bots, your typical mistakes and your puzzles."""
    person = require_person(request)
    return await _profile(house_of(request), person)


async def _profile(house: House, person: Person) -> Profile:
    games = await house.results.of(person.who)
    known = {game.table for game in games}
    reviewed = {key: one for key, one in (await house.reviews.stored.figures(person.who)).items() if key[0] in known}
    bots = await house.results.bots(person.who)
    return Profile(
        games=len(games),
        wins=_wins(games, await house.results.opponents(person.who)),
        ratings=_ratings(games),
        bots=[BotRating(game, level, _rating(rating), n) for game, level, rating, n in bots],
        accuracy=_accuracy(games, reviewed),
        mistakes=_mistakes(games, reviewed),
        solved=await house.tries.of(person.who),
    )


def _wins(games: list[Played], opponents: list[tuple[str, str]]) -> list[WinShare]:
    """Return win shares by game, then by game and level of opponents."""
    levels: dict[str, set[str]] = defaultdict(set)
    for table, other in opponents:
        levels[table].add(other)
    rows: dict[tuple[str, bool, str], WinShare] = {}
    for game in games:
        for level in (None, *sorted(levels[game.table])):
            key = game.game, level is not None, level or ""
            row = rows.setdefault(key, WinShare(game.game, level, 0, 0.0, 0.0))
            row.games += 1
            row.wins += game.share
            row.par += 1 / game.players
    return [rows[key] for key in sorted(rows)]


def _ratings(games: list[Played]) -> list[MyRating]:
    found: dict[str, list[Rating]] = defaultdict(list)
    for game in reversed(games):
        if game.rated and game.rating is not None:
            found[game.game].append(_rating(game.rating))
    return [MyRating(key, rows[-1], len(rows), rows[-HISTORY:]) for key, rows in sorted(found.items())]


def _accuracy(games: list[Played], reviewed: dict[tuple[str, int], SeatFigures]) -> list[Accuracy]:
    by_game: dict[str, list[SeatFigures]] = defaultdict(list)
    for game in games:
        one = reviewed.get((game.table, game.seat))
        if one is not None and one.accuracy is not None and one.decisions:
            by_game[game.game].append(one)
    found = []
    for key, rows in sorted(by_game.items()):
        kept = sum((one.accuracy or 0.0) * one.decisions for one in rows)
        found.append(Accuracy(key, len(rows), kept / sum(one.decisions for one in rows)))
    return found


def _mistakes(games: list[Played], reviewed: dict[tuple[str, int], SeatFigures]) -> list[Mistakes]:
    found: dict[tuple[str, str, int], Mistakes] = {}
    for game in games:
        one = reviewed.get((game.table, game.seat))
        for kind in one.kinds if one is not None else ():
            key = game.game, kind.do, kind.phase
            row = found.setdefault(key, Mistakes(*key, 0, 0, 0.0))
            row.moves += kind.moves
            row.mistakes += kind.mistakes
            row.cost += kind.cost
    made = [row for row in found.values() if row.mistakes]
    return sorted(made, key=lambda row: (-row.cost, row.game, row.do, row.phase))


@get("/api/me/games")
async def get_games(
    request: Request[Any, Any, Any], after: FromQuery[Annotated[int, Parameter(ge=0, le=1_000_000)]] = 0
) -> GamesPage:
    """Your finished games, the latest first, from a number on."""
    person = require_person(request)
    return await _games(house_of(request), person, after, GAMES_PAGE)


async def _games(house: House, person: Person, after: int, most: int) -> GamesPage:
    games = await house.results.of(person.who)
    some = games[after : after + most]
    reviewed = await house.reviews.stored.figures(person.who)
    return GamesPage([await _finished(house, game, reviewed) for game in some], len(games))


async def _finished(house: House, game: Played, reviewed: dict[tuple[str, int], SeatFigures]) -> FinishedGame:
    rows = await house.results.seats(game.table)
    names: list[str] = []
    for summary in summaries(await house.store.fetch("SELECT card, id FROM tables WHERE id = $1", game.table)):
        names = summary.seats
    seats = [
        SeatResult("" if row.level else names[row.seat] if row.seat < len(names) else "", row.level, row.place,
                   row.points, row.seat == game.seat)
        for row in rows
    ]  # fmt: skip
    one = reviewed.get((game.table, game.seat))
    rating = _rating(game.rating) if game.rating is not None else None
    return FinishedGame(
        game.table, game.game, game.ended, game.rated, seats, rating, one.accuracy if one is not None else None
    )


@get("/api/me/export")
async def export(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Everything that the house knows about you, as a file: profile, devices, notices, games, figures, documents."""
    person = require_person(request, "review")
    house = house_of(request)
    preferences = await delivery_of(request).preferences.of(person.who)
    games = await _games(house, person, 0, 1_000_000)
    told = {
        "format": "registan-me/1",
        "name": person.name,
        "lang": person.lang,
        "face": person.face,
        "devices": [{"device": one.device, "since": one.since} for one in await sessions_of(request).of(person.who)],
        "notifications": preferences[0] if preferences else None,
        "games": games.games,
        "records": [f"/api/tables/{game.table}/record" for game in games.games],
        "figures": await _profile(house, person),
        "documents": await house.documents.of(person.who),
    }
    headers = {"Content-Disposition": 'attachment; filename="registan-me.json"'}
    return Response(told, headers=headers)


@delete("/api/me", status_code=200)
async def delete_me(request: Request[Any, Any, Any]) -> Response[None]:
    """Delete what the house knows about you, and be signed out everywhere. Your moves stay in the games of others."""
    person = require_person(request, "act")
    await forget(house_of(request), person)
    gone = dataclasses.replace(cookie_of(request, person), value="", max_age=0)
    return Response(None, cookies=[gone])


ROUTES = [get_profile, get_games, export, delete_me]
