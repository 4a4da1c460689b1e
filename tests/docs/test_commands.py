"""The commands that the pages show, run as they stand there: page by page, from top to bottom, in an empty folder."""

from __future__ import annotations

import io
import json
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tools.environment import ROOT

from tests.compiled import as_before
from tests.docs.blocks import BLOCKS
from tests.lab.command import run

__all__ = ["as_before"]

GLANCE = "glance khiva --out glance.json"
LEVELS = "child,novice,pedlar,merchant,caravaneer,vizier,master"
PIP, BENCH, BALANCE = "pip install", "python -m bench.", "python -m tools.silk_road.balance"
STORE, LEARNED = "--store postgresql://", "learned:souk-run/weights.npz"
UNLIMITED, LOADTEST = "REGISTAN_UNLIMITED=1 registan serve", "registan loadtest http://127.0.0.1:8138"
NOT_RUN = {
    ("README.md", "make play"): "sets up a checkout and opens a browser",
    ("README.md", "make test"): "is what runs this test",
    ("README.md", "registan bench"): "measures for a minute",
    ("README.md", "registan loadtest http://127.0.0.1:8137"): "loads a house for minutes",
    ("README.md", "registan warm"): "compiles for minutes; `make test` does it before the tests",
    ("docs/start.md", "registan warm"): "as above",
    ("docs/environments.md", "registan warm"): "as above",
    ("docs/start.md", "make play"): "as above",
    ("docs/start.md", f'{PIP} "registan[house]"'): "needs an index; tests/test_wheel.py installs a wheel",
    ("docs/start.md", f"{PIP} registan"): "as above",
    ("docs/environments.md", f'{PIP} "registan[envs]"'): "as above",
    ("docs/environments.md", f'{PIP} "registan[openspiel]"'): "as above",
    ("docs/lab.md", "registan simulate khiva --games 4000 --bots greedy --on ray"): "tests/lab/test_ray.py starts Ray",
    ("docs/house.md", f"registan serve --processes 4 {STORE}registan@db/registan"): "needs PostgreSQL elsewhere",
    ("docs/house.md", f"registan think --workers 8 {STORE}thinker@db/registan"): "as above",
    ("docs/speed.md", f"{BENCH}house"): "loads the machine for minutes",
    ("docs/speed.md", f"{UNLIMITED} --port 8138 --data /tmp/load"): "as above",
    ("docs/speed.md", f"{LOADTEST} --tables 100 500 1000 2000 --think 5 --seconds 30"): "as above",
    ("docs/speed.md", f"{BENCH}house --cold"): "as above",
    ("docs/speed.md", f"{BENCH}beside"): "as above",
    ("docs/speed.md", f"{BENCH}faults"): "as above",
    ("docs/speed.md", f"{BENCH}store"): "as above",
    ("docs/speed.md", f"{BENCH}queues --store …"): "as above",
    ("docs/speed.md", f"{BENCH}crowd"): "as above",
    ("docs/speed.md", f"{BENCH}memory"): "as above",
    ("docs/speed.md", f"{BENCH}pages"): "as above",
    ("docs/speed.md", f"{BENCH}keeping"): "as above",
    ("docs/speed.md", f"{BENCH}move"): "as above",
    ("docs/learning.md", f"registan train {GLANCE} --minutes 7 --games 2400 --seed 7"): "tunes for minutes",
    (
        "docs/bots.md",
        f"registan arena khiva --bots {LEVELS} --neighbours --games 256 --seed 2027 --ratings ratings.json",
    ): "takes hours",
    ("docs/learning.md", "registan arena khiva --bots tuned,greedy --games 4000"): "plays thousands of games",
    ("docs/train.md", "registan train souk --out souk-run --minutes 60"): "learns for an hour",
    ("docs/train.md", f"registan arena souk --bots {LEARNED},greedy --games 4000"): "needs that net",
    ("docs/map.md", BALANCE): "plays for minutes to hours",
    ("docs/map.md", f"{BALANCE} --bots search:200 --games 120"): "as above",
    ("docs/map.md", f"{BALANCE} --players 3 --games 10000"): "as above",
}
"""What the pages say is not run, and why."""

PAGES = sorted({block.page for block in BLOCKS if block.commands()})


def test_what_is_not_run_is_said_on_the_page_and_here() -> None:
    left_out = {(block.page, command) for block in BLOCKS for command in block.commands() if block.left_out(command)}
    assert left_out == set(NOT_RUN)


def test_a_module_that_is_not_run_exists() -> None:
    modules = [command.split()[2] for _, command in NOT_RUN if command.startswith("python -m ")]
    assert len(modules) >= 9
    assert not [name for name in modules if not (ROOT / name.replace(".", "/")).with_suffix(".py").is_file()]


def test_every_remark_above_a_block_is_about_one_of_its_commands() -> None:
    for block in BLOCKS:
        for start in block.not_run:
            assert any(command.startswith(start) for command in block.commands()), f"{block.page}: {start}"
        for _, old in block.run_with:
            assert any(old in command for command in block.commands()), f"{block.page}: {old}"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder with the examples in it, of which home and data are parts, and `registan` on the path."""
    for name in [name for name in os.environ if name.startswith("REGISTAN_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("LANG", "C")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"])
    monkeypatch.chdir(folder)


def answers(words: list[str]) -> bool:
    """Open a house on a free port, without a browser, and return whether it answers with its page."""
    env = os.environ | {"REGISTAN_INTERPRET": "1", "BROWSER": "true"}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    house = subprocess.Popen([*words, "--port", str(port)], env=env, stderr=subprocess.PIPE, text=True)
    assert house.stderr is not None
    try:
        assert json.loads(house.stderr.readline())["event"] == "open"
        return httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
    finally:
        house.terminate()
        house.communicate(timeout=20)


@pytest.mark.no_cover
@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_work(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for block in BLOCKS:
        for shown in block.commands() if block.page == page else []:
            if block.left_out(shown):
                continue
            command = block.as_run(shown)
            words = shlex.split(command)
            if words[:2] == ["registan", "serve"]:
                assert answers(words), command
            elif words[0] == "registan":
                # In this process, where the compiled code is loaded once. Whoever plays leaves at the first question.
                monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"q\n")))
                code, _, err = run(capsys, *words[1:])
                assert code == 0, f"{page}: {command}\n{err}"
            else:
                ran = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)
                assert ran.returncode == 0, f"{page}: {command}\n{ran.stderr}"
