"""Who plays without hands. A bot is given what its seat may see, and nothing else."""

from __future__ import annotations

from registan.bots.bot import Bot
from registan.bots.random import RandomBot
from registan.core.errors import BadInput

NAMES = ("random", "greedy", "search")


def find_bot(name: str) -> Bot:
    """Return the bot with that name; `search:400` thinks for 400 simulations, `search:0.5s` for half a second."""
    kind, _, budget = name.partition(":")
    if kind == "random" and not budget:
        return RandomBot()
    if kind == "greedy" and not budget:
        from registan.bots.greedy import GreedyBot

        return GreedyBot()
    if kind == "search":
        from registan.bots.thinking import SearchBot

        try:
            if budget.endswith("s"):
                return SearchBot(name, seconds=float(budget[:-1]))
            return SearchBot(name, simulations=int(budget), seconds=None) if budget else SearchBot(name)
        except ValueError:
            raise BadInput("error.budget", bot=name) from None
    raise BadInput("error.no_bot", bot=name, bots=", ".join(NAMES))
