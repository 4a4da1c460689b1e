"""Which checks have passed on these very files, so that a run without changes does not repeat them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.environment import ROOT, VENV, digest

BESIDE = ("pg_ctl", "redis-server", "valkey-server", "nginx", "systemd-analyze")
"""Programs from outside that checks run: another version of one of them is a change too."""


class Passed:
    """The names of checks that have passed, kept in a file with the digest of all that they can have read."""

    def __init__(self, file: Path, wanted: bool = True) -> None:
        self._file = file
        self._all = everything() if wanted else None
        try:
            kept = json.loads(file.read_text())
        except (OSError, ValueError):
            kept = {}
        same = self._all is not None and kept.get("digest") == self._all
        self._names: set[str] = set(kept["names"]) if same else set()

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def add(self, name: str) -> None:
        """Note that a check has passed."""
        self._names.add(name)

    def save(self) -> None:
        """Write it down for the next run, unless somebody has changed a file meanwhile."""
        if self._all is not None and everything() == self._all:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps({"digest": self._all, "names": sorted(self._names)}))


def everything() -> str | None:
    """Return a digest of every file of the project, its environment and the programs beside it; None if unknown."""
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
    stamp = VENV / ".stamp"
    if listed.returncode or not stamp.exists():
        return None  # not a clone, or not installed as a whole
    parts: list[Path | str] = [sys.version, stamp]
    for name in sorted(set(listed.stdout.split("\0")) - {""}):
        path = ROOT / name
        parts += [name, str(path.stat().st_mode) if path.is_file() else "gone", *([path] if path.is_file() else [])]
    debian = sorted(str(path) for path in Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    for program in (os.environ.get("CHROMIUM", ""), *debian, *BESIDE):
        found = shutil.which(program)
        parts.append(f"{program} {Path(found).resolve()} {Path(found).stat().st_mtime_ns}" if found else program)
    parts += [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("REGISTAN_")]
    return digest(*parts)
