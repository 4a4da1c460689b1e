"""A game is a folder: nobody outside it names it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = re.compile(r"khiva|souk|samarkand", re.I)
EXPECTED = re.compile(
    r"""
    >>>|\#\ e\.g\.|registan\.new\("khiva"        # examples in docstrings
    |game:\ str\ =\ "khiva"                      # what `registan play` plays if nobody says
    |square\ of\ Samarkand|place\ de\ Samarkand   # the town
    """,
    re.X,
)


def named(folder: Path, *suffixes: str) -> list[str]:
    """Return the lines below a folder that name a game, outside the folders of games."""
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if path.suffix not in suffixes or (inside[0] == "games" and len(inside) > 2):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if NAMES.search(line) and not EXPECTED.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    return found


def test_no_room_names_a_game() -> None:
    assert named(ROOT / "src" / "registan", ".py", ".json", ".html", ".css", ".md", ".toml") == []


def test_the_web_app_names_no_game_outside_its_folder() -> None:
    assert named(ROOT / "web" / "src", ".ts", ".svelte", ".css", ".json") == []
