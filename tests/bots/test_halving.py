"""Sequential halving at the root: a few candidates, tried equally often, the worse ones dropping out."""

from __future__ import annotations

from functools import partial

import numpy as np

from registan.bots.greedy import GreedyBot
from registan.bots.halving import halve, standing
from registan.bots.learned import LearnedBot
from registan.bots.search import NOTED
from registan.bots.search_bot import SearchBot, Thought, Tuning, without_doubt
from registan.core import batch, chance
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.game import Ints
from registan.core.registry import find

CHANCES = np.array([0.2, 0.5, 0.3, 0.6, 0.9])


def fake(root: Ints, n: int, left: Ints) -> None:
    """Try the actions that are left in turn; each gets what it is worth, without any luck."""
    for _ in range(n):
        i = min(left, key=lambda j: root[j, 0])
        root[i, 0] += 1
        root[i, 1] += CHANCES[i]


def halved(first: Ints, candidates: int, simulations: int, prior: float = 2.0) -> tuple[int, Ints]:
    """Return the best action, and how often each was tried."""
    root = np.zeros((8, NOTED + 1))
    best = halve(
        root,
        first,
        candidates,
        prior,
        simulations,
        lambda done: done / simulations,
        lambda rows: False,
        partial(fake, root),
    )
    return best, root[:5, 0]


def test_the_best_candidate_is_tried_most_and_found() -> None:
    best, tries = halved(np.array([0.5, 0.5, 0.5, 0.5, 0.0]), 4, 100)
    assert best == 3, "the one that is really best did not look like a candidate"
    assert tries[4] == 0
    assert tries[3] == tries[1] > tries[2] > tries[0] > 0
    assert tries.sum() <= 100


def test_without_simulations_the_first_look_decides() -> None:
    assert halved(np.array([0.1, 0.2, 0.5, 0.3, 0.4]), 3, 2)[0] == 2
    assert halved(np.array([0.1, 0.2, 0.5, 0.3, 0.4]), 5, 5, prior=1000.0)[0] == 2
    assert halved(np.array([0.1, 0.2, 0.5, 0.3, 0.4]), 5, 5, prior=0.1)[0] == 4


def test_the_first_look_counts_less_the_more_is_known() -> None:
    root, left, first = np.zeros((2, NOTED + 1)), np.arange(2), np.array([0.1, 0.0])
    assert standing(root, left, first, 4.0).argmax() == 0
    root[:, 0], root[:, 1] = 1, (0.5, 0.55)
    assert standing(root, left, first, 4.0).argmax() == 0
    root[:] *= 10
    assert standing(root, left, first, 4.0).argmax() == 1


def test_a_bot_with_candidates_tries_no_others() -> None:
    game = find("khiva")
    engine = Engine(game, find_box(game), compiled=True)
    states = batch.blank(game, 1, 3)
    chance.seed(states["rng"][0], 6, 0)
    engine.setup(states)
    batch.hide(engine.box, states, 0)

    def once() -> list[tuple[int, int]]:
        rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, 1, 0)
        bot = SearchBot("few", 60, None, tuning=Tuning(paired=True, soft=8.0, candidates=5))
        return [(opinion.action, opinion.visits) for opinion in bot._think(Thought.begun(engine, states, 0), rng)]

    opinions = once()
    assert opinions == once()
    visits = [visits for _, visits in opinions]
    assert sum(n > 0 for n in visits) == 5
    assert max(visits) == visits[0]
    assert 50 <= sum(visits) <= 60


def test_with_a_hunch_the_net_says_what_looks_best() -> None:
    """With too few simulations to try every candidate once, the search plays what the net alone would play."""
    game = find("khiva")
    engine = Engine(game, find_box(game), compiled=True)
    net, hasty = LearnedBot(), SearchBot("few", 1, None, tuning=Tuning(paired=True, hunch=0.02, candidates=8))
    differs = 0
    for number, s in enumerate(batch.sample(game, engine.box, batch.blank(game, 12, 4), seed=8)):
        seat = int(s.waiting).bit_length() - 1
        hidden = np.array([s])
        batch.hide(engine.box, hidden, seat)
        rng = np.zeros((3, chance.WORDS), np.uint64)
        for k in range(3):
            chance.seed(rng[k], number, k)
        expected = net.choose(engine, hidden, seat, rng[0])
        assert hasty.choose(engine, hidden, seat, rng[1]) == expected
        differs += expected != GreedyBot().choose(engine, hidden, seat, rng[2])
    assert differs, "these positions tell the net from a glance"


def test_doubt_is_about_those_who_are_left() -> None:
    root = np.zeros((2, NOTED + 1))
    root[:, 0], root[:, 1], root[:, 4] = 200, (180, 20), (170, 10)
    assert without_doubt(root)
