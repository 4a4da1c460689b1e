"""What a training run keeps in its folder, so that it can go on, be looked at, and be played against.

`checkpoint.npz` is all that is needed to go on, `weights.npz` the net as it plays, `value.npz` that of the search,
`weights-<round>.npz` earlier nets, `progress.jsonl` one line for each comparison, `curve.svg` the picture of them.
Files are replaced whole: an interrupted write leaves the old one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.core.errors import BadInput
from registan.core.game import Box, Game
from registan.lab.train.fit import Fit
from registan.lab.train.run import Training
from registan.lab.train.settings import Settings

CHECKPOINT, PROGRESS, CURVE = "checkpoint.npz", "progress.jsonl", "curve.svg"
FORMAT = 3


def replace_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file under another name, then give it its own."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            write(file)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise BadInput("cli.cannot_write", file=path, why=error.strerror) from None


def save(folder: Path, training: Training) -> None:
    """Write the net as it plays now, and all that is needed to go on."""
    head = {
        "format": FORMAT,
        "game": training.game.key,
        "box": training.box.sha256,
        "inputs": policies.signature(training.game),
        "settings": asdict(training.settings),
        "seed": training.seed,
        "rounds": training.rounds,
        "games": training.games,
        "samples": training.samples,
        "seconds": training.seconds,
    }
    arrays = {name: getattr(training.fit, name) for name in Fit._fields}
    arrays |= {f"value_{name}": getattr(training.value, name) for name in Fit._fields}
    past = np.stack(training.past) if training.past else np.zeros((0, len(training.fit.weights)), np.float32)

    def write(file: BinaryIO) -> None:
        np.savez(file, head=np.array(json.dumps(head)), past=past, **arrays)

    replace_file(folder / CHECKPOINT, write)
    save_weights(folder / policies.WEIGHTS, training)
    value = training.value
    replace_file(folder / nets.VALUE, lambda file: nets.save(file, training.game, value.sizes, value.average))


def save_weights(path: Path, training: Training) -> None:
    """Write the net that chooses as it is now."""
    fit = training.fit
    replace_file(path, lambda file: policies.save(file, training.game, fit.sizes, fit.average))


def load(folder: Path, game: Game, box: Box) -> Training:
    """Return the training run of a folder; raise BadInput if it is not one of this game and box."""
    path = folder / CHECKPOINT
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            head: dict[str, Any] = json.loads(str(file["head"]))
            past, fit = file["past"], Fit(*(file[name] for name in Fit._fields))
            value = Fit(*(file[f"value_{name}"] for name in Fit._fields))
        known = {field.name for field in fields(Settings)}
        settings = Settings(**{name: value for name, value in head["settings"].items() if name in known})
        whole = head["format"] == FORMAT and all(
            part.weights.shape == (count(part.sizes),) == part.square.shape
            for part, count in ((fit, policies.count), (value, nets.count))
        )
        numbers = {name: head[name] for name in ("seed", "rounds", "games", "samples", "seconds")}
        named = (head["game"], head["inputs"], head["box"])
    except FileNotFoundError:
        raise BadInput("lab.train.nothing", folder=folder) from None
    except nets.UNREADABLE as error:
        raise BadInput("lab.train.broken", file=path, why=str(error) or type(error).__name__) from None
    if not whole:
        raise BadInput("lab.train.broken", file=path, why=f"format {head['format']}")
    if named != (game.key, policies.signature(game), box.sha256):
        raise BadInput("lab.train.other", file=path, game=game.key)
    return Training(game, box, settings, fit=fit, value=value, past=list(past), **numbers)
