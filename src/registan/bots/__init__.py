"""Bots. A bot is given what its seat may see, and nothing else."""

from __future__ import annotations

import re

from registan.bots.bot import Bot
from registan.bots.random import RandomBot
from registan.bots.view_bot import ViewBot
from registan.core.errors import BadInput

__all__ = ["LEVELS", "NAMES", "Bot", "ViewBot", "as_bot", "check_level", "find_bot"]

LADDER = ("child", "novice", "pedlar", "merchant", "caravaneer", "vizier", "master")
"""The levels that people choose from, the weakest first (`bots.ladder`)."""
VERSIONS = ("novice@1", "merchant@1", "master@1")
"""Levels as they were before the ladder, so that comparisons with them can be repeated."""
NAMES = ("random", "greedy", "tuned", "learned", "search", *LADDER, *VERSIONS)
LEVELS = ("random", "greedy", *LADDER)
"""Who may sit at a table of a house: a closed list, because a free budget would let a guest use up the machine."""
THINKERS = ("search", "master", "master@1", "learned")
"""Those who think for as long as their name says."""
BY_GAME = ("master", "learned")
"""Those of them who search each game in a way of its own."""
COUNTED = re.compile(r"\d+|[\d.]+s")
"""A budget of simulations or seconds."""
MERCHANT_SIMULATIONS = 150
MASTER_SECONDS = 1.0


def check_level(level: str) -> None:
    """Raise BadInput unless a bot of this level may sit at a table."""
    if level not in LEVELS:
        raise BadInput("error.no_bot", bot=level, bots=", ".join(LEVELS))


def find_bot(name: str) -> Bot:
    """Return the bot with that name.

    `search:400` runs 400 simulations, `search:0.5s` thinks for half a second; `master:0.1s` is a master in a hurry.
    `learned:60` or `learned:0.01s` searches by what it has learned, `learned:weights.npz` plays by the net of a file.
    `master@1` is the master of version 1.
    `mybot.py:RuleBot` is a class in a file, `exec:perl mybot.pl` a program; other names are those of other packages.
    """
    kind, _, budget = name.partition(":")
    if kind not in NAMES:
        return _own(name)
    if kind == "random" and not budget:
        return RandomBot()
    if kind == "greedy" and not budget:
        from registan.bots.greedy import GreedyBot

        return GreedyBot()
    if kind == "tuned" and not budget:
        from registan.bots.greedy import GreedyBot

        return GreedyBot(name, tuned=1.0)
    if kind == "novice@1" and not budget:
        from registan.bots.novice import NoviceBot

        return NoviceBot()
    if kind == "learned" and (not budget or not COUNTED.fullmatch(budget)):
        from registan.bots.learned import LearnedBot

        return LearnedBot(name, budget)
    if kind in LADDER and not budget:
        from registan.bots.ladder import LevelBot

        return LevelBot(name)
    return _thinker(name, kind, budget)


def as_bot(bot: str | type | object) -> Bot:
    """Return the bot of a name, a class or an object; raise BadInput if it is none, or has the name of a built-in."""
    if isinstance(bot, str):
        return find_bot(bot)
    kind = bot if isinstance(bot, type) else type(bot)
    if kind.__module__.startswith(f"{__name__}."):
        return bot() if isinstance(bot, type) else bot  # type: ignore[return-value]
    from registan.bots.own import own

    found = own(bot)
    check_name(found.name)
    return found


def check_name(name: str) -> None:
    """Raise BadInput if somebody else's bot has the name of a built-in: standings would not say who played."""
    if name.partition(":")[0] in NAMES:
        raise BadInput("error.bot_taken", bot=name, bots=", ".join(NAMES))


def _own(name: str) -> Bot:
    """Return a bot that is not ours."""
    from registan.bots import own, process_bot

    if name.startswith(process_bot.PREFIX):
        return process_bot.program(name)
    if name.rpartition(":")[0].endswith(".py"):
        return own.in_file(name)
    if name in (others := own.packaged()):
        return own.in_package(name)
    known = ", ".join((*NAMES, *(other for other in others if other not in NAMES)))
    raise BadInput("error.no_bot", bot=name, bots=known)


def _thinker(name: str, kind: str, budget: str) -> Bot:
    """Return a bot that searches for as long as its name says."""
    from registan.bots.search_bot import SearchBot

    if kind == "merchant@1" and not budget:
        return SearchBot(name, simulations=MERCHANT_SIMULATIONS, seconds=None)
    from registan.bots.ladder import LevelBot

    try:
        if budget.endswith("s") and kind in THINKERS and float(budget[:-1]) > 0:
            seconds = float(budget[:-1])
            return LevelBot(name, {"seconds": seconds}) if kind in BY_GAME else SearchBot(name, seconds=seconds)
        if budget and kind in ("search", *BY_GAME) and int(budget) > 0:
            count = int(budget)
            return LevelBot(name, {"simulations": count}) if kind in BY_GAME else SearchBot(name, count, None)
    except ValueError:
        pass
    if budget or kind not in THINKERS:
        raise BadInput("error.budget", bot=name)
    return SearchBot(name, seconds=MASTER_SECONDS)
