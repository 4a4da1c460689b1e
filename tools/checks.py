"""`make test`: every check there is, in two lanes, so that two cores have work all the time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.audit import audit
from tools.environment import (
    ROOT,
    VENV,
    WEB,
    WINDOWS,
    Failed,
    apt,
    chromium,
    digest,
    files,
    house_types,
    message_folders,
    node_env,
    node_program,
    packages,
    program,
    say,
    step,
    sync,
    uv,
    web,
)
from tools.passed import Passed

Lane = Callable[[], None]
COVERED = ("tests/games", "tests/core", "tests/conformance", "tests/bots", "tests/terminal")
HOUSE = "tests/server"
LIGHT = ("-p", "no:schemathesis")
"""Without a plugin that takes most of a second to import in every process."""
TOGETHER = ("--dist", "worksteal")
"""Most tests of a file run in one process, so that what they share is made once; whoever is done takes from others."""


class Steps:
    """The steps of a run. Each prints what it said when it ends, so that steps side by side stay readable."""

    def __init__(self, passed: Passed) -> None:
        self.failed: list[str] = []
        self._passed = passed
        self._took: list[tuple[str, float]] = []
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False
        self._lock = threading.Lock()

    def run(
        self, name: str, *command: object, folder: Path = ROOT, env: dict[str, str] | None = None, again: bool = False
    ) -> bool:
        """Run a command to its end, print what it said, and tell whether it succeeded.

        What has succeeded on these very files before is not run, except with `again`.
        """
        if self._stopped:
            raise Failed(f"{name} was not run")
        if name in self._passed and not again:
            say(f"{name}: not run, it passed on these very files before")
            return True
        with self.timed(name):
            with self._lock:
                # A group of its own: Ctrl-C comes to us, and `stop` passes it on to all that a step has started.
                process = subprocess.Popen(
                    [str(c) for c in command], cwd=folder, env={**os.environ, **(env or {})},
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                    encoding="utf-8", errors="replace", start_new_session=not WINDOWS,
                )  # fmt: skip
                self._running.add(process)
            said = process.communicate()[0].rstrip()
            with self._lock:
                self._running.discard(process)
                if said:
                    print(f"--- {name}\n{said}\n---", flush=True)
        if process.returncode:
            self.failed.append(name)
        else:
            self._passed.add(name)
        return process.returncode == 0

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Say when a step begins and how long it took."""
        say(f"{name} …")
        start = time.monotonic()
        yield
        took = time.monotonic() - start
        self._took.append((name, took))
        say(f"{name}: {took:.0f} s")

    def together(self, *lanes: Lane) -> None:
        """Run lanes side by side to the end of all; a lane that cannot go on fails alone."""
        with ThreadPoolExecutor(len(lanes)) as pool:
            running = [pool.submit(self._lane, lane) for lane in lanes]
            try:
                for one in running:
                    one.result()
            except BaseException:
                self.stop()
                raise

    def _lane(self, lane: Lane) -> None:
        try:
            lane()
        except Failed as error:
            self.failed.append(str(error))

    def stop(self) -> None:
        """End all that runs, as Ctrl-C would, and after some seconds without asking."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            _signal(process, signal.SIGINT)
        until = time.monotonic() + 10
        for process in running:
            while process.poll() is None and time.monotonic() < until:
                time.sleep(0.1)
            if not WINDOWS:
                _signal(process, signal.SIGKILL)

    def summary(self) -> None:
        """Print how long each step took, remember what passed, and fail if a step has failed."""
        self._passed.save()
        for name, took in sorted(self._took, key=lambda one: -one[1]):
            print(f"{took:7.1f} s  {name}")
        if self.failed:
            raise Failed("failed: " + "; ".join(self.failed))


def _signal(process: subprocess.Popen[str], number: int) -> None:
    if WINDOWS:
        process.terminate()
        return
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return  # all of it has ended


def test(args: list[str]) -> None:
    """Run every check; arguments go to pytest, and then only it runs, without coverage."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    uv()  # two of the following would fetch it
    early = ThreadPoolExecutor(2)
    building, installing = early.submit(web), early.submit(services)
    sync(VENV, "dev")
    installing.result()
    if browser := chromium():
        os.environ["CHROMIUM"] = browser
    # Fresh machines check everything, and so does whoever asks for some tests by name.
    steps = Steps(Passed(ROOT / "build" / "passed.json", wanted=not args and "CI" not in os.environ))
    compiler = Compiler(steps)

    def compiled_tests() -> None:
        compiler.help()
        compiler.wait()
        test_rules(steps)
        test_rest(steps)
        if os.environ.get("CI"):
            with steps.timed("advisories about the locked requirements"):
                if not audit():
                    steps.failed.append("advisories about the locked requirements")

    def other_checks() -> None:
        lint(steps)
        with steps.timed("waiting for the web app"):
            building.result()
        lint_web(steps)
        steps.run("the documentation site", program(VENV, "python"), "-m", "tools.site")
        compiler.help()
        compiler.wait()
        # Much of their time is waiting, and a long one should not come last.
        more = ("-n", "3", "--maxschedchunk=1", "-p", "no:playwright", *LIGHT)
        pytest(steps, "tests in the browser", *more, "tests/browser")
        test_house(steps)

    if args:
        steps.together(compiler.help, building.result)
        if not step("tests", program(VENV, "python"), "-m", "pytest", "-n", "2", *args):
            steps.failed.append("tests")
    else:
        steps.together(compiled_tests, other_checks)
        # Ray starts processes of its own: not beside others.
        pytest(steps, "tests on Ray", "-m", "ray", "tests/lab/test_ray.py")
    steps.summary()
    say("all checks passed")


class Compiler:
    """Compiles all games before tests would do it in several processes at once. Each lane takes the next game."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        games = sorted(path.parent.name for path in (ROOT / "src" / "registan" / "games").glob("*/rules.py"))
        self._done = {game: threading.Event() for game in games}
        self._left = games

    def help(self) -> None:
        """Compile games until none is left."""
        while self._left:
            with suppress(IndexError):  # the other lane was faster
                self._compile(self._left.pop(0))

    def _compile(self, game: str) -> None:
        try:
            # Always: the cache may be gone.
            self._steps.run(f"compiling {game}", program(VENV, "registan"), "warm", game, again=True)
        finally:
            self._done[game].set()

    def wait(self) -> None:
        """Wait until all games are compiled."""
        for done in self._done.values():
            done.wait()


def lint(steps: Steps) -> None:
    """Run the linters."""
    checks = {
        "ruff check": ("ruff", "check"),
        "ruff format": ("ruff", "format", "--check"),
        "import levels": ("lint-imports", "--no-logo"),
        "vulture": ("vulture",),
        "mypy": ("mypy",),
    }
    for name, (tool, *args) in checks.items():
        steps.run(name, program(VENV, tool), *args)


def lint_web(steps: Steps) -> None:
    """Check the web app: types, style, unit tests; not again if they passed and nothing they read has changed."""
    packages(WEB)
    with steps.timed("types of the house"):
        house_types()
    checks = {
        "svelte-check": ("svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"),
        "eslint": ("eslint/bin/eslint.js", "."),
        "vitest": ("vitest/vitest.mjs", "run"),
    }
    rules = sorted((ROOT / "src" / "registan" / "games").glob("*/rules.*.md"))
    read = [*files(WEB / "src", WEB / "tests", WEB / "public", *message_folders()), *rules]
    read += [path for path in sorted(WEB.iterdir()) if path.is_file()]
    read += [Path(__file__), WEB / "generated" / "openapi.json"]
    stamp = WEB / "generated" / ".checked"
    want = digest(*(part for path in read for part in (str(path.relative_to(ROOT)), path)))
    if stamp.exists() and stamp.read_text() == want:
        say(f"{', '.join(checks)}: not run, they passed on these very files before")
        return
    passed = [
        steps.run(name, node_program(), f"node_modules/{script}", *more, folder=WEB, env=node_env())
        for name, (script, *more) in checks.items()
    ]
    if all(passed):
        stamp.write_text(want)


def services() -> None:
    """See that the services which the tests talk to are there, and install them where we may."""
    postgres = any(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")) or shutil.which("pg_ctl")
    redis = shutil.which("redis-server") or shutil.which("valkey-server")
    wanted = {
        "postgresql": postgres or "REGISTAN_TEST_PG" in os.environ,
        "redis-server": redis,
        "nginx-light": shutil.which("nginx") or Path("/usr/sbin/nginx").exists(),
        "systemd": shutil.which("systemd-analyze"),
    }
    for package, there in wanted.items():
        if not there and not apt(package):
            raise Failed(f"the tests need {package}, which could not be installed: sudo apt-get install {package}")


def pytest(steps: Steps, name: str, *args: str) -> None:
    """Run some of the tests, and list those that took longest."""
    steps.run(name, program(VENV, "python"), "-m", "pytest", "--durations=15", "--durations-min=3", *args)


def test_rules(steps: Steps) -> None:
    """Run the tests that measure coverage of the rules; those marked `no_cover` run untraced, which is quicker."""
    pytest(steps, "tests of the rules", "-n", "2", *TOGETHER, *LIGHT, "--cov", "--", *COVERED)


def test_house(steps: Steps) -> None:
    """Run the tests of the server: most of their time is waiting, so there are more of them at a time than cores."""
    pytest(steps, "tests of the house", "-n", "4", *TOGETHER, HOUSE)


def test_rest(steps: Steps) -> None:
    """Run the other tests."""
    without = [f"--ignore={path}" for path in (*COVERED, HOUSE)]
    pytest(steps, "tests of what lies around the rules", "-n", "2", *TOGETHER, "-m", "not ray", *without)
