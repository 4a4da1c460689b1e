"""`registan play`: a game in the terminal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from registan.cli.common import parse_options
from registan.games import find
from registan.terminal.play import play as play_in_terminal


def play(
    game: str = "khiva",
    *,
    players: int = 4,
    seat: int = 0,
    seed: int | None = None,
    option: Annotated[list[str] | None, Parameter(negative=())] = None,
    new: Annotated[bool, Parameter(negative=())] = False,
    lang: str | None = None,
) -> int:
    """Play a game against bots in the terminal; an unfinished one is offered to go on with.

    Parameters
    ----------
    game
        samarkand, khiva or souk.
    players
        How many play, you included.
    seat
        Your seat, from 0.
    seed
        A whole number, to have the same game again.
    option
        An option of the game, as open_scores=true; may be given several times.
    new
        Start anew without asking.
    lang
        en or fr.
    """
    options = parse_options(find(game), option or [])
    return play_in_terminal(game, players=players, seat=seat, seed=seed, lang=lang, new=new, options=options)
