"""The ladder of levels: the same names everywhere, weaker by seeing less; and by which clock bots think."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from registan.bots import LADDER, find_bot
from registan.bots.greedy import GreedyBot
from registan.bots.ladder import PLAIN, TRUST, Level, LevelBot, adviser, bot_of, level_of, ratings_of
from registan.bots.learned import LearnedBot
from registan.bots.search_bot import SearchBot, tuning_of
from registan.core import batch, chance, rules
from registan.core.box import find_box
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
    assert set(getattr(find(key).part("levels"), "LADDER", PLAIN)) == set(LADDER)
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
    ranks: dict[float, list[float]] = {2: [], 2.5: [], 5: [], 0: []}
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
    assert np.mean(ranks[5]) < np.mean(ranks[2.5]) < np.mean(ranks[2]) + 0.05


def test_a_level_is_what_the_game_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("khiva")
    odd = {
        **PLAIN,
        "pedlar": {"simulations": 7, "tuning": {"explore": 3.0}},
        "caravaneer": {"learned": 0.25},
        "vizier": {"notices": 3},
    }
    monkeypatch.setattr(game.part("levels"), "LADDER", odd)
    pedlar, vizier = bot_of(game, "pedlar"), bot_of(game, "vizier")
    assert isinstance(pedlar, SearchBot)
    assert (pedlar.simulations, pedlar.seconds) == (7, None)
    assert pedlar.tuning == replace(tuning_of(game), explore=3.0)
    assert isinstance(vizier, GreedyBot)
    assert vizier.notices == 3
    caravaneer = bot_of(game, "caravaneer")
    assert isinstance(caravaneer, LearnedBot)
    assert caravaneer.share == 0.25
    hasty, counted = bot_of(game, "master:0.1s", {"seconds": 0.1}), bot_of(game, "master:9", {"simulations": 9})
    assert isinstance(hasty, SearchBot)
    assert isinstance(counted, SearchBot)
    assert (hasty.simulations, hasty.seconds, counted.simulations, counted.seconds) == (None, 0.1, 9, None)


def test_learned_searches_by_its_net_as_the_game_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("khiva")
    monkeypatch.setattr(game.part("levels"), "LEARNED", {"trust": 9.0, "explore": 0.2})
    bot = bot_of(game, "learned:60", {"simulations": 60})
    assert isinstance(bot, SearchBot)
    assert (bot.simulations, bot.seconds) == (60, None)
    assert bot.tuning == replace(tuning_of(game), trust=9.0, explore=0.2)
    monkeypatch.delattr(game.part("levels"), "LEARNED")
    plain = bot_of(game, "learned:0.1s", {"seconds": 0.1})
    assert isinstance(plain, SearchBot)
    assert plain.seconds == 0.1
    assert plain.tuning == replace(tuning_of(game), trust=TRUST)


def test_advice_is_found_as_the_game_says_or_as_its_master_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("khiva")
    monkeypatch.setattr(game.part("levels"), "ADVICE", {"soft": 5.0})
    assert adviser(game, 0.5).tuning == replace(tuning_of(game), soft=5.0)
    monkeypatch.delattr(game.part("levels"), "ADVICE")
    assert adviser(game, 0.5).tuning == replace(tuning_of(game), **level_of(game, "master").tuning or {})


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
