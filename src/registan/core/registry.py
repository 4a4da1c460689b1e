"""The games: folders of `registan.games`, and those that other packages provide.

Another package lists its game in the entry point group `registan.games`: `key = "package.of.the.game"`, whose
`GAME` is a `Game`. A game is imported on first use.
"""

from __future__ import annotations

import pkgutil
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from registan.core.errors import BadInput
from registan.core.game import Game

GROUP = "registan.games"


@cache
def packages() -> dict[str, str]:
    """Return the package of each game by key; other packages cannot replace a built-in game."""
    built_in = [module.name for module in pkgutil.iter_modules(import_module(GROUP).__path__)]
    found = {point.name: point.value for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}
    return {**{key: f"{GROUP}.{key}" for key in built_in}, **{k: v for k, v in found.items() if k not in built_in}}


def keys() -> tuple[str, ...]:
    """Return the keys of all games."""
    return tuple(packages())


@cache
def find(key: str) -> Game:
    """Return the game with that key; raise BadInput if there is none, or if its package does not load."""
    if key not in packages():
        raise BadInput("error.no_game", game=key, games=", ".join(keys()))
    try:
        game: Game = import_module(packages()[key]).GAME
    except Exception as error:
        if _built_in(packages()[key]):
            raise
        raise BadInput("error.broken_game", game=key, package=packages()[key], why=repr(error)) from error
    return game


def folders() -> list[Path]:
    """Return the folders of the games from other packages, without importing them."""
    found: list[Path] = []
    for package in packages().values():
        if not _built_in(package):
            with suppress(Exception):  # `find` reports the error when the game is used
                spec = find_spec(package)
                found += [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    return found


def _built_in(package: str) -> bool:
    return package.startswith(f"{GROUP}.")
