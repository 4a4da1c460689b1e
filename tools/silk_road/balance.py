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

from registan.bots import find_bot
from registan.bots.bot import Bot
from registan.core import batch, chance, rules
from registan.core.box import find_box
from registan.core.compiled import compiled
from registan.core.engine import Engine, use_compiled
from registan.core.game import Box, Ints, Record
from registan.core.match import Match
from registan.games.samarkand import GAME
from registan.games.samarkand.balance import TURNS, measure
from registan.games.samarkand.state import TURN


@compiled
def play(boxes: Record, states: Record, seed: int, most: int, greedy: bool, turns: Ints) -> None:
    """Set up and play every game of an array to its end, all seats greedy or all at random, and count the turns."""
    box = boxes[0]
    rng = np.zeros(chance.WORDS, np.uint64)
    actions = np.zeros(most, np.int32)
    worth = np.zeros(most, np.float64)
    for i in range(len(states)):
        s = states[i]
        chance.seed(s.rng, seed, 2 * i)
        chance.seed(rng, seed, 2 * i + 1)
        rules.setup(box, s)
        while s.over == 0:
            seat = rules.next_seat(s)
            turns[i] += s.phase == TURN
            action = rules.best(box, s, seat, rng, actions, worth) if greedy else rules.pick(box, s, seat, rng, actions)
            rules.apply(box, s, seat, action)


def play_slowly(box: Box, bot: Bot, states: Any, seed: int, turns: Ints) -> None:
    """Play an array of games with any bot, which sees only what its seat may see."""
    use_compiled(GAME)
    players = int(states[0]["players"])
    rng = np.zeros(chance.WORDS, np.uint64)
    for i in range(len(states)):
        match = Match(GAME, box, players, {}, chance.LabStream(seed, i)).deal()
        chance.seed(rng, seed, 2 * i + 1)
        while not match.over:
            seat = match.waiting[0]
            turns[i] += match.state.phase == TURN
            match.play_action(seat, bot.choose(match.engine, match.hidden(seat), seat, rng))
        states[i] = match.state
        print(f"\r{i + 1} of {len(states)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


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
    box = find_box(GAME, options.board)
    bot = find_bot(options.bots)
    states = batch.blank(GAME, options.games, options.players)
    turns = np.zeros(options.games, np.int64)
    if bot.name in ("greedy", "random"):
        engine = Engine(GAME, box, compiled=True)
        engine.run(play, states, options.seed, GAME.rules.MOST, bot.name == "greedy", turns)
    else:
        play_slowly(box, bot, states, options.seed, turns)
    figures = measure(box, states, turns, options.seed)
    print(json.dumps(figures, indent=2) if options.json else table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
