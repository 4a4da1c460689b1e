"""A hint: the best moves of a seat, with their chance to win and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from registan.advice.figures import WIDTH
from registan.advice.why import reasons, tell_why, than
from registan.bots.eyes import eye_of
from registan.bots.search import EDGE
from registan.bots.search_bot import (
    Grown,
    Opinion,
    SearchBot,
    Thought,
    Tuning,
    basis,
    edges_for,
    run_simulations,
    tuning_of,
)
from registan.core import chance
from registan.core.engine import Engine
from registan.core.game import Box, Game, Ints, Json
from registan.core.messages import number, say

BEST, GUIDED = 3, 5
"""So many moves are named, and so many by the guide."""


def advise(bot: SearchBot, engine: Engine, hidden: Any, seat: int, rng: Ints, most: int = BEST) -> list[Json]:
    """Return the best moves of a seat, the best first; it takes twice as long as the bot thinks.

    The bot finds them. Then each is tried equally often, in a tree of its own: none has an advantage from having been
    picked, and a chance that is shown below another is not the larger one.
    """
    opinions = bot.think(engine, hidden, seat, rng)
    if len(opinions) > 1:
        tuning = bot.tuning or tuning_of(engine.game)
        simulations = sum(one.visits for one in opinions)
        picked = _tried_equally(engine, hidden, seat, rng, tuning, opinions[:most], simulations)
        opinions = [*picked, *opinions[most:]]
    return best_moves(engine, hidden, seat, opinions, most)


def _tried_equally(
    engine: Engine,
    hidden: Any,
    seat: int,
    rng: Ints,
    tuning: Tuning,
    picked: Sequence[Opinion],
    simulations: int,
) -> list[Opinion]:
    """Return opinions that share so many simulations, the best chance to win first, then the largest lead.

    Every simulation is played to the end, also where a net may judge: chances, leads and reasons are of whole games.
    """
    engine, legal = Engine(engine.game, engine.box, compiled=True), engine.legal(hidden, seat)
    now, each = Thought.begun(engine, hidden, seat), simulations // len(picked)
    tune = replace(tuning, trust=0.0).record()
    eye = eye_of(engine.game, tuning.tuned)
    words = np.zeros(chance.WORDS, np.uint64)
    found = []
    for opinion in picked:
        chance.seed(words, int(chance.draw(rng)), 0)
        row, grown = legal.index(opinion.action), Grown.blank(engine, len(legal), explain=True)
        run_simulations(engine, now, np.zeros(edges_for(each), EDGE), words, tune, each, grown, row, eye=eye)
        based = basis([grown], row, each)
        wins = float(based["outlook"].means[seat, 0])
        rounded = (wins * each + 2) / (each + 4)  # Agresti and Coull: who never won may still win
        sure = WIDTH * math.sqrt(rounded * (1 - rounded) / (each + 4))
        margin = grown.root[row, 3] / max(1, each)
        found.append(Opinion(opinion.action, each, wins, float(margin), sure, **based))
    return sorted(found, key=lambda one: (-round(one.wins, 2), -one.margin))


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
    wins, sure = number(lang, 100 * row["wins"], 0), number(lang, max(1, 100 * row["sure"]), 0)
    return say(lang, "hint.odds", wins=wins, sure=sure, margin=number(lang, row["margin"]))


def tell_reasons(game: Game, box: Box, row: Json, place: int, lang: str, who: Callable[[int], str]) -> str:
    """Return why the move in that place (of `best_moves`) is good, as sentences; `who` names seats."""
    return tell_why(game, box, row["why"], than(place), lang, who)
