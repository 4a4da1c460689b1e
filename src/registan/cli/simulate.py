"""`registan simulate`: games between bots, recorded or counted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from registan.bots import find_bot
from registan.cli.common import compiling, parse_options, positive, progress
from registan.core import batch
from registan.core.box import find_box
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.match import checked_options
from registan.core.messages import language, number, say
from registan.core.record import dumps
from registan.games import find
from registan.lab.simulate import Results, Run, matches, one
from registan.lab.simulate import simulate as run_all


def simulate(
    game: str,
    *,
    players: int = 4,
    games: int = 1000,
    seed: int = 0,
    bots: str = "random",
    box: str | None = None,
    option: Annotated[list[str] | None, Parameter(negative=())] = None,
    record: Path | None = None,
    legal: Annotated[bool, Parameter(negative=())] = False,
    states: Annotated[bool, Parameter(negative=())] = False,
    threads: int | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> None:
    """Let bots play many games. The same seed gives the same games, on any number of threads.

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
    record
        Write every game to this file, one JSON object a line.
    legal
        Write into the records which moves were legal.
    states
        Write into the records the whole table after every line.
    threads
        How many threads (default: all cores).
    json_
        Print the summary as JSON.
    lang
        en or fr.
    """
    tongue = language(lang)
    found = find(game)
    names = bots.split(",")
    if len(names) not in (1, players):
        raise BadInput("cli.bots", n=len(names), players=players)
    positive("--games", games)
    if players not in found.players:
        raise BadInput("error.players", game=game, low=found.players[0], high=found.players[-1], n=players)
    run = Run(
        found,
        find_box(found, box),
        players,
        checked_options(found, parse_options(found, option or [])),
        [find_bot(name) for name in (names * players)[:players]],
        games,
        seed,
    )
    if record is not None:
        with compiling(tongue, found, found.rules.act):
            use_compiled(found)
            one(run, 0)
        write(run, record, legal, states, tongue)
        return
    if not run.all_random:
        use_compiled(found)
    with compiling(tongue, found, batch._play):
        batch.play(found, run.box, batch.blank(found, 1, players))
    count = positive("--threads", threads) if threads is not None else os.cpu_count() or 1
    with progress(say(tongue, "cli.playing"), games) as more:
        results = run_all(run, count, more)
    summary = summarise(run, results)
    print(json.dumps(summary, ensure_ascii=False) if json_ else in_words(run, summary, tongue))


def write(run: Run, path: Path, legal: bool, states: bool, lang: str) -> None:
    """Play the games of a run and write their records."""
    try:
        with path.open("wb") as file, progress(say(lang, "cli.playing"), run.games) as more:
            for number, match in enumerate(matches(run)):
                extra: dict[str, Any] = {"seed": run.seed, "number": number, "bots": [bot.name for bot in run.bots]}
                file.write(dumps(match.record(legal, states, **extra)) + b"\n")
                more(1)
    except OSError as error:
        raise BadInput("cli.cannot_write", file=path, why=error.strerror) from None


def summarise(run: Run, results: Results) -> dict[str, Any]:
    """Return the figures of a run: length, scores, wins by seat, how games ended."""
    winners = results.winners
    share = np.array([[(w >> seat) & 1 for seat in range(run.players)] for w in winners], float)
    share /= share.sum(axis=1, keepdims=True)
    ranked = -np.sort(-results.scores, axis=1)
    endings, counts = np.unique(results.over, return_counts=True)
    return {
        "game": run.game.key,
        "players": run.players,
        "games": run.games,
        "seed": run.seed,
        "bots": [bot.name for bot in run.bots],
        "decisions": {
            "mean": float(results.decisions.mean()),
            "least": int(results.decisions.min()),
            "most": int(results.decisions.max()),
        },
        "scores_by_seat": [round(float(x), 2) for x in results.scores.mean(axis=0)],
        "scores_by_rank": [round(float(x), 2) for x in ranked.mean(axis=0)],
        "wins_by_seat": [round(float(x), 4) for x in share.mean(axis=0)],
        "endings": {int(e): int(c) for e, c in zip(endings, counts)},
    }


def in_words(run: Run, summary: dict[str, Any], lang: str) -> str:
    """Return the summary for people."""
    lines = [
        say(lang, "cli.summary.games", games=run.games, game=run.game.name[lang], players=run.players),
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
        parts = [say(lang, f"{run.game.key}.ending.{bit}") for bit in (1, 2, 4) if ending & bit]
        how = say(lang, "cli.summary.and").join(parts)
        lines.append(say(lang, "cli.summary.ending", how=how, share=number(lang, 100 * count / run.games)))
    return "\n".join(lines)
