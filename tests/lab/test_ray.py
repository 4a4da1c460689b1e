"""A real Ray on this machine: the same games as without it. Run on its own, it starts several processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from registan.core.box import find_box
from registan.lab.train.loop import Crew
from registan.lab.train.run import begin
from registan.lab.workers import place
from registan_well import GAME as WELL
from tests.example_game import ROOT
from tests.lab.command import run
from tests.lab.test_train import SMALL

pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, which are not ours to mend
]


def test_games_on_ray_are_those_played_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for on in ("here", "ray"):
        files = tmp_path / f"{on}.csv", tmp_path / f"{on}.jsonl"
        code, out, _ = run(
            capsys, "simulate", "khiva", "--bots", "greedy,random,greedy,random", "--games", 25, "--seed", 5,
            "--on", on, "--workers", 2, "--out", files[0], "--record", files[1], "--json",
        )  # fmt: skip
        assert code == 0
        found.append((json.loads(out), files[0].read_text(), files[1].read_text()))
    assert found[0] == found[1]


def test_an_arena_on_ray_has_the_same_standings(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "khiva", "--bots", "greedy,random", "--games", 40, "--json"]
    _, here, _ = run(capsys, *words)
    _, ray, _ = run(capsys, *words, "--on", "ray", "--workers", 2)
    assert json.loads(here) == json.loads(ray)


def test_self_play_on_ray_is_that_played_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "examples" / "well"))
    here, there = (begin(WELL, find_box(WELL), SMALL, seed=6) for _ in range(2))
    crew = Crew(workers=2, on="ray")
    with place(crew.workers, crew.on):
        for done in (0.0, 0.5):
            here.learn(Crew().play(here.tasks()), done)
            there.learn(crew.play(there.tasks()), done)
    assert there.games == here.games > 0
    assert there.fit.weights.tobytes() == here.fit.weights.tobytes()
