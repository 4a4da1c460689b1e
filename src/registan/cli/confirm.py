"""`registan lab confirm`: judgements checked by a search of twenty times the length."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from registan.advice.confirm import TIMES, confirm_mistakes, confirm_puzzle
from registan.advice.puzzles.puzzle import FILE, puzzles_of, read_puzzles, write_puzzles
from registan.bots.search import simulate
from registan.cli.common import checked_seed, compiling, positive, progress
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.game import Game, Json
from registan.core.messages import language, number, say
from registan.core.registry import find

Flag = Annotated[bool, Parameter(negative=())]


def confirm(
    game: str,
    /,
    *,
    mistakes: int = 200,
    puzzles: Flag = False,
    drop: Flag = False,
    times: int = TIMES,
    seed: int = 1,
    journal: Path | None = None,
    minutes: float | None = None,
    lang: str | None = None,
) -> None:
    """Count how many mistakes of the review, or how many puzzles, a much longer search confirms.

    Parameters
    ----------
    game
        A game; `registan games` lists them.
    mistakes
        How many mistakes to judge again; bots of several levels make them.
    puzzles
        Judge the puzzles of the game instead.
    drop
        Remove the puzzles that are not confirmed.
    times
        How many times as long the second search is.
    seed
        A whole number: which games the bots play, and what the second search draws.
    journal
        A file with everything judged so far: another run goes on from there.
    minutes
        Stop after so long.
    lang
        en or fr.
    """
    tongue = language(lang)
    found = find(game)
    if puzzles and not puzzles_of(found):
        raise BadInput("cli.confirm.no_puzzles", game=game)
    with compiling(tongue, found, simulate):
        use_compiled(found)
    done = Journal(journal)
    if puzzles:  # an older run may have judged puzzles that were dropped
        done.rows = [row for row in done.rows if row["id"] in puzzles_of(found)]
    until = float("inf") if minutes is None else time.monotonic() + 60 * minutes
    wanted = len(puzzles_of(found)) if puzzles else positive("--mistakes", mistakes)
    work = (_puzzles if puzzles else _mistakes)(found, times, checked_seed(seed), done)
    with progress(say(tongue, "cli.confirm.judging"), wanted) as more:
        more(len(done.rows))
        while len(done.rows) < wanted and (rows := next(work, None)) is not None:
            done.add(rows)
            more(len(rows))
            if time.monotonic() > until:
                break
    rows = done.rows[:wanted]
    good = sum(row["ok"] for row in rows)
    share = number(tongue, 100 * good / max(1, len(rows)))
    told = "cli.confirm.puzzles" if puzzles else "cli.confirm.mistakes"
    print(say(tongue, told, n=good, of=len(rows), share=share, times=times))
    if puzzles and drop:
        _drop(found, {row["id"] for row in rows if not row["ok"]})


def _puzzles(game: Game, times: int, seed: int, done: Journal) -> Iterator[list[Json]]:
    known = {row["id"] for row in done.rows}
    for id_, posed in puzzles_of(game).items():
        if id_ not in known:
            yield [{"id": id_, "ok": confirm_puzzle(posed, seed, times)}]


def _mistakes(game: Game, times: int, seed: int, done: Journal) -> Iterator[list[Json]]:
    played = max((row["game"] for row in done.rows), default=-1) + 1
    while True:
        yield list(confirm_mistakes(game, played, seed, times))
        played += 1


def _drop(game: Game, ids: set[str]) -> None:
    path = game.folder / FILE
    sources = read_puzzles(path)
    for source in sources:
        source.puzzles = [puzzle for puzzle in source.puzzles if puzzle.id not in ids]
        source.record["moves"] = source.record["moves"][: max((puzzle.at for puzzle in source.puzzles), default=0)]
    write_puzzles(path, sources)


class Journal:
    """What was judged so far, in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rows: list[Json] = []
        if path is not None and path.exists():
            try:
                self.rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            except (OSError, ValueError) as error:
                raise BadInput("cli.cannot_read", file=path, why=error) from None

    def add(self, rows: list[Json]) -> None:
        """Keep what was judged together."""
        self.rows += rows
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
