"""`registan lab puzzles`: puzzles from the games of strong bots."""

from __future__ import annotations

import json
import time
from pathlib import Path

from registan.advice.puzzles.finding import Finder
from registan.advice.puzzles.puzzle import FILE, Source, read_puzzles, write_puzzles
from registan.bots.search import simulate
from registan.cli.common import checked_seed, compiling, positive, progress
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.messages import language, say
from registan.core.registry import find


def puzzles(
    game: str,
    /,
    *,
    goal: int = 100,
    out: Path | None = None,
    seed: int = 0,
    minutes: float | None = None,
    lang: str | None = None,
) -> None:
    """Find positions in which one move is clearly best and not obvious, and add them to a file.

    Strong bots play; every move that a glance misses is checked with longer and longer searches. The same seed finds
    the same puzzles. Interrupted, the next run goes on where this one stopped.

    Parameters
    ----------
    game
        A game; `registan games` lists them.
    goal
        Stop when the file has so many.
    out
        The file (default: the one that ships with the game).
    seed
        A whole number: which games the bots play.
    minutes
        Stop after so long.
    lang
        en or fr.
    """
    tongue = language(lang)
    found = find(game)
    path = out or found.folder / FILE
    with compiling(tongue, found, simulate):
        use_compiled(found)
        finder = Finder(found, checked_seed(seed))
    work = Work(path, seed)
    until = float("inf") if minutes is None else time.monotonic() + 60 * minutes
    with progress(say(tongue, "cli.puzzles.finding"), positive("--goal", goal)) as more:
        more(work.count)
        while work.count < goal:
            more(work.add(finder.game_number(work.games)))
            if time.monotonic() > until:
                break
    print(say(tongue, "cli.puzzles.found", n=work.count, games=work.games, file=path))


class Work:
    """A file of puzzles that is being filled; a file beside it says how many games were looked at."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path, self.seed = path, seed
        self.sources = read_puzzles(path) if path.exists() else []
        self._note = path.with_suffix(".progress")
        self.games = 0
        if self._note.exists():
            try:
                noted = json.loads(self._note.read_text("utf-8"))
                seed, self.games = int(noted["seed"]), int(noted["games"])
            except (OSError, ValueError, KeyError, TypeError):
                raise BadInput("cli.cannot_read", file=self._note, why="JSON") from None
            if seed != self.seed:
                raise BadInput("cli.puzzles.seed", file=self._note, seed=seed)

    @property
    def count(self) -> int:
        """How many puzzles there are."""
        return sum(len(source.puzzles) for source in self.sources)

    def add(self, source: Source) -> int:
        """Write the puzzles of the next game, and return how many there are."""
        self.games += 1
        if source.puzzles:
            self.sources.append(source)
            write_puzzles(self.path, self.sources)
        self._note.write_text(json.dumps({"seed": self.seed, "games": self.games}) + "\n", "utf-8")
        return len(source.puzzles)
