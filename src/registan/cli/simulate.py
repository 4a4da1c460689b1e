"""`registan simulate`: let bots play, and count or record the games."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from registan.cli.common import (
    Bots,
    BoxName,
    GameKey,
    Lang,
    OptionWords,
    Players,
    Seed,
    bots_by_seat,
    compiling,
    goes_with,
    positive,
    progress,
    worker_count,
)
from registan.cli.runs import asked_run
from registan.core.errors import BadInput
from registan.core.messages import ending_reasons, language, number, say
from registan.core.registry import find
from registan.lab.chunks import DECISION, Chunk, play_chunks
from registan.lab.data_files import open_data_file, result_columns, result_rows
from registan.lab.run import Run
from registan.lab.simulate import Results, joined
from registan.lab.warm import compiled_functions, warm
from registan.lab.workers import HERE, check_place


def simulate(
    game: GameKey,
    /,
    *,
    players: Players = 4,
    games: int = 1000,
    seed: Seed = 0,
    bots: Bots = "random",
    box: BoxName = None,
    option: OptionWords = None,
    first: int | None = None,
    record: Path | None = None,
    legal: Annotated[bool, Parameter(negative=())] = False,
    states: Annotated[bool, Parameter(negative=())] = False,
    out: Path | None = None,
    decisions: Path | None = None,
    workers: Annotated[int | None, Parameter(name=["--workers", "--threads"])] = None,
    on: str = HERE,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: Lang = None,
) -> int:
    """Let bots play many games. The same seed gives the same games, wherever and on however many workers they run.

    Ctrl-C stops it; you still get a summary of the games played so far, and the files are complete up to that point.

    Parameters
    ----------
    games
        The number of games.
    first
        The seat of the start player or first doyen, from 0 (default: by lot).
    record
        Write the record of every game to this file, one JSON object per line.
    legal
        Write the legal moves into the records.
    states
        Write the whole state after every line into the records.
    out
        Write the results to this file, one row per game: .csv or .parquet.
    decisions
        Write the decisions to this file, one row each: .csv or .parquet.
    workers
        The number of threads or processes (default: one for each core).
    on
        Where to play: here, ray (the Ray cluster at RAY_ADDRESS, or a temporary one), or ray://host:port.
    json_
        Print the summary as JSON.
    """
    tongue = language(lang)
    goes_with("--legal", legal, "--record", record is not None)
    goes_with("--states", states, "--record", record is not None)
    check_place(on)
    found = find(game)
    names = bots_by_seat(bots, players)
    plain = asked_run(game, players, names, positive("--games", games), seed, box, option, first)
    run = replace(plain, record=bool(record), legal=legal, states=states, decisions=bool(decisions))
    count = worker_count(workers)
    with ExitStack() as files:
        output = Output(run, files, record, out, decisions)
        if on == HERE:
            with compiling(tongue, found, *compiled_functions(run)):
                warm(run)
        stopped = False
        try:
            with progress(say(tongue, "cli.playing"), games) as more:
                for chunk in play_chunks(run, count, on):
                    output.add(chunk)
                    more(len(chunk.results))
        except KeyboardInterrupt:
            stopped = True
    if not output.results:
        return 130
    summary = summarise(run, joined(output.results))
    print(json.dumps(summary, ensure_ascii=False) if json_ else in_words(run, summary, tongue))
    return 130 if stopped else 0


class Output:
    """What a run leaves behind: the results in memory, and the files that were asked for."""

    def __init__(
        self, run: Run, files: ExitStack, record: Path | None, out: Path | None, decisions: Path | None
    ) -> None:
        self.results: list[Results] = []
        self._run = run
        self._played = 0
        columns = result_columns(run.game.rules.SCORES, run.players)
        self._out = files.enter_context(open_data_file(out, columns)) if out else None
        self._decisions = files.enter_context(open_data_file(decisions, DECISION)) if decisions else None
        try:
            self._records = files.enter_context(record.open("wb")) if record else None
        except OSError as error:
            raise BadInput("cli.cannot_write", file=record, why=error.strerror) from None

    def add(self, chunk: Chunk) -> None:
        """Keep the outcome of the next chunk."""
        if self._records:
            self._records.writelines(chunk.records)
        if self._decisions:
            self._decisions.add(chunk.decisions)
        if self._out:
            self._out.add(result_rows(chunk.results, self._run.seed, self._played, self._run.names))
        self.results.append(chunk.results)
        self._played += len(chunk.results)


def summarise(run: Run, results: Results) -> dict[str, Any]:
    """Return the figures of a run: length, scores, wins by seat, how games ended."""
    ranked = -np.sort(-results.scores, axis=1)
    endings, counts = np.unique(results.over, return_counts=True)
    return run.named() | {
        "games": len(results),
        "bots": list(run.names),
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


def in_words(run: Run, summary: dict[str, Any], lang: str) -> str:
    """Return the summary for people."""
    game = run.game
    lines = [
        say(lang, "cli.summary.games", games=summary["games"], game=game.name[lang], players=summary["players"]),
        run.variant(lang),
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
        reasons = ending_reasons(lang, game.key, ending) or [say(lang, "ending.number", n=ending)]
        how = say(lang, "cli.summary.and").join(reasons)
        lines.append(say(lang, "cli.summary.ending", how=how, share=number(lang, 100 * count / summary["games"])))
    return "\n".join(lines)
