"""The games that are played here, each in a folder of its own, loaded when first asked for."""

from __future__ import annotations

from importlib import import_module

from registan.core.errors import BadInput
from registan.core.game import Game

KEYS = ("samarkand", "khiva", "souk")


def find(key: str) -> Game:
    """Return the game with that key."""
    if key not in KEYS:
        raise BadInput("error.no_game", game=key, games=", ".join(KEYS))
    game: Game = import_module(f"registan.games.{key}").GAME
    return game
