"""Which screen shows a game."""

from __future__ import annotations

from collections.abc import Sequence

from registan.core.game import Box, Game
from registan.terminal.plain import Plain


def screen_of(game: Game, box: Box, lang: str, names: Sequence[str | None], seat: int, drawn: bool = False) -> Plain:
    """Return what shows a game to a seat: `Screen` of its `terminal.py`, or the plain one that serves any game."""
    screen: type[Plain] = getattr(game.part("terminal"), "Screen", Plain)
    return screen(game, box, lang, names, seat, drawn)
