"""A board drawn in a terminal: land and water in their colours, or with lines where there are no colours."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from registan.games.samarkand.map.board import Board
from registan.games.samarkand.map.cells import grid, places, shades

LAND = ("#e9d8a6", "#d6c084", "#f5ebcb", "#c9b070", "#dfcc98", "#eee0b6")
WATER = ("#2f7199", "#235880", "#3b82aa", "#1d4c70", "#2a6790", "#357aa3")
INK = Style(color="#3a2f1d")
LINES = Style(dim=True)

WIDEST, LOWEST = 110, 12
"""A wider map would be coarse, a lower one unreadable."""
BESIDE = 9
"""The lines of a screen that the question and the hand need."""


class Drawn:
    """A board with labels on some of its spaces, as large as the terminal allows."""

    def __init__(self, board: Board, labels: Mapping[str, Text]) -> None:
        index = board.indexes()
        self.board = board
        self.labels = {index[key]: label for key, label in labels.items() if label.cell_len}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the map, line by line."""
        width = min(options.max_width, WIDEST)
        # A cell is twice as high as wide, and a board 0.6 as high as wide.
        height = max(LOWEST, min(round(width * 0.3), console.height - BESIDE))
        coloured = console.color_system not in (None, "standard") and not console.no_color
        rows = self._coloured(width, height) if coloured else self._lined(width, height)
        for (row, column), letter in self._written(console, width, height).items():
            ground = (rows[row][column].style or Style()) + INK if coloured else Style()
            rows[row][column] = Segment(letter.text, ground + letter.style)
        for cells in rows:
            yield from Segment.simplify(cells)
            yield Segment.line()

    def _written(self, console: Console, width: int, height: int) -> dict[tuple[int, int], Segment]:
        """Return the characters of all labels by row and column."""
        found: dict[tuple[int, int], Segment] = {}
        where = places(self.board, width, height, {i: label.cell_len for i, label in self.labels.items()})
        for i, (row, column) in where.items():
            parts = self.labels[i].render(console)
            letters = (Segment(letter, part.style) for part in parts for letter in part.text)
            found |= {(row, column + n): letter for n, letter in enumerate(letters)}
        return found

    def _coloured(self, width: int, height: int) -> list[list[Segment]]:
        """Return cells in the colours of their spaces; half blocks make them twice as fine."""
        cells, shade = grid(self.board, width, 2 * height), shades(self.board, len(LAND))
        colour = [(LAND if space.kind == "land" else WATER)[shade[i]] for i, space in enumerate(self.board.spaces)]
        return [
            [
                Segment("▄" if up != down else " ", Style(color=colour[down], bgcolor=colour[up]))
                for up, down in zip(cells[row], cells[row + 1])
            ]
            for row in range(0, 2 * height, 2)
        ]

    def _lined(self, width: int, height: int) -> list[list[Segment]]:
        """Return cells with lines between spaces, and waves on water."""
        cells = grid(self.board, width, height)
        rows = []
        for row, shown in enumerate(cells):
            below = cells[min(row + 1, height - 1)]
            right = (*shown[1:], shown[-1])
            rows.append([Segment(self._line(*spaces), LINES) for spaces in zip(shown, right, below)])
        return rows

    def _line(self, here: int, right: int, below: int) -> str:
        """Return the character of a cell, given the spaces that it and its neighbours show."""
        if right != here:
            return "|"
        if below != here:
            return "_"
        return " " if self.board.spaces[here].kind == "land" else "~"
