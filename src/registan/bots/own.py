"""Bots that are not ours: a class in a file, a bot of another package, a class or an object of the caller.

Another package lists its bots in the entry point group `registan.bots`: `name = "package.module:ClassName"`.
"""

from __future__ import annotations

import copy
import sys
import traceback
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from registan.bots.bot import Bot
from registan.core.engine import Engine
from registan.core.errors import BadInput, RegistanError
from registan.core.game import Ints, Json

GROUP = "registan.bots"


class OwnBot:
    """A bot of somebody else, under the name it was asked for. A fault in it is told with the place in its source."""

    def __init__(
        self, name: str, bot: Any, again: Callable[[str], Bot] | None = None, kind: type | None = None
    ) -> None:
        self.name, self.bot, self.kind = name, bot, kind
        """`kind` is the class if the caller named a class, and not one of its objects."""
        self._again = again
        """Finds the bot by its name in another process; without it, the bot itself is pickled."""

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Let the bot choose; raise BadInput if it fails, or if what it chose is not legal."""
        try:
            action = int(self.bot.choose(engine, hidden, seat, rng))
            rule = engine.breaks(hidden, seat, action)
        except RegistanError:
            raise
        except Exception as error:
            raise BadInput("error.bot_failed", bot=self.name, why=_what(error)) from error
        if rule:
            raise BadInput("error.bot_move", bot=self.name, move=action, why=engine.game.rule_id(rule))
        return action

    def game_over(self, scores: list[Json], winners: list[int]) -> None:
        """Tell the bot how the game ended, if it wants to know."""
        if hasattr(self.bot, "game_over"):
            self.bot.game_over(scores, winners)

    def __deepcopy__(self, memo: dict[int, Any]) -> OwnBot:
        return OwnBot(self.name, copy.deepcopy(self.bot, memo), self._again, self.kind)

    def __reduce__(self) -> tuple[Callable[..., Bot], tuple[Any, ...]]:
        if self._again is not None:
            return self._again, (self.name,)
        return OwnBot, (self.name, self.bot, None, self.kind)


def in_file(name: str) -> Bot:
    """Return the bot of a class in a Python file: `mybot.py:RuleBot`."""
    file, _, kind = name.rpartition(":")
    found = getattr(_module(str(Path(file).resolve()), name), kind, None)
    if found is None:
        raise BadInput("error.bot_class", file=file, name=kind)
    return own(found, name, in_file)


@cache
def _module(file: str, bot: str) -> Any:
    """Import a file; the other files of its folder can be imported from it, as when Python runs it."""
    path = Path(file)
    if not path.is_file():
        raise BadInput("error.bot_file", file=file)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # dataclasses and pickle look for the module of a class there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput("error.bot_failed", bot=bot, why=_what(error)) from error
    return module


def packaged() -> dict[str, EntryPoint]:
    """Return the bots of other packages by name."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def in_package(name: str) -> Bot:
    """Return a bot of another package by its name."""
    try:
        found = packaged()[name].load()
    except Exception as error:
        raise BadInput("error.bot_failed", bot=name, why=_what(error)) from error
    return own(found, name, in_package)


def own(found: Any, name: str | None = None, again: Callable[[str], Bot] | None = None) -> Bot:
    """Return a class or an object as a bot, under the name given or the bot's own."""
    kind = found if isinstance(found, type) else None
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise BadInput("error.bot_failed", bot=name or str(found), why=_what(error)) from error
    if not callable(getattr(found, "choose", None)):
        raise BadInput("error.not_a_bot", bot=name or repr(found))
    return OwnBot(name or str(getattr(found, "name", type(found).__name__)), found, again, kind)


def _what(error: BaseException) -> str:
    """Return what went wrong, and the last place in the traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
    return f"{where}{type(error).__name__}: {error}"
