"""Eyes: what a glance goes by, the plain one of the greedy bot and the one tuned by self-play."""

from __future__ import annotations

import json

import numpy as np
import pytest

from registan import arena
from registan.bots.eyes import FILE, eye_of, plain_eye, read_eye, tuned_eye
from registan.bots.search import EDGE
from registan.bots.search_bot import Grown, SearchBot, Thought, run_simulations, tuning_of
from registan.core import batch, chance, rules
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.registry import find, keys
from registan.lab.train.glance import Tuner
from registan_well import GAME as WELL

OWN = ("khiva", "samarkand", "souk")
"""The games that have an eye."""


@pytest.mark.parametrize("key", OWN)
def test_the_plain_eye_sees_what_the_greedy_bot_sees(key: str) -> None:
    game = find(key)
    box = find_box(game)
    rules.register(game)
    engine = Engine(game, box)
    for s in batch.sample(game, box, batch.blank(game, 40, 4), seed=12):
        seat = int(s.waiting).bit_length() - 1
        actions = np.array(engine.legal(np.array([s]), seat))
        n = len(actions)
        greedy, plain, tuned = np.zeros(n), np.zeros(n), np.zeros(n)
        rules.weigh(box.record, s, seat, actions, n, greedy)
        rules.glance(box.record, s, seat, actions, n, plain, plain_eye(game))
        rules.glance(box.record, s, seat, actions, n, tuned, tuned_eye(game))
        assert greedy.tolist() == plain.tolist()
        assert np.isfinite(tuned).all()


def test_eyes_between_two_are_between_them() -> None:
    game = find("khiva")
    plain, tuned = plain_eye(game), tuned_eye(game)
    assert eye_of(game, 0.0) == plain
    assert eye_of(game, 1.0) == tuned != plain
    assert eye_of(game, 0.5).carpet == pytest.approx((plain.carpet + tuned.carpet) / 2)


def test_a_game_without_an_eye_looks_as_it_always_did() -> None:
    assert eye_of(WELL, 0.0) == eye_of(WELL, 1.0) == eye_of(WELL, 0.5) == ()
    with pytest.raises(BadInput) as caught:
        next(Tuner(WELL, find_box(WELL), 3).generations(1.0))
    assert caught.value.key == "lab.train.no_eye"


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"carpet": 2}', b'{"carpet": "x"}'])
def test_a_file_that_is_no_eye_of_the_game_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        read_eye(find("khiva"), data)
    assert caught.value.key == "error.eye"


@pytest.mark.parametrize("key", [key for key in OWN if find(key).file(FILE).is_file()])
def test_the_tuned_eye_of_a_game_beats_the_plain_one(key: str) -> None:
    game = find(key)
    numbers = json.loads(game.file(FILE).read_text("utf-8"))
    assert tuned_eye(game)._asdict() == numbers
    wins = {bot.name: bot.wins for bot in arena(key, ["tuned", "greedy"], games=2000, seed=321).bots}
    assert wins["tuned"].low > 0.25


def test_tuning_finds_the_same_eyes_with_the_same_seed() -> None:
    game = find("khiva")
    tuner = Tuner(game, find_box(game), 3, games=9, eyes=4, seed=5)

    def first() -> list[tuple[int, object]]:
        found = tuner.generations(1.0)
        return [(generation.number, generation.eye) for _, generation in zip(range(3), found)]

    once = first()
    assert [number for number, _ in once] == [1, 2, 3]
    assert once == first()
    assert once[0][1] != plain_eye(game)


@pytest.mark.parametrize("key", keys())
def test_actions_may_share_their_luck(key: str) -> None:
    """With the same luck for every first try, every second one and so on, a search draws nothing else."""
    game = find(key)
    box = find_box(game)
    engine = Engine(game, box, compiled=True)
    for s in batch.sample(game, box, batch.blank(game, 12, 3), seed=4):
        seat = int(s.waiting).bit_length() - 1
        hidden = np.array([s])
        batch.hide(box, hidden, seat)
        count = len(engine.legal(hidden, seat))
        if count < 2:
            continue
        found = []
        for luck, number in ((7, 1), (7, 2), (8, 1), (0, 1), (0, 2)):
            tune = tuning_of(game).record()
            tune.luck = luck
            rng = np.zeros(chance.WORDS, np.uint64)
            chance.seed(rng, number, 0)
            grown = Grown.blank(engine, count, False)
            run_simulations(engine, Thought.begun(engine, hidden, seat), np.zeros(4096, EDGE), rng, tune, 30, grown, 1)
            found.append(grown.root.tobytes())
        assert found[0] == found[1]
        if len({found[0], found[2]}) == 2 and len({found[3], found[4]}) == 2:
            return
    pytest.fail("luck changes nothing")


def test_a_bot_whose_actions_share_their_luck_plays_on() -> None:
    game = find("khiva")
    engine = Engine(game, find_box(game), compiled=True)
    states = batch.blank(game, 1, 3)
    chance.seed(states["rng"][0], 6, 0)
    engine.setup(states)
    batch.hide(engine.box, states, 0)
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 1, 0)
    bot = SearchBot("paired", 120, None, tuning=tuning_of(game).__class__(paired=True, soft=8.0, tuned=1.0))
    opinions = bot.think(engine, states, 0, rng)
    assert sum(opinion.visits for opinion in opinions) == 120
    assert sum(opinion.visits > 0 for opinion in opinions) > 1
