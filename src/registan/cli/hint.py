"""`registan hint`: what a strong player would do."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from registan.bots.search import simulate
from registan.bots.search_bot import Opinion, SearchBot
from registan.cli.common import compiling
from registan.core import chance
from registan.core.brings import tell_brings
from registan.core.engine import use_compiled
from registan.core.errors import BadInput, BadRecord
from registan.core.match import Match
from registan.core.messages import language, number, say
from registan.core.record import read_lines, replay
from registan.core.registry import find

BEST = 3
"""So many moves are named."""


def hint(
    file: Path,
    *,
    seat: int | None = None,
    seconds: float = 2.0,
    seed: int = 0,
    box: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> None:
    """Name the best three moves in an unfinished game, knowing only what the seat may see.

    Parameters
    ----------
    file
        The record of the game (its last line, if there are several).
    seat
        Whose move (default: the first seat that is asked).
    seconds
        How long to think.
    seed
        A whole number: what the search draws from.
    box
        The box file the game is played with, if it is not one of ours.
    json_
        Print JSON.
    lang
        en or fr.
    """
    tongue = language(lang)
    match = _last(file, box)
    if match.over:
        raise BadInput("cli.hint.over")
    who = match.waiting[0] if seat is None else seat
    if who not in match.waiting:
        raise BadInput("cli.hint.not_asked", seat=who, waiting=", ".join(str(s) for s in match.waiting))
    with compiling(tongue, match.game, simulate):
        use_compiled(match.game)
        bot = SearchBot(simulations=1, seconds=None)
        rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, seed, 0)
        bot.think(match.engine, match.hidden(who), who, rng)
    opinions = SearchBot(seconds=seconds).think(match.engine, match.hidden(who), who, rng)[:BEST]
    if json_:
        print(json.dumps([_row(match, who, opinion) for opinion in opinions], ensure_ascii=False))
        return
    for place, opinion in enumerate(opinions, 1):
        row = _row(match, who, opinion)
        move = match.game.tell(row["move"], tongue, str)
        brings = tell_brings(match.game.key, row["brings"], tongue, partial(_named, tongue))
        move += f" → {brings}" if brings else ""
        if opinion.sure is None:
            print(f"{place}. {move}")
            continue
        told = say(
            tongue,
            "cli.hint.move",
            wins=number(tongue, 100 * opinion.wins, 0),
            sure=number(tongue, 100 * opinion.sure, 0),
            margin=number(tongue, opinion.margin),
        )
        print(f"{place}. {move} ({told})")


def _last(file: Path, box: str | None) -> Match:
    """Return the game of the last record in a file."""
    try:
        with file.open("rb") as opened:
            records = list(read_lines(opened))
    except OSError as error:
        raise BadInput("cli.cannot_read", file=file, why=error.strerror) from None
    if not records:
        raise BadInput("cli.hint.empty", file=file)
    line, record = records[-1]
    if isinstance(record, BadRecord):
        raise record
    return replay(record, find, box, line)


def _named(lang: str, seat: int) -> str:
    return say(lang, "cli.hint.seat", seat=seat)


def _row(match: Match, seat: int, opinion: Opinion) -> dict[str, Any]:
    move = match.game.moves.write(match.box, match.hidden(seat)[0], seat, opinion.action)
    known = opinion.sure is not None
    view = match.view(seat)
    return {
        "move": move,
        "brings": view["brings"][view["legal"].index(move)],
        "simulations": opinion.visits,
        "wins": round(opinion.wins, 4) if known else None,
        "wins_interval": round(opinion.sure, 4) if opinion.sure is not None else None,
        "margin": round(opinion.margin, 2) if known else None,
    }
