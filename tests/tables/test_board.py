"""A board shows everybody what a match shows each, only faster."""

from __future__ import annotations

import random

import pytest

from registan.core.match import Match
from tests.tables.house import any_move, board_of, lay


@pytest.mark.parametrize("game", ["khiva", "souk", "samarkand"])
def test_views_and_logs_are_those_of_a_match(game: str) -> None:
    table, _ = lay(game, 4)
    board = board_of(table)
    rng = random.Random(6)
    for i in range(120):
        if table.finished:
            break
        any_move(table, rng, 3000 + i)
        if rng.random() < 0.1:
            board.back_to(max(0, len(board.plays) - 2))
            board._ask_holder({})
        views = board.views()
        for seat in table.audiences:
            if i % 4 == seat + 1:
                assert views(seat) == board.view(seat)
            assert board.log(seat) == Match.log(board, seat)
