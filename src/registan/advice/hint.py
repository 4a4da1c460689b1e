"""A hint: the best moves of a seat, with their chance to win and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registan.advice.why import reasons
from registan.bots.search_bot import Opinion
from registan.core.engine import Engine
from registan.core.game import Json

BEST, GUIDED = 3, 5
"""So many moves are named, and so many by the guide."""


def best_moves(engine: Engine, hidden: Any, seat: int, opinions: Sequence[Opinion], most: int = BEST) -> list[Json]:
    """Return the best moves from what the search thinks of all, the best first.

    `wins` and `margin` are None if there was no choice, and `sure` is half the 95 % interval of `wins`.
    """
    players = int(hidden["players"][0])
    rows: list[Json] = []
    for place, opinion in enumerate(opinions[:most]):
        known = opinion.sure is not None
        rows.append(
            {
                "move": engine.game.moves.write(engine.box, hidden[0], seat, opinion.action),
                "wins": round(opinion.wins, 4) if known else None,
                "sure": round(opinion.sure, 4) if opinion.sure is not None else None,
                "margin": round(opinion.margin, 2) if known else None,
                "simulations": opinion.visits,
                "why": reasons(engine, players, seat, opinions, place),
            }
        )
    return rows
