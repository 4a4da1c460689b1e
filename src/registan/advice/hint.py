"""A hint: the best moves of a seat, with their chance to win and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from registan.advice.why import reasons, tell_why, than
from registan.bots.search_bot import Opinion
from registan.core.engine import Engine
from registan.core.game import Box, Game, Json
from registan.core.messages import number, say

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


def tell_odds(row: Json, lang: str) -> str:
    """Return how often a move (of `best_moves`) wins and by how much, empty if there was no choice."""
    if row["sure"] is None:
        return ""
    wins, sure = (number(lang, 100 * row[name], 0) for name in ("wins", "sure"))
    return say(lang, "hint.odds", wins=wins, sure=sure, margin=number(lang, row["margin"]))


def tell_reasons(game: Game, box: Box, row: Json, place: int, lang: str, who: Callable[[int], str]) -> str:
    """Return why the move in that place (of `best_moves`) is good, as sentences; `who` names seats."""
    return tell_why(game, box, row["why"], than(place), lang, who)
