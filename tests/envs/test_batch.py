"""`registan.Batch`: many games in one array."""

from __future__ import annotations

import numpy as np
import pytest

import registan
from registan.core.chance import LabStream
from registan.core.errors import BadInput
from registan.core.match import Match
from registan.core.registry import find, keys
from registan_well import GAME as WELL

GAMES = [(key, players) for key in keys() for players in find(key).players]


def play(batch: registan.Batch, steps: int) -> None:
    for _ in range(steps):
        batch.step(batch.pick())


@pytest.mark.parametrize(("key", "players"), GAMES)
def test_rows_play_the_games_of_their_seeds_whatever_is_beside_them(key: str, players: int) -> None:
    together = registan.Batch(key, players, 9, seed=5, threads=2)
    alone = registan.Batch(key, players, 1, seed=8)
    for _ in range(400):
        actions, mine = together.pick(), alone.pick()
        assert mine[0] == actions[3]
        together.step(actions)
        alone.step(mine)
        assert together.states[3].tobytes() == alone.states[0].tobytes()
        for several, one in zip(together.rows, alone.rows):
            assert np.array_equal(several[3], one[0])
    assert (together.rows.games > 0).any() or key == "souk"


@pytest.mark.parametrize(("key", "players"), GAMES)
@pytest.mark.parametrize("auto_reset", [True, False])
def test_what_a_step_leaves_of_an_observation_is_what_a_fresh_look_shows(
    key: str, players: int, auto_reset: bool
) -> None:
    """Thousands of observations, over the ends of games, of seats that follow each other, and after resets."""
    games = registan.Batch(key, players, 12, seed=21, auto_reset=auto_reset)
    for step in range(260):
        fresh = [games.observe(seat)[0] for seat in range(players)]
        for row, seat in enumerate(games.seats):
            expected = fresh[seat][row] if seat >= 0 else np.zeros(games.layout.size)
            assert np.array_equal(games.observations[row], expected)
        games.step(games.pick())
        if step % 80 == 79:
            games.reset(where=np.arange(12) % 3 == 0)
    assert (games.rows.games > 0).any()


def test_observations_are_for_reading() -> None:
    games = registan.Batch("souk", 3, 2)
    for one in (games, games.copy()):
        with pytest.raises(ValueError, match="read-only"):
            one.observations[0, 0] = 1
    twin = games.copy()
    play(twin, 9)
    assert not np.array_equal(twin.observations, games.observations)


@pytest.mark.parametrize("key", keys())
def test_a_row_is_a_match_with_the_same_chance(key: str) -> None:
    game = find(key)
    batch = registan.Batch(key, game.usual, 1, seed=11, auto_reset=False)
    match = Match(game, batch.box, game.usual, stream=LabStream(11, 0)).deal()
    while not match.over:
        assert match.state.tobytes() == batch.states[0].tobytes()
        number = int(batch.pick()[0])
        seat = int(batch.seats[0])
        assert seat == match.waiting[0]
        match.play_action(seat, match.actions(seat)[batch.legal(0).tolist().index(number)])
        batch.step(np.array([number]))
    assert batch.over[0]
    assert batch.seats[0] == -1
    assert batch.points[0].tolist() == [score["total"] for score in match.scores()]
    assert np.flatnonzero(batch.winners()[0]).tolist() == match.winners()
    assert batch.scores()[0, :, 0].tolist() == batch.points[0].tolist()


def test_rewards_add_up_to_nothing_and_a_win_alone_is_one() -> None:
    batch, ended = registan.Batch("khiva", 3, 64, seed=1), 0
    for _ in range(600):
        batch.step(batch.pick())
        assert (batch.rewards[~batch.over] == 0).all()
        for rewards in batch.rewards[batch.over]:
            ended += 1
            assert abs(rewards.sum()) < 1e-6
            assert rewards.max() <= 1
            assert rewards.max() == 1 or (rewards == rewards.max()).sum() > 1
    assert ended > 20


def test_without_auto_reset_rows_wait_until_they_are_reset() -> None:
    batch = registan.Batch("souk", 3, 4, seed=2, auto_reset=False)
    while (batch.seats >= 0).all():
        batch.step(batch.pick())
    over = batch.seats < 0
    kept = batch.states[over].tobytes()
    play(batch, 3)
    assert batch.states[over].tobytes() == kept
    for ignored in (-1, -2, 10**6):
        batch.step(np.where(batch.seats < 0, ignored, batch.pick()))
    assert batch.states[over].tobytes() == kept
    batch.reset(where=over)
    assert (batch.seats[over] >= 0).all()
    assert batch.rows.games[over].tolist() == [1] * int(over.sum())


def test_the_same_seeds_give_the_same_games_and_others_do_not() -> None:
    one, two = registan.Batch("souk", 4, 3, seed=3), registan.Batch("souk", 4, 3, seed=99)
    assert one.states.tobytes() != two.states.tobytes()
    two.reset([3, 4, 5])
    assert one.states.tobytes() == two.states.tobytes()
    twin = one.copy()
    play(one, 50)
    play(twin, 50)
    assert one.states.tobytes() == twin.states.tobytes()
    one.reset()
    assert one.states.tobytes() != twin.states.tobytes()


def test_arrays_stay_the_same_objects() -> None:
    batch = registan.Batch("khiva", 2, 2)
    before = [id(array) for array in batch.rows]
    play(batch, 5)
    batch.reset(7)
    assert [id(array) for array in batch.rows] == before


def test_bots_play_the_other_seats_and_the_caller_sits_elsewhere_in_each_row() -> None:
    batch = registan.Batch("khiva", 3, 6, bots=[None, "greedy", "random"], rotate=True)
    for _ in range(100):
        assert batch.seats.tolist() == [0, 1, 2, 0, 1, 2]
        batch.step(batch.pick())


def test_a_game_without_an_observation_of_its_own_gets_its_fields() -> None:
    batch = registan.Batch(WELL, 3, 5, seed=1)
    play(batch, 20)
    hand = batch.layout.block(batch.observations, "hand")
    assert hand.shape == (5, 3, 6)
    assert (hand[:, 0].sum(axis=1) > 0).all(), "the seat sees its own hand"
    assert (hand[:, 1:] == 0).all(), "and no other"
    assert (batch.layout.block(batch.observations, "asked") == 1).all()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: registan.Batch("khiva", 6, 1), "2 to 5"),
        (lambda: registan.Batch("khiva", 3, 0), "at least one row"),
        (lambda: registan.Batch("khiva", 3, 1, bots=["greedy"]), "3 entries"),
        (lambda: registan.Batch("khiva", 3, 1, bots=["master", None, None]), "no bot"),
        (lambda: registan.Batch("khiva", 3, 1, bots=["greedy"] * 3), "you play"),
        (lambda: registan.Batch("khiva", 3, 1, options={"carpets": "blue"}), "carpets"),
        (lambda: registan.Batch("khiva", 3, 2).step([1]), "each of the 2 rows"),
        (lambda: registan.Batch("khiva", 3, 2).step([0.5, 0.5]), "type float64"),
        (lambda: registan.Batch("khiva", 3, 2).step([3, 3]), "Row 0: action 3 is not legal for seat 0"),
        (lambda: registan.Batch("khiva", 3, 2).step([10**6, 3]), "action 1000000 is not legal"),
        (lambda: registan.Batch("khiva", 3, 2).observe(3), "no seat 3"),
        (lambda: registan.Batch("khiva", 3, 2).reset([1]), "has 2 rows"),
    ],
)
def test_errors_say_what_is_wrong(wrong: object, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        wrong()  # type: ignore[operator]


def test_an_illegal_action_changes_nothing_in_any_row() -> None:
    batch = registan.Batch("khiva", 3, 2, seed=4)
    before, actions = batch.states.tobytes(), batch.pick()
    actions[1] = 0
    with pytest.raises(BadInput):
        batch.step(actions)
    assert batch.states.tobytes() == before
