"""Our environments beside PGX, PettingZoo and OpenSpiel, in one run on one core: random steps per second.

    python -m bench.envs

A step of the vector environment is a decision with the next observation and mask, the choice of a random legal action
included; for PGX likewise, compiled by JAX with the best of several batch sizes. Figures are per second of processor
time, as other programs may run beside.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np
import pyspiel

import registan.envs.openspiel
from registan import envs
from registan.core.registry import find, keys

SECONDS = 3.0
ROWS = 1024
LIKE = ("hex", "animal_shogi", "go_9x9", "gardner_chess")
"""Games of PGX whose observations and actions are as many as ours."""
CLASSIC = ("connect_four_v3", "gin_rummy_v4", "texas_holdem_v4", "chess_v6")
PYTHON_GAMES = ("python_kuhn_poker", "python_liars_poker", "python_tic_tac_toe", "python_block_dominoes")

assert registan.envs.openspiel.registered


def speed(some: Callable[[], int]) -> float:
    """Return how many steps a second of processor time a function makes that returns how many it made."""
    some()
    steps, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        steps += some()
    return steps / (time.process_time() - start)


def vector(key: str, players: int) -> float:
    """Return the speed of our vector environment."""
    env = envs.VectorEnv(key, players, ROWS)
    env.reset(seed=1)

    def some() -> int:
        for _ in range(10):
            env.step(env.sample())
        return 10 * ROWS

    return speed(some)


def aec(env: Any) -> float:
    """Return the speed of a PettingZoo environment with masks, played at random."""
    rng = np.random.default_rng(1)

    def turns() -> Iterator[None]:
        while True:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
                legal = mask.nonzero()[0]
                env.step(int(legal[int(rng.random() * len(legal))]))
                yield

    each = turns()

    def some() -> int:
        for _ in range(50):
            next(each)
        return 50

    return speed(some)


def spiel(name: str) -> float:
    """Return the speed of an OpenSpiel game written in Python, played at random with observations."""
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(1)

    def some() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal() and steps < 500:
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                steps += 1
        return steps

    return speed(some)


def pgx_speed(name: str, rows: int, inner: int = 50) -> float:
    """Return the speed of a PGX game, with auto-reset, played at random inside one compiled function."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(carry: Any, _: Any) -> Any:
        state, key = carry
        key, mine, other = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(mine, logits, axis=-1)
        state = step(state, action, jax.random.split(other, rows))
        return (state, key), (state.observation.sum(), state.rewards.sum())

    play = jax.jit(lambda carry: jax.lax.scan(turn, carry, None, length=inner))
    carry = (jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), rows)), jax.random.PRNGKey(1))

    def some() -> int:
        nonlocal carry
        carry, seen = play(carry)
        jax.block_until_ready(seen)
        return rows * inner

    return speed(some)


def show(what: str, steps: float, **more: Any) -> None:
    """Print a line of JSON."""
    print(json.dumps({"what": what, "steps_per_s": round(steps), **more}), flush=True)


def main() -> None:
    """Print one JSON line for each figure; the last ones are ratios."""
    ours: dict[str, float] = {}
    for key in keys():
        for players in find(key).players:
            ours[f"{key} {players}"] = vector(key, players)
            show(f"vector environment, {key}, {players} players", ours[f"{key} {players}"])
    for key in keys():
        show(f"AEC, {key}", aec(envs.AECEnv(key)))
    peers = {}
    for name in LIKE:
        peers[name] = max(pgx_speed(name, rows) for rows in (64, 256, 1024))
        show(f"PGX {name}, best batch size", peers[name])
    classic = {name: aec(import_module(f"pettingzoo.classic.{name}").env()) for name in CLASSIC}
    for name, steps in classic.items():
        show(f"PettingZoo {name}", steps)
    games = {f"registan_{key}": spiel(f"registan_{key}") for key in keys()}
    python = {name: spiel(name) for name in PYTHON_GAMES}
    for name, steps in (games | python).items():
        show(f"OpenSpiel {name}", steps)
    slowest = min(ours.values())
    print(
        json.dumps(
            {
                "slowest vector environment": round(slowest),
                "times PGX's best": round(slowest / max(peers.values()), 1),
                "times PettingZoo's best classic": round(slowest / max(classic.values()), 1),
                "OpenSpiel adapter, times OpenSpiel's Python games": {
                    name: round(min(games.values()) / steps, 2) for name, steps in python.items()
                },
            }
        )
    )


if __name__ == "__main__":
    main()
