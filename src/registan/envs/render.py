"""Showing the open table: as text, as an array of pixels, or in a window."""

from __future__ import annotations

import os
from io import BytesIO
from typing import Any

import numpy as np

from registan.core.errors import BadInput
from registan.core.game import Box, Game, Ints, Json
from registan.core.picture import picture, plain_text

WIDTH = 1000
"""Pixels from left to right."""
SERIF = "DejaVu Serif"
"""The letters of maps, where the fonts that they would rather have are not installed."""


def text(game: Game, view: Json) -> str:
    """Return the table as lines of text."""
    return plain_text(game, view)


def pixels(game: Game, box: Box, view: Json) -> Ints:
    """Return the table as an array of height × width × 3 bytes."""
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise BadInput("error.extra", package="resvg-py", extra="envs") from error
    png = bytes(svg_to_bytes(svg_string=picture(game, box, view), width=WIDTH, serif_family=SERIF))
    pygame = _pygame()
    surface = pygame.image.load(BytesIO(png), "table.png")
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


class Window:
    """A window that shows a picture."""

    def __init__(self, title: str) -> None:
        self._pygame = _pygame()
        self._pygame.display.init()
        self._title = title
        self._screen: Any = None

    def show(self, shown: Ints) -> None:
        """Show an array of pixels."""
        pygame, size = self._pygame, (shown.shape[1], shown.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            self._screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
        pygame.surfarray.blit_array(self._screen, shown.swapaxes(0, 1))
        pygame.event.pump()
        pygame.display.flip()

    def close(self) -> None:
        """Close the window."""
        self._pygame.display.quit()


def _pygame() -> Any:
    """Import pygame without its greeting."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ModuleNotFoundError as error:
        raise BadInput("error.extra", package="pygame-ce", extra="envs") from error
    return pygame
