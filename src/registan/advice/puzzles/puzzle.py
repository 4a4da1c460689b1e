"""Puzzles as data (docs/puzzles.md), and the positions that they show."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from registan.core.errors import BadInput
from registan.core.game import Game, Json
from registan.core.match import Match
from registan.core.record import Find, replay

FILE = "puzzles.jsonl"
"""In the folder of a game."""
M = TypeVar("M", bound=Match)


class Judged(msgspec.Struct, omit_defaults=True):
    """A legal move: the chance to win after it, half the 95 % interval, and why it is better or worse than others."""

    move: Json
    wins: float
    sure: float
    why: list[Json] = []


class Puzzle(msgspec.Struct, omit_defaults=True):
    """A decision of a seat in a game, with the chances of all its moves, the best first."""

    id: str
    at: int
    """After how many lines of the record."""
    seat: int
    rating: int
    """How hard it is."""
    simulations: int
    """How long the search was that found the best move."""
    obvious: Json
    """The move that looks best at a glance."""
    moves: list[Judged]
    since: list[Json] = []
    """Answers since the last line, each with its seat: prices at which nobody stopped, for example."""

    @property
    def best(self) -> Json:
        """The solution."""
        return self.moves[0].move


class Source(msgspec.Struct):
    """A game between bots, up to the last of its puzzles; the record holds the secrets of everybody."""

    record: Json
    puzzles: list[Puzzle]


class Posed(NamedTuple):
    """A puzzle with the record of its game."""

    puzzle: Puzzle
    record: Json

    @property
    def before(self) -> Json:
        """The record of the game up to the last line before the decision."""
        return {**self.record, "moves": self.record["moves"][: self.puzzle.at]}


def play_since(puzzle: Puzzle, match: M) -> M:
    """Return a match after the last line, played on to the decision."""
    for answer in puzzle.since:
        match.act(answer["seat"], match.game.moves.read(match.box, match.state, answer))
    return match


def position(posed: Posed, find: Find) -> Match:
    """Return the match in which a puzzle's seat is asked."""
    return play_since(posed.puzzle, replay(posed.before, find))


def puzzles_of(game: Game) -> dict[str, Posed]:
    """Return the puzzles that come with a game, by id; there may be none."""
    return _by_id(game.file(FILE))


@lru_cache(maxsize=8)
def _by_id(path: Path) -> dict[str, Posed]:
    sources = read_puzzles(path) if path.exists() else []
    return {puzzle.id: Posed(puzzle, source.record) for source in sources for puzzle in source.puzzles}


def read_puzzles(path: Path) -> list[Source]:
    """Return the puzzles of a file by their games; raise BadInput if it is not such a file."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput("cli.cannot_read", file=path, why=error.strerror) from None
    decode, found = msgspec.json.Decoder(Source).decode, []
    for number, line in enumerate(lines, 1):
        try:
            found.append(decode(line))
        except msgspec.DecodeError as error:
            raise BadInput("error.puzzles", file=path, line=number, why=error) from None
    return found


def write_puzzles(path: Path, sources: list[Source]) -> None:
    """Write puzzles to a file, a game a line."""
    try:
        path.write_bytes(b"".join(msgspec.json.encode(source) + b"\n" for source in sources if source.puzzles))
    except OSError as error:
        raise BadInput("cli.cannot_write", file=path, why=error.strerror) from None
