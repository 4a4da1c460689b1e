"""OpenSpiel's own tests on our games; its bots at our tables, and ours in its tournaments."""

from __future__ import annotations

import unittest

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

from registan.bots import find_bot
from registan.core.box import find_box
from registan.core.match import Match
from registan.core.registry import find, keys
from registan.envs.openspiel import OurBot, SpielBot

GAMES = [(key, players) for key in keys() for players in (find(key).players[0], find(key).players[-1])]


def load(key: str, players: int) -> pyspiel.Game:
    return pyspiel.load_game(f"registan_{key}(players={players},deals=50)")


@pytest.mark.parametrize(("key", "players"), GAMES)
def test_random_simulations_with_serialisation(key: str, players: int) -> None:
    pyspiel.random_sim_test(load(key, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("key", keys())
def test_openspiel_accepts_the_api(key: str) -> None:
    game = load(key, find(key).usual)
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": key})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.errors + result.failures


def middle(key: str, players: int, moves: int = 25) -> pyspiel.State:
    """Return a state some moves after the deal."""
    state, rng = load(key, players).new_initial_state(), np.random.default_rng(1)
    state.apply_action(3)
    for _ in range(moves):
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(("key", "players"), GAMES)
def test_states_are_copied_serialised_and_resampled(key: str, players: int) -> None:
    state = middle(key, players)
    game = state.get_game()
    twin = state.clone()
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(twin) == str(read) == str(state)
    twin.apply_action(twin.legal_actions()[0])
    assert str(twin) != str(state)
    luck = np.random.default_rng(2)
    others = [state.resample_from_infostate(0, luck.random) for _ in range(10)]
    for other in others:
        assert other.information_state_string(0) == state.information_state_string(0)
        assert other.observation_tensor(0) == state.observation_tensor(0)
    assert len({str(other) for other in others}) > 1


@pytest.mark.parametrize(("key", "players"), GAMES)
def test_states_played_in_turn_keep_their_own_legal_actions(key: str, players: int) -> None:
    one, rng = middle(key, players), np.random.default_rng(4)
    other = one.clone()
    for _ in range(30):
        for state in (one, other):
            seat, legal = state.current_player(), state.legal_actions()
            assert legal == state._legal_actions(seat) == state.legal_actions(seat)
            assert legal == pyspiel.State.legal_actions(state)
            assert sum(state.legal_actions_mask()) == len(legal)
            state.apply_action(legal[int(rng.random() * len(legal))])
            state.legal_actions().clear()
    assert str(one) != str(other)


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("number", [-2, 5, 10**12])
def test_an_action_that_is_not_legal_is_refused_and_changes_nothing(key: str, number: int) -> None:
    state = middle(key, find(key).usual)
    illegal = next(n for n in range(number, number + 10**4) if n != -1 and n not in state.legal_actions())
    before, history = str(state), state.history()
    with pytest.raises(ValueError, match=f"action {illegal} is not legal"):
        state.apply_action(illegal)
    assert str(state) == before
    assert state.history() == history


def test_actions_have_names() -> None:
    state = load("khiva", 3).new_initial_state()
    assert state.action_to_string(-1, 3) == "deal 3"
    state.apply_action(3)
    assert state.action_to_string(0, state.legal_actions()[0]).startswith("choose")


def test_ours_play_in_its_tournaments() -> None:
    game = load("souk", 3)
    bots = [OurBot("greedy", 0), OurBot("random", 1), UniformRandomBot(2, np.random.RandomState(1))]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
    assert abs(sum(returns)) < 1e-6


def test_its_bots_sit_at_our_tables() -> None:
    def make(game: pyspiel.Game, seat: int, rng: np.random.RandomState) -> ISMCTSBot:
        return ISMCTSBot(game, RandomRolloutEvaluator(1, rng), 2.0, 8, random_state=rng)

    game = find("khiva")
    match = Match(game, find_box(game), 3, compiled=True).deal()
    theirs, ours, rng = SpielBot("ismcts:8", make), find_bot("greedy"), np.ones(4, np.uint64)
    for _ in range(24):
        seat = match.waiting[0]
        bot = theirs if seat == 0 else ours
        match.play_action(seat, bot.choose(match.engine, match.hidden(seat), seat, rng))
    assert match.moves_played == 24
