"""What stands behind the Makefile: setup, play, test, bench, faults, docs, screenshots, lock.

Standard library only, and safe to run again and again: what is done already is not done twice.
"""

from __future__ import annotations

import datetime
import os
import sys
import time

from tools.checks import services, test
from tools.environment import (
    REQUIREMENTS,
    ROOT,
    START,
    TOOLS,
    VENV,
    Failed,
    chromium,
    fetch,
    house_types,
    packages,
    program,
    say,
    step,
    sync,
    uv,
    web,
)

BENCH_VENV = TOOLS / "bench"


def setup(_: list[str]) -> None:
    """Put everything into .venv, and build the web app."""
    sync(VENV, "dev")
    web()
    house_types()
    say("ready: .venv/bin/registan")


def play(args: list[str]) -> None:
    """Open the house: server, web app, bots, SQLite."""
    sync(VENV, "app", "dev")
    web()
    say("opening the house (Ctrl-C closes it)")
    registan = program(VENV, "registan")
    os.execv(registan, [registan, "serve", "--open", *args])


def bench(args: list[str]) -> None:
    """Measure this project, then its peers, which live in an environment of their own."""
    sync(VENV, "app", "dev")
    sync(BENCH_VENV, "bench")
    web()
    packages(ROOT / "bench" / "boardgame_io")
    python = program(BENCH_VENV, "python")
    steps = {
        "measuring registan": (program(VENV, "registan"), "bench", *args),
        "measuring the search": (program(VENV, "registan"), "bench", "--search"),
        "measuring the laboratory": (program(VENV, "python"), "-m", "bench.lab"),
        "measuring registan beside its peers": (python, "bench/peers.py"),
        "measuring the environments beside their peers": (python, "-m", "bench.envs"),
        "playing against OpenSpiel's search": (python, "bench/ismcts.py"),
        "measuring the house": (python, "-m", "bench.house"),
        "measuring the house beside boardgame.io": (python, "-m", "bench.beside"),
    }
    failed = [name for name, command in steps.items() if not step(name, *command)]
    if failed:
        raise Failed("failed: " + "; ".join(failed))
    say("measured")


def faults(args: list[str]) -> None:
    """Kill and cut a house at random under load, for half an hour unless the arguments say otherwise."""
    sync(VENV, "app", "dev")
    web()
    services()
    if not step("letting things happen to a house", program(VENV, "python"), "-m", "bench.faults", *args):
        raise Failed("something was lost, or did not go on (above)")


def docs(args: list[str]) -> None:
    """Build the documentation site."""
    sync(VENV, "dev")
    if not step("building the site", program(VENV, "python"), "-m", "tools.site", *args):
        raise Failed("the site has faults (they are above)")


def screenshots(args: list[str]) -> None:
    """Retake the pictures of the README and make a contact sheet, in the real app."""
    sync(VENV, "dev")
    web()
    os.environ["REGISTAN_INTERPRET"] = "1"  # a few games are not worth compiling
    if browser := chromium():
        os.environ["CHROMIUM"] = browser
    if not step("taking pictures", program(VENV, "python"), "tools/screenshots.py", *args):
        raise Failed("the pictures could not be taken")


def lock(args: list[str]) -> None:
    """Pin all requirements, at versions that are four weeks old or older; `--upgrade` asks for new ones."""
    before = (datetime.date.today() - datetime.timedelta(days=28)).isoformat()
    shared = ("--universal", "--generate-hashes", "--no-annotate", "--python-version=3.11", f"--exclude-newer={before}")
    os.environ["UV_CUSTOM_COMPILE_COMMAND"] = "make lock"
    project, pins = ("pyproject.toml", "--group", "build"), ("-c", "requirements/dev.txt")
    for which, sources in {
        "uv": ("--group", "uv"),
        "node": ("--group", "node"),
        "dev": (*project, "--all-extras", "--group", "test", "--group", "lint", "--group", "docs"),
        "app": (*project, "--extra", "house", *pins),
        "house": (*project, "--extra", "house", "--extra", "postgres", "--extra", "redis", *pins),
        "audit": ("--group", "audit"),
        "bench": (*project, "--extra", "house", "--group", "bench", *pins),
    }.items():
        say(f"locking {which}")
        target = REQUIREMENTS / f"{which}.txt"
        fetch("locking", uv(), "pip", "compile", *shared, *sources, *args, "-o", target)
        if "://" in target.read_text():
            raise Failed(f"{target.relative_to(ROOT)} names a host, which a lock for everybody must not")
    say("locked")


COMMANDS = {command.__name__: command for command in (setup, play, test, bench, faults, docs, screenshots, web, lock)}


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
