"""Gymnasium: one seat against bots, and thousands of games at once."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from registan import envs
from registan.core.errors import BadInput
from registan.core.registry import find, keys

GAMES = [(key, players) for key in keys() for players in find(key).players]


@pytest.mark.parametrize(("key", "players"), GAMES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_accepts_every_game_and_count(key: str, players: int) -> None:
    check_env(envs.SeatEnv(key, players, opponents="random"), skip_render_check=True)


@pytest.mark.parametrize("key", keys())
def test_a_seat_plays_to_the_end_against_chosen_bots(key: str) -> None:
    env = envs.SeatEnv(key, 3, opponents=["greedy", "random"], seat=1)
    rng, total = np.random.default_rng(1), 0.0
    observation, info = env.reset(seed=4)
    over = False
    while not over:
        assert info["seat"] == 1
        assert observation["observation"][0] == 1, "the seat is asked"
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, _, info = env.step(action)
        total += float(reward)
    assert -0.5 <= total <= 1
    with pytest.raises(BadInput, match="over"):
        env.step(0)


def test_an_illegal_action_ends_the_game() -> None:
    env = envs.SeatEnv("khiva", 3)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(3)
    assert (reward, terminated, info["illegal_action"]) == (-1.0, True, 3)


def test_wrong_opponents_and_seats_are_refused() -> None:
    with pytest.raises(BadInput, match="2 opponents"):
        envs.SeatEnv("khiva", 3, opponents=["greedy"])
    with pytest.raises(BadInput, match="no seat"):
        envs.SeatEnv("khiva", 3, seat=3)
    with pytest.raises(BadInput, match="no bot"):
        envs.SeatEnv("khiva", 3, opponents="nobody")


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("opponents", [None, "greedy"])
def test_vectors_keep_to_their_spaces_and_end_games(key: str, opponents: str | None) -> None:
    env = envs.VectorEnv(key, 3, 32, opponents=opponents, copy=True)
    observations, infos = env.reset(seed=1)
    ended = 0
    for step in range(500):
        if step % 50 == 0:
            assert observations in env.observation_space
        observations, rewards, terminations, truncations, infos = env.step(env.sample())
        ended += int(terminations.sum())
        assert not truncations.any()
        assert (rewards[~terminations] == 0).all()
        assert np.array_equal(observations["action_mask"], infos["action_mask"])
        assert (observations["action_mask"].sum(axis=1) > 0).all()
    assert ended


def test_vectors_are_repeatable_and_show_their_arrays_without_copying() -> None:
    one, two = envs.VectorEnv("souk", 3, 8), envs.VectorEnv("souk", 3, 8)
    (first, _), (again, _) = one.reset(seed=5), two.reset(seed=5)
    assert np.array_equal(first["observation"], again["observation"])
    assert first["observation"] is one.batch.observations
    two.reset(seed=6)
    assert not np.array_equal(first["observation"], again["observation"])
