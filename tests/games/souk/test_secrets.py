"""Who knows what (M24): more than the law that every game is held to."""

from __future__ import annotations

import numpy as np

from registan.games.souk import checks, secrets
from registan.games.souk.state import CAMEL, NAME, OFFER, STATE, STOP, WAIT, card_of
from tests.games.souk.market import BOX, Market


def worlds(market: Market, seat: int, n: int = 120) -> list[np.record]:
    """Guess n times what the seat cannot know."""
    rng = np.arange(1, 5, dtype=np.uint64)
    found = []
    for _ in range(n):
        world = market.match.hidden(seat)[0]
        secrets.guess(BOX.record, world, seat, rng)
        assert checks.faults(BOX.record, world) == 0
        found.append(world)
    return found


def test_the_state_is_small_and_without_padding() -> None:
    assert STATE.itemsize <= 512
    assert sum(STATE[name].itemsize for name in STATE.names or ()) == STATE.itemsize


def test_m24_money_and_camels_follow_from_open_sales() -> None:
    market = Market(3).offer(5, 7, 1).stop(6, {2: ["jewels", 7], 0: "camel"})
    for seat in (-1, 0, 1, 2):
        for world in worlds(market, seat, 5):
            assert world.money.tolist() == market.state.money.tolist()
            assert world.held.tolist() == market.state.held.tolist()
            assert world.goods.tolist() == market.state.goods.tolist()


def test_m24_the_piles_are_guessed_from_what_is_left() -> None:
    market = Market(3).offer(5, 7, 1)
    tops, camels = set(), set()
    for world in worlds(market, 0):
        assert sorted(world.bank[:9].tolist()) == [1, 1, 1, 2, 2, 3, 3, 4, 5]
        tops.add(int(world.bank[8]))
        camels.add(int(world.camels[14]))
    assert tops == {1, 2, 3, 4, 5}
    assert camels == {2, 3, 4, 5}


def test_m24_sealed_answers_are_guessed_and_ones_own_is_known() -> None:
    market = Market().offer(7, 7, 7, 7).end_round()
    for seat in (0, 1):
        market.match.play(seat, {"do": "offer", "value": 5})
    seen = set()
    for world in worlds(market, 0):
        assert world.sealed[0] == 1 + OFFER + 5
        assert world.sealed[2] == world.sealed[3] == 0
        value = int(world.sealed[1]) - 1 - OFFER
        assert card_of(BOX.record, int(world.left[1]), value) >= 0
        seen.add(value)
    assert seen == {1, 2, 3, 4, 5}
    market.match.play(2, {"do": "offer", "value": 5})
    market.match.play(3, {"do": "offer", "value": 5})
    market.match.play(1, {"do": "stop"})
    answers = {int(world.sealed[1]) for world in worlds(market, 0)}
    assert answers == {1 + WAIT, 1 + STOP}
    for seat in (0, 2, 3):
        market.match.play(seat, {"do": "stop"})
    market.match.play(1, {"do": "name", "item": "camel"})
    names = {int(world.sealed[1]) for world in worlds(market, 0)}
    assert names == {1 + NAME, 1 + NAME + 2, 1 + NAME + 3, 1 + CAMEL}


def test_m15_m16_a_seal_looks_like_any_other_until_the_last() -> None:
    market = Market().offer(5, 7, 1, 2)
    box, s = BOX.record, market.state
    assert secrets.seen(box, s, 1, 0, WAIT) == secrets.seen(box, s, 1, 0, STOP)
    assert secrets.seen(box, s, -1, 0, WAIT) == secrets.seen(box, s, -1, 0, STOP)
    assert secrets.seen(box, s, 0, 0, WAIT) != secrets.seen(box, s, 0, 0, STOP)
    for seat in (0, 1, 2):
        market.match.play(seat, {"do": "stop"})
    assert secrets.seen(box, s, 1, 3, WAIT) != secrets.seen(box, s, 1, 3, STOP)
    shown = secrets.seen(box, s, 1, 3, WAIT)
    s.sealed[0] = 1 + WAIT  # with the last seal all others are opened
    assert secrets.seen(box, s, 1, 3, WAIT) != shown
