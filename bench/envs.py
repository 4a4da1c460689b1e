"""Our environments beside PGX, PettingZoo and OpenSpiel, in one run on one core: random steps per second.

    python -m bench.envs                # everything
    python -m bench.envs vector aec     # some of it: vector, aec, pgx, classic, openspiel

A step of the vector environment is a decision with the next observation and mask, the choice of a random legal action
included; for PGX likewise, compiled by JAX with the best of several batch sizes. A game is compared with the one of PGX
that is most like it in size: nearest in the logarithms of the numbers of an observation and of actions. Figures are per
second of processor time, as other programs may run beside.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np
import open_spiel.python.games  # registers them
import pyspiel

import registan.envs.openspiel
from registan import envs
from registan.core.observation import layout_of, numbers_of
from registan.core.registry import find, keys

SECONDS = 2.0
ROWS = (64, 256, 1024, 4096)
"""Batch sizes; the best one counts, ours and theirs."""
PGX = (
    *("2048", "animal_shogi", "backgammon", "chess", "connect_four", "gardner_chess", "go_9x9", "go_19x19", "hex"),
    *("othello", "shogi", "sparrow_mahjong"),
)
"""The board and card games of PGX; `bridge_bidding` needs a table from the network, and the rest is far smaller."""
CLASSIC = ("connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "chess_v6")
PYTHON_GAMES = ("python_kuhn_poker", "python_liars_poker", "python_tic_tac_toe", "python_block_dominoes")

assert registan.envs.openspiel.registered
assert open_spiel.python.games


def speed(some: Callable[[], int]) -> float:
    """Return how many steps a second of processor time a function makes that returns how many it made."""
    some()
    steps, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        steps += some()
    return steps / (time.process_time() - start)


def vector(key: str, players: int, rows: int) -> float:
    """Return the speed of our vector environment."""
    env = envs.VectorEnv(key, players, rows)
    env.reset(seed=1)

    def some() -> int:
        for _ in range(10):
            env.step(env.sample())
        return 10 * rows

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
    """Return the speed of an OpenSpiel game written in Python, played at random."""
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


def size(key: str, players: int) -> tuple[int, int]:
    """Return how many numbers an observation of ours has, and how many actions there are."""
    return layout_of(find(key), players).size, numbers_of(find(key), players)


def pgx_sizes() -> dict[str, tuple[int, int]]:
    """Return the same for the games of PGX."""
    import pgx

    made = {name: pgx.make(name) for name in PGX}
    return {name: (math.prod(env.observation_shape), env.num_actions) for name, env in made.items()}


def most_like(ours: tuple[int, int], sizes: dict[str, tuple[int, int]]) -> str:
    """Return the game that is most like ours in size."""
    return min(sizes, key=lambda name: math.dist(*([math.log2(n) for n in s] for s in (ours, sizes[name]))))


def show(what: str, steps: float, **more: Any) -> None:
    """Print a line of JSON."""
    print(json.dumps({"what": what, "steps_per_s": round(steps), **more}), flush=True)


def main(parts: list[str]) -> None:
    """Print one JSON line for each figure; the last ones are ratios."""
    wanted = parts or ["vector", "aec", "pgx", "classic", "openspiel"]
    counts = [(key, players) for key in keys() for players in find(key).players]
    ours: dict[tuple[str, int], float] = {}
    if "vector" in wanted:
        for key, players in counts:
            ours[key, players] = max(vector(key, players, rows) for rows in ROWS)
            show(f"vector environment, {key}, {players} players", ours[key, players], size=size(key, players))
    if "aec" in wanted:
        for key in keys():
            show(f"AEC, {key}", aec(envs.AECEnv(key)))
    if "pgx" in wanted:
        beside_pgx(counts, ours)
    if "classic" in wanted:
        classic = {name: aec(import_module(f"pettingzoo.classic.{name}").env()) for name in CLASSIC}
        for name, steps in classic.items():
            show(f"PettingZoo {name}", steps)
        if ours:
            ratio("slowest vector environment, times PettingZoo's best", min(ours.values()), max(classic.values()))
    if "openspiel" in wanted:
        games = {f"registan_{key}": spiel(f"registan_{key}") for key in keys()}
        python = {name: spiel(name) for name in PYTHON_GAMES}
        for name, steps in (games | python).items():
            show(f"OpenSpiel {name}", steps)
        for name, steps in python.items():
            ratio(f"slowest OpenSpiel adapter, times {name}", min(games.values()), steps)


def beside_pgx(counts: list[tuple[str, int]], ours: dict[tuple[str, int], float]) -> None:
    """Print the speed of the games of PGX that are most like ours, and how many times faster ours are."""
    sizes = pgx_sizes()
    like = {game: most_like(size(*game), sizes) for game in counts}
    peers = {}
    for name in sorted(set(like.values())):
        peers[name] = max(pgx_speed(name, rows) for rows in ROWS)
        show(f"PGX {name}, best batch size", peers[name], size=sizes[name])
    for (key, players), steps in ours.items():
        peer = like[key, players]
        ratio(f"{key}, {players} players, times PGX {peer}", steps, peers[peer])


def ratio(what: str, ours: float, theirs: float) -> None:
    """Print how many times faster ours is."""
    print(json.dumps({"what": what, "times": round(ours / theirs, 1)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
