"""Nobody waits for the compiler: until the search of a game is there, bots play at a glance."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from registan.bots import LEVELS, find_bot
from registan.bots.entry_points import entry_points
from registan.core import batch, chance, engine
from registan.core.box import find_box
from registan.core.compiled import INTERPRET, jit
from registan.core.engine import Engine
from registan.core.match import Match
from registan.core.registry import find, keys
from registan.tables.bots import compiled_for, looks_ahead

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 2.0


def test_with_an_empty_cache_no_bot_of_any_level_keeps_anybody_waiting(tmp_path: Path) -> None:
    """A table of each level is open, game by game, while another process compiles."""
    env = {**os.environ, "REGISTAN_CACHE": str(tmp_path / "cache"), "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    env.pop("REGISTAN_INTERPRET", None)
    command = [sys.executable, "-m", "tests.server.from_empty", str(tmp_path / "house.db")]
    run = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, timeout=350)
    assert run.returncode == 0, run.stderr.decode()[-3000:]
    found = msgspec.json.decode(run.stdout)
    assert set(found["longest"]) == {f"{game} {level}" for game in keys() for level in LEVELS}
    assert max(found["longest"].values()) < SECONDS, found["longest"]
    assert not found["done"]  # otherwise this proves nothing
    assert found["compiled"] == 0  # the house itself compiles nothing
    assert found["reasons"] == {
        f"{game} {level}": ["compiling"] if compiled_for(find(game), level) else [""]
        for game in keys()
        for level in LEVELS
    }


@pytest.mark.parametrize("key", keys())
def test_what_a_house_loads_is_all_that_tables_and_bots_call(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the types that they call it with: a call with others would compile again."""
    monkeypatch.setattr(engine, "_compiled", set())
    monkeypatch.setattr(engine, "_loaded", set())
    game, box = find(key), find_box(find(key))
    loading = Engine(game, box)
    needed = entry_points(loading)
    for function, args in needed:
        assert not loading.ready(function)
        loading.load(function, batch.blank(game, 1, game.players[-1]), *args)
        assert loading.ready(function) == (not INTERPRET)

    def signatures() -> list[int]:
        return [len(getattr(jit(function), "signatures", ())) for function, _ in needed]

    before = signatures()
    match = Match(game, box, game.players[0], {}, chance.Stream(b"ready")).deal()
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 1, 2)
    levels = [level for level in LEVELS if not INTERPRET or not looks_ahead(game, level)]
    for number in range(2 * len(levels)):
        seat = match.waiting[0]
        bot = find_bot(levels[number % len(levels)].replace("master", "master:0.05s"))
        action = bot.choose(match.engine, match.hidden(seat), seat, rng)
        match.play_action(seat, action)
        match.views()(seat)
    assert signatures() == before
