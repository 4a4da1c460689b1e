"""Boards that people send in take little memory, and push out nothing that others use."""

from __future__ import annotations

import pytest

from registan.core import views
from registan.core.box import find_box
from registan.core.game import Box
from registan.core.registry import find
from registan.games.samarkand import text
from registan.games.samarkand.box import load

GAME = find("samarkand")


def another(number: int) -> bytes:
    """Return a board that differs from all others in a name."""
    return GAME.boxes["oasis"].read_bytes().replace(b'en = "Levant"', f'en = "Levant {number}"'.encode())


def test_each_board_has_its_own_names_however_many_there_are() -> None:
    boards = [find_box(GAME), *(load(another(number), f"{number}.toml") for number in range(9))]
    line = {"seat": 0, "do": "marry", "family": "levant"}
    told = [GAME.tell(box, line, "en", lambda _: "Ann") for box in boards]
    assert ["Levant" in told[0], *(f"Levant {number}" in said for number, said in enumerate(told[1:]))] == [True] * 10
    assert text.name(boards[0], "family", "levant", "en") == "Levant"
    assert text.name(boards[3], "family", "levant", "en") == "Levant 2"


def test_cached_views_of_a_box_in_use_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_assemblies", {})
    used = find_box(GAME)
    kept = views.assembly(GAME, used)
    for number in range(3 * views.BOXES):
        views.assembly(GAME, Box(used.key, f"another {number}", used.record, used.names))
        assert views.assembly(GAME, used) is kept
    assert len(views._assemblies) == views.BOXES
