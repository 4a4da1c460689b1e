"""A board in the cells of a terminal: which space each cell shows, and where a label fits into its space."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from registan.games.samarkand.map.board import Board

Grid = tuple[tuple[int, ...], ...]
"""By row and column, the index of the space."""


@lru_cache(maxsize=16)
def grid(board: Board, width: int, height: int) -> Grid:
    """Return the board as rows of cells. A cell shows the space in its middle, or the nearest one to its left."""
    corners = [corner for space in board.spaces for corner in space.outline]
    left, top = (min(corner[axis] for corner in corners) for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in corners) for axis in (0, 1))
    across, down = (right - left) / width, (bottom - top) / height
    rows = []
    for row in range(height):
        y = top + (row + 0.5) * down
        shown = [-1] * width
        for i, space in enumerate(board.spaces):
            crossed = _crossed(space.outline, y)
            for enters, leaves in zip(crossed[::2], crossed[1::2]):
                # A cell belongs to the space if its middle does.
                for column in range(round((enters - left) / across), round((leaves - left) / across)):
                    shown[column] = i
        rows.append(tuple(_filled(shown)))
    return tuple(rows)


def _crossed(outline: tuple[tuple[float, float], ...], y: float) -> list[float]:
    """Return where a horizontal line enters and leaves an outline, from left to right."""
    edges = pairwise((*outline, outline[0]))
    return sorted(x1 + (x2 - x1) * (y - y1) / (y2 - y1) for (x1, y1), (x2, y2) in edges if (y1 > y) != (y2 > y))


def _filled(row: list[int]) -> list[int]:
    """Return a row without gaps, which outlines that do not quite touch may leave."""
    last = next((i for i in row if i >= 0), 0)
    filled = []
    for i in row:
        last = i if i >= 0 else last
        filled.append(last)
    return filled


@lru_cache(maxsize=16)
def shades(board: Board, most: int) -> tuple[int, ...]:
    """Return a shade for each space, so that neighbours of the same kind differ as far as there are enough shades."""
    index = board.indexes()
    alike = [
        {index[key] for key in space.neighbours if board.spaces[index[key]].kind == space.kind}
        for space in board.spaces
    ]
    chosen: dict[int, int] = {}
    for i in sorted(range(len(alike)), key=lambda i: -len(alike[i])):
        taken = [chosen[other] for other in alike[i] if other in chosen]
        chosen[i] = min(range(most), key=lambda shade: (taken.count(shade), shade))
    return tuple(chosen[i] for i in range(len(alike)))


def places(board: Board, width: int, height: int, lengths: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Return where to write a label of each length: row and first column, inside its space as far as it fits there.

    Labels never cover each other. One for which there is no room anywhere near its space is left out.
    """
    cells = grid(board, width, height)
    own: dict[int, list[tuple[int, int]]] = {}
    for row, shown in enumerate(cells):
        for column, i in enumerate(shown):
            own.setdefault(i, []).append((row, column))
    free = [[True] * width for _ in range(height)]
    found: dict[int, tuple[int, int]] = {}
    # Whoever has least room to spare chooses first.
    for i in sorted(lengths, key=lambda i: len(own.get(i, ())) - 4 * lengths[i]):
        n, mine = lengths[i], own.get(i, [])
        if not mine:
            continue
        middle_row, middle = (sum(cell[axis] for cell in mine) / len(mine) for axis in (0, 1))
        best: tuple[float, int, int] | None = None
        for row, column in {(row, column - shift) for row, column in mine for shift in range(n)}:
            if column < 0 or column + n > width or not all(free[row][column : column + n]):
                continue
            outside = sum(cells[row][c] != i for c in range(column, column + n))
            away = abs(row - middle_row) * 2 + abs(column + (n - 1) / 2 - middle)
            best = min(best or (float("inf"), 0, 0), (10 * outside + away, row, column))
        if best is not None:
            found[i] = best[1:]
            for c in range(best[2], best[2] + n):
                free[best[1]][c] = False
    return found
