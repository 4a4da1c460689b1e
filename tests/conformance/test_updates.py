"""Updates of views are kept encoded from key to key: applied as a client does, they give what would be made afresh."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.json import decode, encode

from registan.core import batch
from registan.core.game import SPECTATOR
from registan.core.views import Assembly, Views, assembly
from registan.tables.patch import apply
from registan.tables.updates import Comparison
from tests.conformance.conftest import Case

MOMENTS = 120


def moments(case: Case, seed: int) -> list[bytes]:
    """Return random moments, one half with the default options, one half with all others, and some ends of games."""
    found: list[bytes] = []
    for last in (0, -1):
        options = {name: option.values[last] for name, option in case.game.options.items()}
        states = batch.blank(case.game, MOMENTS // 2, case.players, options)
        found += [s.tobytes() for s in batch.sample(case.game, case.box, states, seed)]
        ends = batch.blank(case.game, 3, case.players, options)
        batch.play(case.game, case.box, ends, seed)
        found += [s.tobytes() for s in ends]
    return found


@pytest.mark.no_cover  # hundreds of jumps through what test_views covers
def test_an_update_from_any_moment_to_any_other_gives_everybody_a_fresh_view(case: Case) -> None:
    """Jumps are wilder than moves: every part changes in ways that no two moves in a row would change it."""
    fresh = Assembly(case.game, case.box, kept=0)
    states = moments(case, seed=71)
    order = np.random.default_rng(71).integers(0, len(states), 2 * len(states)).tolist()
    audiences = range(SPECTATOR, case.players)
    views = Views(case.fast, states[0], case.players)
    client = {audience: decode(encode({"view": views(audience)})) for audience in audiences}
    for at in order:  # some of them twice, so that what was kept is used
        known = case.fast.look(states[at], audiences)
        now, comparison = Views(case.fast, states[at], case.players), Comparison()
        for audience in audiences:
            parts = comparison.game(views.sight(audience), now.sight(audience), [])
            client[audience] = apply(client[audience], decode(b"[%b]" % b",".join(filter(None, parts))))
            assert order_free(client[audience]["view"]) == order_free(fresh.sight(known[audience + 1], audience).json())
        views = now


def test_what_seats_share_comes_from_what_spectators_know(case: Case) -> None:
    """Unless a seat is asked something of which nobody else knows: then it shares nothing."""
    views = assembly(case.game, case.box)
    for state in moments(case, seed=72):
        seen = Views(case.fast, state, case.players)
        known = case.fast.look(state, range(SPECTATOR, case.players))
        assert seen.sight() == views.sight(known[0], SPECTATOR)
        for seat in range(case.players):
            mine = seen.sight(seat)
            apart = known[seat + 1].singles != known[0].singles
            assert (
                mine.shared == views.sight(known[seat + 1], seat).shared
                if apart
                else mine.shared is seen.sight().shared
            )


def order_free(view: Any) -> bytes:
    """Encode a view: the order of its fields may be another, and True is not 1."""
    return encode(view, order="sorted")
