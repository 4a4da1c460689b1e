"""Compiling ahead of time what would otherwise be compiled on first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from registan.core import batch, rows
from registan.core.engine import Engine, entry_points
from registan.core.game import Box, Game


def steps(game: Game, box: Box) -> list[Callable[[], object]]:
    """Return what to compile of the rules of a game, one call each, so that progress can be shown."""
    engine, states = Engine(game, box), batch.blank(game, 1, game.players[-1])
    zeros = np.zeros(1, np.int64)
    many: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (batch._play, (0, 0, 0, True, zeros, zeros)),
        (batch._step, (zeros, zeros, np.zeros(1, np.uint8))),
    ]
    return [
        partial(engine.compile, function, states, *args)
        for function, args in (*many, *rows.entry_points(engine), *entry_points(engine))
    ]
