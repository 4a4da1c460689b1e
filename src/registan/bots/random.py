"""The bot that has no plan."""

from __future__ import annotations

import numpy as np

from registan.core.engine import engine
from registan.core.game import Box, Game, Ints, Record


class RandomBot:
    """Plays any legal action, as the game's own `pick` does."""

    name = "random"

    def choose(self, game: Game, box: Box, hidden: Record, seat: int, words: Ints) -> int:
        """Return a legal action at random."""
        return int(engine(game).pick(box.record, hidden, seat, words, np.zeros(game.rules.MOST, np.int32)))
