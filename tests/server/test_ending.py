"""`registan serve` ends within ten seconds of SIGTERM, whatever it is doing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests.server.place import Guest, until
from tests.server.test_serve import ready
from tests.server.test_sockets import deaf

SECONDS = 10
STATES = {
    "at rest": "",
    "a store that hangs": (
        "from registan.server.storage import sqlite; commit = sqlite._commit\n"
        "def hang(db, jobs):\n"
        "    if os.path.exists(os.environ['HANG']): time.sleep(1000)\n"
        "    return commit(db, jobs)\n"
        "sqlite._commit = hang\n"
    ),
    "bots that think": (
        "from registan.tables import bots\n"
        "def think(*_):\n"
        "    open(os.environ['HANG'] + '.thinks', 'w').close()\n"
        "    while True: time.sleep(1000)\n"
        "bots.Question.think = think\n"
    ),
    "an event loop that is stuck": (
        "from registan.server.live import house\nasync def close(self): time.sleep(1000)\nhouse.House.close = close\n"
    ),
}


@contextmanager
def serving(folder: Path, code: str = "", **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the house in a process of its own, with something added to it; yield the process and its address."""
    words = ["serve", "--port", "0", "--data", str(folder)]
    start = f"import os, time\n{code}\nfrom registan.cli import main\nmain({words!r})"
    given = {**os.environ, "LANG": "C", "HANG": str(folder / "hang"), "REGISTAN_INTERPRET": "1", **environment}
    process = subprocess.Popen([sys.executable, "-c", start], stderr=subprocess.PIPE, text=True, env=given)
    assert process.stderr is not None
    try:
        yield process, json.loads(process.stderr.readline())["url"]
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stderr.close()


def ends(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        pytest.fail(f"it runs {SECONDS} seconds after SIGTERM")


@pytest.mark.parametrize("state", STATES)
def test_the_house_ends_in_time(state: str, tmp_path: Path) -> None:
    with serving(tmp_path, STATES[state]) as (process, url):
        ready(url)
        ann = Guest(url, "Ann")
        table = ann.new_table("khiva", ("random", "random"))
        raw = deaf(url, table)
        if state == "a store that hangs":
            (tmp_path / "hang").touch()
            with suppress(httpx.TimeoutException):
                ann.http.post(f"/api/tables/{table}", json={"do": "say", "seat": 0, "text": "x"}, timeout=1)
        if state == "bots that think":
            until((tmp_path / "hang.thinks").exists)
        ends(process)
        raw.close()
        ann.http.close()


def test_the_compiler_ends_with_the_house(tmp_path: Path) -> None:
    nowhere = {"REGISTAN_INTERPRET": "", "REGISTAN_CACHE": str(tmp_path / "cache")}
    with serving(tmp_path, **nowhere) as (process, url):
        ready(url)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        until(lambda: bool(children.read_text()))
        compilers = [Path(f"/proc/{child}") for child in children.read_text().split()]
        ends(process)
        until(lambda: not any(path.exists() for path in compilers))
