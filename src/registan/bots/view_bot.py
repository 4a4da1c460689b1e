"""The friendly way to write a bot: it gets what its seat sees and the legal moves, as dictionaries."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from typing import Any

from registan.core import chance
from registan.core.engine import Engine
from registan.core.errors import BadInput, RegistanError
from registan.core.game import Ints, Json
from registan.core.views import view_of


class ViewBot(ABC):
    """Subclass it and write `play`. Every game gets a copy of its own, so a bot may keep what it noticed in `self`.

    >>> import registan
    >>> class First(ViewBot):
    ...     def play(self, view, legal, rng):
    ...         return legal[0]
    >>> First.name
    'First'
    """

    name = "ViewBot"
    """What standings call it: by default the name of the class."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.name = cls.__dict__.get("name", cls.__name__)

    @abstractmethod
    def play(self, view: Json, legal: list[Json], rng: random.Random) -> Json:
        """Return one of the legal moves. `view` is the table as the seat sees it; take all chance from `rng`."""

    def game_over(self, scores: list[Json], winners: list[int]) -> None:
        """Learn how the game ended; by default nothing happens."""
        return

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Ask `play`, and return the number of its move; raise BadInput if that is not legal."""
        view = seen(engine, hidden, seat)
        # One draw from the bot's stream seeds a generator of the standard library, so a game can be repeated.
        dice = random.Random(draw(rng))
        return action_of(engine, hidden, seat, self.play(view, view["legal"], dice), self.name)


def seen(engine: Engine, hidden: Any, seat: int) -> Json:
    """Return what a seat sees, as plain data of its own: views share their parts, and a bot may change what it gets."""
    view: Json = json.loads(json.dumps(view_of(engine, hidden[:1].tobytes(), seat)))
    return view


def draw(rng: Ints) -> int:
    """Return 64 random bits."""
    return int(chance.draw(rng)) << 32 | int(chance.draw(rng))


def action_of(engine: Engine, hidden: Any, seat: int, move: object, name: str) -> int:
    """Return the number of a legal move; raise BadInput, which names the bot and the rule, if it is not legal."""
    try:
        if not isinstance(move, dict):
            raise BadInput("error.bot_no_move")
        action = int(engine.game.moves.read(engine.box, hidden[0], move))
        rule = engine.breaks(hidden, seat, action)
    except RegistanError as error:
        raise BadInput("error.bot_move", bot=name, move=_short(move), why=error.text()) from None
    if rule:
        raise BadInput("error.bot_move", bot=name, move=_short(move), why=engine.game.rule_id(rule))
    return action


def _short(move: object) -> str:
    text = json.dumps(move, ensure_ascii=False, default=repr)
    return text if len(text) <= 200 else text[:199] + "…"
