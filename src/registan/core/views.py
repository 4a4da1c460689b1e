"""What everybody at a table sees of one moment, made at once."""

from __future__ import annotations

from registan.core.engine import Engine
from registan.core.game import SPECTATOR, Line


class Views:
    """One moment of a game as everybody sees it; what is open to all is put into words once."""

    def __init__(self, engine: Engine, state: bytes, players: int) -> None:
        self.game, self.box = engine.game, engine.box
        self._known = engine.look(state, range(SPECTATOR, players))
        self.table: Line = self.game.view(self.box, self._known[0], SPECTATOR)
        """What is open to all: the spectators' view."""

    def __call__(self, seat: int = SPECTATOR) -> Line:
        """Return the table as the seat, or a spectator, sees it."""
        if seat == SPECTATOR:
            return self.table
        return self.game.view(self.box, self._known[seat - SPECTATOR], seat, self.table)
