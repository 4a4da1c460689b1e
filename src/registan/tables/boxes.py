"""The boxes of tables: those that come with a game, and those that people brought along."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Protocol

from registan.core.box import find_box
from registan.core.game import Box
from registan.core.registry import find

OWN_BOXES = 32
"""How many boxes that people brought along are remembered."""


@cache
def open_box(game: str, key: str | None = None, version: int | None = None) -> Box:
    """Return a box of a game, by default of its present version, loaded once for all tables."""
    return find_box(find(game, version), key)


@lru_cache(OWN_BOXES)
def own_box(game: str, contents: str, version: int | None = None) -> Box:
    """Return the box in the text of a file that people brought along; raise BadBox if there is a fault in it."""
    box = find(game, version).load_box(contents.encode("utf-8", "replace"), f"{game}.toml")
    return replace(box, contents=contents)


def box_of(made: HasBox) -> Box:
    """Return the box of a table, a match or a snapshot: its own, or one of the game."""
    if made.contents:
        return own_box(made.game, made.contents, made.version)
    return open_box(made.game, made.box, made.version)


class HasBox(Protocol):
    """What is stored with the key of its box and, if people brought it along, its file."""

    @property
    def game(self) -> str:
        """The key of the game."""
        ...

    @property
    def version(self) -> int:
        """The version of the game."""
        ...

    @property
    def box(self) -> str:
        """The key of the box."""
        ...

    @property
    def contents(self) -> str:
        """The file of the box, empty if it comes with the game."""
        ...
