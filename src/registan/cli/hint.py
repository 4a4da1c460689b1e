"""`registan hint`: what a strong player would do."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from registan.advice.hint import advise, tell_odds, tell_reasons
from registan.bots.ladder import adviser
from registan.bots.search import simulate
from registan.bots.search_bot import SearchBot
from registan.cli.common import Stream, compiling, last_record, positive_seconds
from registan.core import chance
from registan.core.brings import tell_brings
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.game import Json
from registan.core.match import Match
from registan.core.messages import language, say
from registan.core.record import replay
from registan.core.registry import find


def hint(
    file: Stream,
    /,
    *,
    seat: int | None = None,
    seconds: float = 2.0,
    seed: int = 0,
    box: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> None:
    """Name the best three moves in an unfinished game, and why, knowing only what the seat may see.

    Parameters
    ----------
    file
        The record of the game (its last line, if there are several); - for standard input.
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
    positive_seconds("--seconds", seconds)
    line, record = last_record(file)
    match = replay(record, find, box, line)
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
    hidden = match.hidden(who)
    view = match.view(who)
    rows = [
        {"move": row["move"], "brings": view["brings"][view["legal"].index(row["move"])], **row}
        for row in advise(adviser(match.game, seconds / 2), match.engine, hidden, who, rng)
    ]
    if json_:
        print(json.dumps(rows, ensure_ascii=False))
        return
    for place, row in enumerate(rows):
        _print(match, place, row, tongue)


def _print(match: Match, place: int, row: Json, lang: str) -> None:
    """Print one of the best moves."""
    named = partial(_named, lang)
    move = match.game.tell(match.box, row["move"], lang, str)
    brings = tell_brings(match.game.key, row["brings"], lang, named)
    move += f" → {brings}" if brings else ""
    odds, why = tell_odds(row, lang), tell_reasons(match.game, match.box, row, place, lang, named)
    print(f"{place + 1}. {move} ({odds})" if odds else f"{place + 1}. {move}")
    if why:
        print(f"   {why}")


def _named(lang: str, seat: int) -> str:
    return say(lang, "cli.hint.seat", seat=seat)
