"""The ladder of levels, the same names in every game: the weaker ones see less, none of them blunders on purpose.

How much each sees of a game stands in `LADDER` of its `bot.py`, chosen so that each wins about two games in five
against three of the next lower (docs/bots.md has the measurements). A game without it gets `PLAIN`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import msgspec

from registan.bots.bot import Bot
from registan.bots.foresight import NONE, foresight_of, prospects
from registan.bots.greedy import GreedyBot
from registan.bots.search_bot import SearchBot, Thought, expect, tuning_of
from registan.core import chance
from registan.core.engine import Engine
from registan.core.game import Game, Ints


@dataclass(frozen=True)
class Level:
    """What a level sees of a game."""

    notices: float = 0.0
    """How many of its moves it notices on average, 0 for all of them."""
    learned: bool = False
    """Whether it knows what the game has learned (`bots.net`); otherwise it judges moves at a glance (`bot.weigh`)."""
    simulations: int = 0
    """In how many ways it imagines the game going on; 0 if it does not look ahead."""
    seconds: float = 0.0
    """How long it may think instead, if it looks ahead."""
    tuning: Mapping[str, float] | None = None
    """Where its search differs from that of the game."""

    @property
    def looks_ahead(self) -> bool:
        """Whether it searches or asks a net, and so needs compiled code."""
        return self.learned or self.simulations > 0 or self.seconds > 0


PLAIN: dict[str, dict[str, Any]] = {
    "child": {"notices": 2},
    "novice": {"notices": 4},
    "pedlar": {},
    "merchant": {"simulations": 50},
    "caravaneer": {"simulations": 150},
    "vizier": {"simulations": 600},
    "master": {"learned": True, "seconds": 1.0},
}
"""The levels from a child's first game to one who beats us, and what they see of a game that does not say so itself."""
RATINGS = "ratings.json"
"""The file in a game's folder with the measured ratings of its levels."""


def level_of(game: Game, name: str) -> Level:
    """Return what a level sees of a game."""
    return Level(**getattr(game.part("bot"), "LADDER", PLAIN)[name])


@cache
def ratings_of(game: Game) -> dict[str, tuple[int, int, int]]:
    """Return how strong each level was measured to be in a game: the rating and the ends of its 95 % interval.

    They come from one arena of all levels with four players (docs/bots.md); a game without `ratings.json` has none.
    """
    file = game.file(RATINGS)
    return msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[int, int, int]]) if file.is_file() else {}


class LearnedAlone:
    """Plays what a net expects most of, among the moves it notices."""

    def __init__(self, name: str, notices: float) -> None:
        self.name, self.notices = name, notices

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return the action with the best prospects."""
        foresight = foresight_of(engine, hidden)
        if foresight is NONE:
            return GreedyBot(self.name, self.notices).choose(engine, hidden, seat, rng)
        actions = engine.legal(hidden, seat)
        if len(actions) == 1:
            return actions[0]
        fast = Engine(engine.game, engine.box, compiled=True)
        values = expect(fast, Thought.begun(fast, hidden, seat), len(actions), rng, foresight)
        worth = prospects(values, tuning_of(engine.game, learned=True).margin)
        return actions[max(noticed(len(actions), self.notices, rng), key=lambda i: float(worth[i]))]


def noticed(count: int, most: float, rng: Ints) -> list[int]:
    """Return which of so many actions somebody notices, by chance, in their order; all if `most` is 0."""
    left = list(range(count))
    most = int(most) + (float(chance.draw(rng)) < most % 1 * 2**32) if most else count
    while most < len(left):
        del left[int(chance.below(rng, len(left)))]
    return left


class LevelBot:
    """Plays at a level of the ladder, as the game it is asked about has it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.clock: Callable[[], float] = time.monotonic
        """What its seconds are measured by, as for `SearchBot`."""
        self._bots: dict[str, Bot] = {}

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return what somebody of this level does."""
        game = engine.game
        if game.key not in self._bots:
            self._bots[game.key] = bot = bot_of(game, self.name)
            if isinstance(bot, SearchBot):
                bot.clock = self.clock
        return self._bots[game.key].choose(engine, hidden, seat, rng)


def bot_of(game: Game, name: str) -> Bot:
    """Return the bot that plays a game at a level."""
    level = level_of(game, name)
    if level.simulations > 0 or level.seconds > 0:
        tuning = replace(tuning_of(game, level.learned), **level.tuning) if level.tuning else None
        counted, seconds = level.simulations or None, level.seconds or None
        return SearchBot(name, counted, seconds, tuning=tuning, learned=level.learned)
    return LearnedAlone(name, level.notices) if level.learned else GreedyBot(name, level.notices)
