"""The search: whom it asks again, when it stops, and on which positions its speed is measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from registan.bots import net as nets
from registan.bots.eyes import plain_eye
from registan.bots.playout import about_best, foresee, playout
from registan.bots.search import EDGE
from registan.bots.search_bot import (
    ENOUGH,
    Grown,
    SearchBot,
    Thought,
    Tuning,
    run_simulations,
    tuning_of,
    without_doubt,
)
from registan.cli.bench import measure_search, middles
from registan.core import batch, chance, rules
from registan.core.box import find_box
from registan.core.engine import Engine, use_compiled
from registan.core.registry import find, keys
from registan_well import GAME as WELL


@pytest.mark.parametrize("key", keys())
def test_what_others_have_sealed_is_open_again_in_the_mind_of_a_seat(key: str) -> None:
    game = find(key)
    box = find_box(game)
    engine = Engine(game, box, compiled=True)
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 3, 0)
    states = batch.sample(game, box, batch.blank(game, 300, 4), seed=8)
    reopened = 0
    for s in states:
        seat = int(s.waiting).bit_length() - 1
        imagined = np.array([s])
        batch.hide(box, imagined, seat)
        asked_before = int(s.waiting)
        engine.guess(imagined, seat, rng)
        rules.unseal(box.record, imagined[0], seat)
        asked = int(imagined[0].waiting)
        assert asked & asked_before == asked_before
        assert engine.faults(imagined) == 0
        reopened += asked != asked_before
        for other in range(4):
            assert bool(engine.legal(imagined, other)) == bool(asked >> other & 1)
    assert (reopened > 0) == (key != "samarkand"), "nothing is ever sealed in Samarkand"


@pytest.mark.parametrize("key", keys())
def test_where_a_net_may_judge_nothing_is_sealed(key: str) -> None:
    game = find(key)
    box = find_box(game)
    quiet = 0
    for s in batch.sample(game, box, batch.blank(game, 60, 4), seed=9):
        if rules.quiet(box.record, s):
            quiet += 1
            for seat in range(4):
                asked = np.array([s])
                rules.unseal(box.record, asked[0], seat)
                assert asked[0].tobytes() == s.tobytes()
    assert 0 < quiet < 60


@pytest.mark.parametrize("key", keys())
def test_a_net_judges_by_what_each_seat_would_know(key: str) -> None:
    """Interpreted: one playout to the next quiet position, and what the net makes of it for every seat."""
    game = find(key)
    box = find_box(game)
    net = nets.make(game, 4, *nets.fresh(game, seed=2, first=16, second=4))
    room, tune = nets.scratch(net), Tuning(trust=1.0).record()
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 3, 0)
    actions, worth = np.zeros(game.rules.MOST, np.int32), np.zeros(game.rules.MOST)
    for s in batch.sample(game, box, batch.blank(game, 3, 4), seed=10):
        states = np.array([s])
        playout(box.record, states[0], rng, tune, actions, worth, True, plain_eye(game))
        if states[0].over:
            continue
        assert rules.quiet(box.record, states[0])
        out = np.zeros((5, 3))
        foresee(box.record, states[0], tune, net, room, states.copy(), out)
        wins = []
        for seat in range(4):
            known = states.copy()
            batch.hide(box, known, seat)
            inputs = np.zeros(net.inputs, np.float32)
            rules.inputs(box.record, known[0], seat, inputs)
            nets.evaluate(net, inputs, room.sums, room.hidden, room.out)
            wins.append(float(room.out[0]))
            clear = (1 + float(room.out[1])) / 2
            assert out[seat, 0] == pytest.approx((1 - tune.margin) * out[seat, 1] + tune.margin * clear, abs=1e-5)
        assert out[:4, 1] == pytest.approx(np.array(wins) / sum(wins), abs=1e-5)
        assert out[4].tolist() == [0, 0, 0]


@pytest.mark.parametrize("key", ["khiva", "samarkand"])
def test_a_blurred_look_takes_what_is_not_much_worse_than_the_best(key: str) -> None:
    game = find(key)
    box, eye, heat = find_box(game), plain_eye(game), 1.0
    actions, worth = np.zeros(game.rules.MOST, np.int32), np.zeros(game.rules.MOST)
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 7, 0)
    behind = []
    for s in batch.sample(game, box, batch.blank(game, 40, 4), seed=4):
        seat = rules.next_seat(s)
        n = rules.legal(box.record, s, seat, actions)
        rules.glance(box.record, s, seat, actions, n, worth, eye)
        looks = dict(zip(actions[:n].tolist(), worth[:n].tolist()))
        chosen = about_best(box.record, s, seat, rng, actions, worth, eye, heat)
        behind.append(max(looks.values()) - looks[chosen])
    assert max(behind) < 2 * heat
    assert 0 < sum(b > 0 for b in behind) < len(behind), "mostly the best, not always"


def test_who_has_no_net_searches_without() -> None:
    """The example game has learned nothing: trusting a net makes no difference there."""
    box = find_box(WELL)
    engine = Engine(WELL, box, compiled=True)
    hidden = batch.sample(WELL, box, batch.blank(WELL, 1, 3), seed=4)
    seat = int(hidden[0].waiting).bit_length() - 1
    batch.hide(box, hidden, seat)
    chosen = []
    for trust in (0.0, 1e9):
        rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, 3, 0)
        bot = SearchBot(simulations=50, seconds=None, tuning=replace(tuning_of(WELL), trust=trust))
        chosen.append(bot.choose(engine, hidden, seat, rng))
        chosen.append(int(chance.draw(rng)))
    assert chosen[:2] == chosen[2:]


def root(*rows: tuple[int, float, float]) -> np.ndarray:
    """Return what is noted of actions with these visits, means and standard deviations of their rewards."""
    noted = np.zeros((len(rows), 5))
    for i, (visits, mean, deviation) in enumerate(rows):
        noted[i, 0], noted[i, 1], noted[i, 4] = visits, visits * mean, visits * (mean**2 + deviation**2)
    return noted


def test_the_search_stops_when_nothing_but_one_move_can_be_best() -> None:
    assert without_doubt(root((4000, 0.5, 0.4), (400, 0.3, 0.4)))
    assert not without_doubt(root((4000, 0.5, 0.4), (400, 0.45, 0.4)))
    assert not without_doubt(root((4000, 0.5, 0.4), (ENOUGH - 1, 0.0, 0.1))), "hardly tried"
    assert not without_doubt(root((4000, 0.3, 0.4), (400, 0.5, 0.4))), "tried most, but not best"


@pytest.mark.filterwarnings("error")
def test_rewards_that_are_all_the_same_leave_no_doubt_whatever_rounding_does() -> None:
    rewards = [0.1 * i for i in range(11)]
    for reward in rewards:
        always = root((1000, reward, 0.0), (1000, reward - 0.1, 0.0))
        always[:, 4] *= 1 - 1e-15
        assert without_doubt(always)


def test_a_clear_choice_needs_few_simulations() -> None:
    """In the souk most prices are too high for everybody: that is soon clear."""
    game = find("souk")
    box = find_box(game)
    use_compiled(game)
    used = []
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 3, 0)
    for match in middles(game, box, 4, 3):
        seat = match.waiting[0]
        opinions = SearchBot(simulations=8000, seconds=None).think(match.engine, match.hidden(seat), seat, rng)
        used.append(sum(opinion.visits for opinion in opinions))
    assert min(used) < 4000  # less than half: there was time for the second choice to catch up
    assert max(used) <= 8000


@pytest.mark.parametrize("key", keys())
def test_speed_is_measured_half_way_through_games(key: str) -> None:
    game = find(key)
    box = find_box(game)
    for match in middles(game, box, 3, 2):
        assert not match.over
        assert match.waiting
        assert match.moves_played > 3
    assert measure_search(game, box, players=3, seconds=0.1, positions=2)["simulations_per_s"] > 0


def test_a_search_that_trusts_a_net_needs_one() -> None:
    engine, rng = Engine(WELL, find_box(WELL)), np.zeros(chance.WORDS, np.uint64)
    now = Thought.begun(engine, batch.blank(WELL, 1, 2), 0)
    trusting, grown = Tuning(trust=1.0).record(), Grown.blank(engine, 1, explain=False)
    with pytest.raises(ValueError, match="there is none"):
        run_simulations(engine, now, np.zeros(8, EDGE), rng, trusting, 1, grown)
