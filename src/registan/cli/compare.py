"""`registan lab compare`: play two variants of a game with the same deals, and see what changes."""

from __future__ import annotations

import json
from typing import Annotated, Any

from cyclopts import Parameter

from registan.cli.common import (
    AsJson,
    Bots,
    GameKey,
    Lang,
    Players,
    Seed,
    Workers,
    bots_by_seat,
    compiling,
    progress,
    worker_count,
)
from registan.cli.runs import asked_run, enough, table
from registan.core.errors import BadInput
from registan.core.messages import language, number, say
from registan.core.registry import find
from registan.lab.compare import Difference, same_deals
from registan.lab.compare import compare as compare_samples
from registan.lab.run import Run
from registan.lab.sample import Sample, take_sample
from registan.lab.warm import compiled_functions, warm_sample


def compare(
    game: GameKey,
    /,
    *,
    box: str | None = None,
    option: Annotated[list[str] | None, Parameter(negative=())] = None,
    players: Players = 4,
    base_box: str | None = None,
    base_option: Annotated[list[str] | None, Parameter(negative=())] = None,
    base_players: int | None = None,
    games: int = 2000,
    seed: Seed = 0,
    bots: Bots = "greedy",
    workers: Workers = None,
    json_: AsJson = False,
    lang: Lang = None,
) -> int:
    """Compare a variant of a game with the game as it is: another box or board, other options, other player counts.

    Both play the same seeds, and so the same deals where the setup allows. Every difference comes with its 95 %
    interval, from pairs of games. Ctrl-C stops it; you get the pairs played so far.

    Parameters
    ----------
    box
        The box of the variant: its key, or a TOML file.
    option
        An option of the variant, such as harmony=example; can be repeated.
    base_box
        The box to compare it with (default: the game's own).
    base_option
        An option of what it is compared with; can be repeated.
    base_players
        The number of players there (default: the same).
    games
        How many games to play with each.
    """
    tongue = language(lang)
    found = find(game)
    first = 0 if found.first else None
    there = players if base_players is None else base_players
    sides = ((there, base_box, base_option), (players, box, option))
    runs = [
        asked_run(game, n, bots_by_seat(bots, n), enough(games), seed, which, words, first) for n, which, words in sides
    ]
    if runs[0].describe() == runs[1].describe():
        raise BadInput("lab.compare.nothing")
    samples, stopped = play_samples(runs, worker_count(workers), tongue)
    if samples is None:
        return 130
    differences = compare_samples((runs[0], samples[0]), (runs[1], samples[1]))
    n = min(len(sample.results) for sample in samples)
    same = same_deals(*runs)
    if json_:
        print(json.dumps(_written(runs, n, same, differences), ensure_ascii=False))
    else:
        print(in_words(runs, n, same, differences, tongue))
    return 130 if stopped else 0


def play_samples(runs: list[Run], workers: int, lang: str) -> tuple[list[Sample] | None, bool]:
    """Play all runs; return their samples, None if one has none, and whether Ctrl-C stopped it."""
    with compiling(lang, runs[0].game, *compiled_functions(runs[0])):
        for run in runs:
            warm_sample(run)
    samples: list[Sample] = []
    for run in runs:
        with progress(say(lang, "cli.playing"), run.games) as more:
            sample, stopped = take_sample(run, workers, more)
        if sample is None or (stopped and len(samples) + 1 < len(runs)):
            return None, True
        samples.append(sample)
    return samples, stopped


def _written(runs: list[Run], games: int, same: float, differences: list[Difference]) -> dict[str, Any]:
    base, variant = (run.named() for run in runs)
    return {
        "game": runs[0].game.key,
        "games": games,
        "bots": list(runs[1].names),
        "same_deals": same,
        "base": base,
        "variant": variant,
        "measures": [difference.written() for difference in differences],
    }


def in_words(runs: list[Run], games: int, same: float, differences: list[Difference], lang: str) -> str:
    """Return a comparison for people: what was compared, and a table."""
    base, variant = runs
    key = "same" if same == 1 else "some" if same else "other"
    names = ", ".join(dict.fromkeys(variant.names))
    lines = [
        say(lang, "lab.compare.head", game=base.game.name[lang], games=games, bots=names),
        say(lang, "lab.compare.base", players=base.players, variant=base.variant(lang)),
        say(lang, "lab.compare.variant", players=variant.players, variant=variant.variant(lang)),
        say(lang, f"lab.compare.{key}", share=number(lang, 100 * same, 0))
        + (" " + say(lang, "lab.compare.first") if base.first_seat == 0 else ""),
    ]
    rows = [[say(lang, "lab.compare.measure"), "A", "B", say(lang, "lab.compare.difference"), ""]]
    for d in differences:
        m = d.measure
        rows.append(
            [
                m.label(lang, base.game.key), m.words(lang, d.base.value), m.words(lang, d.variant.value),
                m.change(lang, d.difference), "*" if d.clear else "",
            ]
        )  # fmt: skip
    return "\n".join([*lines, "", *table(rows), "", say(lang, "lab.compare.clear")])
