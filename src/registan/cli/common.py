"""What several commands share: options, output, progress."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from registan.core.engine import is_cached
from registan.core.errors import BadInput, BadRecord
from registan.core.game import Game, Json
from registan.core.messages import say
from registan.core.record import read_lines

stderr = Console(stderr=True)


def _no_option(_: Any, file: Path) -> None:
    """Raise BadInput if what stands in the place of a file is an option that does not exist."""
    if str(file).startswith("-") and str(file) != "-":
        raise BadInput("cli.no_option", option=str(file))


Stream = Annotated[Path, Parameter(allow_leading_hyphen=True, validator=_no_option)]
"""A file, or - for standard input or output."""

# The options of every command that lets bots play, each with its line of help.
GameKey = Annotated[str, Parameter(help="A game; `registan games` lists them.")]
Players = Annotated[int, Parameter(help="The number of players.")]
Seed = Annotated[int, Parameter(help="A whole number: the same seed gives the same games.")]
Bots = Annotated[str, Parameter(help="Who plays: one bot for all seats, or one for each seat, separated by commas.")]
BoxName = Annotated[str | None, Parameter(help="Another box of the game: its key, or a TOML file.")]
OptionWords = Annotated[
    list[str] | None,
    Parameter(negative=(), help="An option of the game, such as harmony=example; can be repeated."),
]
Workers = Annotated[int | None, Parameter(help="The number of threads or processes (default: one for each core).")]
AsJson = Annotated[bool, Parameter(name="--json", negative=(), help="Print JSON.")]
Lang = Annotated[str | None, Parameter(help="en or fr.")]


def parse_options(game: Game, words: list[str]) -> dict[str, Any]:
    """Return the options of a game from words such as `harmony=example` or just `open_scores`."""
    options: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        values = game.options[name].values if name in game.options else ()
        by_text = {str(v).lower(): v for v in values}
        options[name] = by_text.get(value.lower() or "true", value)
    return options


def bots_by_seat(words: str, players: int) -> list[str]:
    """Return the names of the bots by seat from words like `greedy` (for all seats) or `greedy,random,greedy`."""
    names = words.split(",")
    if len(names) not in (1, players):
        raise BadInput("cli.bots", n=len(names), players=players)
    return (names * players)[:players]


@contextmanager
def opened_file(file: Path) -> Iterator[BinaryIO]:
    """Open a file for reading; - is standard input."""
    if str(file) == "-":
        yield sys.stdin.buffer
        return
    try:
        opened = file.open("rb")
    except OSError as error:
        raise BadInput("cli.cannot_read", file=file, why=error.strerror) from None
    with opened:
        yield opened


def last_record(file: Path) -> tuple[int, Json]:
    """Return the last record of a file, with its line."""
    with opened_file(file) as opened:
        records = list(read_lines(opened))
    if not records:
        raise BadInput("cli.no_game", file=file)
    line, record = records[-1]
    if isinstance(record, BadRecord):
        raise record
    return line, record


def positive(name: str, value: int) -> int:
    """Return a number that must be at least 1."""
    if value < 1:
        raise BadInput("cli.positive", name=name, value=value)
    return value


def positive_seconds(name: str, value: float) -> float:
    """Return a time that must be more than nothing, and not endless."""
    if not 0 < value < math.inf:
        raise BadInput("cli.seconds", name=name, value=value)
    return value


def goes_with(name: str, given: bool, other: str, other_given: bool) -> None:
    """Raise BadInput if an option is given without the one that it belongs to."""
    if given and not other_given:
        raise BadInput("cli.goes_with", name=name, other=other)


def worker_count(asked: int | None) -> int:
    """Return how many workers to use: as many as asked for, or else one for each core."""
    return positive("--workers", asked) if asked is not None else os.cpu_count() or 1


def checked_seed(value: int) -> int:
    """Return a seed that fits into one word of the generator."""
    most = 2**63 - 1
    if not 0 <= value <= most:
        raise BadInput("cli.natural", name="--seed", most=most, value=value)
    return value


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar if this is a terminal; yield a function to call with the number of things just done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda n: bar.advance(task, n)


@contextmanager
def compiling(lang: str, game: Game, *functions: Callable[..., Any]) -> Iterator[None]:
    """Say that the compiler is at work, unless these functions are already in its cache."""
    if all(is_cached(game, f) for f in functions):
        yield
        return
    text = say(lang, "cli.compiling", game=game.name[lang])
    if sys.stderr.isatty():
        with stderr.status(text):
            yield
    else:
        print(text, file=sys.stderr, flush=True)
        yield


@contextmanager
def writable(file: Path | None) -> Iterator[None]:
    """Raise BadInput if a file cannot be written, before the long work; leave no empty file behind."""
    if file is None:
        yield
        return
    try:
        file.open("ab").close()
    except OSError as error:
        raise BadInput("cli.cannot_write", file=file, why=error.strerror) from None
    try:
        yield
    finally:
        if not file.stat().st_size:
            file.unlink()
