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
def find(key: str, version: int | None = None) -> Game:
    """Return the game with that key, by default in its present version.

    An older version is the package `v<version>` in the folder of the game. Raise BadInput if there is no such game or
    version, or if its package does not load.
    """
    if key not in packages():
        raise BadInput("error.no_game", game=key, games=", ".join(keys()))
    game = _load(key, packages()[key])
    if version in (None, game.version):
        return game
    package = f"{packages()[key]}.v{version}"
    if find_spec(package) is None:
        raise BadInput("error.version", game=key, version=version, ours=game.version)
    older = _load(key, package)
    if older.rules.STATE == game.rules.STATE:
        why = "STATE must be a record_type with the number of its version"
        raise BadInput("error.broken_game", game=key, package=package, why=why)
    return older


def _load(key: str, package: str) -> Game:
    try:
        game: Game = import_module(package).GAME
    except Exception as error:
        if _built_in(package):
            raise
        raise BadInput("error.broken_game", game=key, package=package, why=repr(error)) from error
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
