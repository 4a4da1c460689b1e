"""`registan lab sweep`: a parameter of a game at several values."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from registan.cli.common import (
    AsJson,
    Bots,
    BoxName,
    GameKey,
    Lang,
    OptionWords,
    Players,
    Seed,
    Workers,
    bots_by_seat,
    worker_count,
    writable,
)
from registan.cli.compare import play_samples
from registan.cli.runs import asked_run, enough, table
from registan.core.errors import BadInput
from registan.core.messages import language, number, say
from registan.core.registry import find
from registan.lab.report.page import template
from registan.lab.report.sweep import sweep_page
from registan.lab.run import Run
from registan.lab.sweep import MAIN, Stop, against_first, swept


def sweep(
    game: GameKey,
    /,
    *,
    parameter: str,
    values: str,
    out: Path | None = None,
    players: Players = 4,
    games: int = 1000,
    seed: Seed = 0,
    bots: Bots = "greedy",
    box: BoxName = None,
    option: OptionWords = None,
    workers: Workers = None,
    json_: AsJson = False,
    lang: Lang = None,
) -> int:
    """Play a game with several values of one parameter, and see what it changes. All values play the same seeds.

    Parameters
    ----------
    parameter
        An option of the game, or a whole number of the box: salt_price, salt.0 in a list, families.levant.dowry.
    values
        The values, separated by commas; the others are compared with the first.
    out
        Write a page with charts to this HTML file.
    games
        How many games to play with each value.
    """
    tongue = language(lang)
    found = find(game)
    named = [value.strip() for value in values.split(",") if value.strip()]
    if len(named) < 2:
        raise BadInput("lab.sweep.values")
    for value in named:
        if named.count(value) > 1:
            raise BadInput("lab.sweep.twice", value=value)
    plain = asked_run(
        game, players, bots_by_seat(bots, players), enough(games), seed, box, option, first=0 if found.first else None
    )
    if out is not None:
        template()  # refused now rather than after all those games
    runs = list(swept(plain, box, parameter, named))
    with writable(out):
        samples, stopped = play_samples([run for _, run in runs], worker_count(workers), tongue)
        if samples is None:
            return 130
        stops = [Stop(value, run, sample) for (value, run), sample in zip(runs, samples)]
        if out is not None:
            words = ["registan", "lab", "sweep", game, "--parameter", parameter, "--values", ",".join(named)]
            words += ["--players", str(players), "--games", str(games), "--seed", str(seed), "--bots", bots]
            words += ([] if box is None else ["--box", box]) + [f"--option={word}" for word in option or ()]
            command = shlex.join([*words, "--out", str(out)])
            out.write_text(sweep_page(plain, stops, parameter, command, tongue), encoding="utf-8")
    print(
        json.dumps(_written(stops, parameter), ensure_ascii=False)
        if json_
        else in_words(plain, stops, parameter, tongue)
    )
    if out is not None and not json_:
        print(say(tongue, "lab.report.written", file=out))
    return 130 if stopped else 0


def _written(stops: list[Stop], parameter: str) -> dict[str, object]:
    rows = [
        {
            "value": stop.value,
            "run": stop.run.named(),
            "measures": {name: figure.written() for name, (_, figure) in stop.figures().items()},
            "differences": {d.measure.name: d.difference.written() for d in differences},
        }
        for stop, differences in zip(stops, against_first(stops))
    ]
    run = stops[0].run
    games = min(len(stop.sample.results) for stop in stops)
    return {"game": run.game.key, "parameter": parameter, "games": games, "bots": list(run.names), "values": rows}


def in_words(run: Run, stops: list[Stop], parameter: str, lang: str) -> str:
    """Return a sweep for people: a column for each value; `run` is what all of them started from."""
    games = number(lang, min(len(stop.sample.results) for stop in stops), 0)
    bots = ", ".join(dict.fromkeys(run.names))
    head = say(lang, "lab.sweep.head", game=run.game.name[lang], parameter=parameter, games=games, bots=bots)
    clear = [{d.measure.name for d in differences if d.clear} for differences in against_first(stops)]
    figures = [stop.figures() for stop in stops]
    rows = [[parameter, *(stop.value for stop in stops)]]
    for name, (measure, _) in figures[0].items():
        if measure.key in MAIN and all(name in found for found in figures):
            cells = [
                measure.words(lang, found[name][1].value) + (" *" if name in marked else "  ")
                for found, marked in zip(figures, clear)
            ]
            rows.append([measure.label(lang, run.game.key), *cells])
    note = say(lang, "lab.sweep.clear", value=stops[0].value)
    return "\n".join([head, run.variant(lang), "", *table(rows), "", note])
