"""Matches in scripts and notebooks: copies, pickles, pictures, and what they say of themselves."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import registan
from registan.core import engine
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.errors import BadInput
from registan.core.match import Match
from registan.core.picture import picture
from registan.core.registry import find, keys
from registan_well import GAME as WELL


def some_match(key: str, moves: int = 12) -> Match:
    match = registan.new(key, find(key).usual, seed=3)
    for _ in range(moves):
        step(match)
    return match


def step(match: Match) -> None:
    seat = match.waiting[-1]
    match.play_action(seat, match.actions(seat)[0])


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("copied", [Match.copy, lambda match: pickle.loads(pickle.dumps(match))])
def test_copies_go_on_alike_and_apart(key: str, copied: Any) -> None:
    match = some_match(key)
    twin = copied(match)
    assert twin.record(states=True) == match.record(states=True)
    before = match.record()
    for _ in range(6):
        step(twin)
    assert match.record() == before, "what the copy plays leaves the match alone"
    for _ in range(6):
        step(match)
    assert twin.record(states=True) == match.record(states=True)
    twin.undo()
    assert twin.moves_played == match.moves_played - 1


def test_a_match_says_what_it_is() -> None:
    match = some_match("khiva", 2)
    assert repr(match) == (
        "<Match of khiva: 4 players, 2 moves, waiting for 0, 1 (interpreted; registan warm khiva compiles it)>"
    )


@pytest.mark.parametrize("key", keys())
def test_notebooks_draw_the_open_table(key: str) -> None:
    match = some_match(key)
    drawn = ElementTree.fromstring(match._repr_svg_())
    assert drawn.tag.endswith("svg")
    assert float(drawn.attrib["width"]) > 300


def test_a_hand_is_drawn_only_for_its_player() -> None:
    match = some_match("khiva")
    mine, table = picture(match.game, match.box, match.view(0)), match._repr_svg_()
    assert mine.count("<rect") - table.count("<rect") == len(match.view(0)["hand"])


def test_a_game_without_a_picture_is_drawn_as_text() -> None:
    match = Match(WELL, find_box(WELL), 3).deal()
    assert "water" in match._repr_svg_()


@pytest.mark.parametrize("seat", [9, -2, "0", True, None, 1.0])
def test_wrong_seats_are_refused_clearly(seat: Any) -> None:
    match = some_match("khiva", 1)
    for ask in (match.view, match.hidden, match.legal, match.log):
        with pytest.raises(BadInput, match="seats are 0 to 3"):
            ask(seat)


def test_seats_may_be_numpy_numbers() -> None:
    match = some_match("khiva", 1)
    assert match.legal(np.int8(2)) == match.legal(2)  # type: ignore[arg-type]


def test_a_board_is_parsed_once() -> None:
    assert find_box(find("samarkand")) is find_box(find("samarkand"))
    registan.new("samarkand", 4)
    start = time.perf_counter()
    for _ in range(10):
        registan.new("samarkand", 4)
    assert (time.perf_counter() - start) / 10 < 0.03, "5 ms on a quiet machine; parsing the board takes 150"


def test_importing_and_playing_needs_no_compiler(tmp_path: Path) -> None:
    code = "import sys, registan; registan.new('khiva', 3, seed=1).view(0); assert 'numba' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], env={"REGISTAN_CACHE": str(tmp_path)})
    assert done.returncode == 0


def test_a_match_runs_compiled_where_machine_code_is_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not registan.new("khiva", 3).engine.compiled
    monkeypatch.setattr(engine, "at_hand", lambda game: True)
    match = registan.new("khiva", 3, seed=1)
    assert match.engine.compiled or INTERPRET
    assert not Match(match.game, match.box, 3).engine.compiled, "only matches made by registan.new"
