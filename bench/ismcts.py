"""Our search against OpenSpiel's ISMCTS, with the same rules: two players, every deal from both sides.

    python bench/ismcts.py                                  # Khiva: 200 simulations per move, then equal time
    python bench/ismcts.py --game samarkand --games 40 --simulations 200 --seconds 0.2

OpenSpiel's C++ bots do not run on games written in Python, so its Python bot plays: UCT with random rollouts, on a
game that wraps our compiled rules. What it may know comes from `hide`, what it samples from `guess`.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from registan.bots.search_bot import SearchBot
from registan.core import batch, chance
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.game import Game, Ints
from registan.core.registry import find
from registan.lab.estimates import share

PLAYERS = 2
UCT_C = 2.0
"""For results from -1 to 1."""


def describe(game: Game) -> tuple[Any, Any]:
    """Return OpenSpiel's description of a game. Chance happens inside our rules, so it only sees samples."""
    kind = pyspiel.GameType(
        short_name=f"registan_{game.key}",
        long_name=game.name["en"],
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,  # simultaneous decisions are made in turn, sealed
        chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=PLAYERS,
        min_num_players=PLAYERS,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=game.rules.actions(PLAYERS),
        max_chance_outcomes=0,
        num_players=PLAYERS,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=10_000,
    )
    return kind, info


class Adapter(pyspiel.Game):  # type: ignore[misc]
    """An OpenSpiel game that wraps one of ours."""

    def __init__(self, game: Game) -> None:
        kind, info = describe(game)
        super().__init__(kind, info, {})
        self.game, self.engine = game, Engine(game, find_box(game), compiled=True)
        self.rng = np.zeros(chance.WORDS, np.uint64)

    def new_initial_state(self) -> Position:
        """Return a blank state, to be set up by `dealt`."""
        return Position(self, batch.blank(self.game, 1, PLAYERS))

    def dealt(self, seed: int, deal: int) -> Position:
        """Return the start of a deal."""
        position = self.new_initial_state()
        chance.seed(position.states[0].rng, seed, 2 * deal)
        self.engine.setup(position.states)
        return position

    def hidden(self, position: Position, seat: int) -> Any:
        """Return a state as a seat may know it."""
        states = position.states.copy()
        self.engine.hide(states, seat)
        return states

    def imagine(self, position: Position, seat: int) -> Position:
        """Return a random state consistent with what the seat knows."""
        states = self.hidden(position, seat)
        self.engine.guess(states, seat, self.rng)
        return Position(self, states)


class Position(pyspiel.State):  # type: ignore[misc]
    """A state: one record of ours."""

    def __init__(self, adapter: Adapter, states: Any) -> None:
        super().__init__(adapter)
        self.adapter, self.states = adapter, states

    def clone(self) -> Position:
        """Return a copy."""
        return Position(self.adapter, self.states.copy())

    def current_player(self) -> int:
        """Return the lowest seat to move."""
        s = self.states[0]
        if s.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return (int(s.waiting) & -int(s.waiting)).bit_length() - 1

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.states[0].over)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of the seat to move."""
        return self._legal_actions(self.current_player() if player is None else player)

    def _legal_actions(self, player: int) -> list[int]:
        return self.adapter.engine.legal(self.states, player)

    def apply_action(self, action: int) -> None:
        """Play an action and the chance events that follow."""
        self._apply_action(action)

    def _apply_action(self, action: int) -> None:
        self.adapter.engine.apply(self.states, self.current_player(), int(action))

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a seat knows."""
        seat = self.current_player() if player is None else player
        return str(self.adapter.hidden(self, seat).tobytes())

    def returns(self) -> list[float]:
        """Return 1 for a win, -1 for a loss, 0 for a shared win."""
        who = int(self.adapter.engine.winners(self.states)[0]) if self.is_terminal() else 3
        return [float((who & 1) - (who >> 1)), float((who >> 1) - (who & 1))]

    def __str__(self) -> str:
        return str(self.states[0])


class Theirs:
    """OpenSpiel's bot, with a number of simulations, or as many as fit into a time."""

    def __init__(self, adapter: Adapter, simulations: int | None, seconds: float | None, seed: int) -> None:
        rng = np.random.RandomState(seed)
        self.seconds, self.speed = seconds, 50.0
        evaluator = RandomRolloutEvaluator(1, rng)
        self.bot = ISMCTSBot(adapter, evaluator, UCT_C, simulations or 2, random_state=rng)
        self.bot.set_resampler(adapter.imagine)
        self.took, self.moves = 0.0, 0

    def choose(self, position: Position) -> int:
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

    def __init__(self, adapter: Adapter, simulations: int | None, seconds: float | None) -> None:
        self.adapter = adapter
        self.bot = SearchBot(simulations=simulations, seconds=seconds)
        self.took, self.moves = 0.0, 0

    def choose(self, position: Position, seat: int, rng: Ints) -> int:
        """Return its action."""
        start = time.perf_counter()
        opinions = self.bot.think(self.adapter.engine, self.adapter.hidden(position, seat), seat, rng)
        if len(opinions) > 1:
            self.took, self.moves = self.took + time.perf_counter() - start, self.moves + 1
        return opinions[0].action


def meet(key: str, games: int, simulations: int | None, seconds: float | None, seed: int = 1) -> dict[str, Any]:
    """Let both play every deal from both sides; return our share of wins with its interval."""
    adapter = Adapter(find(key))
    chance.seed(adapter.rng, seed, 1)
    rng = np.zeros(chance.WORDS, np.uint64)
    ours = Ours(adapter, simulations, seconds)
    theirs = Theirs(adapter, simulations, seconds, seed)
    ours.bot.think(adapter.engine, adapter.hidden(adapter.dealt(0, 0), 0), 0, rng)  # compiles
    won = np.zeros((-(-games // PLAYERS), PLAYERS))
    for deal, seat in np.ndindex(*won.shape):
        chance.seed(rng, seed, 2 * deal + 1)
        position = adapter.dealt(seed, deal)
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
