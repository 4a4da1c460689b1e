"""Bots. A bot is given what its seat may see, and nothing else."""

from __future__ import annotations

from registan.bots.bot import Bot
from registan.bots.random import RandomBot
from registan.core.errors import BadInput

NAMES = ("random", "greedy", "search", "novice", "merchant", "master")
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
    """
    kind, _, budget = name.partition(":")
    if kind not in NAMES:
        raise BadInput("error.no_bot", bot=name, bots=", ".join(NAMES))
    if kind == "random" and not budget:
        return RandomBot()
    if kind == "greedy" and not budget:
        from registan.bots.greedy import GreedyBot

        return GreedyBot()
    if kind == "novice" and not budget:
        from registan.bots.novice import NoviceBot

        return NoviceBot()
    return _thinker(name, kind, budget)


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
