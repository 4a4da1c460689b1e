"""The commands of docs/lab.md, run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.lab.command import run

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "lab.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ registan (.*)$", TEXT, re.MULTILINE)


def test_the_commands_of_the_page_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    here = [command for command in COMMANDS if "--on ray" not in command]
    assert len(here) >= 7
    for command in here:
        code, out, _ = run(capsys, *shlex.split(command))
        assert code == 0, command
        assert out, command
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"results.csv", "decisions.csv", "results.parquet", "games.jsonl", "report.html", "sweep.html"}
