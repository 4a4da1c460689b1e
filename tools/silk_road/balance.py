"""Measure whether a board is fair: let bots play it many times and count.

    python -m tools.silk_road.balance                                # the Silk Road, 20,000 games of four greedy bots
    python -m tools.silk_road.balance my-board.toml --players 3 --json
    python -m tools.silk_road.balance --bots search:200 --games 200  # slower, and better play

Greedy and random bots play compiled, thousands of games per second. Every figure has its 95 % interval; those of ratios
come from resampling the games (bootstrap).
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import numpy as np

from registan.core.game import Ints
from registan.games.samarkand import GAME
from registan.games.samarkand.balance import TURNS, measure
from registan.games.samarkand.lab import KINDS
from registan.lab.run import Run, make_run
from registan.lab.sample import play_sample
from registan.lab.trace import kind_table


def play(run: Run) -> tuple[Any, Ints]:
    """Play the games of a run; return how each ended, and how many turns it had."""
    sample = play_sample(run)
    trace = sample.trace
    kinds = kind_table(GAME, run.players)[trace.actions]
    acts = np.isin(kinds, [KINDS.index(name) for name in ("marry", "place", "pass")])
    second = trace.offered >> KINDS.index("end") & 1  # another camel in the same turn
    return sample.states, np.bincount(trace.games, acts & (second == 0), run.games).astype(np.int64)


def table(figures: dict[str, Any]) -> str:
    """Return the figures as text."""

    def share(value: list[float]) -> str:
        return f"{100 * value[0]:.1f} ± {100 * value[1]:.1f} %"

    lines = [f"{figures['games']} games, {figures['players']} players"]
    lines.append("scores  " + "  ".join(f"{mean:.1f} ± {off:.1f}" for mean, off in figures["scores"]))
    lines.append("of it   " + "  ".join(f"{name} {mean:.1f}" for name, (mean, _) in figures["parts"].items()))
    lines.append(
        "ends    " + "  ".join(f"{name.replace('_', ' ')} {share(value)}" for name, value in figures["ends"].items())
    )
    mean, off = figures["turns"]
    low, high = figures["turns_95"]
    lines.append(
        f"turns   {mean:.1f} ± {off:.1f}, most games {low:.0f} to {high:.0f}; "
        f"{TURNS[0]} to {TURNS[1]} in {share(figures['turns_in_range'])}"
    )
    lines.append("tiles   {:.2f} ± {:.2f} a player".format(*figures["tiles_each"]))
    lines.append(f"{'family':<10} {'dowry':>5} {'married into':>15} {'tiles':>6} {'P(win | tile)':>14} {'ratio':>13}")
    for key, family in figures["families"].items():
        ratio, off = family["ratio"]
        lines.append(
            f"{key:<10} {family['dowry']:>5} {share(family['married']):>15} {family['tiles'][0]:>6.2f} "
            f"{100 * family['wins']:>12.1f} % {ratio:>6.2f} ± {off:.2f}"
        )
    return "\n".join(lines)


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("board", nargs="?", help="the key of a board or a board file (silk-road)")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--players", type=int, default=4, choices=GAME.players)
    parser.add_argument("--bots", default="greedy", help="who sits in every seat: greedy, random, search:200")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    bots = [options.bots] * options.players
    run = make_run(GAME.key, options.players, bots, options.games, options.seed, options.board)
    figures = measure(run.box, *play(run), options.seed)
    print(json.dumps(figures, indent=2) if options.json else table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
