"""Compilation: one source, two modes, and machine code that is never stale."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from registan.core import batch, chance, compiled, engine, warm
from registan.core.box import find_box
from registan.core.compiled import jit
from registan.games.khiva import GAME
from registan.games.khiva.state import cards_of, code_of


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two sources, which are all there are, and a cache beside them."""
    for name in ("rules.py", "state.py"):
        (tmp_path / name).write_text("a = 1\n")
    monkeypatch.setattr(compiled, "sources", lambda: sorted(tmp_path.glob("*.py")))
    monkeypatch.setenv("REGISTAN_CACHE", str(tmp_path / "cache"))
    return tmp_path


def folder() -> Path:
    """Return the cache folder, computed again."""
    return compiled.cache_folder.__wrapped__()


def test_the_cache_folder_changes_with_any_source(project: Path) -> None:
    first = folder()
    assert first.is_dir()
    assert first.parent == project / "cache"
    assert folder() == first
    (project / "state.py").write_text("a = 2\n")
    second = folder()
    assert second != first
    (project / "state.py").write_text("a = 1\n")
    assert folder() == first


def test_the_same_sources_elsewhere_have_another_folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = folder()
    monkeypatch.setattr(compiled, "__file__", str(project / "core" / "compiled.py"))
    assert folder() != first


def test_the_cache_folder_is_among_the_users_caches(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGISTAN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(project / "caches"))
    assert folder().parent == project / "caches" / "registan"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(project / "home"))
    assert folder().parent == project / "home" / ".cache" / "registan"


def test_folders_that_were_not_used_for_long_are_forgotten(project: Path) -> None:
    cache = project / "cache"
    ages = {"numba-old": 15, "numba-young": 13, "other": 99}
    for name, days in ages.items():
        (cache / name / "inside").mkdir(parents=True)
        then = time.time() - days * 86400
        os.utime(cache / name, (then, then))
    mine = folder()
    assert sorted(p.name for p in cache.iterdir()) == sorted(["numba-young", "other", mine.name])


def test_all_sources_of_the_rules_are_counted() -> None:
    names = {"/".join(path.parts[-2:]) for path in compiled.sources()}
    assert {"core/chance.py", "core/batch.py", "khiva/rules.py", "khiva/state.py"} <= names


def test_a_marked_function_stays_as_it_is_and_has_one_twin() -> None:
    assert type(cards_of).__name__ == "function"
    assert jit(cards_of) is jit(cards_of)


@pytest.mark.parametrize("players", [2, 4])
def test_the_twins_agree_on_cards(players: int) -> None:
    for code in range(300 if players == 2 else 25):
        cards = cards_of(code, players)
        assert jit(cards_of)(code, players) == cards
        assert jit(code_of)(cards, players) == code_of(cards, players) == code


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_twins_play_the_same_games(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    box = find_box(GAME)
    fast, slow = batch.blank(GAME, 3, players), batch.blank(GAME, 3, players)
    decisions = batch.play(GAME, box, fast, seed=5).tolist()
    monkeypatch.setattr("registan.core.engine.INTERPRET", True)
    assert batch.play(GAME, box, slow, seed=5).tolist() == decisions
    assert fast.tobytes() == slow.tobytes()


def run(code: str, **env: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


PLAY = """
import sys
from registan.core import batch, compiled, engine
from registan.core.box import find_box
from registan.core.registry import find
game = find("khiva")
states = batch.blank(game, 2, 3)
print(compiled.jit(batch._play) is batch._play, batch.play(game, find_box(game), states, seed=5).tolist())
print("numba" in sys.modules, compiled.INTERPRET, engine.is_cached(game, batch._play))
"""


def test_registan_interpret_plays_the_same_without_numba() -> None:
    box = find_box(GAME)
    decisions = batch.play(GAME, box, batch.blank(GAME, 2, 3), seed=5).tolist()
    assert run(PLAY, REGISTAN_INTERPRET="1") == f"True {decisions}\nFalse True True"


def test_a_zero_or_nothing_means_compiled() -> None:
    code = "from registan.core import compiled; print(compiled.INTERPRET)"
    assert run(code, REGISTAN_INTERPRET="0") == run(code, REGISTAN_INTERPRET="") == "False"


def test_a_match_is_played_without_waiting_for_numba(tmp_path: Path) -> None:
    code = """
import sys, registan
match = registan.new("khiva", players=3, seed=1)
match.play(0, match.legal(0)[0])
print("numba" in sys.modules)
"""
    assert run(code, REGISTAN_INTERPRET="", REGISTAN_CACHE=str(tmp_path)) == "False"


def test_warming_leaves_machine_code_on_disk() -> None:
    box = find_box(GAME)
    for step in warm.steps(GAME, box):
        step()
    assert engine.is_cached(GAME, batch._step)
    assert engine.is_cached(GAME, engine._hide)
    assert not engine.is_cached(GAME, chance.Stream.from_seed)
