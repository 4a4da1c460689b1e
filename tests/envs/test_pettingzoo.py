"""PettingZoo's own tests, and the laws of our environments."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import parallel_to_aec

from registan import envs
from registan.core import rows
from registan.core.errors import BadInput
from registan.core.registry import find, keys

GAMES = [(key, players) for key in keys() for players in find(key).players]
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # that a space of dictionaries is unusual


@pytest.mark.parametrize(("key", "players"), GAMES)
def test_pettingzoo_accepts_every_game_and_count(key: str, players: int) -> None:
    api_test(envs.AECEnv(key, players), num_cycles=60)
    parallel_api_test(envs.ParallelEnv(key, players), num_cycles=60)
    seed_test(lambda: envs.AECEnv(key, players), num_cycles=60)
    # The next two draw actions without looking at masks.
    parallel_seed_test(lambda: envs.ParallelEnv(key, players, illegal="random"), num_cycles=30)

    def parallel_env(max_cycles: int) -> envs.ParallelEnv:
        return envs.ParallelEnv(key, players, max_cycles=max_cycles, illegal="random")

    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=lambda **how: parallel_to_aec(parallel_env(**how))))


def finish(env: Any, seed: int) -> dict[str, float]:
    """Play a game to its end and return the rewards."""
    env.reset(seed=seed)
    rewards, rng = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return rewards


@pytest.mark.parametrize("key", keys())
def test_a_whole_game_rewards_everybody_once(key: str) -> None:
    env = envs.AECEnv(key)
    rewards = finish(env, 1)
    assert abs(sum(rewards.values())) < 1e-6
    assert max(rewards.values()) > 0 or len(set(rewards.values())) == 1
    with pytest.raises(BadInput, match="call reset"):
        env.step(0)


@pytest.mark.parametrize("key", keys())
def test_a_whole_parallel_game_ends_and_the_idle_are_ignored(key: str) -> None:
    env, rng = envs.ParallelEnv(key), np.random.default_rng(2)
    observations, _ = env.reset(seed=2)
    total = dict.fromkeys(env.possible_agents, 0.0)
    idle = 0
    while env.agents:
        actions = {}
        for agent in env.agents:
            legal = np.flatnonzero(observations[agent]["action_mask"])
            idle += not len(legal)
            actions[agent] = int(rng.choice(legal)) if len(legal) else 0
        observations, rewards, _, _, _ = env.step(actions)
        total = {agent: total[agent] + rewards[agent] for agent in total}
    assert idle
    assert abs(sum(total.values())) < 1e-6


def test_a_secret_question_keeps_nobody_waiting() -> None:
    """S14: while the holder of a card is asked, whoever seems to be next acts in the same step."""
    env, rng, sales = envs.ParallelEnv("samarkand", 3), np.random.default_rng(3), 0
    for seed in range(12):
        observations, _ = env.reset(seed=seed)
        while env.agents:
            asked = [agent for agent in env.agents if observations[agent]["action_mask"].any()]
            actions = {agent: int(rng.choice(np.flatnonzero(observations[agent]["action_mask"]))) for agent in asked}
            holder, expected = env.table.seat, env.table.batch.states.copy()
            in_turn = sorted(asked, key=lambda agent: agent != f"seat_{holder}")
            for agent in in_turn:
                seat, engine = int(agent[-1]), env.table.batch.engine
                engine.apply(expected, seat, int(engine.run(rows.to_action, expected, seat, actions[agent])))
            observations, *_ = env.step(dict.fromkeys(env.agents, 0) | actions)
            sales += len(asked) == 2
            assert env.table.batch.states.tobytes() == expected.tobytes()
    assert sales


def test_illegal_actions_and_unknown_agents_are_refused_clearly() -> None:
    env = envs.AECEnv("khiva", 3)
    env.reset(seed=1)
    with pytest.raises(BadInput, match="Action 3 is not legal for seat 0"):
        env.step(3)
    with pytest.raises(BadInput, match="no agent"):
        env.observe("seat_9")
    with pytest.raises(BadInput, match="render mode"):
        env.render()
    with pytest.raises(BadInput, match="ansi, rgb_array, human"):
        envs.AECEnv("khiva", render_mode="film")
    with pytest.raises(BadInput, match="raise, random"):
        envs.AECEnv("khiva", illegal="ignore")


@pytest.mark.parametrize("key", keys())
def test_tables_are_shown_as_text_and_as_pixels(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = envs.AECEnv(key, render_mode="ansi")
    env.reset(seed=1)
    assert find(key).name["en"] in env.render()
    shown = envs.ParallelEnv(key, render_mode="rgb_array")
    shown.reset(seed=1)
    pixels = shown.render()
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (1000, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = envs.AECEnv(key, render_mode="human")
    window.reset(seed=1)
    window.step(int(np.flatnonzero(window.observe(window.agent_selection)["action_mask"])[0]))
    window.close()
