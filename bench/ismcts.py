"""Our search against OpenSpiel's ISMCTS, with the same rules: two players, every deal from both sides.

    python bench/ismcts.py                                  # Khiva: 200 simulations per move, then equal time
    python bench/ismcts.py --game samarkand --games 40 --simulations 200 --seconds 0.2

OpenSpiel's C++ bots do not run on games written in Python, so its Python bot plays: UCT with random rollouts, on
`registan.envs.openspiel`. What it may know comes from `hide`, what it samples from `guess`.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from registan.bots.search_bot import SearchBot
from registan.core import chance, rows
from registan.core.game import Ints
from registan.envs.openspiel import SpielGame, SpielState, registered
from registan.lab.estimates import share

PLAYERS = 2
UCT_C = 2.0
"""For results from -1 to 1."""


class Theirs:
    """OpenSpiel's bot, with a number of simulations, or as many as fit into a time."""

    def __init__(self, game: SpielGame, simulations: int | None, seconds: float | None, seed: int) -> None:
        rng = np.random.RandomState(seed)
        self.seconds, self.speed = seconds, 50.0
        evaluator = RandomRolloutEvaluator(1, rng)
        self.bot = ISMCTSBot(game, evaluator, UCT_C, simulations or 2, random_state=rng)
        self.bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
        self.took, self.moves = 0.0, 0

    def choose(self, position: SpielState) -> int:
        """Return its action; its time is counted if there was a choice."""
        if self.seconds is not None:
            self.bot._max_simulations = max(2, round(self.speed * self.seconds))  # the first only makes the root
        start = time.perf_counter()
        action = int(self.bot.step(position))
        took = time.perf_counter() - start
        if len(position.legal_actions()) > 1:
            self.speed = self.bot._max_simulations / took
            self.took, self.moves = self.took + took, self.moves + 1
        return action


class Ours:
    """Our search, with a number of simulations or a time."""

    def __init__(self, game: SpielGame, simulations: int | None, seconds: float | None) -> None:
        self.shared = game.shared
        self.bot = SearchBot(simulations=simulations, seconds=seconds)
        self.took, self.moves = 0.0, 0

    def choose(self, position: SpielState, seat: int, rng: Ints) -> int:
        """Return its action."""
        start = time.perf_counter()
        hidden = self.shared.hidden(position.data, seat)
        opinions = self.bot.think(self.shared.engine, hidden, seat, rng)
        if len(opinions) > 1:
            self.took, self.moves = self.took + time.perf_counter() - start, self.moves + 1
        return int(self.shared.engine.run(rows.to_number, hidden, seat, opinions[0].action))


def meet(key: str, games: int, simulations: int | None, seconds: float | None, seed: int = 1) -> dict[str, Any]:
    """Let both play every deal from both sides; return our share of wins with its interval."""
    game = registered[key]({"players": PLAYERS, "seed": seed})
    rng = np.zeros(chance.WORDS, np.uint64)
    ours = Ours(game, simulations, seconds)
    theirs = Theirs(game, simulations, seconds, seed)
    first = game.dealt(0)
    shared = game.shared
    ours.bot.think(shared.engine, shared.hidden(first.data, 0), 0, rng)  # compiles
    won = np.zeros((-(-games // PLAYERS), PLAYERS))
    for deal, seat in np.ndindex(*won.shape):
        chance.seed(rng, seed, 2 * deal + 1)
        position = game.dealt(deal)
        while not position.is_terminal():
            actor = position.current_player()
            action = ours.choose(position, actor, rng) if actor == seat else theirs.choose(position)
            position.apply_action(action)
        won[deal, seat] = (1 + position.returns()[seat]) / 2
    return {
        "game": key,
        "each": f"{simulations} simulations" if simulations else f"{seconds} s",
        "games": won.size,
        "ours_wins": share(won.mean(axis=1)).written(),
        "ours_s_per_move": round(ours.took / max(1, ours.moves), 4),
        "theirs_s_per_move": round(theirs.took / max(1, theirs.moves), 4),
        "theirs_simulations_per_s": round(theirs.speed),
    }


def main() -> None:
    """Print one JSON line for the same number of simulations, and one for the same time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="khiva", choices=["khiva", "samarkand"])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.2)
    args = parser.parse_args()
    print(json.dumps(meet(args.game, args.games, args.simulations, None)), flush=True)
    print(json.dumps(meet(args.game, args.games, None, args.seconds)), flush=True)


if __name__ == "__main__":
    main()
