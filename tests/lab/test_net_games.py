"""Games of learned bots inside compiled code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from registan.bots import policy as policies
from registan.bots.bot import Bot
from registan.bots.greedy import GreedyBot
from registan.bots.learned import LearnedBot
from registan.bots.novice import NoviceBot
from registan.core.box import find_box
from registan.core.errors import BadInput
from registan.lab.run import Run
from registan.lab.simulate import matches, outcome, play
from registan_well import GAME as WELL


def bot(folder: Path, name: str, first: int = 12) -> LearnedBot:
    """A bot with a net that knows nothing, but does not play at random."""
    file = folder / f"{name}.npz"
    sizes, weights = policies.fresh(WELL, seed=len(name), first=first, second=6)
    weights += np.random.default_rng(len(name)).normal(0.0, 0.3, len(weights)).astype(np.float32)
    policies.save(file, WELL, sizes, weights)
    return LearnedBot(name, str(file))


def test_they_are_the_games_played_move_by_move(tmp_path: Path) -> None:
    bots: list[Bot] = [bot(tmp_path, "one"), GreedyBot(), bot(tmp_path, "other")]
    run = Run(WELL, find_box(WELL), 3, {}, bots, games=8, seed=5)
    assert set(run.nets or {}) == {"one", "other"}
    fast, slow = play(run), outcome(run, list(matches(run)))
    assert fast.scores.tolist() == slow.scores.tolist()
    assert fast.decisions.tolist() == slow.decisions.tolist()
    assert play(run, threads=2).scores.tolist() == fast.scores.tolist()


def test_other_bots_and_nets_of_other_sizes_play_move_by_move(tmp_path: Path) -> None:
    run = Run(WELL, find_box(WELL), 3, {}, [bot(tmp_path, "one"), GreedyBot(), GreedyBot()], games=1, seed=5)
    assert run.nets is not None
    assert replace(run, bots=[GreedyBot()] * 3).nets is None
    assert replace(run, bots=[bot(tmp_path, "one"), NoviceBot(), GreedyBot()]).nets is None
    assert replace(run, bots=[bot(tmp_path, "one"), bot(tmp_path, "wider", 16), GreedyBot()]).nets is None
    assert replace(run, bots=[LearnedBot("half", share=0.5), GreedyBot(), GreedyBot()]).nets is None
    assert replace(run, bots=[LearnedBot(), GreedyBot(), GreedyBot()]).nets is None, "it has learned nothing"


def test_a_net_that_is_not_there_is_told(tmp_path: Path) -> None:
    run = Run(WELL, find_box(WELL), 3, {}, [LearnedBot("learned:x", str(tmp_path / "x"))] * 3, games=1, seed=5)
    with pytest.raises(BadInput) as caught:
        play(run)
    assert caught.value.key == "error.net.broken"
