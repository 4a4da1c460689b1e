"""`registan train`: let a game be learned by self-play, and pass on what was learned."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from cyclopts import App

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.bots.eyes import plain_eye, read_eye
from registan.cli.common import checked_seed, compiling, opened_file, positive, positive_seconds, progress, worker_count
from registan.core.box import box_file
from registan.core.errors import BadInput
from registan.core.game import check_players
from registan.core.messages import language, number, say
from registan.core.registry import find
from registan.lab.train import checkpoint
from registan.lab.train.calibration import calibration
from registan.lab.train.checkpoint import CHECKPOINT, CURVE, PROGRESS
from registan.lab.train.curve import Point, curve, read_points
from registan.lab.train.glance import Generation, Tuner, play_eyes
from registan.lab.train.loop import Crew, Limit, settled, train
from registan.lab.train.onnx import exported, exported_policy
from registan.lab.train.play import play_to_learn
from registan.lab.train.run import begin, warm
from registan.lab.train.settings import settings_of
from registan.lab.workers import HERE, check_place

MINUTES = 60.0
GLANCE_MINUTES = 10.0
SHOWN, COMPARED = 10, 8000
"""After how many generations a tuning is shown and saved, and how many games then tell how good it is."""
STEPS = 1000
"""Steps of the progress bar."""

app = App(name="train", help="Let a net learn a game by playing against itself.")


@app.default
def learn(
    game: str,
    /,
    *,
    out: Path,
    minutes: float | None = None,
    rounds: int | None = None,
    players: int | None = None,
    seed: int = 0,
    resume: bool = False,
    start: Path | None = None,
    games: int = 400,
    box: str | None = None,
    workers: int | None = None,
    on: str = HERE,
    lang: str | None = None,
) -> int:
    """Let a net learn a game by playing against itself, earlier nets and the greedy bot.

    The folder gets the net that chooses (weights.npz), earlier ones, the net that judges positions for the search
    (value.npz), what comparisons found (progress.jsonl) and a picture of it (curve.svg). In the end it tells how often
    positions were won in which that net expects it. Ctrl-C stops it; --resume goes on from the last comparison.
    `learned:FOLDER/weights.npz` is then a bot for any command.

    Parameters
    ----------
    game
        A game; `registan games` lists them.
    out
        The folder to write to.
    minutes
        How long to learn, by the clock (default: 60).
    rounds
        Learn for so many rounds instead: the same seed then gives the same net.
    players
        The number of players in three quarters of the games and in comparisons (default: 4); the others share the rest.
    seed
        A whole number: the same seed gives the same games.
    resume
        Go on with the run in the folder; give the same --minutes or --rounds, or more.
    start
        Begin with the net of this file instead of one that knows nothing.
    games
        How many games a comparison has.
    box
        Another box of the game: its key, or a TOML file.
    workers
        The number of threads or processes (default: one for each core).
    on
        Where to play: here, ray (the Ray cluster at RAY_ADDRESS, or a temporary one), or ray://host:port.
    lang
        en or fr.
    """
    tongue = language(lang)
    check_place(on)
    found = find(game)
    loaded = found.load_box(*box_file(found, box))
    if minutes is not None and rounds is not None:
        raise BadInput("lab.train.both")
    if rounds is not None:
        limit = Limit(rounds=positive("--rounds", rounds))
    else:
        limit = Limit(minutes=positive_seconds("--minutes", MINUTES if minutes is None else minutes))
    if players is not None:
        check_players(found, loaded, players)
    positive("--games", games)
    crew = Crew(worker_count(workers), on)
    number_ = checked_seed(seed)
    if resume:
        training = settled(checkpoint.load(out, found, loaded), players)
    else:
        if (out / CHECKPOINT).exists():
            raise BadInput("lab.train.exists", folder=out)
        training = settled(begin(found, loaded, settings_of(found), number_, start), players)
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput("cli.cannot_write", file=out, why=error.strerror) from None
    points = read_points(out / PROGRESS) if resume else []
    points = [point for point in points if point.rounds <= training.rounds]
    told = 0
    try:
        if on == HERE:
            with compiling(tongue, found, play_to_learn):
                warm(training)
        with progress(say(tongue, "lab.train.learning"), STEPS) as more:

            def each(done: float) -> None:
                nonlocal told
                more(round(done * STEPS) - told)
                told = round(done * STEPS)

            each(min(1.0, limit.done(training)))
            for point in train(training, out, limit, crew, games, each):
                points.append(point)
                keep(out, points, found.name[tongue], training.settings.players, tongue)
                print(in_words(point, training.settings.players, tongue), flush=True)
    except KeyboardInterrupt:
        print(say(tongue, "lab.train.stopped", folder=out), file=sys.stderr)
        return 130
    print(say(tongue, "lab.train.done", file=out / policies.WEIGHTS))
    for part in calibration(training):
        predicted, won = (number(tongue, 100 * value, 1) for value in (part.predicted, part.won))
        positions = number(tongue, part.positions, 0)
        print(say(tongue, "lab.train.bin", predicted=predicted, won=won, positions=positions))
    return 0


def keep(folder: Path, points: list[Point], title: str, players: int, lang: str) -> None:
    """Write what comparisons found, and the picture."""
    lines = "".join(f"{point.line()}\n" for point in points)
    picture = curve(points, 1 / players, title, lang)
    checkpoint.replace_file(folder / PROGRESS, lambda file: file.write(lines.encode()))
    checkpoint.replace_file(folder / CURVE, lambda file: file.write(picture.encode()))


def in_words(point: Point, players: int, lang: str) -> str:
    """Return what a comparison found, for people."""

    def percent(value: float) -> str:
        return number(lang, 100 * value, 1)

    words = say(
        lang,
        "lab.train.point",
        minutes=number(lang, point.minutes, 1),
        games=number(lang, point.games, 0),
        samples=number(lang, point.samples, 0),
        wins=percent(point.greedy.value),
        low=percent(point.greedy.low),
        high=percent(point.greedy.high),
        par=number(lang, 100 / players),
    )
    if point.before is None:
        return words
    before = say(lang, "lab.train.before", wins=percent(point.before.value))
    return f"{words} {before}"


@app.command
def glance(
    game: str,
    *,
    out: Path,
    minutes: float = GLANCE_MINUTES,
    players: int | None = None,
    games: int = 1600,
    seed: int = 0,
    start: Path | None = None,
    box: str | None = None,
    lang: str | None = None,
) -> int:
    """Tune what bots go by when they look at moves for the first time, by evolution.

    Eyes near the present one play whole games at a glance, against the plain eye of the greedy bot and against the
    present one; the next one is where the better ones are. The file is written every few generations, so Ctrl-C loses
    little. It becomes the eye of the bot tuned, and of levels that use it, as glance.json in the folder of the game.

    Parameters
    ----------
    game
        A game; `registan games` lists them.
    out
        The JSON file to write.
    minutes
        How long to tune, in processor time.
    players
        The number of players (default: 4).
    games
        How many games each eye plays against each of the two.
    seed
        A whole number: the same seed gives the same games.
    start
        Begin with the eye of this file instead of the plain one.
    box
        Another box of the game: its key, or a TOML file.
    lang
        en or fr.
    """
    tongue = language(lang)
    found = find(game)
    loaded = found.load_box(*box_file(found, box))
    count = settings_of(found).players if players is None else players
    check_players(found, loaded, count)
    tuner = Tuner(found, loaded, count, positive("--games", games), seed=checked_seed(seed))
    begun = None
    if start is not None:
        with opened_file(start) as file:
            begun = read_eye(found, file.read())
    eye = begun or plain_eye(found)
    try:
        with compiling(tongue, found, play_eyes):
            tuner.against_plain(plain_eye(found), count, 0)
        for generation in tuner.generations(positive_seconds("--minutes", minutes), begun):
            eye = generation.eye
            if generation.number % SHOWN == 0:
                write_eye(out, eye)
                print(seen_so_far(tuner, generation, tongue), flush=True)
    except KeyboardInterrupt:
        print(say(tongue, "lab.train.eye_stopped", file=out), file=sys.stderr)
        return 130
    write_eye(out, eye)
    print(say(tongue, "lab.train.eye_done", file=out))
    return 0


def write_eye(path: Path, eye: Any) -> None:
    """Write an eye as the file that a game brings."""
    data = json.dumps(eye._asdict(), indent=2) + "\n"
    checkpoint.replace_file(path, lambda file: file.write(data.encode()))


def seen_so_far(tuner: Tuner, generation: Generation, lang: str) -> str:
    """Return how far a tuning has come, for people."""
    won = tuner.against_plain(generation.eye, COMPARED, tuner.seed)
    return say(
        lang,
        "lab.train.eye",
        number=generation.number,
        minutes=number(lang, generation.seconds / 60, 1),
        wins=number(lang, 100 * won.value, 1),
        low=number(lang, 100 * won.low, 1),
        high=number(lang, 100 * won.high, 1),
        par=number(lang, 100 / tuner.players),
    )


@app.command
def export(
    game: str,
    /,
    *,
    out: Path,
    weights: Path | None = None,
    value: bool = False,
    players: int | None = None,
    lang: str | None = None,
) -> int:
    """Write a net as an ONNX file, for programs that do not use Registan.

    It takes what a seat knows (the observation and what net.py of the game adds) and what each action is (policy.py),
    and returns how much each is to be preferred.

    Parameters
    ----------
    game
        A game; `registan games` lists them.
    out
        The ONNX file to write.
    weights
        The net to write (default: the one that the game brings).
    value
        Write the net that judges positions: it takes any number of rows of inputs, and returns the chance to win and
        the expected margin.
    players
        The number of players (default: 4).
    lang
        en or fr.
    """
    tongue = language(lang)
    found = find(game)
    loaded = found.load_box(*box_file(found, None))
    count = settings_of(found).players if players is None else players
    check_players(found, loaded, count)
    name = f"{game}-{count}"
    if value:
        judge = nets.load(found, count) if weights is None else nets.make(found, count, *nets.read(weights, found))
        data = exported(judge, name) if judge else b""
    else:
        policy = policies.load(found, count)
        if weights is not None:
            policy = policies.make(found, count, *policies.read(weights, found))
        data = exported_policy(policy, policies.glance_of(found), name) if policy else b""
    if not data:
        raise BadInput("lab.train.none", game=game)
    inputs = len(nets.rows_of(found, count)) - 1
    checkpoint.replace_file(out, lambda file: file.write(data))
    print(say(tongue, "lab.train.exported", file=out, inputs=inputs))
    return 0
