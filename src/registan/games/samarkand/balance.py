"""Samarkand: whether a board is fair, from many finished games on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.core import batch
from registan.core.game import Box, Ints, Record
from registan.games.samarkand import GAME
from registan.games.samarkand.state import ALL_PASSED, ALL_TRADE, FAMILIES, FIVE_PARTNERS, TURN

SURE = 1.96
"""Standard errors on both sides of a 95 % interval."""
RESAMPLES = 400
TURNS = (25, 60)
"""How many turns a game at a table should have."""


def is_turn(s: Record) -> bool:
    """Whether the decision that is due begins a turn: these are counted."""
    return int(s.phase) == TURN


def spread_of(values: Any) -> list[float]:
    """Return the mean of values and half of its 95 % interval."""
    return [float(np.mean(values)), float(SURE * np.std(values) / len(values) ** 0.5)]


def measure(box: Box, states: Any, turns: Ints, seed: int = 0) -> dict[str, Any]:
    """Return the figures of finished games and their turns, each a mean and half of its 95 % interval."""
    players = int(states[0]["players"])
    scores, winners = batch.results(GAME, box, states)
    won = (winners[:, None] >> np.arange(players)) & 1
    won = won / won.sum(axis=1, keepdims=True)
    held = ((states["tiles"][:, :players, None] >> np.arange(FAMILIES)) & 1).astype(np.float64)
    ratio, off, chance_to_win = tile_ratios(won, held, seed)
    families = {
        family.key: {
            "dowry": family.dowry,
            "married": spread_of(held[:, :, f].any(axis=1)),
            "tiles": spread_of(held[:, :, f].sum(axis=1)),
            "wins": float(chance_to_win[f]),
            "ratio": [float(ratio[f]), float(off[f])],
        }
        for f, family in enumerate(box.names.board.families)
    }
    places = -np.sort(-scores[:, :players, 0], axis=1)
    over = states["over"]
    ends = {"all_trade": ALL_TRADE, "five_partners": FIVE_PARTNERS, "all_passed": ALL_PASSED}
    return {
        "players": players,
        "games": len(states),
        "scores": [spread_of(places[:, rank]) for rank in range(players)],
        "parts": {
            name: spread_of(scores[:, :players, part].mean(axis=1))
            for part, name in enumerate(GAME.rules.SCORES)
            if part
        },
        "ends": {name: spread_of((over & bit) != 0) for name, bit in ends.items()},
        "turns": spread_of(turns),
        "turns_95": [float(np.percentile(turns, 2.5)), float(np.percentile(turns, 97.5))],
        "turns_in_range": spread_of((turns >= TURNS[0]) & (turns <= TURNS[1])),
        "tiles_each": spread_of(held.sum(axis=2).mean(axis=1)),
        "families": families,
    }


def tile_ratios(won: Any, held: Any, seed: int) -> tuple[Any, Any, Any]:
    """Return P(win | tile) divided by its mean over all families, half of its 95 % interval, and P(win | tile)."""
    wins = np.einsum("gs,gsf->gf", won, held)
    tiles = held.sum(axis=1)

    def ratios(weights: Any) -> tuple[Any, Any]:
        chances = (weights @ wins) / np.maximum(weights @ tiles, 1e-9)
        return chances, chances / chances.mean(axis=-1, keepdims=True)

    chances, ratio = ratios(np.ones((1, len(won))))
    dice = np.random.default_rng(seed)
    again = [dice.multinomial(len(won), np.full(len(won), 1 / len(won))) for _ in range(RESAMPLES)]
    off = SURE * np.std([ratios(weights[None, :])[1][0] for weights in again], axis=0)
    return ratio[0], off, chances[0]
