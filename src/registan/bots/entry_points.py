"""What tables and their bots call of compiled code, for compiling or loading it in advance."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from registan.bots import LADDER
from registan.bots import policy as policies
from registan.bots.eyes import plain_eye, tuned_eye
from registan.bots.greedy import looks_best
from registan.bots.ladder import level_of
from registan.bots.search import EDGE, at_first, simulate
from registan.bots.search_bot import ANY, NOBODY, Grown, Thought, tuning_of
from registan.core import batch, chance
from registan.core import engine as rules
from registan.core.engine import Engine
from registan.core.game import Box, Game


def entry_points(engine: Engine) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Return every function that a table with bots runs, with arguments of the right types."""
    game = engine.game
    most, parts = game.rules.MOST, len(game.rules.SCORES)
    rng, actions, worth = np.zeros(chance.WORDS, np.uint64), engine.actions(), np.zeros(most)
    worlds = batch.blank(game, 1, game.players[-1])
    nodes = Thought.begun(engine, worlds, 0).nodes
    grown = Grown.blank(engine, 1, False)
    search = (grown.worlds, np.zeros(1, EDGE), rng, tuning_of(game).record(), 1, most, parts, nodes, grown.root)
    policy = policies.load(game, game.players[-1])
    levels = [level_of(game, name) for name in LADDER]
    asked: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []  # before the search, which may want it
    if policy is not None:
        glance, eye, room = policies.glance_of(game), tuned_eye(game), policies.room_for(game, policy)
        if any(level.learned for level in levels):
            asked.append((policies.choice, (0, policy, 1.0, glance, eye, room)))
        if any(level.has_hunches for level in levels):
            asked.append((policies.preferences, (0, policy, glance, eye, room, worth)))
    return [
        *rules.entry_points(engine),
        (looks_best, (0, rng, actions, worth, 0.0, plain_eye(game))),
        (at_first, (0, actions, worth, plain_eye(game))),
        *asked,
        (simulate, (0, *search, -1, ANY, grown.outcomes, grown.replies, *NOBODY, plain_eye(game))),
    ]


def steps(game: Game, box: Box) -> list[Callable[[], object]]:
    """Return what to compile for tables of a game, one call each, so that progress can be shown."""
    engine, states = Engine(game, box), batch.blank(game, 1, game.players[-1])
    return [partial(engine.compile, function, states, *args) for function, args in entry_points(engine)]
