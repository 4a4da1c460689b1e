"""What stands behind the Makefile: setup, play, test, bench, lock.

Standard library only, and safe to run again and again: what is done already is not done twice.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
TOOLS = ROOT / ".tools"
VENV = ROOT / ".venv"
BENCH_VENV = TOOLS / "bench"
WINDOWS = os.name == "nt"
START = time.monotonic()


class Failed(Exception):
    """Something is missing or went wrong; the text is one line for the person at the keyboard."""


def say(text: str) -> None:
    """Print a line with the seconds since the start."""
    print(f"[{time.monotonic() - START:6.1f}s] {text}", flush=True)


def program(venv: Path, name: str) -> str:
    """Return the path of a program inside a virtual environment."""
    return str(venv / ("Scripts" if WINDOWS else "bin") / (f"{name}.exe" if WINDOWS else name))


def step(name: str, *command: object, **env: str) -> bool:
    """Run one step at the project's root and tell whether it succeeded."""
    say(name)
    try:
        return subprocess.run([str(c) for c in command], cwd=ROOT, env={**os.environ, **env}).returncode == 0
    except OSError as error:
        say(f"{command[0]}: {error.strerror}")
        return False


def fetch(why: str, *command: object) -> None:
    """Run a command that may need a package index; what it says is shown only when it fails."""
    done = subprocess.run([str(c) for c in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        raise Failed(f"{why} failed: is a package index reachable? (the tool's own words are above)")


def uv() -> str:
    """Return uv from PATH, else fetch the pinned one with pip into .tools."""
    found = shutil.which("uv")
    if found:
        return found
    exe = TOOLS / "uv" / "bin" / ("uv.exe" if WINDOWS else "uv")
    if not exe.exists():
        say("fetching uv")
        options = ("install", "--no-deps", "--require-hashes", "--only-binary=:all:", "--upgrade")
        fetch("fetching uv", *pip(), *options, "--target", TOOLS / "uv", "-r", REQUIREMENTS / "uv.txt")
    return str(exe)


def pip() -> tuple[str, ...]:
    """Return the command for pip: this Python's own, else that of a small environment made for it."""
    if not subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
        return (sys.executable, "-m", "pip")
    boot = TOOLS / "boot"
    if subprocess.run([sys.executable, "-m", "venv", str(boot)], capture_output=True).returncode:
        raise Failed("this Python has neither pip nor venv: install uv, or your system's python3-venv package")
    return (program(boot, "python"), "-m", "pip")


def digest(*parts: Path | str) -> str:
    """Return a digest of texts and of files' contents."""
    sha = hashlib.sha256()
    for part in parts:
        sha.update(part.read_bytes() if isinstance(part, Path) else part.encode())
        sha.update(b"\0")
    return sha.hexdigest()


def contents(which: str) -> str:
    """Return the digest of what an environment with these requirements holds."""
    return digest(which, REQUIREMENTS / f"{which}.txt", ROOT / "pyproject.toml")


def sync(venv: Path, which: str, *or_else: str) -> None:
    """Make the virtual environment hold the locked requirements and this project, unless it does already.

    Requirements named in `or_else` hold these and more: an environment with them is left as it is.
    One that was made elsewhere, by another Python or only in part is made anew.
    """
    stamp, place = venv / ".stamp", digest(sys.version, str(venv))
    made_at, _, holds = (stamp.read_text() if stamp.exists() else "").partition(" ")
    if made_at == place and holds in [contents(w) for w in (which, *or_else)]:
        return
    tool = uv()
    say(f"installing {which} requirements into {venv.relative_to(ROOT)}")
    stamp.unlink(missing_ok=True)
    keep = "--allow-existing" if made_at == place else "--clear"
    fetch("making the environment", tool, "venv", keep, "--python", sys.executable, venv)
    into = ("--python", program(venv, "python"))
    fetch("installing packages", tool, "pip", "sync", *into, "--require-hashes", REQUIREMENTS / f"{which}.txt")
    fetch("installing registan", tool, "pip", "install", *into, "--no-deps", "--no-build-isolation", "-e", ROOT)
    stamp.write_text(f"{place} {contents(which)}")


def setup(_: list[str]) -> None:
    """Put everything into .venv."""
    sync(VENV, "dev")
    say("ready: .venv/bin/registan")


def play(args: list[str]) -> None:
    """Play Khiva in the terminal."""
    sync(VENV, "app", "dev")
    say("starting")
    registan = program(VENV, "registan")
    os.execv(registan, [registan, "play", "khiva", *args])


def test(args: list[str]) -> None:
    """Run every check; arguments go to pytest, and then coverage is not measured."""
    sync(VENV, "dev")
    services()
    failed = [*lint(), *pytest(args)]
    if failed:
        raise Failed("failed: " + "; ".join(failed))
    say("all checks passed")


def services() -> None:
    """Install PostgreSQL where its tests need it and we may; without it they are skipped."""
    found = any(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")) or shutil.which("pg_ctl")
    apt = shutil.which("apt-get")
    if found or apt is None or os.geteuid() != 0 or "REGISTAN_TEST_PG" in os.environ:
        return
    say("installing PostgreSQL for the tests")
    quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "capture_output": True}
    for command in (("update",), ("install", "-y", "--no-install-recommends", "postgresql")):
        if subprocess.run([apt, "-q", *command], **quiet).returncode:  # type: ignore[call-overload]
            say("PostgreSQL could not be installed: its tests will be skipped")
            return


def lint() -> list[str]:
    """Run the linters and return the names of those that found something."""
    checks = {
        "ruff check": ("ruff", "check"),
        "ruff format": ("ruff", "format", "--check"),
        "mypy": ("mypy",),
        "import levels": ("lint-imports", "--no-logo"),
        "vulture": ("vulture",),
    }
    return [name for name, (tool, *args) in checks.items() if not step(name, program(VENV, tool), *args)]


def pytest(args: list[str]) -> list[str]:
    """Run the tests and return the names of the steps that failed.

    Rules run interpreted in most tests, which is what coverage sees, and compiled beside them where both must agree.
    """
    steps = {
        "warming the compiler": (program(VENV, "registan"), "warm"),
        "tests": (program(VENV, "python"), "-m", "pytest", "-n", "2", *(args or ["--cov", "-m", "not ray"])),
    }
    if not args:  # Ray starts processes of its own: not beside others, and without their coverage
        steps["tests on Ray"] = (program(VENV, "python"), "-m", "pytest", "-m", "ray", "tests/lab/test_ray.py")
    return [name for name, command in steps.items() if not step(name, *command)]


def bench(args: list[str]) -> None:
    """Measure this project, then its peers, which live in an environment of their own."""
    sync(VENV, "app", "dev")
    sync(BENCH_VENV, "bench")
    ours = step("measuring registan", program(VENV, "registan"), "bench", *args)
    peers = step("measuring registan beside its peers", program(BENCH_VENV, "python"), "bench/peers.py")
    house = step("measuring the house", program(BENCH_VENV, "python"), "bench/house.py")
    if not (ours and peers and house):
        raise Failed("a benchmark failed")
    say("measured")


def lock(args: list[str]) -> None:
    """Pin all requirements, at versions that are four weeks old or older; `--upgrade` asks for new ones."""
    before = (datetime.date.today() - datetime.timedelta(days=28)).isoformat()
    shared = ("--universal", "--generate-hashes", "--no-annotate", "--python-version=3.11", f"--exclude-newer={before}")
    os.environ["UV_CUSTOM_COMPILE_COMMAND"] = "make lock"
    project, pins = ("pyproject.toml", "--group", "build"), ("-c", "requirements/dev.txt")
    for which, sources in {
        "uv": ("--group", "uv"),
        "dev": (*project, "--all-extras", "--group", "test", "--group", "lint"),
        "app": (*project, *pins),
        "bench": (*project, "--group", "bench", *pins),
    }.items():
        say(f"locking {which}")
        target = REQUIREMENTS / f"{which}.txt"
        fetch("locking", uv(), "pip", "compile", *shared, *sources, *args, "-o", target)
        if "://" in target.read_text():
            raise Failed(f"{target.relative_to(ROOT)} names a host, which a lock for everybody must not")
    say("locked")


COMMANDS = {command.__name__: command for command in (setup, play, test, bench, lock)}


def main() -> None:
    """Run the command named first on the command line."""
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python must be able to say so
        raise Failed(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}: make PYTHON=/path/to/python …")
    name, *args = sys.argv[1:] or [""]
    if name not in COMMANDS:
        raise Failed(f"say one of: {', '.join(COMMANDS)}")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # it makes every import several times slower
    os.environ.pop("VIRTUAL_ENV", None)
    os.environ.update(UV_COMPILE_BYTECODE="1", UV_PYTHON_DOWNLOADS="never")
    COMMANDS[name](args)


if __name__ == "__main__":
    try:
        main()
    except (Failed, OSError) as error:
        sys.exit(f"[{time.monotonic() - START:6.1f}s] {error}")
    except KeyboardInterrupt:
        sys.exit(130)
