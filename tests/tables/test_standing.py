"""Who may see what follows from a table's standing alone: as long as that is equal, nothing is decided again."""

from __future__ import annotations

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from registan.core.errors import RegistanError
from registan.tables.requests import Answer, Propose
from registan.tables.sight import Audience, audience_of, standing
from registan.tables.table import Table
from tests.tables.house import new_table
from tests.tables.test_save import PACES, do_something


def audiences(table: Table) -> list[Audience | str]:
    """Return what everybody is, or why not, from every seat and as a spectator."""
    found: list[Audience | str] = []
    for who in ("p0", "p1", "p2", "nobody"):
        for seat in (None, *range(len(table.seats))):
            try:
                found.append(audience_of(table, who, seat))
            except RegistanError as error:
                found.append(error.key)
    return found


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_equal_standing_means_the_same_audiences(game: str, seed: int) -> None:
    rng = random.Random(seed)
    table, _ = new_table(game, pace=PACES[game], secret=seed.to_bytes(32, "big"))
    known: list[tuple[tuple[object, ...], list[Audience | str]]] = []
    at = 3000
    for i in range(40):
        table, at = table.copy(), at + rng.choice([100, 3000, 40_000])
        if i % 10 == 5 and table.proposal is None:
            try:
                Propose(seat=0, what=rng.choice(["watch none", "watch hands"])).carry_out(table, "p0", at)
                for seat in (1, 2):
                    Answer(seat=seat, yes=True).carry_out(table, f"p{seat}", at)
            except RegistanError:
                continue
        else:
            do_something(table, rng, at)
        now = standing(table), audiences(table)
        assert all(each == now[1] for before, each in known if before == now[0])
        known.append(now)
