"""The eyes that a game can be looked at with: the plain one, and the one that was tuned by self-play.

An eye is a tuple of numbers that `glance` in `bot.py` of a game goes by, an `Eye` of its own.
"""

from __future__ import annotations

from typing import Any

import msgspec

from registan.core.errors import BadInput
from registan.core.game import Game

FILE = "glance.json"
"""The file in a game's folder with the numbers of its tuned eye."""
_found: dict[str, Any] = {}


def plain_eye(game: Game) -> Any:
    """Return the eye of the greedy bot; an empty one where the game has none."""
    return getattr(game.part("bot"), "PLAIN", ())


def tuned_eye(game: Game) -> Any:
    """Return the eye that was tuned by self-play; the plain one where there is none."""
    plain = plain_eye(game)
    if game.key not in _found:
        file = game.file(FILE)
        _found[game.key] = read_eye(game, file.read_bytes()) if plain and file.is_file() else plain
    return _found[game.key] if not game.present else plain


def eye_of(game: Game, tuned: float) -> Any:
    """Return an eye between the plain one (0) and the tuned one (1)."""
    plain, best = plain_eye(game), tuned_eye(game)
    if tuned in (0.0, 1.0) or not plain:
        return best if tuned else plain
    return type(plain)(*((1.0 - tuned) * a + tuned * b for a, b in zip(plain, best)))


def read_eye(game: Game, data: bytes) -> Any:
    """Return an eye from a file; raise BadInput unless it has exactly the numbers that the game goes by."""
    kind = type(plain_eye(game))
    try:
        numbers = msgspec.json.decode(data, type=dict[str, float])
        return kind(**numbers)
    except (msgspec.DecodeError, TypeError) as error:
        raise BadInput("error.eye", game=game.key, why=str(error)) from None
