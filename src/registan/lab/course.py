"""What designers ask about the course of games, as one number per game, from their traces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from registan.core.game import Ints
from registan.lab.simulate import Results
from registan.lab.trace import Trace


@dataclass(frozen=True)
class Course:
    """The course of games, one value per game. Who is ahead is who would win if the game ended there."""

    turns: Ints
    """How often the right to decide passes from one seat to another."""
    lead_changes: Ints
    """How often somebody takes the sole lead from another who had it alone."""
    decided: Ints
    """When the lead changes for the last time, as a share of the game: afterwards the winners are always ahead."""
    comeback: Ints
    """1 if no winner was ahead after half of the decisions."""
    deficit: Ints
    """The most points by which a winner was ever behind."""
    choices: Ints
    """How many moves there were to choose from, by decision."""
    forced: Ints
    """The share of decisions with a single legal move."""


def course_of(trace: Trace, results: Results) -> Course:
    """Return the course of games from their traces and results."""
    n, games, lengths, starts = len(trace.starts), trace.games, trace.lengths, trace.starts
    at = np.arange(len(games)) - starts[games]
    same = games[1:] == games[:-1]
    turns = 1 + np.bincount(games[1:][same & (trace.seats[1:] != trace.seats[:-1])], minlength=n)
    alone = np.flatnonzero(trace.leaders & (trace.leaders - 1) == 0)
    changed = (games[alone][1:] == games[alone][:-1]) & (trace.leaders[alone][1:] != trace.leaders[alone][:-1])
    final = results.winners[games]
    undecided = np.maximum.reduceat(np.where(trace.leaders != final, at + 1, 0), starts)
    half = starts + (lengths - 1) // 2
    players = results.scores.shape[1]
    won = (final[:, None] >> np.arange(players)) & 1
    points = trace.points[:, :players]
    behind = (points.max(axis=1, keepdims=True) - points) * won
    return Course(
        turns=turns,
        lead_changes=np.bincount(games[alone][1:][changed], minlength=n),
        decided=undecided / lengths,
        comeback=(trace.leaders[half] & results.winners == 0).astype(float),
        deficit=np.maximum.reduceat(behind.max(axis=1), starts),
        choices=np.add.reduceat(trace.choices, starts) / lengths,
        forced=np.add.reduceat(trace.choices == 1, starts) / lengths,
    )


@dataclass(frozen=True)
class Use:
    """How often one kind of move is used, by game."""

    used: Ints
    offered: Ints
    """Decisions in which such a move was legal."""
    free: Ints
    """Decisions in which such a move was legal, and others too."""
    chosen: Ints
    """How often it was used then."""
    gained: Ints
    """Points that these moves brought at once to those who made them."""
    won: Ints
    """Moves of this kind made by winners; a shared win counts in part."""


def uses_of(trace: Trace, results: Results, table: Ints, kinds: int) -> list[Use]:
    """Return how each kind of move is used; `table` has the kind of each action."""
    n, games = len(trace.starts), trace.games
    who = np.arange(len(games)), trace.seats
    earlier = np.zeros_like(trace.points)
    earlier[1:] = trace.points[:-1]
    earlier[trace.starts] = 0
    gain = trace.points[who] - earlier[who]
    # Before the first decision nobody has been scored, so what it brought is not known.
    gain[trace.starts] = 0
    kind = table[trace.actions]
    shares = results.shares()[games, trace.seats]

    def total(here: Ints, values: Ints | None = None) -> Ints:
        return np.bincount(games[here], None if values is None else values[here], minlength=n)

    found = []
    for k in range(kinds):
        used, offered = kind == k, (trace.offered >> k & 1).astype(bool)
        free = offered & (trace.offered != 1 << k)
        found.append(
            Use(total(used), total(offered), total(free), total(used & free), total(used, gain), total(used, shares))
        )
    return found
