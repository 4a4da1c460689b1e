"""A run in chunks that any worker can play: their results and, if wanted, records and decisions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from registan.core import batch
from registan.core.engine import use_compiled
from registan.core.match import Match
from registan.core.record import dumps
from registan.lab.run import Run
from registan.lab.simulate import CHUNK, Results, one, outcome, play
from registan.lab.trace import trace_games
from registan.lab.workers import HERE, in_order, run_tasks

STEP_BY_STEP = 10
"""Games in a chunk when compiled bots play move by move."""
TRACED = 100
"""Games in a chunk whose decisions are kept: each state takes memory."""
FAR = 8
"""Games of thinking bots in a chunk for another machine; on this machine a chunk is one game."""

DECISION = {"game": int, "number": int, "seat": int, "action": int, "move": str, "legal": int}
"""The columns of a decision: the game's number, the decision's number in it, the seat, the action's number, the move
as JSON, and how many moves were legal."""


@dataclass
class Chunk:
    """The outcome of a chunk."""

    results: Results
    records: list[bytes] = field(default_factory=list)
    decisions: list[tuple[Any, ...]] = field(default_factory=list)


def play_chunk(run: Run, threads: int = 1) -> Chunk:
    """Play the games of a run and keep what it asks for."""
    use_compiled(run.game)
    if not run.move_by_move:
        return Chunk(play(run, threads))
    if run.compiled and not run.record:
        results = play(run)
        return Chunk(results, decisions=list(decision_rows(run, results)))
    matches: list[Match] = []
    records: list[bytes] = []
    decisions: list[tuple[Any, ...]] = []
    for number in run.numbers:

        def watch(match: Match, seat: int, action: int, number: int = number) -> None:
            move = json.dumps(run.game.moves.write(run.box, match.state, seat, action), ensure_ascii=False)
            legal = len(match.actions(seat))
            decisions.append((number, match.moves_played, seat, action, move, legal))

        match = one(run, number, watch=watch if run.decisions else None)
        matches.append(match)
        if run.record:
            extra: dict[str, Any] = {"seed": run.seed, "number": number, "bots": list(run.names)}
            records.append(dumps(match.record(run.legal, run.states, **extra)) + b"\n")
    return Chunk(outcome(run, matches), records, decisions)


def decision_rows(run: Run, results: Results) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of all decisions of games whose results are known, played again in compiled code."""
    before = np.zeros(int(results.decisions.sum()), run.game.rules.STATE)
    states = batch.blank(run.game, run.games, run.players, dict(run.options), run.first_seat)
    trace, _ = trace_games(run, states, results.decisions, before=before)
    write, texts = run.game.moves.write, dict[bytes, str]()
    games = (trace.games + run.first).tolist()
    numbers = (np.arange(len(before)) - trace.starts[trace.games]).tolist()
    for i, row in enumerate(zip(games, numbers, trace.seats.tolist(), trace.actions.tolist(), trace.choices.tolist())):
        game, number, seat, action, legal = row
        move = write(run.box, before[i], seat, action)
        key = dumps(move)
        text = texts.get(key)
        if text is None:
            text = texts[key] = json.dumps(move, ensure_ascii=False)
        yield game, number, seat, action, text, legal


def play_chunks(run: Run, workers: int = 1, on: str = HERE) -> Iterator[Chunk]:
    """Play all games of a run in chunks, and yield their outcomes in order."""
    size = FAR if on != HERE else 1
    threads = 1
    if run.compiled or (run.nets is not None and not run.move_by_move):
        size = CHUNK if not run.move_by_move else STEP_BY_STEP if run.record else TRACED
        if size == CHUNK and on == HERE:
            threads, workers = workers, 1  # compiled games release the GIL, and threads start at once
    yield from in_order(run_tasks(partial(play_chunk, threads=threads), run.split(size), workers, on))
