"""Registan and OpenSpiel in one run on one machine: random decisions per second.

OpenSpiel is installed for this only (`make bench`). Its card games `hearts` and `spades` are C++; here they are driven
from Python, as most people do, and `spades` also by OpenSpiel's C++ rollouts.
"""

from __future__ import annotations

import json
import random
import time

import pyspiel

from registan.cli.bench import measure
from registan.core.box import find_box
from registan.core.registry import find

SECONDS = 2.0


def driven_from_python(name: str) -> float:
    """Return the decisions per second of random play from Python."""
    game = pyspiel.load_game(name)
    rng = random.Random(1)
    decisions, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return decisions / (time.perf_counter() - start)


def rolled_out_in_cpp(name: str, rollouts: int = 20_000) -> float:
    """Return the decisions per second of OpenSpiel's random rollouts, all in one step of its C++ search."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 2, 10, False, 1, False)
    start = time.perf_counter()
    bot.step(state)
    return 2 * rollouts * int(game.max_game_length()) / (time.perf_counter() - start)


def main() -> None:
    """Print one JSON line per game, and the ratios."""
    game = find("khiva")
    ours = measure(game, find_box(game), players=4, threads=1, seconds=SECONDS)["decisions_per_s"]
    peers = {f"{name} from Python": driven_from_python(name) for name in ("hearts", "spades")}
    peers["spades in C++"] = rolled_out_in_cpp("spades")
    print(json.dumps({"what": "registan khiva, 4 players, one thread", "decisions_per_s": ours}))
    for name, speed in peers.items():
        print(
            json.dumps({"what": f"OpenSpiel {name}", "decisions_per_s": round(speed), "ours": round(ours / speed, 2)})
        )


if __name__ == "__main__":
    main()
