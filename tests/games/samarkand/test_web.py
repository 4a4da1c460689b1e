"""What a browser is told of a board: everything, and positions for two camels in every space."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from registan.core.box import find_box
from registan.games import find
from registan.games.samarkand.map.board import Board
from registan.games.samarkand.map.labels import text_width
from registan.games.samarkand.map.outline import holds
from registan.games.samarkand.map.plots import CAMEL
from registan.games.samarkand.web import GOODS, HOME
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


def boxes(space: Any, goods: set[str], unit: float) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, right and bottom of the number with its drawing, of the name, and of two camels."""
    found = {}

    def put(what: str, at: list[float], width: float, height: float) -> None:
        found[what] = (at[0] - width / 2, at[1] - height / 2, at[0] + width / 2, at[1] + height / 2)

    if space["emblem"]:
        width, height = GOODS if space["key"] in goods else HOME
        put("emblem", space["emblem"], width * unit, height * unit)
    label = space["label"]
    put("name", label["at"], max(map(text_width, label["rows"])) * label["size"], len(label["rows"]) * label["size"])
    for i, spot in enumerate(space["spots"]):
        put(f"camel {i}", spot, space["camel"] * 0.88, space["camel"] * 0.88 * CAMEL[1] / CAMEL[0])
    return found


@pytest.mark.parametrize("key", GAME.boxes)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_two_camels_cover_neither_the_number_nor_the_name_of_a_space(key: str, lang: str) -> None:
    box = find_box(GAME, key)
    board: Board = box.names.board
    told = told_board(box, lang)
    goods = {good["space"] for good in told["goods"]}
    unit = told["unit"]
    for said, space in zip(told["spaces"], board.spaces, strict=True):
        for spot in said["spots"]:
            assert holds(space.outline, tuple(spot)), space.key
        if said["label"]["slant"]:
            continue
        for (one, a), (other, b) in combinations(boxes(said, goods, unit).items(), 2):
            across = min(a[2], b[2]) - max(a[0], b[0])
            down = min(a[3], b[3]) - max(a[1], b[1])
            assert min(across, down) <= 2 * unit, (space.key, one, other)
    sizes = [said["camel"] for said in told["spaces"]]
    assert sum(size > 36 * unit for size in sizes) > 0.7 * len(sizes), "camels are large"
    assert sum(said["label"]["size"] >= 15 * unit for said in told["spaces"]) > 0.6 * len(sizes), (
        "most names can be read"
    )
    assert "<text" not in told["drawing"]
