"""How far our judgements can be trusted: mistakes and puzzles, judged again by a search of many times the length.

The second judgement draws other random numbers, and knows nothing of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import numpy as np

from registan.advice.judge import Judge
from registan.advice.puzzles.puzzle import Posed, position
from registan.advice.review import MISTAKE, SIMULATIONS, Review
from registan.advice.steps import Steps
from registan.bots import find_bot
from registan.core import chance
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.game import Game, Json
from registan.core.registry import find

TIMES = 20
"""How many times as long the second search is."""
PLAYERS = (4, 3, 4, 5, 3, 2)
"""Numbers of players in the games whose mistakes are judged, by turns; a game skips those that it does not have."""
BOTS = ("novice@1", "greedy", "merchant@1")
"""They play those games: careless, at a glance, and well."""


def confirm_puzzle(posed: Posed, seed: int, times: int = TIMES) -> bool:
    """Whether a longer search finds the solution of a puzzle, too; it draws other random numbers with another seed."""
    puzzle, match = posed.puzzle, position(posed, find)
    hidden = match.hidden(puzzle.seat)
    judge = Judge(match.engine, times * puzzle.simulations, salt=b"confirm %d " % seed)
    action = match.engine.legal(hidden, puzzle.seat)[judge.best(hidden, puzzle.seat)]
    return match.game.moves.write(match.box, hidden[0], puzzle.seat, action) == puzzle.best


def confirm_mistakes(game: Game, number: int, seed: int, times: int = TIMES) -> Iterator[Json]:
    """Yield the mistakes that the review finds in one game of bots, each with what it costs in a longer search.

    A mistake is confirmed if the longer search, too, knows a better move: its cost is at least half of what makes a
    mistake, and the 95 % interval does not reach zero.
    """
    match = bots_game(game, number, seed)
    review = Review(match, SIMULATIONS)
    judge = Judge(review.engine, times * review.judge.simulations, salt=b"confirm ")
    for row, hidden, played in review.mistakes():
        seat = row["seat"]
        best = judge.best(hidden, seat)
        with_best, with_played = (judge.prospect(hidden, seat, only).chance(seat) for only in (best, played))
        cost = (with_best - with_played).written()
        confirmed = cost["value"] >= MISTAKE / 2 and cost["low"] > 0
        told = {name: row[name] for name in ("line", "seat", "played", "best", "cost")}
        yield {"game": number, **told, "again": cost, "ok": confirmed}


def bots_game(game: Game, number: int, seed: int) -> Steps:
    """Return a finished game between bots of several levels; the same number and seed give the same game."""
    sizes = [players for players in PLAYERS if players in game.players] or list(game.players)
    players = sizes[number % len(sizes)]
    bots = [find_bot(name) for name in islice(cycle(BOTS), number, number + players)]
    match = Steps(game, find_box(game), players, stream=chance.Stream.from_seed(seed * 1_000_003 + number))
    match.deal()
    engine, rng = Engine(game, match.box, compiled=True), np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, seed, number)
    while not match.over:
        seat = match.waiting[0]
        hidden: Any = match.hidden(seat)
        match.play_action(seat, bots[seat].choose(engine, hidden, seat, rng))
    return match
