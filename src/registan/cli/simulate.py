"""`registan simulate`: games between bots, recorded or counted."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from registan.cli.common import checked_seed, compiling, parse_options, positive, progress, worker_count
from registan.core.errors import BadInput
from registan.core.game import Game
from registan.core.messages import language, number, say
from registan.games import find
from registan.lab.order import Order, check_bots, make_order
from registan.lab.parts import DECISION, Done, Part, play_parts
from registan.lab.sheets import open_sheet, result_columns, result_rows
from registan.lab.simulate import Results, joined
from registan.lab.warm import made_of, warm
from registan.lab.workers import HERE


def simulate(
    game: str,
    *,
    players: int = 4,
    games: int = 1000,
    seed: int = 0,
    bots: str = "random",
    box: str | None = None,
    option: Annotated[list[str] | None, Parameter(negative=())] = None,
    first: int | None = None,
    record: Path | None = None,
    legal: Annotated[bool, Parameter(negative=())] = False,
    states: Annotated[bool, Parameter(negative=())] = False,
    out: Path | None = None,
    decisions: Path | None = None,
    workers: Annotated[int | None, Parameter(name=["--workers", "--threads"])] = None,
    on: str = HERE,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> int:
    """Let bots play many games. The same seed gives the same games, wherever and by how many workers they are played.

    Ctrl-C stops it; what has been played until then is summed up, and the files are complete up to there.

    Parameters
    ----------
    game
        samarkand, khiva or souk.
    players
        How many play.
    games
        How many games.
    seed
        A whole number.
    bots
        Who plays: one name for all seats, or one a seat, with commas.
    box
        Another box: a key, or a TOML file.
    option
        An option of the game, as harmony=example; may be given several times.
    first
        The seat of the start player or first doyen, from 0 (default: by lot).
    record
        Write every game to this file, one JSON object a line.
    legal
        Write into the records which moves were legal.
    states
        Write into the records the whole table after every line.
    out
        Write the results to this file, one row a game: .csv or .parquet.
    decisions
        Write the decisions to this file, one row each: .csv or .parquet.
    workers
        How many threads or processes (default: all cores).
    on
        Where: here, ray (a Ray cluster started for it, or the one of RAY_ADDRESS), or ray://host:port.
    json_
        Print the summary as JSON.
    lang
        en or fr.
    """
    tongue = language(lang)
    found = find(game)
    order = make_order(game, players, checked_seed(seed), box, parse_options(found, option or []), first)
    names = bots.split(",")
    if len(names) not in (1, players):
        raise BadInput("cli.bots", n=len(names), players=players)
    check_bots(names)
    positive("--games", games)
    count = worker_count(workers)
    whole = Part(order, tuple((names * players)[:players]), 0, games, 1, bool(record), legal, states, bool(decisions))
    with ExitStack() as files:
        keep = Keeper(found, whole, files, record, out, decisions)
        if on == HERE:
            with compiling(tongue, found, *made_of(whole.bots)):
                warm(order, whole.bots, move_by_move=whole.record or whole.decisions)
        stopped = False
        try:
            with progress(say(tongue, "cli.playing"), games) as more:
                for done in play_parts(whole, count, on):
                    keep.add(done)
                    more(len(done.results))
        except KeyboardInterrupt:
            stopped = True
    if not keep.parts:
        return 130
    results = joined(keep.parts)
    summary = summarise(order, whole.bots, results)
    print(json.dumps(summary, ensure_ascii=False) if json_ else in_words(found, summary, tongue))
    return 130 if stopped else 0


class Keeper:
    """Keeps what comes of a run: in memory what is summed up, on disk what was asked for."""

    def __init__(
        self, game: Game, whole: Part, files: ExitStack, record: Path | None, out: Path | None, decisions: Path | None
    ) -> None:
        self.parts: list[Results] = []
        self._whole = whole
        self._played = 0
        columns = result_columns(game.rules.SCORES, whole.order.players)
        self._results = files.enter_context(open_sheet(out, columns)) if out else None
        self._decisions = files.enter_context(open_sheet(decisions, DECISION)) if decisions else None
        try:
            self._records = files.enter_context(record.open("wb")) if record else None
        except OSError as error:
            raise BadInput("cli.cannot_write", file=record, why=error.strerror) from None

    def add(self, done: Done) -> None:
        """Keep what came of the next part."""
        if self._records:
            self._records.writelines(done.records)
        if self._decisions:
            self._decisions.add(done.decisions)
        if self._results:
            self._results.add(result_rows(done.results, self._whole.order.seed, self._played, self._whole.bots))
        self.parts.append(done.results)
        self._played += len(done.results)


def summarise(order: Order, bots: tuple[str, ...], results: Results) -> dict[str, Any]:
    """Return the figures of a run: length, scores, wins by seat, how games ended."""
    ranked = -np.sort(-results.scores, axis=1)
    endings, counts = np.unique(results.over, return_counts=True)
    return {
        "game": order.game,
        "players": order.players,
        "games": len(results),
        "seed": order.seed,
        "bots": list(bots),
        "decisions": {
            "mean": float(results.decisions.mean()),
            "least": int(results.decisions.min()),
            "most": int(results.decisions.max()),
        },
        "scores_by_seat": [round(float(x), 2) for x in results.scores.mean(axis=0)],
        "scores_by_rank": [round(float(x), 2) for x in ranked.mean(axis=0)],
        "wins_by_seat": [round(float(x), 4) for x in results.shares().mean(axis=0)],
        "endings": {int(e): int(c) for e, c in zip(endings, counts)},
    }


def in_words(game: Game, summary: dict[str, Any], lang: str) -> str:
    """Return the summary for people."""
    lines = [
        say(lang, "cli.summary.games", games=summary["games"], game=game.name[lang], players=summary["players"]),
        say(
            lang,
            "cli.summary.length",
            mean=number(lang, summary["decisions"]["mean"]),
            least=summary["decisions"]["least"],
            most=summary["decisions"]["most"],
        ),
        say(lang, "cli.summary.ranks", scores=" / ".join(number(lang, x) for x in summary["scores_by_rank"])),
    ]
    for seat, name in enumerate(summary["bots"]):
        lines.append(
            say(
                lang,
                "cli.summary.seat",
                seat=seat,
                bot=name,
                score=number(lang, summary["scores_by_seat"][seat]),
                wins=number(lang, 100 * summary["wins_by_seat"][seat]),
            )
        )
    for ending, count in summary["endings"].items():
        parts = [say(lang, f"{game.key}.ending.{bit}") for bit in (1, 2, 4) if ending & bit]
        how = say(lang, "cli.summary.and").join(parts)
        lines.append(say(lang, "cli.summary.ending", how=how, share=number(lang, 100 * count / summary["games"])))
    return "\n".join(lines)
