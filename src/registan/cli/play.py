"""`registan play`: a game in the terminal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from registan.bots.search import simulate
from registan.cli.common import compiling, parse_options
from registan.core.engine import use_compiled
from registan.core.messages import language
from registan.core.registry import find
from registan.terminal.play import bot_seat
from registan.terminal.play import play as play_in_terminal
from registan.terminal.session import Choose


def play(
    game: str = "khiva",
    /,
    *,
    players: int | None = None,
    seat: int = 0,
    seed: int | None = None,
    bots: str = "greedy",
    box: str | None = None,
    option: Annotated[list[str] | None, Parameter(negative=())] = None,
    first: int | None = None,
    new: Annotated[bool, Parameter(negative=())] = False,
    plain: Annotated[bool, Parameter(negative=())] = False,
    lang: str | None = None,
) -> int:
    """Play a game against bots in the terminal, or continue an unfinished one.

    Parameters
    ----------
    game
        A game; `registan games` lists them.
    players
        The number of players, including you (default: 4, or as many as the game allows).
    seat
        Your seat, from 0.
    seed
        A whole number: the same seed gives the same game.
    bots
        Your opponents: greedy takes what looks best, random takes anything, search:200 thinks ahead.
    box
        Another box of the game: its key, or a TOML file.
    option
        An option of the game, such as open_scores=true; can be repeated.
    first
        The seat of the start player or first doyen, from 0 (default: by lot).
    new
        Start a new game without asking.
    plain
        Draw no pictures: everything in words, for screen readers and simple terminals.
    lang
        en or fr.
    """
    found = find(game)
    if bots.startswith("search"):
        with compiling(language(lang), found, simulate):
            use_compiled(found)

    def player(other: int) -> Choose:
        return bot_seat(bots, None if seed is None else 10 * seed + other)

    player(0)  # an unknown bot is refused before anything is shown
    options = parse_options(found, option or [])
    return play_in_terminal(
        game, players, seat, seed, lang, new, options, box=box, first=first, bots=player, plain=plain
    )
