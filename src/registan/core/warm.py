"""Compiling beforehand what would otherwise be compiled when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registan.core import batch, sights
from registan.core.compiled import INTERPRET, jit
from registan.core.engine import machine_code
from registan.core.game import SEATS, Box, Game


def steps(game: Game, box: Box) -> list[Callable[[], object]]:
    """Return what there is to compile for a game: one call each, for the progress bar."""
    states = batch.blank(game, 1, game.players[-1])
    room, words = np.zeros(game.rules.MOST, np.int32), np.zeros(4, np.uint64)
    parts = len(game.rules.SCORES)
    zeros = np.zeros(1, np.int64)
    many: dict[Callable[..., Any], tuple[Any, ...]] = {
        batch._play: (0, 0, 0, True, zeros, zeros),
        batch._step: (zeros, zeros, np.zeros(1, np.uint8)),
        batch._results: (np.zeros((1, SEATS, parts), np.int64), zeros),
        batch._hide: (0,),
        batch._guess: (0, 0),
        batch._first_fault: (),
    }
    one: dict[str, tuple[Any, ...]] = {  # what a match calls
        "setup": (),
        "breaks": (0, 0),
        "legal": (0, room),
        "pick": (0, words, room),
        "act": (0, 0),
        "chance": (),
        "scores": (np.zeros((SEATS, parts), np.int64),),
        "winners": (),
        "hide": (0,),
    }
    alone: dict[Callable[..., Any], tuple[Any, ...]] = {  # what a table calls
        sights.breaks: (0, 0),
        sights.act: (0, 0),
        sights.look: (zeros, np.zeros((1, game.rules.MOST), np.int32), zeros, np.zeros((1, SEATS, parts), np.int64)),
    }
    run = machine_code(game)
    calls = [(jit(f), (box.record, states, *rest)) for f, rest in many.items()]
    calls += [(jit(f), (box.array, states, *rest)) for f, rest in alone.items()]
    calls += [(getattr(run, name), (box.record, states[0], *rest)) for name, rest in one.items()]
    return [_compile(f, args) for f, args in calls]


def _compile(f: Any, args: tuple[Any, ...]) -> Callable[[], object]:
    """Return what compiles a function for arguments of these types, or loads it if it has been compiled before."""

    def call() -> object:
        if INTERPRET:
            return None
        from numba import typeof

        return f.compile(tuple(typeof(arg) for arg in args))  # type: ignore[no-untyped-call]

    return call
