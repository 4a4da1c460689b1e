"""The ladder of levels: the same names everywhere, weaker by seeing less; and the search with a net."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from registan.bots import LADDER, find_bot
from registan.bots import net as nets
from registan.bots.foresight import NONE, foresight_of
from registan.bots.greedy import GreedyBot
from registan.bots.ladder import PLAIN, Level, LevelBot, bot_of, level_of, noticed, ratings_of
from registan.bots.search_bot import SearchBot, Thought, Tuning, expect, tuning_of
from registan.core import batch, chance, rules
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine
from registan.core.game import Game
from registan.core.registry import find, keys
from registan.lab.simulate import by_processor_time


def rng(number: int) -> Any:
    """Return a random generator."""
    found = np.zeros(chance.WORDS, np.uint64)
    chance.seed(found, number, 0)
    return found


def asked(game: Game, n: int) -> list[tuple[Any, int]]:
    """Return states of random games with three players as a seat to move sees them, and that seat."""
    box, found = find_box(game), []
    for s in batch.sample(game, box, batch.blank(game, n, 3), seed=31):
        seat = int(s.waiting).bit_length() - 1
        hidden: Any = np.array([s])
        batch.hide(box, hidden, seat)
        found.append((hidden, seat))
    return found


@pytest.mark.parametrize("key", keys())
def test_every_game_has_every_level(key: str) -> None:
    assert tuple(PLAIN) == LADDER
    assert set(getattr(find(key).part("bot"), "LADDER", PLAIN)) == set(LADDER)
    levels = [level_of(find(key), name) for name in LADDER]
    assert all(isinstance(level, Level) for level in levels)
    assert [level.seconds for level in levels] == [0.0] * (len(LADDER) - 1) + [1.0], "only the top one needs a second"


@pytest.mark.parametrize("key", keys())
def test_ratings_are_of_levels_and_go_up(key: str) -> None:
    found = ratings_of(find(key))
    assert set(found) in (set(), set(LADDER))
    assert all(low <= value <= high for value, low, high in found.values())
    values = [found[name][0] for name in LADDER if found]
    assert values == sorted(values)


def test_who_sees_less_plays_the_best_of_what_it_sees() -> None:
    game = find("khiva")
    engine = Engine(game, find_box(game), compiled=True)
    worth = np.zeros(game.rules.MOST)
    ranks = {2: [], 5: [], 0: []}  # type: dict[int, list[float]]
    for number, (hidden, seat) in enumerate(asked(game, 150)):
        actions = engine.legal(hidden, seat)
        n = len(actions)
        if n < 8:
            continue
        rules.weigh(engine.box.record, hidden[0], seat, np.array(actions), n, worth)
        for notices, better in ranks.items():
            action = GreedyBot("some", notices).choose(engine, hidden, seat, rng(number))
            better.append(float(np.sum(worth[:n] > worth[actions.index(action)])) / (n - 1))
    assert max(ranks[0]) == 0, "who sees all plays what looks best"
    # The best of k that were chosen by chance leaves one in k + 1 of the others above it, on average.
    assert 0.2 < np.mean(ranks[2]) < 0.45
    assert 0.08 < np.mean(ranks[5]) < 0.25


def test_all_that_is_noticed_is_there_in_its_order() -> None:
    assert noticed(3, 0, rng(1)) == [0, 1, 2]
    assert noticed(3, 9, rng(1)) == [0, 1, 2]
    seen = {tuple(noticed(3, 2, rng(number))) for number in range(40)}
    assert seen == {(0, 1), (0, 2), (1, 2)}
    numbers = [len(noticed(9, 3.25, rng(number))) for number in range(400)]
    assert set(numbers) == {3, 4}
    assert 3.15 < np.mean(numbers) < 3.35


@pytest.fixture
def guesswork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every game a net of random weights."""

    def load(game: Game, players: int) -> nets.Net:
        return nets.make(game, players, *nets.fresh(game, 5))

    monkeypatch.setattr(nets, "load", load)


@pytest.mark.usefixtures("guesswork")
@pytest.mark.skipif(INTERPRET, reason="a net is evaluated in compiled code")
@pytest.mark.parametrize("key", ["khiva", "samarkand", "souk"])
@pytest.mark.parametrize("tuning", [{"trust": 1.0, "fade": 1e9}, {"trust": 0.5, "fade": 10.0, "ahead": 3.0}])
def test_a_search_with_a_net_knows_what_its_seat_knows(key: str, tuning: dict[str, float]) -> None:
    game = find(key)
    engine = Engine(game, find_box(game), compiled=True)
    for number, (hidden, seat) in enumerate(asked(game, 6)):
        bot = SearchBot(simulations=30, seconds=None, tuning=Tuning(**tuning), learned=True)
        world = hidden.copy()
        batch.guess(engine.box, world, seat, number)
        batch.hide(engine.box, world, seat)
        action = bot.choose(engine, hidden, seat, rng(number))
        assert action in engine.legal(hidden, seat)
        assert action == bot.choose(engine, world, seat, rng(number))


@pytest.mark.usefixtures("guesswork")
@pytest.mark.skipif(INTERPRET, reason="a net is evaluated in compiled code")
def test_the_net_says_where_a_search_begins_and_everybody_wins_once() -> None:
    game = find("khiva")
    engine = Engine(game, find_box(game), compiled=True)
    sure = Tuning(trust=1.0, fade=1e9, heat=1e-4)
    played = best = 0
    for number, (hidden, seat) in enumerate(asked(game, 30)):
        actions = engine.legal(hidden, seat)
        if len(actions) < 5:
            continue
        now = Thought.begun(engine, hidden, seat)
        values = expect(engine, now, len(actions), rng(number), foresight_of(engine, hidden))
        favourite = actions[int(np.argmax(0.7 * values[:, 0] + 0.15 * values[:, 1]))]
        bot = SearchBot(simulations=1, seconds=None, tuning=sure, learned=True)
        played += 1
        best += bot.choose(engine, hidden, seat, rng(number)) == favourite
        longer = SearchBot(simulations=40, seconds=None, tuning=sure, learned=True)
        opinions = longer._think(now, rng(number))
        assert all(0.0 <= opinion.wins <= 1.0 for opinion in opinions)
    assert played > 3
    assert best > 0.8 * played  # worlds in which a move reveals something differ from one look to the next


def test_a_game_that_has_learned_nothing_is_searched_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nets, "load", lambda game, players: None)
    game = find("souk")
    engine = Engine(game, find_box(game), compiled=True)
    for number, (hidden, seat) in enumerate(asked(game, 6)):
        assert foresight_of(engine, hidden) is NONE
        bots = find_bot("master:50"), find_bot("search:50")
        one, other = (bot.choose(engine, hidden, seat, rng(number)) for bot in bots)
        assert one == other


def test_a_level_is_what_the_game_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("khiva")
    odd = {**PLAIN, "pedlar": {"simulations": 7, "tuning": {"explore": 3.0}}, "vizier": {"notices": 3}}
    monkeypatch.setattr(game.part("bot"), "LADDER", odd)
    pedlar, vizier = bot_of(game, "pedlar"), bot_of(game, "vizier")
    assert isinstance(pedlar, SearchBot)
    assert (pedlar.simulations, pedlar.seconds, pedlar.learned) == (7, None, False)
    assert pedlar.tuning == replace(tuning_of(game), explore=3.0)
    assert isinstance(vizier, GreedyBot)
    assert vizier.notices == 3


def test_in_an_arena_seconds_are_those_of_the_processor() -> None:
    for name in ("search:0.1s", "master", "master:0.1s", "vizier"):
        bot = by_processor_time(find_bot(name))
        assert isinstance(bot, (SearchBot, LevelBot))
        assert bot.clock is time.thread_time
    assert find_bot("master:0.1s").clock is time.monotonic  # type: ignore[attr-defined]


def test_a_search_stops_by_the_clock_it_was_given() -> None:
    game = find("khiva")
    engine = Engine(game, find_box(game), compiled=True)
    hidden, seat = next((h, s) for h, s in asked(game, 40) if len(engine.legal(h, s)) > 8)
    ticks = iter(range(1000))
    bot = SearchBot(seconds=6.5)
    bot.clock = lambda: float(next(ticks))
    opinions = bot.think(engine, hidden, seat, rng(1))
    assert sum(opinion.visits for opinion in opinions) == 3 * 64  # each round looks at the clock twice
