"""The match at a table shows everybody what a plain match shows each seat, only faster."""

from __future__ import annotations

import random

import pytest

from registan.core.match import Match
from tests.tables.house import any_move, match_of, new_table


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
def test_views_and_logs_are_those_of_a_match(game: str) -> None:
    table, _ = new_table(game, 4)
    match = match_of(table)
    rng = random.Random(6)
    for i in range(120):
        if table.finished:
            break
        any_move(table, rng, 3000 + i)
        if rng.random() < 0.1:
            match.back_to(max(0, len(match.decisions) - 2))
            match.ask_quietly()
        views = match.views()
        for seat in table.audiences:
            if i % 4 == seat + 1:
                assert views(seat) == match.view(seat)
            assert match.log(seat) == Match.log(match, seat)
