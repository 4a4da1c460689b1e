"""Boards that people send in take little memory, and push out nothing that others use."""

from __future__ import annotations

import pytest

from registan.core import views
from registan.core.box import find_box
from registan.core.game import Box
from registan.core.registry import find
from registan.games.samarkand import text
from registan.games.samarkand.map.board import load

GAME = find("samarkand")


def another(number: int) -> bytes:
    """Return a board that differs from all others in a name."""
    return GAME.boxes["oasis"].read_bytes().replace(b'en = "Levant"', f'en = "Levant {number}"'.encode())


def test_the_names_of_few_boards_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_boards", {})
    board = load(another(0))
    text.remember(board)
    assert text.name("family", "levant", "en") == "Levant 0"
    text.remember(load(another(1)))
    assert text.name("family", "levant", "en") == "levant", "boards disagree"
    names = text._boards[board.sha256]
    monkeypatch.setattr(text, "_boards", {f"older {i}": names for i in range(3 * text.BOARDS)})
    text.remember(board)
    assert list(text._boards)[-1] == board.sha256
    assert len(text._boards) == text.BOARDS


def test_cached_views_of_a_box_in_use_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_assemblies", {})
    used = find_box(GAME)
    kept = views.assembly(GAME, used)
    for number in range(3 * views.BOXES):
        views.assembly(GAME, Box(used.key, f"another {number}", used.record, used.names))
        assert views.assembly(GAME, used) is kept
    assert len(views._assemblies) == views.BOXES
