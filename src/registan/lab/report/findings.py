"""What a report is made of: games that are counted, deals played from every seat, and bots that compete."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from registan.bots import find_bot
from registan.lab.arena import Arena, Played, play_arena
from registan.lab.kingmaking import KingMaking, king_making
from registan.lab.run import Run
from registan.lab.sample import Sample, take_sample
from registan.lab.simulate import Results, simulate
from registan.lab.standings import Standings, standings
from registan.lab.warm import warm

LUCK_GAMES = 2000
"""So many games show the share of luck well; a report on fewer games plays fewer here too."""

Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Shows progress: given a name and the number of games, it yields a function to call with the number just done."""


@dataclass
class Findings:
    """The runs of a report, and what has come of them; what is missing has not been played."""

    run: Run
    """The games that are counted."""
    rivals: Run
    """The bots of the ladder, and how many games they play."""
    box: str | None = None
    """How the box was named, for the commands."""
    out: str = "report.html"
    sample: Sample | None = None
    first: Results | None = None
    """Games in which seat 0 begins."""
    kings: KingMaking | None = None
    luck: Standings | None = None
    ladder: Standings | None = None
    stopped: bool = False

    @property
    def mixed(self) -> Run:
        """The run for the share of luck: bots that differ, and that play thousands of games quickly."""
        players = self.run.players
        names = ["greedy"] * -(-players // 2) + ["random"] * (players // 2)
        return replace(self.run, bots=[find_bot(name) for name in names], games=min(LUCK_GAMES, self.run.games))

    @property
    def starting(self) -> Run | None:
        """The run for the advantage of the first player; None if nobody begins."""
        return replace(self.run, first_seat=0) if self.run.game.first and self.run.compiled else None

    def commands(self, games: int, counts: Sequence[int] = ()) -> dict[str, str]:
        """Return the commands that reproduce the report and its figures.

        `games` is how many were counted, `counts` the numbers of players of the whole page if there are several.
        """

        def words(command: str, run: Run, n: int, *more: str) -> str:
            names = run.names[:1] if len(set(run.names)) == 1 else run.names
            several = ",".join(map(str, counts)) if command == "lab report" and len(counts) > 1 else run.players
            shared = ["--players", several, "--seed", run.seed, "--bots", ",".join(names), "--games", n]
            box = [] if self.box is None else ["--box", self.box]
            options = [f"--option={name}={value}" for name, value in run.options.items()]
            return shlex.join(["registan", *command.split(), run.game.key, *map(str, shared), *box, *options, *more])

        ladder = ["--ladder", ",".join(self.rivals.names), "--ladder-games", str(self.rivals.games)]
        out = ["--out", self.out]
        return {
            "sample": words("simulate", self.run, games),
            "luck": words("arena", self.mixed, self.mixed.games),
            "ladder": words("arena", self.rivals, self.rivals.games),
            "first": words("simulate", self.run, games, "--first", "0"),
            "winning": words("lab report", self.run, games, "--ladder-games", "0", *out),
            "page": words("lab report", self.run, games, *ladder, *out),
        }


def find_out(found: Findings, workers: int, progress: Progress) -> None:
    """Play all games of a report; Ctrl-C stops it and keeps what was found out so far."""
    try:
        with progress("sample", found.run.games) as more:
            found.sample, found.stopped = take_sample(found.run, workers, more)
        if found.sample is not None and not found.stopped:
            found.kings = king_making(found.run, found.sample.trace)
            if found.starting is not None:
                with progress("first", found.run.games) as more:
                    found.first = simulate(found.starting, workers, more)
            found.luck = compete(found, found.mixed, 1, progress)
        if not found.stopped and found.rivals.games > 0:
            warm(found.rivals)
            found.ladder = compete(found, found.rivals, workers, progress)
    except KeyboardInterrupt:
        found.stopped = True


def compete(found: Findings, run: Run, workers: int, progress: Progress) -> Standings | None:
    """Play a run as an arena; Ctrl-C stops it and keeps the games played so far."""
    arena = Arena(run)
    played: list[Played] = []
    try:
        with progress("arena", arena.games) as more:
            for games in play_arena(arena, set(), workers):
                played += games
                more(len(games))
    except KeyboardInterrupt:
        found.stopped = True
    return standings(arena, played)
