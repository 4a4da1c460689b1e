"""Nets: what compiled code makes of them, their files, and the bot that plays by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan.bots import net as nets
from registan.bots.learned import LearnedBot
from registan.bots.net import OUTPUTS, Net
from registan.core import batch, chance, rules
from registan.core.box import find_box
from registan.core.compiled import jit
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import Game
from registan.core.match import Match
from registan.core.registry import find, keys

COUNTS = [(key, players) for key in keys() for players in find(key).players]


def plain(net: Net, inputs: Any) -> Any:
    """What the net says, by matrices."""
    rows, wide, narrow = (int(size) for size in net.sizes)
    cuts = np.cumsum([rows * wide, wide * narrow, narrow, OUTPUTS * narrow])
    first, second, bias, last, last_bias = np.split(net.weights.astype(np.float64), cuts)
    table = first.reshape(rows, wide)[net.rows]
    hidden = np.maximum(inputs @ table[:-1] + table[-1], 0.0)
    hidden = np.maximum(hidden @ second.reshape(wide, narrow) + bias, 0.0)
    win, margin = hidden @ last.reshape(narrow, OUTPUTS) + last_bias
    return np.array([1.0 / (1.0 + np.exp(-win)), np.tanh(margin)])


def sparse(net: Net, seed: int) -> Any:
    chance = np.random.default_rng(seed)
    inputs = chance.uniform(-1.0, 1.0, net.inputs) * (chance.random(net.inputs) < 0.2)
    return inputs.astype(np.float32)


@pytest.mark.parametrize(("key", "players"), COUNTS)
def test_compiled_interpreted_and_matrices_agree(key: str, players: int) -> None:
    game = find(key)
    net = nets.make(game, players, *nets.fresh(game, seed=players, first=48, second=12))
    before, after = sparse(net, 1), sparse(net, 2)
    for evaluate, shift, finish in (
        (nets.evaluate, nets.shift, nets.finish),
        (jit(nets.evaluate), jit(nets.shift), jit(nets.finish)),
    ):
        room = nets.scratch(net)
        evaluate(net, before, room.from_sums, room.hidden, room.out)
        assert np.allclose(room.out, plain(net, before), atol=1e-5)
        shift(net, before, after, room.from_sums, room.sums)
        finish(net, room.sums, room.hidden, room.out)
        assert np.allclose(room.out, plain(net, after), atol=1e-4)


@pytest.mark.parametrize(("key", "players"), COUNTS)
def test_every_input_has_a_row_of_its_own(key: str, players: int) -> None:
    game = find(key)
    rows = nets.rows_of(game, players)
    assert len(set(rows.tolist())) == len(rows) == sum(block.size for block in nets.blocks_of(game, players)) + 1
    assert rows.max() < nets.row_count(game)
    match = Match(game, find_box(game), players)
    match.deal()
    out = np.zeros(len(rows) - 1, np.float32)
    assert rules.inputs(match.engine.box.array[0], match.hidden(0)[0], 0, out) == len(out)
    assert np.abs(out).max() <= 1.0


def test_a_file_keeps_a_net_and_refuses_others(tmp_path: Path) -> None:
    game, other = (find(key) for key in list(keys())[:2])
    sizes, weights = nets.fresh(game, first=8, second=4)
    file = tmp_path / "weights.npz"
    nets.save(file, game, sizes, weights)
    kept_sizes, kept = nets.read(file, game)
    assert (kept_sizes == sizes).all()
    assert kept.dtype == np.float32
    assert np.allclose(kept, weights, atol=1e-3)
    with pytest.raises(BadInput) as caught:
        nets.read(file, other)
    assert caught.value.key == "error.net.game"
    for data in (b"", b"no net", file.read_bytes()[:200]):
        broken = tmp_path / "broken.npz"
        broken.write_bytes(data)
        with pytest.raises(BadInput) as caught:
            nets.read(broken, game)
        assert caught.value.key == "error.net.broken"


def test_a_file_for_other_inputs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find(next(iter(keys())))
    file = tmp_path / "weights.npz"
    nets.save(file, game, *nets.fresh(game, first=8, second=4))
    monkeypatch.setattr(game.part("observe"), "VERSION", 99)
    with pytest.raises(BadInput) as caught:
        nets.read(file, game)
    assert caught.value.key == "error.net.inputs"


def test_what_games_bring_fits_their_inputs_and_is_small() -> None:
    for key in keys():
        game: Game = find(key)
        for name in (nets.WEIGHTS, nets.VALUE):
            file = game.file(name)
            if not file.is_file():
                continue
            assert file.stat().st_size < 1_000_000
            for players in game.players:
                net = nets.load(game, players, name)
                assert net is not None
                assert net.inputs == sum(block.size for block in nets.blocks_of(game, players))


@pytest.mark.parametrize("key", keys())
def test_a_learned_bot_moves_legally_by_what_its_seat_sees_alone(key: str, tmp_path: Path) -> None:
    """Interpreted: compiling a bot takes longer than a few moves, and `tests/lab` compares the two on a small game."""
    game = find(key)
    engine = Engine(game, find_box(game), compiled=False)
    file = tmp_path / "weights.npz"
    nets.save(file, game, *nets.fresh(game, seed=1, first=8, second=4))
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


def test_the_net_finds_the_one_action_that_it_likes(tmp_path: Path) -> None:
    """A net that likes just one card in the hand after the choice keeps that card."""
    game = find("khiva")
    sizes, weights = nets.fresh(game, first=8, second=4)
    weights[:] = 0.0
    rows = nets.rows_of(game, 4)
    blocks = nets.blocks_of(game, 4)
    start = sum(block.size for block in blocks[: [block.name for block in blocks].index("keep")])
    match = Match(game, find_box(game), 4)
    match.deal()
    hand = int(match.state.hand[0])
    first = int(sizes[0]) * 8
    weights[first] = 1.0  # from the first unit to the first
    weights[first + 8 * 4 + 4] = 1.0  # and on to the win
    for card in range(25):
        if hand >> card & 1:
            liked = weights.copy()
            liked[int(rows[start + card]) * 8] = 5.0
            file = tmp_path / f"{card}.npz"
            nets.save(file, game, sizes, liked)
            rng = np.zeros(chance.WORDS, np.uint64)
            chance.seed(rng, card, 0)
            action = LearnedBot("learned:test", str(file)).choose(match.engine, match.hidden(0), 0, rng)
            line = game.moves.write(match.engine.box, match.state, 0, action)
            assert card not in ((action - 8) // 25, (action - 8) % 25), line
