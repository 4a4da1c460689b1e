"""Compiling beforehand what would otherwise be compiled when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registan.core import batch
from registan.core.compiled import INTERPRET, jit
from registan.core.engine import Engine, entry_points
from registan.core.game import Box, Game


def steps(game: Game, box: Box) -> list[Callable[[], object]]:
    """Return what there is to compile for a game: one call each, for the progress bar."""
    states = batch.blank(game, 1, game.players[-1])
    zeros = np.zeros(1, np.int64)
    many: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (batch._play, (0, 0, 0, True, zeros, zeros)),
        (batch._step, (zeros, zeros, np.zeros(1, np.uint8))),
    ]
    calls = [*many, *entry_points(Engine(game, box))]
    return [_compile(jit(f), (box.array, states, *rest)) for f, rest in calls]


def _compile(f: Any, args: tuple[Any, ...]) -> Callable[[], object]:
    """Return what compiles a function for arguments of these types, or loads it if it has been compiled before."""

    def call() -> object:
        if INTERPRET:
            return None
        from numba import typeof

        return f.compile(tuple(typeof(arg) for arg in args))  # type: ignore[no-untyped-call]

    return call
