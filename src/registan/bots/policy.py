"""A small net that says which actions a seat should prefer, evaluated in compiled code.

It looks at what the seat knows (the inputs of `net.py` of the game) and at what each action is (`traits` in its
`policy.py`). The first layer adds up the inputs once for all actions, and to that what is different about each. What an
action seems worth at a glance is added at the end, so that a net that knows nothing plays by the tuned eye.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from registan.bots import net as nets
from registan.bots.net import look
from registan.core import rules
from registan.core.compiled import compiled
from registan.core.game import Game, Ints, Record

WEIGHTS = "weights.npz"
"""The file in a game's folder with what it has learned about choosing."""
FIRST, SECOND = 128, 32
"""How wide the two hidden layers are by default."""
SHORT = 16
"""How many actions the net looks at, those that look best at a glance."""
GLANCE = 1.0
"""How much is added for a point that an action seems worth, unless `net.py` of the game says otherwise."""


class Policy(NamedTuple):
    """A net for a number of players; the types are the same for all games, so that compiled code can be cached."""

    sizes: Ints
    """How many rows the first layer has for what a seat knows and for what an action is; the widths of the layers."""
    rows: Ints
    """The row of each input; the last is the bias for this number of players."""
    weights: Ints
    """The first layer row by row, the second row by row, its bias, the last layer, its bias."""


class Room(NamedTuple):
    """Room to think in, for one thread."""

    actions: Ints
    worth: Ints
    inputs: Ints
    places: Ints
    values: Ints
    """The rows of the first layer whose inputs are not 0, and these inputs."""
    traits: Ints
    """A row for each action."""
    sums: Ints
    """What the first layer makes of each action, and in the last row of the inputs alone."""
    hidden: Ints
    out: Ints


def glance_of(game: Game) -> float:
    """Return how much is added for a point that an action seems worth at a glance: `GLANCE` in `net.py` of the game."""
    found: float = getattr(game.part("net"), "GLANCE", GLANCE)
    return found


def room_for(game: Game, policy: Policy) -> Room:
    """Return room for thinking about a game."""
    traits, wide, narrow = (int(size) for size in policy.sizes[1:])
    return Room(
        np.zeros(game.rules.MOST, np.int32),
        np.zeros(game.rules.MOST),
        np.zeros(len(policy.rows) - 1, np.float32),
        np.zeros(len(policy.rows), np.int16),
        np.zeros(len(policy.rows), np.float32),
        np.zeros((SHORT, traits), np.float32),
        np.zeros((SHORT + 1, wide), np.float32),
        np.zeros((SHORT, narrow), np.float32),
        np.zeros(SHORT, np.float32),
    )


@compiled
def shortlist(actions: Ints, worth: Ints, n: int) -> int:
    """Keep the actions that look best, in their order, and what they seem worth; return how many are left."""
    if n <= SHORT:
        return n
    bar = np.sort(worth[:n])[n - SHORT]
    above = 0
    for i in range(n):
        above += worth[i] > bar
    ties = SHORT - above
    kept = 0
    for i in range(n):
        if worth[i] > bar or (worth[i] == bar and ties > 0):
            ties -= worth[i] == bar
            actions[kept] = actions[i]
            worth[kept] = worth[i]
            kept += 1
    return kept


@compiled
def gather(rows: Ints, inputs: Ints, places: Ints, values: Ints) -> int:
    """Write the inputs that are not 0 into `values`, the bias last, and their rows into `places`; return how many."""
    n = 0
    for i in range(len(rows) - 1):
        if inputs[i] != 0.0:
            places[n] = rows[i]
            values[n] = inputs[i]
            n += 1
    places[n] = rows[len(rows) - 1]
    values[n] = 1.0
    return n + 1


@compiled
def forwards(
    sizes: Ints, w: Ints, places: Ints, values: Ints, traits: Ints, n: int, sums: Ints, hidden: Ints, out: Ints
) -> None:
    """Write how much a net of these sizes and weights prefers each of n actions; keep both layers before activation."""
    known, wide, narrow = int(sizes[0]), int(sizes[2]), int(sizes[3])
    base = sums[len(sums) - 1]
    base[:] = 0.0
    for i in range(len(places)):
        at = int(places[i]) * wide
        row = w[at : at + wide]
        x = values[i]
        for j in range(wide):
            base[j] += row[j] * x
    second = (known + int(sizes[1])) * wide
    bias = w[second + wide * narrow : second + wide * narrow + narrow]
    last = w[second + wide * narrow + narrow : second + wide * narrow + 2 * narrow + 1]
    for k in range(n):
        here, deep = sums[k], hidden[k]
        here[:] = base
        for i in range(traits.shape[1]):
            x = traits[k, i]
            if x != 0.0:
                at = (known + i) * wide
                row = w[at : at + wide]
                for j in range(wide):
                    here[j] += row[j] * x
        deep[:] = bias
        for i in range(wide):
            x = here[i]
            if x > 0.0:
                row = w[second + i * narrow : second + (i + 1) * narrow]
                for j in range(narrow):
                    deep[j] += row[j] * x
        total = last[narrow]
        for j in range(narrow):
            if deep[j] > 0.0:
                total += last[j] * deep[j]
        out[k] = total


@compiled
def prefer(
    box: Record, hidden: Record, seat: int, policy: Policy, share: float, glance: float, eye: Any, room: Room
) -> int:
    """Write the actions that look best into `room.actions`, and into `room.out` how much each is to be preferred.

    Return how many there are. `share` is how much of the net's own preference counts.
    """
    n = rules.legal(box, hidden, seat, room.actions)
    if n == 1:
        room.out[0] = 0.0
        return 1
    rules.glance(box, hidden, seat, room.actions, n, room.worth, eye)
    n = shortlist(room.actions, room.worth, n)
    room.traits[:] = 0.0
    rules.traits(box, hidden, seat, room.actions, n, room.worth, room.traits)
    look(box, hidden, seat, room.inputs)
    m = gather(policy.rows, room.inputs, room.places, room.values)
    places, values = room.places[:m], room.values[:m]
    forwards(policy.sizes, policy.weights, places, values, room.traits, n, room.sums, room.hidden, room.out)
    top = np.max(room.worth[:n])
    for i in range(n):
        room.worth[i] = glance * (room.worth[i] - top)
        room.out[i] = share * room.out[i] + room.worth[i]
    return n


@compiled
def preferred(
    box: Record, hidden: Record, seat: int, policy: Policy, share: float, glance: float, eye: Any, room: Room
) -> int:
    """Return the action that is to be preferred."""
    n = prefer(box, hidden, seat, policy, share, glance, eye, room)
    chosen = 0
    for i in range(1, n):
        if room.out[i] > room.out[chosen]:
            chosen = i
    return int(room.actions[chosen])


@compiled
def choice(
    boxes: Record, states: Record, seat: int, policy: Policy, share: float, glance: float, eye: Any, room: Room
) -> int:
    """Return the action that is to be preferred, from what the seat knows."""
    return preferred(boxes[0], states[0], seat, policy, share, glance, eye, room)


@compiled
def preferences(
    boxes: Record, states: Record, seat: int, policy: Policy, glance: float, eye: Any, room: Room, out: Ints
) -> None:
    """Write how much each legal action is to be preferred; those that the net does not look at are like its worst."""
    count = rules.legal(boxes[0], states[0], seat, room.actions)
    every = room.actions[:count].copy()
    n = prefer(boxes[0], states[0], seat, policy, 1.0, glance, eye, room)
    worst = np.min(room.out[:n])
    kept = 0
    for i in range(count):
        out[i] = worst
        if kept < n and room.actions[kept] == every[i]:
            out[i] = room.out[kept]
            kept += 1


def count(sizes: Ints) -> int:
    """Return how many numbers a net of these sizes has."""
    known, traits, wide, narrow = (int(size) for size in sizes)
    return (known + traits) * wide + wide * narrow + 2 * narrow + 1


def traits_of(game: Game) -> int:
    """Return how many numbers say what an action of a game is."""
    found: int = getattr(game.part("policy"), "TRAITS", rules.TRAITS)
    return found


def signature(game: Game) -> str:
    """Return a digest of what the net of a game looks at."""
    return f"{nets.signature(game)}-{getattr(game.part('policy'), 'VERSION', 0)}-{traits_of(game)}"


def fresh(game: Game, seed: int = 0, first: int = FIRST, second: int = SECOND) -> tuple[Ints, Ints]:
    """Return the sizes and the weights of a net that prefers nothing yet."""
    chance = np.random.default_rng(seed)
    sizes = np.array([nets.row_count(game), traits_of(game), first, second], np.int32)
    parts = (
        chance.normal(0.0, 0.07, sizes[0] * first),
        chance.normal(0.0, 0.15, sizes[1] * first),
        chance.normal(0.0, np.sqrt(2.0 / first), first * second),
        np.zeros(2 * second + 1),
    )
    return sizes, np.concatenate(parts).astype(np.float32)


def save(to: str | Path | BinaryIO, game: Game, sizes: Ints, weights: Ints) -> None:
    """Write a net as a file of half-precision numbers, with what its inputs are."""
    nets.write(to, game, signature(game), sizes, weights)


def read(source: Path, game: Game) -> tuple[Ints, Ints]:
    """Return sizes and weights from a file; raise BadInput if it is none, or not for what the game's net looks at."""
    return nets.read_as(source, game, signature(game), 4, count)


def make(game: Game, players: int, sizes: Ints, weights: Ints) -> Policy:
    """Return a net for a number of players."""
    return Policy(sizes, nets.rows_of(game, players), weights)


_loaded: dict[tuple[str, int], Policy] = {}


def load(game: Game, players: int) -> Policy | None:
    """Return what a game has learned about choosing with that many players, None if it has not learned.

    Raise BadInput if its file is broken, or was made for other inputs than the game has now.
    """
    file = game.file(WEIGHTS)
    if game.present or not file.is_file():
        return None
    if (game.key, players) not in _loaded:
        _loaded[game.key, players] = make(game, players, *read(file, game))
    return _loaded[game.key, players]
