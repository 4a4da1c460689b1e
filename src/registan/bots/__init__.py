"""Bots. A bot is given what its seat may see, and nothing else."""

from __future__ import annotations

from registan.bots.bot import Bot
from registan.bots.random import RandomBot
from registan.bots.view_bot import ViewBot
from registan.core.errors import BadInput

__all__ = ["LEVELS", "NAMES", "Bot", "ViewBot", "as_bot", "check_level", "find_bot"]

NAMES = ("random", "greedy", "learned", "search", "novice", "merchant", "master")
"""The last three are the levels that players can choose."""
LEVELS = ("random", "greedy", "novice", "merchant", "master")
"""Who may sit at a table of a house: a closed list, because a free budget would let a guest use up the machine."""
MERCHANT_SIMULATIONS = 150
MASTER_SECONDS = 1.0


def check_level(level: str) -> None:
    """Raise BadInput unless a bot of this level may sit at a table."""
    if level not in LEVELS:
        raise BadInput("error.no_bot", bot=level, bots=", ".join(LEVELS))


def find_bot(name: str) -> Bot:
    """Return the bot with that name.

    `search:400` runs 400 simulations, `search:0.5s` thinks for half a second; `master:0.1s` is a master in a hurry.
    `learned:weights.npz` plays by the net of a file.
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
    if kind == "novice" and not budget:
        from registan.bots.novice import NoviceBot

        return NoviceBot()
    if kind == "learned":
        from registan.bots.learned import LearnedBot

        return LearnedBot(name, budget)
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

    if kind == "merchant" and not budget:
        return SearchBot(name, simulations=MERCHANT_SIMULATIONS, seconds=None)
    try:
        if budget.endswith("s") and kind in ("search", "master") and float(budget[:-1]) > 0:
            return SearchBot(name, seconds=float(budget[:-1]))
        if budget and kind == "search" and int(budget) > 0:
            return SearchBot(name, simulations=int(budget), seconds=None)
    except ValueError:
        pass
    if budget or kind not in ("search", "master"):
        raise BadInput("error.budget", bot=name)
    return SearchBot(name, seconds=MASTER_SECONDS)
