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
from registan.games.samarkand.state import ALL_PASSED, ALL_TRADE, FAMILIES, FIVE_PARTNERS, TURN

SURE = 1.96
"""Standard errors on both sides of a 95 % interval."""
RESAMPLES = 400
TURNS = (25, 60)
"""How many turns a game at a table should have."""


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


def spread_of(values: Any) -> list[float]:
    """Return the mean of values and half of its 95 % interval."""
    return [float(np.mean(values)), float(SURE * np.std(values) / len(values) ** 0.5)]


def measure(box: Box, states: Any, turns: Ints, seed: int) -> dict[str, Any]:
    """Return the figures of finished games, each a mean and half of its 95 % interval."""
    players = int(states[0]["players"])
    scores, winners = batch.results(GAME, box, states)
    won = (winners[:, None] >> np.arange(players)) & 1
    won = won / won.sum(axis=1, keepdims=True)
    held = ((states["tiles"][:, :players, None] >> np.arange(FAMILIES)) & 1).astype(np.float64)
    ratio, off, chance_to_win = tile_ratios(won, held, seed)
    families = {
        family.key: {
            "dowry": family.dowry,
            "married": spread_of(held[:, :, f].any(axis=1)),
            "tiles": spread_of(held[:, :, f].sum(axis=1)),
            "wins": float(chance_to_win[f]),
            "ratio": [float(ratio[f]), float(off[f])],
        }
        for f, family in enumerate(box.names.board.families)
    }
    places = -np.sort(-scores[:, :players, 0], axis=1)
    over = states["over"]
    ends = {"every family trades": ALL_TRADE, "five partners": FIVE_PARTNERS, "all passed": ALL_PASSED}
    return {
        "players": players,
        "games": len(states),
        "scores": [spread_of(places[:, rank]) for rank in range(players)],
        "parts": {
            name: spread_of(scores[:, :players, part].mean(axis=1))
            for part, name in enumerate(GAME.rules.SCORES)
            if part
        },
        "ends": {name: spread_of((over & bit) != 0) for name, bit in ends.items()},
        "turns": spread_of(turns),
        "turns_95": [float(np.percentile(turns, 2.5)), float(np.percentile(turns, 97.5))],
        "turns_in_range": spread_of((turns >= TURNS[0]) & (turns <= TURNS[1])),
        "tiles_each": spread_of(held.sum(axis=2).mean(axis=1)),
        "families": families,
    }


def tile_ratios(won: Any, held: Any, seed: int) -> tuple[Any, Any, Any]:
    """Return P(win | tile) divided by its mean over all families, half of its 95 % interval, and P(win | tile)."""
    wins = np.einsum("gs,gsf->gf", won, held)
    tiles = held.sum(axis=1)

    def ratios(weights: Any) -> tuple[Any, Any]:
        chances = (weights @ wins) / np.maximum(weights @ tiles, 1e-9)
        return chances, chances / chances.mean(axis=-1, keepdims=True)

    chances, ratio = ratios(np.ones((1, len(won))))
    dice = np.random.default_rng(seed)
    again = [dice.multinomial(len(won), np.full(len(won), 1 / len(won))) for _ in range(RESAMPLES)]
    off = SURE * np.std([ratios(weights[None, :])[1][0] for weights in again], axis=0)
    return ratio[0], off, chances[0]


def table(figures: dict[str, Any]) -> str:
    """Return the figures as text."""

    def share(value: list[float]) -> str:
        return f"{100 * value[0]:.1f} ± {100 * value[1]:.1f} %"

    lines = [f"{figures['games']} games, {figures['players']} players"]
    lines.append("scores  " + "  ".join(f"{mean:.1f} ± {off:.1f}" for mean, off in figures["scores"]))
    lines.append("of it   " + "  ".join(f"{name} {mean:.1f}" for name, (mean, _) in figures["parts"].items()))
    lines.append("ends    " + "  ".join(f"{name} {share(value)}" for name, value in figures["ends"].items()))
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
