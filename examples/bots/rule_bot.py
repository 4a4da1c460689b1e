"""A bot in Python: registan arena GAME --bots examples/bots/rule_bot.py:RuleBot,random."""

from __future__ import annotations

import random
from typing import Any

from registan.bots import ViewBot


class RuleBot(ViewBot):
    """Takes a move that certainly brings the most points."""

    def play(self, view: dict[str, Any], legal: list[dict[str, Any]], rng: random.Random) -> dict[str, Any]:
        """Return one of the legal moves."""
        points = [(brings or {}).get("points", 0) for brings in view["brings"]]
        return rng.choice([move for move, worth in zip(legal, points) if worth == max(points)])
