"""The Silk Road is fair: what docs/map.md says of it, measured again in fewer games of greedy bots."""

from __future__ import annotations

from typing import Any

import pytest
from tools.silk_road import balance

from registan.games.samarkand import GAME
from registan.games.samarkand.balance import measure
from registan.lab.run import make_run

pytestmark = pytest.mark.no_cover  # whole games take minutes to trace, and cover nothing that other tests do not

GAMES = 3000


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    run = make_run(GAME.key, 4, ["greedy"] * 4, GAMES, seed=1)
    return measure(run.box, *balance.play(run), seed=1)


def test_no_family_makes_the_winner(figures: dict[str, Any]) -> None:
    assert all(family["ratio"][0] + family["ratio"][1] < 1.5 for family in figures["families"].values())


def test_every_family_is_worth_marrying_into(figures: dict[str, Any]) -> None:
    for key, family in figures["families"].items():
        mean, off = family["married"]
        assert mean + off > 0.40, key


def test_games_end_both_ways(figures: dict[str, Any]) -> None:
    for way in ("all_trade", "five_partners"):
        assert figures["ends"][way][0] > 0.15


def test_scores_and_length_are_those_of_people(figures: dict[str, Any]) -> None:
    for (mean, _), reported in zip(figures["scores"], (48, 45, 44, 40)):
        assert mean == pytest.approx(reported, abs=4)
    assert 25 <= figures["turns"][0] <= 60


def test_the_table_shows_every_family(figures: dict[str, Any]) -> None:
    text = balance.table(figures)
    assert f"{GAMES} games, 4 players" in text
    assert all(f"\n{key} " in text for key in figures["families"])
