"""A check that has passed is not repeated on the very same files, and on no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tools import passed
from tools.passed import Passed


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small clone with an installed environment."""
    root = tmp_path / "project"
    (root / ".venv").mkdir(parents=True)
    (root / ".venv" / ".stamp").write_text("installed")
    (root / ".gitignore").write_text("/.venv/\n/build/\n")
    (root / "rules.py").write_text("a = 1\n")
    subprocess.run(["git", "init", "-q", root], check=True)
    monkeypatch.setattr(passed, "ROOT", root)
    monkeypatch.setattr(passed, "VENV", root / ".venv")
    return root


def run(project: Path, *names: str) -> None:
    """Let some checks pass."""
    now = Passed(project / "build" / "passed.json")
    for name in names:
        now.add(name)
    now.save()


def known(project: Path, name: str = "mypy") -> bool:
    return name in Passed(project / "build" / "passed.json")


def test_what_passed_is_known_in_the_next_run(project: Path) -> None:
    assert not known(project)
    run(project, "mypy")
    assert known(project)
    assert not known(project, "ruff")
    run(project, "ruff")
    assert known(project)


def test_any_change_makes_everything_unknown(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(project, "mypy")
    for path, text in (("rules.py", "a = 2\n"), ("new.py", ""), (".venv/.stamp", "installed anew")):
        before = (project / path).read_text() if (project / path).exists() else None
        (project / path).write_text(text)
        assert not known(project), path
        if before is None:
            (project / path).unlink()
        else:
            (project / path).write_text(before)
        assert known(project), path
    (project / "rules.py").chmod(0o755)
    assert not known(project)
    (project / "rules.py").chmod(0o644)
    monkeypatch.setenv("REGISTAN_TEST_SCALE", "9")
    assert not known(project)


def test_a_file_changed_during_a_run_makes_it_count_for_nothing(project: Path) -> None:
    now = Passed(project / "build" / "passed.json")
    now.add("mypy")
    (project / "rules.py").write_text("a = 3\n")
    now.save()
    assert not known(project)
    (project / "rules.py").write_text("a = 1\n")
    assert not known(project)


def test_nothing_is_known_where_it_was_not_asked_for(project: Path) -> None:
    run(project, "mypy")
    file = project / "build" / "passed.json"
    everywhere = Passed(file, wanted=False)
    assert "mypy" not in everywhere
    everywhere.save()
    assert known(project)
    (project / ".git").rename(project / "git")
    assert not known(project)  # not a clone: nobody can tell what has changed
