"""Screens: the plain one serves any game, and what is printed comes from the view alone."""

from __future__ import annotations

import io
import random

import pytest
from rich.console import Console

import registan
from registan.core.registry import keys
from registan.terminal.plain import Plain, written
from registan.terminal.screens import screen_of

NAMES = [None, "Zarina", "Timur"]


def printed(*things: object, colour: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file, width=80, force_terminal=colour, color_system="truecolor" if colour else None, highlight=False
    )
    console.print(*things)
    return file.getvalue()


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_moment_of_a_game_can_be_shown_and_told(key: str, lang: str) -> None:
    match, dice = registan.new(key, 3, seed=4), random.Random(4)
    screens = [screen_of(match.game, match.box, lang, NAMES, 0), Plain(match.game, match.box, lang, NAMES, 0)]
    for _ in range(60):
        if match.over:
            break
        seat = match.waiting[0]
        match.play(seat, dice.choice(match.legal(seat)))
    view = match.view(0)
    for screen in screens:
        assert all(len(line) <= 80 for line in printed(screen.table(view)).splitlines())
        assert printed(screen.standing(view))
    before = None
    for i, line in enumerate(match.log(0)):
        after = match.view_after(i, 0)
        told = [screen.story(before, line, after) for screen in screens]
        assert bool(told[0]) == bool(told[1]) == bool(line)
        before = after


def test_the_plain_screen_is_a_tree_of_names_and_values() -> None:
    match = registan.new("khiva", 3, seed=1)
    text = printed(Plain(match.game, match.box, "en", NAMES, 0).table(match.view(0)))
    assert "├── turn: 1" in text
    assert "Zarina" in text
    assert not any(field in text for field in ("game", "legal", "brings", "asked"))


def test_colours_are_never_needed() -> None:
    match = registan.new("khiva", 3, seed=1)
    table = screen_of(match.game, match.box, "en", NAMES, 0).table(match.view(0))
    bare, coloured = printed(table), printed(table, colour=True)
    assert "\x1b" not in bare
    assert "\x1b" in coloured
    assert all(f"{letter}(" in bare for letter in "WBGPK")


def test_values_as_people_read_them() -> None:
    assert written(None) == written([]) == "–"
    assert written([["blue", 4], ["pink", 3]]) == "blue 4, pink 3"
    assert written({"a": [1, 2], "b": None}) == "a 1 2, b –"
