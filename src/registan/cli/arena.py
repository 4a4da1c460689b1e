"""`registan arena`: which bot is stronger, and how sure that is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from registan.cli.common import (
    AsJson,
    BoxName,
    GameKey,
    Lang,
    OptionWords,
    Players,
    Seed,
    Workers,
    compiling,
    positive,
    progress,
    worker_count,
)
from registan.cli.runs import asked_run
from registan.core.errors import BadInput
from registan.core.messages import language, listing, number, say
from registan.core.registry import find
from registan.lab.arena import Arena, play_arena
from registan.lab.estimates import Estimate
from registan.lab.journal import Journal
from registan.lab.standings import Standing, Standings, standings
from registan.lab.warm import compiled_functions, warm
from registan.lab.workers import HERE, check_place


def arena(
    game: GameKey,
    /,
    *,
    players: Players = 4,
    bots: str,
    games: int = 200,
    seed: Seed = 0,
    box: BoxName = None,
    option: OptionWords = None,
    neighbours: bool = False,
    resume: Path | None = None,
    ratings: Path | None = None,
    workers: Workers = None,
    on: str = HERE,
    json_: AsJson = False,
    lang: Lang = None,
) -> int:
    """Let bots play against each other: every deal from every seat, so that luck with the cards cancels out.

    If you name as many bots as players, all of them play. If you name fewer, the last one fills the remaining seats
    (a,b is a against three b). If you name more, the groups that fill the table play in turns, each with deals of its
    own. The same seed gives the same results for any number of workers, unless a bot thinks for a time instead of a
    number of simulations.

    Parameters
    ----------
    bots
        The bots that compete, separated by commas: names that `registan bots` lists, mybot.py:RuleBot for a class in
        a file, exec:perl mybot.pl for a program.
    games
        The number of games, rounded up so that every deal is played from every seat.
    neighbours
        Let only bots meet that are neighbours in the list, if they are more than the seats; name them in order of
        strength.
    resume
        Save every finished game to this file, one JSON object a line, and continue from the games already in it.
    ratings
        Write the ratings to this JSON file, with the ends of their intervals, as a game brings those of its levels.
    on
        Where to play: here, ray (the Ray cluster at RAY_ADDRESS, or a temporary one), or ray://host:port.
    """
    tongue = language(lang)
    check_place(on)
    found = find(game)
    run = asked_run(game, players, bots.split(","), positive("--games", games), seed, box, option)
    contest = Arena(run, neighbours)
    count = worker_count(workers)
    stopped = False
    with Journal(contest, resume) as journal:
        if on == HERE and len(journal.played) < contest.games:
            with compiling(tongue, found, *compiled_functions(run)):
                warm(run)
        try:
            with progress(say(tongue, "cli.playing"), contest.games) as more:
                more(len(journal.played))
                for played in play_arena(contest, journal.done, count, on):
                    journal.add(played)
                    more(len(played))
        except KeyboardInterrupt:
            stopped = True
            done = len(journal.played)
            print(say(tongue, "lab.arena.stopped", done=done, games=contest.games), file=sys.stderr)
    result = standings(contest, journal.played)
    if result is None:
        print(say(tongue, "lab.arena.none"), file=sys.stderr)
    else:
        print(json.dumps(result.written(), ensure_ascii=False) if json_ else in_words(result, tongue))
        if ratings is not None:
            write_ratings(ratings, result)
        for bot in result.bots:
            if bot.faults:
                print(faults_in_words(bot, tongue), file=sys.stderr)
    return 130 if stopped else 0


def write_ratings(path: Path, result: Standings) -> None:
    """Write the rating of every bot and the ends of its interval, rounded."""
    if not all(bot.rating.bounded for bot in result.bots):
        raise BadInput("lab.arena.unsure", file=path)
    found = {bot.name: [round(x) for x in (bot.rating.value, bot.rating.low, bot.rating.high)] for bot in result.bots}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in found.items())
    try:
        path.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    except OSError as error:
        raise BadInput("cli.cannot_write", file=path, why=error.strerror) from None


def in_words(result: Standings, lang: str) -> str:
    """Return the standings for people."""
    run = result.arena.run
    par = number(lang, 100 / run.players)
    head = say(
        lang,
        "lab.arena.head",
        game=run.game.name[lang],
        players=run.players,
        games=result.games,
        deals=result.deals,
        par=par,
    )
    rows = [[say(lang, f"lab.arena.{column}") for column in ("bot", "wins", "score", "rating")]]
    for bot in sorted(result.bots, key=lambda bot: -bot.rating.value):
        wins = interval(lang, bot.wins.times(100), " %")
        rows.append([bot.name, wins, interval(lang, bot.score), interval(lang, bot.rating, digits=0)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        head,
        run.variant(lang),
        *("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows),
    ]
    lines.append(say(lang, "lab.arena.seats", wins=", ".join(interval(lang, s.times(100), " %") for s in result.seats)))
    if result.luck:
        shares = {name: number(lang, 100 * share.value) for name, share in vars(result.luck).items()}
        lines.append(say(lang, "lab.arena.luck", **shares))
    return "\n".join(lines)


def faults_in_words(bot: Standing, lang: str) -> str:
    """Return what a program did wrong: how often, and the first time in full."""
    counts = [say(lang, f"lab.fault.{kind}", n=n) for kind, n in bot.faults_by_kind().items()]
    first = bot.faults[0]
    return say(
        lang, "lab.arena.faults", bot=bot.name, faults=listing(lang, counts), game=first["game"], seat=first["seat"],
        why=first["why"],
    )  # fmt: skip


def interval(lang: str, figure: Estimate, unit: str = "", digits: int = 1) -> str:
    """Return a figure with its interval, as "62.1 % (58.0 to 66.1)"; alone if the interval has no ends."""
    if not figure.bounded:
        return number(lang, figure.value, digits) + unit
    value, low, high = (number(lang, x, digits) for x in (figure.value, figure.low, figure.high))
    return say(lang, "lab.interval", value=value + unit, low=low, high=high)
