"""The course of games: leads, comebacks, forced decisions, king-making, from traces made by hand and played."""

from __future__ import annotations

import numpy as np
import pytest

from registan.core.match import Match
from registan.core.registry import find, keys
from registan.lab.course import course_of, uses_of
from registan.lab.kingmaking import PLAYOUTS, judged
from registan.lab.run import make_run
from registan.lab.sample import play_sample
from registan.lab.simulate import Results, one
from registan.lab.trace import Trace, Tracer, kind_names, kind_table


def results(scores: list[list[int]], winners: list[int], decisions: list[int]) -> Results:
    parts = np.array(scores)
    return Results(np.array(decisions), np.ones(len(scores)), parts, np.array(winners), parts[:, :, None])


def trace(*games: list[tuple[int, int, int, list[int]]]) -> Trace:
    """A trace of games as rows of seat, choices, leaders and points; the action is its number in the game."""
    rows = [row for game in games for row in game]
    starts = np.cumsum([0, *(len(game) for game in games)])[:-1]
    actions = np.array([k for game in games for k in range(len(game))])
    points = np.array([[*row[3], 0, 0, 0] for row in rows])
    seats, choices, leaders = (np.array([row[i] for row in rows]) for i in range(3))
    return Trace(starts, seats, actions, choices, np.full(len(rows), 3), leaders, points)


def test_leads_comebacks_and_forced_decisions() -> None:
    lost = [(0, 3, 1, [2, 0]), (1, 1, 3, [2, 2]), (0, 4, 1, [5, 2]), (1, 2, 2, [5, 9])]
    sure = [(0, 1, 1, [1, 0]), (0, 1, 1, [4, 0])]
    course = course_of(trace(lost, sure), results([[5, 9], [4, 0]], [2, 1], [4, 2]))
    assert course.lead_changes.tolist() == [1, 0]  # the tie in between counts for nothing
    assert course.decided.tolist() == [0.75, 0]
    assert course.comeback.tolist() == [0, 0]  # at half-time they were equal
    assert course.deficit.tolist() == [3, 0]
    assert course.choices.tolist() == [2.5, 1]
    assert course.forced.tolist() == [0.25, 1]
    assert course.turns.tolist() == [4, 1]


def test_how_kinds_of_moves_are_used() -> None:
    game = [(0, 3, 1, [2, 0]), (1, 1, 3, [2, 2]), (0, 4, 1, [5, 2]), (1, 2, 2, [5, 9])]
    first, second = uses_of(trace(game), results([[5, 9]], [2], [4]), np.array([0, 1, 1, 0]), 2)
    assert [use.used.tolist() for use in (first, second)] == [[2], [2]]
    assert [use.gained.tolist() for use in (first, second)] == [[7], [5]]  # nothing is known before the first move
    assert [use.won.tolist() for use in (first, second)] == [[1], [1]]
    assert first.free.tolist() == first.offered.tolist() == [4]


def test_who_makes_kings() -> None:
    wins = np.zeros((3, 8, 5), int)
    wins[0, 0, 1], wins[0, 1, 2] = PLAYOUTS, PLAYOUTS  # seat 0 never wins and chooses between the others
    wins[1, 0, 0], wins[1, 1, 2] = 1, PLAYOUTS  # seat 0 could win
    wins[2, :2, 1] = PLAYOUTS  # its choice changes nothing
    found = judged(wins, np.array([2, 2, 2]), np.array([0, 0, 0]))
    assert found.hopeless.tolist() == [1, 0, 1]
    assert found.makes.tolist() == [True, False, False]


@pytest.mark.parametrize("key", keys())
def test_games_move_by_move_have_the_same_trace_as_compiled_ones(key: str) -> None:
    players = find(key).players[0]
    run = make_run(key, players, ["random"] * players, 2, seed=5)
    sample = play_sample(run)
    again = []
    for number in run.numbers:
        tracer = Tracer(run)

        def watch(match: Match, seat: int, action: int, tracer: Tracer = tracer) -> None:
            tracer.after(match)
            tracer.before(match, seat, action)

        tracer.after(one(run, number, watch=watch))
        again.append(tracer.trace())
    for name in ("seats", "actions", "choices", "offered", "leaders", "points"):
        both = np.concatenate([getattr(t, name) for t in again])
        assert np.array_equal(getattr(sample.trace, name), both), name
    assert sample.trace.lengths.tolist() == sample.results.decisions.tolist()
    last = sample.trace.starts + sample.trace.lengths - 1
    assert sample.trace.leaders[last].tolist() == sample.results.winners.tolist()
    # Every action is of a kind that the game names, and every kind that was used was offered.
    used = kind_table(run.game, players)[sample.trace.actions]
    assert used.max() < len(kind_names(run.game))
    assert (sample.trace.offered >> used & 1).all()
