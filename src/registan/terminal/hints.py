"""Hints: what a decision is about, the best moves and why, from what the person may see.

The search needs machine code. As long as it is not there, another process compiles it and the game goes on.
"""

from __future__ import annotations

import random
import subprocess
import sys
from typing import NamedTuple

import numpy as np

from registan.advice.guide import situation
from registan.advice.hint import advise
from registan.bots import find_bot
from registan.bots.entry_points import entry_points
from registan.bots.ladder import adviser
from registan.bots.search import simulate
from registan.core.batch import blank
from registan.core.chance import WORDS
from registan.core.compiled import INTERPRET
from registan.core.engine import is_cached
from registan.core.game import Json
from registan.core.match import Match

SECONDS = 2.0
"""How long the search thinks about a hint."""


class Hint(NamedTuple):
    """What is said to a person who asks for a hint."""

    remarks: list[str]
    """What the decision is about."""
    moves: list[Json]
    """The best moves as `advice.hint.advise` has them; only one, without odds and reasons, if `glance`."""
    glance: bool
    """Whether nothing was searched: the move only looks best."""


class Adviser:
    """Gives hints in one match."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._dice = random.Random()
        self._compiler: subprocess.Popen[bytes] | None = None

    @property
    def compiling(self) -> bool:
        """Whether the compiler is at work."""
        return self._compiler is not None and self._compiler.poll() is None

    def ready(self) -> bool:
        """Whether the search is compiled; if not, let another process do it."""
        match = self.match
        if INTERPRET or match.game.present:
            return False
        if not is_cached(match.game, simulate):
            if self._compiler is None:
                words = [sys.executable, "-m", "registan", "warm", match.game.key, "--tables"]
                quiet = subprocess.DEVNULL
                self._compiler = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet)
            return False
        if not match.engine.ready(simulate):
            states = blank(match.game, 1, match.players)
            for function, args in entry_points(match.engine):
                if function is simulate:
                    match.engine.load(function, states, *args)
        return True

    def hint(self, seat: int, lang: str) -> Hint:
        """Return a hint for a seat that has to decide; it thinks for a while if the search is ready."""
        match = self.match
        remarks = situation(match.game, match.box, match.view(seat))[lang]
        rng = np.array([self._dice.getrandbits(64) for _ in range(WORDS)], np.uint64)
        hidden = match.hidden(seat)
        if self.ready():
            rows = advise(adviser(match.game, SECONDS / 2), match.engine, hidden, seat, rng)
            return Hint(remarks, rows, glance=False)
        action = find_bot("greedy").choose(match.engine, hidden, seat, rng)
        move = match.game.moves.write(match.box, hidden[0], seat, action)
        return Hint(remarks, [{"move": move, "sure": None, "why": []}], glance=True)

    def close(self) -> None:
        """Stop the compiler, which would otherwise go on after the game."""
        if self._compiler is not None and self.compiling:
            self._compiler.terminate()
            self._compiler.wait()
