"""The net that chooses: what compiled code makes of it, what it looks at, its files, and the bot that plays by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.bots.eyes import tuned_eye
from registan.bots.greedy import GreedyBot
from registan.bots.learned import LearnedBot, preferences_of
from registan.bots.policy import SHORT, Policy
from registan.core import batch, chance, rules
from registan.core.box import find_box
from registan.core.compiled import jit
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import Game, Ints
from registan.core.registry import find, keys


def knowing(game: Game, seed: int = 1) -> tuple[Ints, Ints]:
    """A small net with opinions of its own."""
    sizes, weights = policies.fresh(game, seed, first=8, second=4)
    return sizes, weights + np.random.default_rng(seed).normal(0.0, 0.3, len(weights)).astype(np.float32)


def asked(game: Game, players: int, n: int, seed: int = 17) -> list[tuple[Any, int]]:
    """States of random games as a seat to move sees them, and that seat."""
    box, found = find_box(game), []
    for s in batch.sample(game, box, batch.blank(game, n, players), seed=seed):
        seat = int(s.waiting).bit_length() - 1
        hidden: Any = np.array([s])
        batch.hide(box, hidden, seat)
        found.append((hidden, seat))
    return found


def plain(policy: Policy, inputs: Ints, traits: Ints) -> Ints:
    """What the net prefers, by matrices."""
    known, width, wide, narrow = (int(size) for size in policy.sizes)
    cuts = np.cumsum([known * wide, width * wide, wide * narrow, narrow, narrow])
    first, of_traits, second, bias, last, last_bias = np.split(policy.weights.astype(float), cuts)
    table = first.reshape(known, wide)[policy.rows]
    hidden = np.maximum(inputs @ table[:-1] + table[-1] + traits @ of_traits.reshape(width, wide), 0.0)
    hidden = np.maximum(hidden @ second.reshape(wide, narrow) + bias, 0.0)
    return np.asarray(hidden @ last + last_bias)


@pytest.mark.parametrize("key", keys())
def test_compiled_interpreted_and_matrices_agree(key: str) -> None:
    game = find(key)
    policy = policies.make(game, 3, *knowing(game))
    chance_ = np.random.default_rng(3)
    inputs = chance_.uniform(-1, 1, len(policy.rows) - 1) * (chance_.random(len(policy.rows) - 1) < 0.2)
    inputs, traits = inputs.astype(np.float32), chance_.uniform(-1, 1, (5, int(policy.sizes[1]))).astype(np.float32)
    for gather, forwards in ((policies.gather, policies.forwards), (jit(policies.gather), jit(policies.forwards))):
        room = policies.room_for(game, policy)
        n = gather(policy.rows, inputs, room.places, room.values)
        assert n == np.count_nonzero(inputs) + 1
        args = (policy.sizes, policy.weights, room.places[:n], room.values[:n], traits, 5)
        forwards(*args, room.sums, room.hidden, room.out)
        assert np.allclose(room.out[:5], plain(policy, inputs, traits), atol=1e-4)


@pytest.mark.parametrize("key", keys())
def test_every_action_is_told_from_the_others(key: str) -> None:
    """Actions that differ in what they are differ in their traits, and how they look is among these."""
    game = find(key)
    engine, eye = Engine(game, find_box(game), compiled=False), tuned_eye(game)
    policy = policies.make(game, 4, *knowing(game))
    room = policies.room_for(game, policy)
    alike = several = 0
    for hidden, seat in asked(game, 4, 40):
        n = policies.prefer(engine.box.record, hidden[0], seat, policy, 1.0, 1.0, eye, room)
        assert n <= SHORT
        if n > 1:
            assert np.isfinite(room.traits).all()
            assert np.abs(room.traits).max() < 20.0
            assert room.traits[:n, 2].max() == 1.0
            assert room.worth[:n].max() == 0.0
            several += n
            alike += n - len(np.unique(room.traits[:n], axis=0))
    assert several > 40
    assert alike <= 0.1 * several


def test_the_short_list_has_what_looks_best() -> None:
    chance_ = np.random.default_rng(1)
    for n in (3, SHORT, 60):
        actions, worth = np.arange(n, dtype=np.int32), np.round(chance_.normal(0.0, 2.0, n), 1)
        before = worth.copy()
        kept = policies.shortlist(actions, worth, n)
        assert kept == min(n, SHORT)
        assert (worth[:kept] == before[actions[:kept]]).all()
        assert (np.diff(actions[:kept]) > 0).all()
        assert sorted(worth[:kept]) == sorted(before)[-kept:]


def test_a_net_that_knows_nothing_plays_by_the_tuned_eye(tmp_path: Path) -> None:
    game = find("souk")
    file = tmp_path / "weights.npz"
    policies.save(file, game, *policies.fresh(game, first=8, second=4))
    engine, bot, tuned = Engine(game, find_box(game)), LearnedBot("learned:x", str(file)), GreedyBot("tuned", tuned=1.0)
    worth = np.zeros(game.rules.MOST)
    for hidden, seat in asked(game, 4, 40):
        rng = np.zeros(chance.WORDS, np.uint64)
        actions = np.array(engine.legal(hidden, seat), np.int32)
        rules.glance(engine.box.record, hidden[0], seat, actions, len(actions), worth, tuned_eye(game))
        mine, other = (list(actions).index(b.choose(engine, hidden, seat, rng)) for b in (bot, tuned))
        assert worth[mine] == worth[other]


def test_who_uses_only_a_share_of_what_it_learned_is_nearer_to_a_glance(tmp_path: Path) -> None:
    game = find("souk")
    file = tmp_path / "weights.npz"
    sizes, weights = knowing(game, 5)
    policies.save(file, game, sizes, weights * 2)
    engine = Engine(game, find_box(game))
    bots = [LearnedBot("learned:x", str(file), share) for share in (0.0, 0.3, 1.0)]
    rng = np.zeros(chance.WORDS, np.uint64)
    chosen = np.array([[b.choose(engine, h, seat, rng) for b in bots] for h, seat in asked(game, 4, 150)])
    differ = [int((chosen[:, 0] != chosen[:, i]).sum()) for i in range(3)]
    assert 0 == differ[0] < differ[1] < differ[2]


def test_preferences_are_of_every_legal_action() -> None:
    game = find("samarkand")
    engine = Engine(game, find_box(game))
    policy = policies.make(game, 4, *knowing(game))
    bot = LearnedBot()
    bot._nets[4] = policy
    bot.file = "here"
    longer = 0
    for hidden, seat in asked(game, 4, 12):
        actions = engine.legal(hidden, seat)
        found = preferences_of(engine, policy, hidden, seat, len(actions))
        longer += len(actions) > SHORT
        rng = np.zeros(chance.WORDS, np.uint64)
        assert found[actions.index(bot.choose(engine, hidden, seat, rng))] == found.max()
    assert longer


def test_a_file_keeps_a_net_and_refuses_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("khiva")
    file, value = tmp_path / "weights.npz", tmp_path / "value.npz"
    sizes, weights = knowing(game)
    policies.save(file, game, sizes, weights)
    assert np.allclose(policies.read(file, game)[1], weights, atol=1e-2)
    nets.save(value, game, *nets.fresh(game, first=8, second=4))
    refused = []
    for read, path in ((policies.read, value), (nets.read, file)):
        with pytest.raises(BadInput) as caught:
            read(path, game)
        refused.append(caught.value.key)
    monkeypatch.setattr(game.part("policy"), "VERSION", 99)
    with pytest.raises(BadInput) as caught:
        policies.read(file, game)
    assert [*refused, caught.value.key] == ["error.net.inputs"] * 3


@pytest.mark.parametrize("key", keys())
def test_a_learned_bot_moves_legally_by_what_its_seat_sees_alone(key: str, tmp_path: Path) -> None:
    """Interpreted: compiling a bot takes longer than a few moves, and `tests/lab` compares the two on a small game."""
    game = find(key)
    engine = Engine(game, find_box(game), compiled=False)
    file = tmp_path / "weights.npz"
    policies.save(file, game, *knowing(game))
    bot = LearnedBot("learned:test", str(file))
    states = batch.sample(game, find_box(game), batch.blank(game, 3, 3), seed=17)
    for number, s in enumerate(states):
        seat = int(s.waiting).bit_length() - 1
        worlds = np.array([s, s])
        batch.hide(engine.box, worlds, seat)
        hidden = worlds[:1].copy()
        batch.guess(engine.box, worlds[1:], seat, number)
        batch.hide(engine.box, worlds[1:], seat)
        chosen = []
        for i in range(2):
            rng = np.zeros(chance.WORDS, np.uint64)
            chance.seed(rng, number, 0)
            chosen.append(bot.choose(engine, worlds[i : i + 1], seat, rng))
        assert chosen[0] == chosen[1]
        assert engine.breaks(np.array([s]), seat, chosen[0]) == 0
        assert worlds[:1].tobytes() == hidden.tobytes(), "thinking leaves the table as it is"
