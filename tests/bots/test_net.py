"""Nets that judge positions: what compiled code makes of them, and their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.bots.net import OUTPUTS, Net
from registan.core import rules
from registan.core.box import find_box
from registan.core.compiled import jit
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
    inputs = sparse(net, 1)
    for evaluate in (nets.evaluate, jit(nets.evaluate)):
        room = nets.scratch(net)
        evaluate(net, inputs, room.sums, room.hidden, room.out)
        assert np.allclose(room.out, plain(net, inputs), atol=1e-5)


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
        for name in (policies.WEIGHTS, nets.VALUE):
            assert not game.file(name).is_file() or game.file(name).stat().st_size < 1_000_000
        for players in game.players:
            for net in (nets.load(game, players), policies.load(game, players)):
                assert net is None or len(net.rows) - 1 == sum(b.size for b in nets.blocks_of(game, players))
