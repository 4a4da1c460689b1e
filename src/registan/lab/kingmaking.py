"""King-making: somebody who cannot win any more decides who does.

One decision in the last quarter of each game is looked at again. Each of its moves (at most `MOVES` of them, evenly
spread) is played out `PLAYOUTS` times by greedy bots, each time with the same chance for all moves. The decision makes
a king if the player who decides never wins, whatever it chooses, but the best move for some rival wins that rival at
least `SWING` more of the playouts than the worst one. With two players there is nobody to choose between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from registan.core import batch, rules
from registan.core import chance as dice
from registan.core.compiled import compiled
from registan.core.engine import Engine, use_compiled
from registan.core.game import SEATS, Ints, Record
from registan.lab.run import Run
from registan.lab.trace import Trace, trace_games

GAMES = 400
"""So many games are looked at; a report on fewer games looks at fewer."""
MOVES, PLAYOUTS, SWING = 8, 10, 0.5
LAST = 0.75
"""Where the last quarter of a game begins."""


@dataclass(frozen=True)
class KingMaking:
    """What came of one late decision in each game."""

    hopeless: Ints
    """1 if the player who decided could not win."""
    swing: Ints
    """How much the choice moved the chance of some rival: the best of its moves against the worst."""

    @property
    def makes(self) -> Ints:
        """1 if the decision made a king."""
        return (self.hopeless > 0) & (self.swing >= SWING)


@compiled
def _play_on(
    boxes: Record, states: Record, scratch: Record, seed: int, playouts: int, moves: int, most: int, wins: Ints,
    counts: Ints,
) -> None:  # fmt: skip
    """Play out the moves of each state with greedy bots; count wins by state, move and seat, and moves by state."""
    box = boxes[0]
    rng = np.zeros(4, np.uint64)
    legal = np.zeros(most, np.int32)
    buffer = np.zeros(most, np.int32)
    worth = np.zeros(most, np.float64)
    for i in range(len(states)):
        decider = rules.next_seat(states[i])
        n = rules.legal(box, states[i], decider, legal)
        counts[i] = min(n, moves)
        for m in range(counts[i]):
            action = int(legal[m * n // counts[i]])
            for r in range(playouts):
                scratch[0] = states[i]
                s = scratch[0]
                dice.seed(s.rng, seed, 2 * (i * playouts + r))
                dice.seed(rng, seed, 2 * (i * playouts + r) + 1)
                rules.apply(box, s, decider, action)
                while s.over == 0:
                    seat = rules.next_seat(s)
                    rules.apply(box, s, seat, rules.best(box, s, seat, rng, buffer, worth))
                won = rules.winners(box, s)
                for seat in range(s.players):
                    wins[i, m, seat] += (won >> seat) & 1


def king_making(run: Run, trace: Trace) -> KingMaking | None:
    """Look for king-making in the first games of a run of compiled bots, given its trace; None if there can be none."""
    if run.players < 3 or not run.compiled:
        return None
    use_compiled(run.game)
    n = min(GAMES, len(trace.starts))
    some = replace(run, games=n)
    lengths = trace.lengths[:n]
    drawn = np.random.default_rng(run.seed).random(n)
    stops = np.minimum((lengths * (LAST + (1 - LAST) * drawn)).astype(np.int64), lengths - 1)
    states = batch.blank(run.game, n, run.players, dict(run.options), run.first_seat)
    _, moments = trace_games(some, states, lengths, stops=stops)
    wins = np.zeros((n, MOVES, SEATS), np.int64)
    counts = np.zeros(n, np.int64)
    engine = Engine(run.game, run.box, compiled=True)
    scratch = moments[:1].copy()
    engine.run(_play_on, moments, scratch, run.seed, PLAYOUTS, MOVES, run.game.rules.MOST, wins, counts)
    return judged(wins, counts, trace.seats[trace.starts[:n] + stops])


def judged(wins: Ints, counts: Ints, seats: Ints) -> KingMaking:
    """Return what playouts say of decisions: wins by decision, move and seat; how many moves; and who decided."""
    rows = np.arange(len(wins))
    hopeless = wins[rows, :, seats].sum(axis=1) == 0
    missing = np.arange(wins.shape[1])[None, :, None] >= counts[:, None, None]
    best = np.where(missing, 0, wins).max(axis=1)
    worst = np.where(missing, PLAYOUTS, wins).min(axis=1)
    swings = best - worst
    swings[rows, seats] = 0
    return KingMaking(hopeless.astype(float), swings.max(axis=1) / PLAYOUTS)
