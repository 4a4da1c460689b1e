"""`registan lab`: the laboratory's reports."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from cyclopts import App

from registan.cli.common import (
    BoxName,
    GameKey,
    OptionWords,
    Seed,
    Workers,
    bots_by_seat,
    compiling,
    progress,
    worker_count,
    writable,
)
from registan.cli.compare import compare
from registan.cli.confirm import confirm
from registan.cli.puzzles import puzzles
from registan.cli.runs import asked_run, enough
from registan.cli.sweep import sweep
from registan.core.errors import BadInput
from registan.core.game import SEATS, Game
from registan.core.messages import language, say
from registan.core.registry import find
from registan.lab.report.findings import Findings, find_out
from registan.lab.report.page import page, template
from registan.lab.warm import compiled_functions, warm, warm_sample

app = App(name="lab", help="Find out what happens when bots play thousands of games.")
for command in (compare, confirm, puzzles, sweep):
    app.command(command)


@app.command
def report(
    game: GameKey,
    /,
    *,
    out: Path,
    players: str = "4",
    games: int = 5000,
    seed: Seed = 0,
    bots: str = "greedy",
    ladder: str = "random,greedy,search:50,search:200",
    ladder_games: int = 80,
    box: BoxName = None,
    option: OptionWords = None,
    workers: Workers = None,
    lang: str | None = None,
) -> int:
    """Write a page with charts about a game: who wins, with what, how games end, and how much of it is luck.

    Ctrl-C stops it; the page then shows what was found out so far.

    Parameters
    ----------
    out
        The HTML file to write. It needs no other files and no network.
    players
        The number of players, or several: 2-5, 2,4 or all. The page then compares them.
    games
        How many games to count.
    bots
        The bots in the counted games: one name for all seats, or one for each seat, separated by commas.
    ladder
        The bots to compare, separated by commas.
    ladder_games
        How many games they play; 0 for none.
    lang
        The language of the page: en or fr.
    """
    tongue = language(lang)
    found = find(game)
    template()  # refused now rather than after all those games
    rivals = ladder.split(",")
    reports = []
    for n in player_counts(players, found):
        run = asked_run(game, n, bots_by_seat(bots, n), enough(games), seed, box, option)
        reports.append(Findings(run, asked_run(game, n, rivals, ladder_games, seed, box, option), box, str(out)))
    count = worker_count(workers)

    def show(what: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        return progress(say(tongue, "cli.playing"), total)

    with writable(out):
        for findings in reports:
            with compiling(tongue, found, *compiled_functions(findings.mixed), *compiled_functions(findings.run)):
                warm(findings.mixed)
                warm_sample(findings.run)
            find_out(findings, count, show)
            if findings.stopped:
                break
        shown = [findings for findings in reports if findings.sample is not None]
        if shown:
            out.write_text(page(shown, tongue), encoding="utf-8")
            print(say(tongue, "lab.report.written", file=out))
    return 130 if any(findings.stopped for findings in reports) else 0


def player_counts(words: str, game: Game) -> list[int]:
    """Return the numbers of players that words like 4, 2-5, 2,4 or all stand for."""
    if words == "all":
        return list(game.players)
    counts: list[int] = []
    for word in words.split(","):
        low, dash, high = word.partition("-")
        high = high if dash else low
        if not low.isdecimal() or not high.isdecimal() or int(low) > int(high):
            raise BadInput("lab.report.no_counts", players=words)
        counts += range(int(low), min(int(high), SEATS + 1) + 1)
    return sorted(set(counts))
