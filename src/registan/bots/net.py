"""A small net, evaluated in compiled code: how a game will end for a seat, from what that seat knows.

Its inputs are those of `net.py` of the game (by default the observation) and are mostly 0, so the first layer adds up
only the rows of the others; from one action to the next even fewer change (`shift`). One net serves every number of
players: `rows` says which row of the first layer an input has with that many players, and each number of players has a
bias of its own.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zipfile import BadZipFile

import numpy as np

from registan.core import rules
from registan.core.compiled import compiled
from registan.core.errors import BadInput
from registan.core.game import Game, Ints, Record
from registan.core.observation import Block, layout_of

FORMAT = 1
VALUE = "value.npz"
"""The file in a game's folder with what it has learned about judging positions."""
FIRST, SECOND = 128, 32
"""How wide the two hidden layers are by default."""
OUTPUTS = 2
UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error)
"""What reading a damaged file may raise."""


class Net(NamedTuple):
    """A net for a number of players; the types are the same for all games, so that compiled code can be cached."""

    sizes: Ints
    """How many rows the first layer has, and how wide the first and the second layer are."""
    rows: Ints
    """The row of each input; the last is the bias for this number of players."""
    weights: Ints
    """The first layer row by row, the second row by row, its bias, the last layer row by row, its bias."""

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return len(self.rows) - 1


@compiled
def add_up(net: Net, inputs: Ints, sums: Ints) -> None:
    """Write what the first layer makes of inputs, before its activation, into `sums`."""
    wide = int(net.sizes[1])
    bias = int(net.rows[len(net.rows) - 1]) * wide
    row = net.weights[bias : bias + wide]
    for j in range(wide):
        sums[j] = row[j]
    for i in range(len(net.rows) - 1):
        x = inputs[i]
        if x != 0.0:
            start = int(net.rows[i]) * wide
            row = net.weights[start : start + wide]
            for j in range(wide):
                sums[j] += row[j] * x


@compiled
def finish(net: Net, sums: Ints, hidden: Ints, out: Ints) -> None:
    """Write the chance to win (0 to 1) and the expected margin (-1 to 1, in clear wins) into `out`."""
    wide = int(net.sizes[1])
    narrow = int(net.sizes[2])
    at = int(net.sizes[0]) * wide
    bias = net.weights[at + wide * narrow : at + wide * narrow + narrow]
    for j in range(narrow):
        hidden[j] = bias[j]
    for i in range(wide):
        x = sums[i]
        if x > 0.0:
            row = net.weights[at + i * narrow : at + i * narrow + narrow]
            for j in range(narrow):
                hidden[j] += row[j] * x
    at += wide * narrow + narrow
    last = net.weights[at : at + OUTPUTS * narrow + OUTPUTS]
    win = last[OUTPUTS * narrow]
    margin = last[OUTPUTS * narrow + 1]
    for j in range(narrow):
        x = hidden[j]
        if x > 0.0:
            win += last[OUTPUTS * j] * x
            margin += last[OUTPUTS * j + 1] * x
    out[0] = 1.0 / (1.0 + np.exp(-win))
    out[1] = np.tanh(margin)


@compiled
def evaluate(net: Net, inputs: Ints, sums: Ints, hidden: Ints, out: Ints) -> None:
    """Write what the net expects: the chance to win (0 to 1) and the margin (-1 to 1, in clear wins)."""
    add_up(net, inputs, sums)
    finish(net, sums, hidden, out)


@compiled
def look(box: Record, s: Record, seat: int, out: Ints) -> None:
    """Write the inputs of a seat from the state as it may know it; called in one place, they are compiled once."""
    out[:] = 0.0
    rules.inputs(box, s, seat, out)


class Scratch(NamedTuple):
    """Room to think in, for one thread."""

    inputs: Ints
    sums: Ints
    hidden: Ints
    out: Ints


def scratch(net: Net) -> Scratch:
    """Return room for evaluating a net."""
    wide, narrow = int(net.sizes[1]), int(net.sizes[2])
    lengths = (net.inputs, wide, narrow, OUTPUTS)
    return Scratch(*(np.zeros(length, np.float32) for length in lengths))


def count(sizes: Ints) -> int:
    """Return how many numbers a net of these sizes has."""
    rows, wide, narrow = (int(size) for size in sizes)
    return rows * wide + wide * narrow + narrow + OUTPUTS * narrow + OUTPUTS


def blocks_of(game: Game, players: int) -> tuple[Block, ...]:
    """Return what each input of a game's net is, with that many players."""
    own: Callable[[int], tuple[Block, ...]] | None = getattr(game.part("net"), "layout", None)
    return layout_of(game, players).blocks if own is None else own(players)


def rows_of(game: Game, players: int) -> Ints:
    """Return the row of each input: every block has room for its largest shape, whatever the number of players."""
    most: dict[str, tuple[int, ...]] = {}
    for n in game.players:
        for block in blocks_of(game, n):
            known = most.get(block.name, block.shape)
            most[block.name] = tuple(max(pair) for pair in zip(known, block.shape, strict=True))
    starts, total = {}, 0
    for name, shape in most.items():
        starts[name] = total
        total += int(np.prod(shape))
    found = []
    for block in blocks_of(game, players):
        shape = most[block.name]
        whole = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
        found.append(starts[block.name] + whole[tuple(slice(n) for n in block.shape)].ravel())
    bias = total + players - game.players[0]
    return np.concatenate([*found, [bias]]).astype(np.int32)


def row_count(game: Game) -> int:
    """Return how many rows the first layer of a game's nets has: the last number of players has the last bias."""
    return int(rows_of(game, game.players[-1])[-1]) + 1


def signature(game: Game) -> str:
    """Return a digest of what the inputs of a game's nets are: weights serve only inputs that they were made for."""
    versions = [getattr(game.part(part), "VERSION", 0) for part in ("observe", "net")]
    shapes = [[(b.name, b.shape, b.scale) for b in blocks_of(game, n)] for n in game.players]
    return hashlib.sha256(repr((game.key, versions, shapes)).encode()).hexdigest()[:16]


def fresh(game: Game, seed: int = 0, first: int = FIRST, second: int = SECOND) -> tuple[Ints, Ints]:
    """Return the sizes and the weights of a net that knows nothing yet."""
    chance = np.random.default_rng(seed)
    sizes = np.array([row_count(game), first, second], np.int32)
    rows = int(sizes[0])
    parts = (
        chance.normal(0.0, 0.1, rows * first),
        chance.normal(0.0, np.sqrt(2.0 / first), first * second),
        np.zeros(second),
        chance.normal(0.0, 0.1, OUTPUTS * second),
        np.zeros(OUTPUTS),
    )
    return sizes, np.concatenate(parts).astype(np.float32)


def save(to: str | Path | BinaryIO, game: Game, sizes: Ints, weights: Ints) -> None:
    """Write a net as a file of half-precision numbers, with what its inputs are."""
    write(to, game, signature(game), sizes, weights)


def write(to: str | Path | BinaryIO, game: Game, inputs: str, sizes: Ints, weights: Ints) -> None:
    """Write a net of any kind."""
    np.savez_compressed(
        to, format=FORMAT, game=game.key, inputs=inputs, sizes=sizes, weights=weights.astype(np.float16)
    )


def read(source: Path, game: Game) -> tuple[Ints, Ints]:
    """Return sizes and weights from a file; raise BadInput if it is none, or not for this game's inputs."""
    return read_as(source, game, signature(game), 3, count)


def read_as(source: Path, game: Game, inputs: str, layers: int, length: Callable[[Ints], int]) -> tuple[Ints, Ints]:
    """Return sizes and weights of a net of any kind: how many sizes it has, and how many numbers these make."""
    name = str(source)
    try:
        with source.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            kept = {key: file[key] for key in ("format", "game", "inputs", "sizes", "weights")}
        sizes, weights = kept["sizes"].astype(np.int32), kept["weights"].astype(np.float32)
        whole = int(kept["format"]) == FORMAT and sizes.shape == (layers,) and weights.shape == (length(sizes),)
    except UNREADABLE as error:
        raise BadInput("error.net.broken", file=name, why=str(error) or type(error).__name__) from None
    if str(kept["game"]) != game.key:
        raise BadInput("error.net.game", file=name, game=str(kept["game"]), wanted=game.key)
    if str(kept["inputs"]) != inputs:
        raise BadInput("error.net.inputs", file=name, game=game.key)
    if not whole or not np.isfinite(weights).all():
        raise BadInput("error.net.broken", file=name, why=f"format {kept['format']}, {weights.shape}")
    return sizes, weights


def make(game: Game, players: int, sizes: Ints, weights: Ints) -> Net:
    """Return a net for a number of players."""
    return Net(sizes, rows_of(game, players), weights)


NONE = Net(np.zeros(3, np.int32), np.zeros(1, np.int32), np.zeros(1, np.float32))
"""In the place of a net that nobody asks."""
_loaded: dict[tuple[str, int], Net] = {}


def load(game: Game, players: int) -> Net | None:
    """Return what a game has learned about judging positions with that many players, None if it has not learned.

    Raise BadInput if its file is broken, or was made for other inputs than the game has now.
    """
    file = game.file(VALUE)
    if game.present or not file.is_file():
        return None
    if (game.key, players) not in _loaded:
        _loaded[game.key, players] = make(game, players, *read(file, game))
    return _loaded[game.key, players]
