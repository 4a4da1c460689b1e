"""The ladder of levels, the same names in every game: the weaker ones see less, none of them blunders on purpose.

How much each sees of a game stands in `LADDER` of its `levels.py`, chosen so that each wins about two games in five
against three of the next lower (docs/bots.md has the measurements). A game without it gets `PLAIN`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from registan.bots.bot import Bot
from registan.bots.greedy import GreedyBot
from registan.bots.learned import LearnedBot
from registan.bots.search_bot import SearchBot, tuning_of
from registan.core.engine import Engine
from registan.core.game import Game, Ints


@dataclass(frozen=True)
class Level:
    """What a level sees of a game."""

    notices: float = 0.0
    """How many of its moves it notices on average, 0 for all of them."""
    tuned: float = 0.0
    """How much its eye is the one tuned by self-play, if it does not look ahead."""
    learned: float = 0.0
    """How much it goes by what was learned by self-play, besides what it sees with the tuned eye."""
    simulations: int = 0
    """In how many ways it imagines the game going on; 0 if it does not look ahead."""
    seconds: float = 0.0
    """How long it may think instead, if it looks ahead."""
    tuning: Mapping[str, Any] | None = None
    """Where its search differs from that of the game."""

    @property
    def looks_ahead(self) -> bool:
        """Whether it searches, and so needs compiled code."""
        return self.simulations > 0 or self.seconds > 0

    @property
    def has_hunches(self) -> bool:
        """Whether it asks the net that chooses before it looks ahead."""
        return bool((self.tuning or {}).get("hunch"))


PLAIN: dict[str, dict[str, Any]] = {
    "child": {"notices": 2},
    "novice": {"notices": 4},
    "pedlar": {},
    "merchant": {"simulations": 50},
    "caravaneer": {"simulations": 150},
    "vizier": {"simulations": 600},
    "master": {"seconds": 1.0},
}
"""The levels from a child's first game to one who beats us, and what they see of a game that does not say so itself."""
TRUST = 1e9
"""Only the net judges positions (`bots.search`), unless `LEARNED` of a game's `levels.py` says otherwise."""
RATINGS = "ratings.json"
"""The file in a game's folder with the measured ratings of its levels."""


def level_of(game: Game, name: str) -> Level:
    """Return what a level sees of a game; `learned` is no level, but may search by its net as they do."""
    if name == "learned":
        return Level(tuning=getattr(game.part("levels"), "LEARNED", {"trust": TRUST}))
    return Level(**getattr(game.part("levels"), "LADDER", PLAIN)[name])


def ratings_of(game: Game) -> dict[str, tuple[int, int, int]]:
    """Return how strong each level was measured to be in a game: the rating and the ends of its 95 % interval.

    They come from one arena of all levels with four players (docs/bots.md); a game without `ratings.json` has none.
    """
    file = game.file(RATINGS)
    return msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[int, int, int]]) if file.is_file() else {}


class LevelBot:
    """Plays at a level of the ladder, as the game it is asked about has it."""

    def __init__(self, name: str, budget: Mapping[str, Any] | None = None) -> None:
        self.name, self._budget = name, budget
        self.clock: Callable[[], float] = time.monotonic
        """What its seconds are measured by, as for `SearchBot`."""
        self._bots: dict[str, Bot] = {}

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return what somebody of this level does."""
        game = engine.game
        if game.key not in self._bots:
            self._bots[game.key] = bot = bot_of(game, self.name, self._budget)
            if isinstance(bot, SearchBot):
                bot.clock = self.clock
        return self._bots[game.key].choose(engine, hidden, seat, rng)


def adviser(game: Game, seconds: float) -> SearchBot:
    """Return who is asked for advice: somebody who searches as `ADVICE` in `levels.py` says, or as the best level does.

    Advice plays every simulation to the end of the game, so it may have to search differently.
    """
    tuning = getattr(game.part("levels"), "ADVICE", level_of(game, "master").tuning)
    return SearchBot(seconds=seconds, tuning=replace(tuning_of(game), **tuning) if tuning else None)


def bot_of(game: Game, name: str, budget: Mapping[str, Any] | None = None) -> Bot:
    """Return the bot that plays a game at a level, or with another budget of `seconds` or `simulations`."""
    level = level_of(game, name.partition(":")[0])
    if budget is not None:
        level = replace(level, **{"simulations": 0, "seconds": 0.0, **budget})
    if level.learned:
        return LearnedBot(name, share=level.learned)
    if not level.looks_ahead:
        return GreedyBot(name, level.notices, level.tuned)
    tuning = replace(tuning_of(game), **level.tuning) if level.tuning else None
    return SearchBot(name, level.simulations or None, level.seconds or None, tuning=tuning)
