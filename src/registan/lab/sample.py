"""Games of which more is kept than the result: the last state, the course, and what the game's `lab.py` counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from registan.core import batch, rules
from registan.core.engine import use_compiled
from registan.core.game import SEATS, Ints
from registan.core.match import Match
from registan.lab.compiled_bots import play_bots
from registan.lab.run import Run
from registan.lab.simulate import Results, joined, one, results
from registan.lab.trace import Trace, Tracer, joined_traces, trace_games
from registan.lab.workers import in_order, run_tasks

CHUNK = 1000
"""Games in a task for compiled bots; thinking bots play one game in each."""


@dataclass
class Sample:
    """The outcome of such games."""

    results: Results
    states: Any
    tally: Ints  # [game, seat, column]; `lab.py` of a game says what the columns are
    trace: Trace


def play_sample(run: Run, threads: int = 1) -> Sample:
    """Play the games of a run; keep their last states and tallies."""
    use_compiled(run.game)
    n = run.games
    tally = np.zeros((n, SEATS, getattr(run.game.part("lab"), "WIDTH", 0)), np.int32)
    states = batch.blank(run.game, n, run.players, dict(run.options), run.first_seat)
    numbers = np.array(run.numbers)
    if run.compiled:
        names = [run.names] * n
        again = states.copy()
        decisions = play_bots(run.game, run.box, states, names, run.seed, numbers, numbers, threads, tally)
        trace, _ = trace_games(run, again, decisions, threads)
    else:
        decisions = np.zeros(n, np.int64)
        traces = []
        for i, number in enumerate(run.numbers):
            tracer = Tracer(run)
            match = _noted(run, number, tally[i], tracer)
            states[i], decisions[i] = match.state, match.moves_played
            traces.append(tracer.trace())
        trace = joined_traces(traces)
    return Sample(results(run.game, run.box, states, decisions), states, tally, trace)


def _noted(run: Run, number: int, tally: Ints, tracer: Tracer) -> Match:
    """Play a game move by move and note the effect of each move before the next one."""
    last: list[tuple[Any, int]] = []

    def watch(match: Match, seat: int, action: int) -> None:
        _look_back(run, match, last, tally)
        tracer.after(match)
        last.append((match.state.copy(), seat))
        tracer.before(match, seat, action)

    match = one(run, number, watch=watch)
    _look_back(run, match, last, tally)
    tracer.after(match)
    return match


def _look_back(run: Run, match: Match, last: list[tuple[Any, int]], tally: Ints) -> None:
    """Note the effect of the last decision, if there was one."""
    if last:
        before, seat = last.pop()
        rules.note(run.box.record, match.state, before, seat, tally)


def take_sample(run: Run, workers: int, progress: Callable[[int], None] = lambda n: None) -> tuple[Sample | None, bool]:
    """Play all games of a run in chunks; return the outcome, and whether Ctrl-C stopped it before the end."""
    size, threads, processes = (CHUNK, workers, 1) if run.compiled else (1, 1, workers)
    samples: list[Sample] = []
    stopped = False
    try:
        for sample in in_order(run_tasks(partial(play_sample, threads=threads), run.split(size), processes)):
            samples.append(sample)
            progress(len(sample.results))
    except KeyboardInterrupt:
        stopped = True
    if not samples:
        return None, stopped
    whole = joined([sample.results for sample in samples])
    states, tally = (np.concatenate([getattr(s, name) for s in samples]) for name in ("states", "tally"))
    return Sample(whole, states, tally, joined_traces([sample.trace for sample in samples])), stopped
