"""What is to be played, in plain words, so that it can be sent to another process or another machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from registan.bots import find_bot
from registan.core.batch import blank
from registan.core.box import box_file
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.game import Box, Game
from registan.core.match import checked_options
from registan.games import find


@dataclass(frozen=True)
class Order:
    """A game with its box, options, number of players and seed; who plays is said with each game."""

    game: str
    players: int
    seed: int
    box_data: bytes
    box_name: str
    options: tuple[tuple[str, Any], ...] = ()
    first: int | None = None
    """The seat that begins, by lot if none is named."""

    def find(self) -> tuple[Game, Box, dict[str, Any]]:
        """Return the game, the box and the options; from here on matches of the game run compiled."""
        use_compiled(find(self.game))
        return _found(self)

    def describe(self) -> dict[str, Any]:
        """Return what identifies the games that come of it, for the head of a file."""
        game, box, options = self.find()
        return {
            "game": game.key,
            "version": game.version,
            "players": self.players,
            "options": options,
            "box": {"key": box.key, "sha256": box.sha256},
            "seed": self.seed,
        } | ({} if self.first is None else {"first": self.first})


def make_order(
    game: str,
    players: int,
    seed: int,
    box: str | Path | None = None,
    options: Mapping[str, Any] | None = None,
    first: int | None = None,
) -> Order:
    """Return an order, or raise BadInput or BadBox with what is wrong about it."""
    found = find(game)
    if players not in found.players:
        raise BadInput("error.players", game=game, low=found.players[0], high=found.players[-1], n=players)
    data, name = box_file(found, box)
    found.load_box(data, name)
    blank(found, 1, players, first=first)  # a seat that cannot begin is refused before anything is played
    return Order(game, players, seed, data, name, tuple(checked_options(found, options or {}).items()), first)


@lru_cache(maxsize=8)
def _found(order: Order) -> tuple[Game, Box, dict[str, Any]]:
    game = find(order.game)
    return game, game.load_box(order.box_data, order.box_name), dict(order.options)


def check_bots(names: list[str]) -> None:
    """Raise BadInput if one of the bots does not exist."""
    for name in names:
        find_bot(name)
