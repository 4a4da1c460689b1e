"""Which game has a screen of its own."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from registan.core.game import Box, Game
from registan.terminal.plain import Plain

SCREENS = {
    "khiva": "registan.terminal.khiva:Khiva",
    "samarkand": "registan.terminal.samarkand:Samarkand",
    "souk": "registan.terminal.souk:Souk",
}


def screen_of(game: Game, box: Box, lang: str, names: Sequence[str | None], seat: int) -> Plain:
    """Return what shows a game to a seat: its own screen, or the plain one that serves any game."""
    if game.key not in SCREENS:
        return Plain(game, box, lang, names, seat)
    module, _, name = SCREENS[game.key].partition(":")
    screen: type[Plain] = getattr(import_module(module), name)
    return screen(game, box, lang, names, seat)
