"""The map in a terminal: every space has a place on it, and everything on it can be told apart without colours."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from rich.console import Console
from rich.text import Text

import registan
from registan.core.registry import find
from registan.games.samarkand.map.board import Board, load
from registan.games.samarkand.map.cells import grid, places, shades
from registan.games.samarkand.map.drawn import LAND, Drawn
from registan.terminal.screens import screen_of

BOARDS = [load(path) for path in find("samarkand").boxes.values()]
NAMES = [None, "Zarina", "Timur"]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.key)
def test_every_space_has_cells_and_a_label_inside_them(board: Board) -> None:
    cells = grid(board, 80, 15)
    assert (len(cells), {len(row) for row in cells}) == (15, {80})
    assert {i for row in cells for i in row} == set(range(len(board.spaces)))
    found = places(board, 80, 15, dict.fromkeys(range(len(board.spaces)), 3))
    assert len(found) == len(board.spaces)
    for i, (row, column) in found.items():
        assert i in cells[row][column : column + 3]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.key)
def test_labels_do_not_cover_each_other(board: Board) -> None:
    found = places(board, 80, 15, dict.fromkeys(range(len(board.spaces)), 5))
    for row in range(15):
        columns = sorted(column for at, column in found.values() if at == row)
        assert all(second - first >= 5 for first, second in pairwise(columns))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.key)
def test_neighbours_have_different_shades(board: Board) -> None:
    shade, index = shades(board, len(LAND)), board.indexes()
    for space in board.spaces:
        for key in space.neighbours:
            other = board.spaces[index[key]]
            assert space.kind != other.kind or shade[index[space.key]] != shade[index[key]]


def shown(thing: object, colours: bool, width: int = 80, height: int = 24) -> str:
    file = io.StringIO()
    console = Console(
        file=file,
        width=width,
        height=height,
        force_terminal=colours,
        color_system="truecolor" if colours else None,
        highlight=False,
    )
    console.print(thing)
    return file.getvalue()


def test_a_map_is_drawn_with_colours_or_with_lines() -> None:
    drawn = Drawn(BOARDS[0], {"samarkand": Text("So")})
    lines = shown(drawn, colours=False).splitlines()
    assert [len(line) for line in lines] == [80] * 15
    assert sum(line.count("So") for line in lines) == 1
    assert {"|", "_", "~"} <= set("".join(lines))
    coloured = shown(drawn, colours=True)
    assert "▄" in coloured
    assert "|" not in coloured


@pytest.mark.parametrize(("width", "height", "size"), [(80, 24, (80, 15)), (60, 20, (60, 12)), (200, 60, (110, 33))])
def test_it_is_as_large_as_the_terminal_allows(width: int, height: int, size: tuple[int, int]) -> None:
    lines = shown(Drawn(BOARDS[0], {}), colours=False, width=width, height=height).splitlines()
    assert (len(lines[0]), len(lines)) == size


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_whole_turn_fits_80_columns_and_24_lines(lang: str) -> None:
    match = registan.new("samarkand", 3, seed=4)
    screen = screen_of(match.game, match.box, lang, NAMES, 0, drawn=True)
    text = shown(screen.table(match.view(0)), colours=False)
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) <= 19
    for number in match.view(0)["hand"]:
        assert f"★{number}" in text
    assert "Zarina" not in text, "families and players are a page of their own"
    assert "Zarina" in shown(screen.table(match.view(0)), colours=False, height=60), "unless there is room"


def test_camels_that_have_just_been_placed_are_marked() -> None:
    match = registan.new("samarkand", 3, seed=4)
    before = match.view(0)
    after = before | {"camels": before["camels"] | {"merv": ["sogdia"]}}
    screen = screen_of(match.game, match.box, "en", NAMES, 0, drawn=True)
    assert "So+" in shown(screen.table(after, before), colours=False)
    assert "So+" not in shown(screen.table(after, after), colours=False)


def test_families_that_begin_alike_have_different_letters() -> None:
    match = registan.new("samarkand", 3, seed=4)
    text = shown(screen_of(match.game, match.box, "en", NAMES, 0, drawn=True).table(match.view(0)), colours=False)
    assert all(letters in text for letters in ("So", "Si", "Ch", "Kh", "By"))
