"""What a browser is told of a board: everything, and positions for two camels in every space."""

from __future__ import annotations

import pytest

from registan.core.box import find_box
from registan.games import find
from registan.games.samarkand.map.board import Board
from registan.games.samarkand.map.outline import holds
from registan.games.samarkand.web import board as told_board

GAME = find("samarkand")


@pytest.mark.parametrize("key", GAME.boxes)
def test_a_board_is_told_whole(key: str) -> None:
    box = find_box(GAME, key)
    board: Board = box.names.board
    told = told_board(box, "fr")
    assert [space["key"] for space in told["spaces"]] == [space.key for space in board.spaces]
    for said, space in zip(told["spaces"], board.spaces, strict=True):
        assert said["neighbours"] == list(space.neighbours)
        assert said["kind"] == space.kind
        assert said["name"] == {"en": space.name.en, "fr": space.name.fr}
    assert [(good["number"], good["space"]) for good in told["goods"]] == [(g.number, g.space) for g in board.goods]
    assert [(family["key"], family["dowry"]) for family in told["families"]] == [
        (family.key, family.dowry) for family in board.families
    ]
    assert all(told["symbols"][family.symbol] for family in board.families)
    assert told["drawing"].startswith("<svg")
    assert board.name.fr in told["drawing"]


@pytest.mark.parametrize("key", GAME.boxes)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_two_camels_fit_into_every_space(key: str, lang: str) -> None:
    box = find_box(GAME, key)
    board: Board = box.names.board
    for said, space in zip(told_board(box, lang)["spaces"], board.spaces, strict=True):
        (x, y), (other_x, other_y) = said["spots"]
        assert (x, y) != (other_x, other_y)
        assert holds(space.outline, (x, y)), space.key
        assert holds(space.outline, (other_x, other_y)), space.key
