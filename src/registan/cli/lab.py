"""`registan lab`: the laboratory's reports."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from registan.cli.common import checked_seed, compiling, parse_options, positive, progress, worker_count
from registan.core.errors import BadInput
from registan.core.messages import language, say
from registan.core.registry import find
from registan.lab.order import check_bots, make_order
from registan.lab.policies import _play_bots
from registan.lab.report.findings import Plan, find_out
from registan.lab.report.page import page
from registan.lab.warm import made_of, warm

app = App(name="lab", help="What happens when bots play thousands of games.")


@app.command
def report(
    game: str,
    *,
    out: Path,
    players: int = 4,
    games: int = 5000,
    seed: int = 0,
    bots: str = "greedy",
    ladder: str = "random,greedy,search:50,search:200",
    ladder_games: int = 80,
    box: str | None = None,
    option: Annotated[list[str] | None, Parameter(negative=())] = None,
    workers: int | None = None,
    lang: str | None = None,
) -> int:
    """Write a page with pictures about a game: who wins, by what, how games end, and how much of it is luck.

    Ctrl-C stops it; the page then has what was found out until then.

    Parameters
    ----------
    game
        samarkand, khiva or souk.
    out
        The HTML file to write. It needs no other files and no network.
    players
        How many play.
    games
        How many games are counted.
    seed
        A whole number.
    bots
        Who plays the counted games: one name for all seats, or one a seat, with commas.
    ladder
        The bots that are compared with each other.
    ladder_games
        How many games they play; 0 for none.
    box
        Another box: a key, or a TOML file.
    option
        An option of the game, as harmony=example; may be given several times.
    workers
        How many threads or processes (default: all cores).
    lang
        Language of the page: en or fr.
    """
    tongue = language(lang)
    found = find(game)
    order = make_order(game, players, checked_seed(seed), box, parse_options(found, option or []))
    names, rivals = bots.split(","), ladder.split(",")
    if len(names) not in (1, players):
        raise BadInput("cli.bots", n=len(names), players=players)
    check_bots(names + rivals)
    positive("--games", games)
    plan = Plan(order, tuple((names * players)[:players]), games, tuple(rivals), ladder_games, box, str(out))
    try:
        out.touch()
    except OSError as error:
        raise BadInput("cli.cannot_write", file=out, why=error.strerror) from None
    with compiling(tongue, found, _play_bots, *made_of(plan.bots)):
        warm(order, ("greedy",) * players)
        warm(order, plan.bots)

    def show(what: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        return progress(say(tongue, "cli.playing"), total)

    findings = find_out(plan, worker_count(workers), show)
    if findings.sample is not None:
        out.write_text(page(findings, tongue), encoding="utf-8")
        print(say(tongue, "lab.report.written", file=out))
    return 130 if findings.stopped else 0
