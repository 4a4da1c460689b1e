"""The observation of a seat: what it may know, as numbers from -1 to 1, for programs that learn.

`observe.py` of a game writes the numbers (`observe`) and describes them (`layout`), block by block. A game without one
gets the fields of its hidden state. Seats are relative: 0 is the observing seat, 1 its left neighbour, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from registan.core.bits import lowest
from registan.core.compiled import compiled
from registan.core.game import SEATS, Game, Ints

PLAIN_VERSION = 1
"""The version of the observation of games that have no `observe.py`."""


@dataclass(frozen=True)
class Block:
    """Numbers of an observation that belong together."""

    name: str
    shape: tuple[int, ...]
    what: str
    """What they are, for the page of the game."""
    scale: float = 1.0
    """What a number was divided by before it was clipped to -1 … 1."""
    low: int = 0
    """The lowest possible number: 0, or -1."""

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """What each number of an observation is. A change of any index or meaning raises the version."""

    version: int
    blocks: tuple[Block, ...]

    @cached_property
    def size(self) -> int:
        """The length of an observation."""
        return sum(block.size for block in self.blocks)

    @cached_property
    def at(self) -> dict[str, slice]:
        """Where each block is."""
        found, start = {}, 0
        for block in self.blocks:
            found[block.name] = slice(start, start + block.size)
            start += block.size
        return found

    @cached_property
    def low(self) -> Ints:
        """The lowest value of every number."""
        return np.concatenate([np.full(block.size, block.low, np.float32) for block in self.blocks])

    def block(self, observation: Any, name: str) -> Any:
        """Return a block of an observation, or of an array of them, in its own shape, without copying."""
        shape = next(block.shape for block in self.blocks if block.name == name)
        return observation[..., self.at[name]].reshape(*observation.shape[:-1], *shape)


def layout_of(game: Game, players: int) -> Layout:
    """Return the layout of a game's observations with that many players."""
    part = game.part("observe")
    if part is not None:
        return Layout(part.VERSION, part.layout(players))
    return Layout(PLAIN_VERSION, tuple(block for block, _ in _plain_blocks(game, players)))


def numbers_of(game: Game, players: int) -> int:
    """Return the size of the numbering of actions for learners: the game's own, or its compact one."""
    own: Callable[[int], int] = getattr(game.part("observe"), "numbers", game.rules.actions)
    return own(players)


@compiled
def beside(seat: int, k: int, players: int) -> int:
    """Return the seat k places to the left of a seat, for k from 0 to the number of players."""
    other = seat + k
    return other - players if other >= players else other  # a remainder takes ten times as long


@compiled
def put(out: Ints, i: int, value: float, scale: float) -> int:
    """Write a number divided by its scale and clipped to -1 … 1; return the next index."""
    out[i] = max(-1.0, min(1.0, value * (1.0 / scale)))  # the compiler works out 1 / scale; a division takes longer
    return i + 1


@compiled
def flag(out: Ints, i: int, holds: bool) -> int:
    """Write 1 if something holds; return the next index."""
    out[i] = 1.0 if holds else 0.0
    return i + 1


@compiled
def mark(out: Ints, i: int, n: int, which: int) -> int:
    """Write 1 for one of n, for none if `which` is below 0 (the others are 0 already); return the next index."""
    if which >= 0:
        out[i + which] = 1.0
    return i + n


@compiled
def mark_set(out: Ints, i: int, n: int, members: int) -> int:
    """Write 1 for each member of a set of n (the others are 0 already); return the next index."""
    while members:
        out[i + lowest(members)] = 1.0
        members &= members - 1
    return i + n


def _plain_blocks(game: Game, players: int) -> list[tuple[Block, str]]:
    """Return the blocks of a game without `observe.py`, each with the statement that writes it."""
    kind = game.rules.STATE
    blocks = [
        (Block("asked", (1,), "1 if the seat is asked"), "i = put(out, i, (int(s.waiting) >> seat) & 1, 1.0)"),
    ]
    for name in kind.names or ():
        if name in ("rng", "waiting", "first") or name.startswith("gap_"):
            continue
        field, scale = kind[name], float(np.iinfo(kind[name].base).max)
        by_seat = field.shape[:1] == (SEATS,)
        shape = (players, *field.shape[1:]) if by_seat else field.shape or (1,)
        at, loops, indent = "", "", ""
        for axis, length in enumerate(field.shape):
            variable = f"a{axis}"
            loops += f"{indent}for {variable} in range({'s.players' if by_seat and not axis else length}):\n"
            indent += "    "
            seat = f"(seat + {variable}) % s.players"
            at += f"{', ' if at else ''}{seat if by_seat and not axis else variable}"
        value = f"s.{name}[{at}]" if at else f"s.{name}"
        what = f"`{name}` of the state{', by relative seat' if by_seat else ''}"
        low = 0 if field.base.kind == "u" else -1
        blocks.append((Block(name, shape, what, scale, low), f"{loops}{indent}i = put(out, i, {value}, {scale})"))
    return blocks


_plain: dict[str, Callable[..., int]] = {}


def plain_observe(game: Game) -> Callable[..., int]:
    """Return `observe` of a game without one: the fields of its hidden state."""
    if game.package not in _plain:
        _plain[game.package] = _spell_out(game)
    return _plain[game.package]


def _spell_out(game: Game) -> Callable[..., int]:
    """Write the function field by field: compiled code cannot go through the fields of a record."""
    lines = "\n".join(statement for _, statement in _plain_blocks(game, SEATS)).replace("\n", "\n    ")
    source = f"def observe(box, s, seat, out):\n    i = 0\n    {lines}\n    return i\n"
    made: dict[str, Any] = {"put": put}
    exec(source, made)
    return compiled(made["observe"])  # type: ignore[no-any-return]
