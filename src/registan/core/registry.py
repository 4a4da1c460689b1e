"""Which games there are: the folders of `registan.games`, and those that other packages bring along.

Another package names its game in the entry point group `registan.games`: `key = "package.of.the.game"`, whose
`GAME` is a `Game`. Nothing is imported before somebody asks for it.
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
    """Return where each game is found, by key; no other package can replace a game of this one."""
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
    """Return the folders of the games that other packages bring, without importing them."""
    found: list[Path] = []
    for package in packages().values():
        if not _built_in(package):
            with suppress(Exception):  # `find` says what is wrong with it to those who ask for it
                spec = find_spec(package)
                found += [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    return found


def _built_in(package: str) -> bool:
    return package.startswith(f"{GROUP}.")
