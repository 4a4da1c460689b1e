"""Every bot plays legal moves, made only from what its seat can see, and the same ones when asked again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan import new
from registan.bots import LADDER, find_bot
from registan.bots.search_bot import SearchBot, Thought
from registan.core import batch, chance
from registan.core.box import find_box
from registan.core.engine import Engine, use_compiled
from registan.core.errors import BadInput
from registan.core.game import Game
from registan.core.registry import find, keys

QUICK = ["random", "greedy", "novice@1", "search:20", "master:20", *LADDER[:-1]]


def rng(number: int) -> Any:
    """Return a random generator."""
    found = np.zeros(chance.WORDS, np.uint64)
    chance.seed(found, number, 0)
    return found


def asked(game: Game, players: int, n: int) -> list[tuple[Any, int]]:
    """Return states of random games, each with a seat to move."""
    states = batch.sample(game, find_box(game), batch.blank(game, n, players), seed=17)
    return [(s, int(s.waiting).bit_length() - 1) for s in states]


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("name", QUICK)
def test_a_bot_moves_legally_by_what_its_seat_sees_alone(key: str, name: str) -> None:
    game = find(key)
    box = find_box(game)
    engine = Engine(game, box, compiled=True)
    for number, (s, seat) in enumerate(asked(game, 3, 12)):
        worlds = np.array([s, s])
        batch.hide(box, worlds, seat)
        hidden = worlds[:1].copy()
        batch.guess(box, worlds[1:], seat, number)
        batch.hide(box, worlds[1:], seat)
        first, second = (find_bot(name).choose(engine, worlds[i : i + 1], seat, rng(number)) for i in range(2))
        assert first == second
        assert engine.breaks(np.array([s]), seat, first) == 0
        assert worlds[:1].tobytes() == hidden.tobytes(), "thinking leaves the table as it is"


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("name", ["greedy", "novice@1"])
def test_a_glance_sees_no_more_in_the_whole_state(key: str, name: str) -> None:
    """In playouts these bots get whole states, for speed: what should be hidden must not matter to them."""
    game = find(key)
    box = find_box(game)
    engine = Engine(game, box, compiled=True)
    for number, (s, seat) in enumerate(asked(game, 3, 200)):
        worlds = np.array([s, s])
        batch.hide(box, worlds[1:], seat)
        first, second = (find_bot(name).choose(engine, worlds[i : i + 1], seat, rng(number)) for i in range(2))
        assert first == second


@pytest.mark.parametrize("key", keys())
def test_a_glance_is_the_same_compiled_and_interpreted(key: str) -> None:
    game = find(key)
    engines = [Engine(game, find_box(game), compiled) for compiled in (False, True)]
    for players in game.players:
        for number, (s, seat) in enumerate(asked(game, players, 40)):
            slow, fast = (find_bot("greedy").choose(engine, np.array([s]), seat, rng(number)) for engine in engines)
            assert slow == fast


@pytest.mark.parametrize("key", keys())
def test_the_search_is_the_same_when_asked_again(key: str) -> None:
    game = find(key)
    box = find_box(game)
    engine = Engine(game, box, compiled=True)
    for number, (s, seat) in enumerate(asked(game, 3, 3)):
        hidden = np.array([s])
        batch.hide(box, hidden, seat)
        bots = [SearchBot(simulations=60, seconds=None) for _ in range(2)]
        thoughts = [bot.think(engine, hidden, seat, rng(number)) for bot in bots]
        assert thoughts[0] == thoughts[1]
        if len(thoughts[0]) > 1:
            assert sum(opinion.visits for opinion in thoughts[0]) <= 60
            assert all(0 <= opinion.wins <= 1 for opinion in thoughts[0])


def test_who_is_asked_twice_in_a_row_goes_on_with_its_tree() -> None:
    use_compiled(find("samarkand"))
    match = new("samarkand", players=3, seed=1)
    bots = [SearchBot(seconds=0.02) for _ in range(match.players)]
    kept = 0
    for number in range(80):  # how soon somebody places two camels depends on how much they see in that time
        if kept or match.over:
            break
        (seat,) = match.waiting
        now = Thought.begun(match.engine, match.hidden(seat), seat)
        expected = bots[seat]._expected
        if expected is not None and expected.same(now):
            bots[seat].seconds = 0.0  # no time to look at anything anew
            kept += sum(opinion.visits for opinion in bots[seat]._think(expected, rng(number)))
            bots[seat].seconds = 0.02
        match.play_action(seat, bots[seat].choose(match.engine, now.hidden, seat, rng(number)))
    assert kept


def test_what_was_thought_before_changes_nothing_when_simulations_are_counted() -> None:
    use_compiled(find("samarkand"))
    match = new("samarkand", players=2, seed=2)
    practised = SearchBot(simulations=40, seconds=None)
    for number in range(12):
        (seat,) = match.waiting
        bots = practised, SearchBot(simulations=40, seconds=None)
        one, other = (bot.choose(match.engine, match.hidden(seat), seat, rng(number)) for bot in bots)
        assert one == other
        match.play_action(seat, one)


def test_budgets_are_read_and_wrong_ones_refused() -> None:
    assert find_bot("search:0.5s").name == "search:0.5s"
    for name in (
        "master",
        "master:0.1s",
        "master:400",
        "master@1",
        "master@1:0.1s",
        "novice@1",
        "merchant@1",
        "vizier",
        "learned:60",
        "learned:0.01s",
    ):
        assert find_bot(name).name == name
    wrong = (
        "search:lots",
        "search:-3",
        "greedy:5",
        "novice:1s",
        "master:0s",
        "master@1:400",
        "master@2",
        "merchant@1:9",
        "learned:0",
    )
    for name in (*wrong, "vizier:1s", "nobody"):
        with pytest.raises(BadInput):
            find_bot(name)
