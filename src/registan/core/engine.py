"""The functions of a game ready to be called from Python, interpreted or compiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from registan.core.compiled import F, jit
from registan.core.game import Game


@dataclass(frozen=True)
class Engine:
    """What `core.game` asks of a game's rules and secrets, in one of the two modes."""

    setup: Callable[..., None]
    breaks: Callable[..., int]
    legal: Callable[..., int]
    pick: Callable[..., int]
    act: Callable[..., None]
    chance: Callable[..., None]
    scores: Callable[..., None]
    winners: Callable[..., int]
    hide: Callable[..., None]
    guess: Callable[..., None]
    seen: Callable[..., int]
    faults: Callable[..., int]


def _engine(game: Game, made: Callable[[Any], Any]) -> Engine:
    rooms: dict[str, Any] = {"hide": game.secrets, "guess": game.secrets, "seen": game.secrets, "faults": game.checks}
    names = [field.name for field in fields(Engine)]
    return Engine(**{name: made(getattr(rooms.get(name, game.rules), name)) for name in names})


def interpreted(game: Game) -> Engine:
    """Return the plain Python functions of a game."""
    return _engine(game, lambda f: f)


def machine_code(game: Game) -> Engine:
    """Return the compiled functions of a game; each is compiled, or loaded from disk, when first called."""
    return _engine(game, jit)


_current: dict[str, Engine] = {}
_compiled: set[str] = set()


def engine(game: Game) -> Engine:
    """Return the functions to use now: interpreted, so that nobody waits, until `use_compiled` was called."""
    if game.key not in _current:
        _current[game.key] = interpreted(game)
    return _current[game.key]


def is_compiled(game: Game) -> bool:
    """Whether matches of this game run compiled now."""
    return game.key in _compiled


def in_use(game: Game, f: F) -> F:
    """Return a marked function in the mode that matches of this game run in now."""
    return jit(f) if is_compiled(game) else f


def use_compiled(game: Game) -> None:
    """From now on let matches of this game run compiled: for long work, where the compiler's time pays."""
    _compiled.add(game.key)
    _current[game.key] = machine_code(game)
