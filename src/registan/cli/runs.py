"""What the commands that play many games share: the run that their words ask for, and tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from registan.cli.common import checked_seed, parse_options
from registan.core.errors import BadInput
from registan.core.registry import find
from registan.lab.run import Run, make_run

LEAST = 20
"""How many games a report or a comparison needs at least: with fewer, some figures would have nothing to show."""


def enough(games: int) -> int:
    """Return how many games to play; raise BadInput if they are too few to tell anything."""
    if games < LEAST:
        raise BadInput("cli.report.games", least=LEAST, value=games)
    return games


def asked_run(
    game: str,
    players: int,
    bots: Sequence[str],
    games: int,
    seed: int,
    box: str | None,
    option: list[str] | None,
    first: int | None = None,
) -> Run:
    """Return the run that the words of a command ask for; raise BadInput if one of them is wrong."""
    options = parse_options(find(game), option or [])
    return make_run(game, players, bots, games, checked_seed(seed), box, options, first)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines in columns: words in the first, which is aligned left, figures in the others."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:]))]).rstrip()
        for row in rows
    ]
