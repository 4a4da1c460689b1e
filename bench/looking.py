"""How long a player waits who looks back or asks: a jump to any moment of a replay, and a hint.

    python -m bench.looking             # both, in every game
    python -m bench.looking jump        # only jumps (goal: under 100 ms)
    python -m bench.looking hint        # only hints, while bots think at another table (goal: under 1.5 s)

A jump is measured in a real browser, from the touch of the slider until the moment has been painted: at once after the
page was opened (the first one fetches), and to random moments. A hint is measured from the request to the answer, at a
table of four, while masters think at a table of somebody else. The rules are compiled before: what the cache lacks is
compiled first. Everything else on the machine affects the figures; they include its load.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import uvloop
from bench.memory import start, wait_until_warm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.browsing import LAPTOP, Guest, House, launched  # noqa: E402
from tools.moments import ME, cookie, furnish  # noqa: E402

from registan.bots.search import simulate  # noqa: E402
from registan.core.engine import is_cached  # noqa: E402
from registan.core.registry import find, keys  # noqa: E402
from registan.server.identity import COOKIE  # noqa: E402

JUMPS, HINTS = 30, 10
JUMP = """(to) => new Promise((resolve) => {
  const range = document.querySelector("input[type=range]");
  const room = document.querySelector("main");
  const begun = performance.now();
  // Once the moment is there, it is in the page before the next frame, and painted after it.
  const look = () => requestAnimationFrame(() => {
    if (room.getAttribute("aria-busy") === "true") look();
    else setTimeout(() => resolve(performance.now() - begun));
  });
  range.value = to;
  range.dispatchEvent(new Event("input", { bubbles: true }));
  look();
})"""


def told(name: str, took: list[float], unit: str) -> None:
    """Print how long something took."""
    took = sorted(took)
    p95 = took[min(len(took) - 1, int(0.95 * len(took)))]
    print(
        f"{name}: median {statistics.median(took):.2f}, 95 % {p95:.2f}, longest {took[-1]:.2f} {unit} ({len(took)})",
        flush=True,
    )


def jumps() -> None:
    """Measure jumps in finished games of four."""
    with tempfile.TemporaryDirectory() as folder:
        furnish(Path(folder))
        house = House(Path(folder))
        house.open()
        wait_until_compiled(Path(folder) / "log")
        try:
            with launched() as browser:
                for game in keys():
                    guest = Guest(browser, house, "en", LAPTOP)
                    made = cookie(house.data, ME, "en")
                    guest.context.add_cookies([{"name": COOKIE, "value": made, "url": house.url}])
                    took = jumped(guest, f"/t/{game}-over/replay")
                    told(f"{game}: jump", took, f"ms, the first {took[0]:.0f}")
                    guest.context.close()
        finally:
            house.close()


def wait_until_compiled(log: Path) -> None:
    """Wait until a house has loaded the machine code of all games."""
    if not all(is_cached(find(key), simulate) for key in keys()):
        raise SystemExit("compile the rules first: registan warm")
    while log.read_text("utf-8").count("rules are compiled") < len(keys()):
        time.sleep(0.2)


def jumped(guest: Guest, path: str) -> list[float]:
    """Return the milliseconds of jumps in a replay: the first one at once, the others after a moment."""
    page, dice = guest.page, random.Random(3)
    page.goto(path)
    page.locator("input[type=range]").wait_for()
    last = int(page.locator("input[type=range]").get_attribute("max") or 0)
    at, took = -1, []
    for _ in range(JUMPS):
        at = dice.choice([to for to in range(1, last) if to != at])
        took.append(float(page.evaluate(JUMP, at)))
        page.wait_for_timeout(100)
    return took


async def busy(http: httpx.AsyncClient, stop: asyncio.Event) -> None:
    """Keep bots thinking at another table: one game with masters after the other."""
    dice, path = random.Random(5), ""
    while not stop.is_set():
        seen: Any = (await http.get(path, params={"seat": 0})).json() if path else {"status": "over"}
        if seen["status"] == "over":
            path = await sat(http, keys()[0], "master")
        elif legal := seen["view"]["legal"]:
            await http.post(path, json={"do": "play", "seat": 0, "move": dice.choice(legal)})
        else:
            await asyncio.sleep(0.05)


async def sat(http: httpx.AsyncClient, game: str, level: str) -> str:
    """Start a game with bots, and return the path of its table."""
    seats = [{"kind": "me"}, *[{"kind": "bot", "level": level}] * 3]
    made = await http.post("/api/tables", json={"game": game, "seats": seats})
    made.raise_for_status()
    path = f"/api/tables/{made.json()['table']}"
    (await http.post(path, json={"do": "start"})).raise_for_status()
    return path


async def hinted(http: httpx.AsyncClient, game: str) -> tuple[list[float], int]:
    """Return the seconds of hints in a game, each at another decision, and how many were refused."""
    took: list[float] = []
    refused = 0
    dice, path = random.Random(9), ""
    while len(took) < HINTS:
        seen: Any = (await http.get(path, params={"seat": 0})).json() if path else {"status": "over"}
        if seen["status"] == "over":
            path = await sat(http, game, "greedy")
        elif len(legal := seen["view"]["legal"]) > 1:
            begun = time.perf_counter()
            answer = await http.post(f"{path}/hint", json={"seat": 0})
            if answer.status_code == 200:
                took.append(time.perf_counter() - begun)
            else:
                refused += 1
                await asyncio.sleep(1)
            await http.post(path, json={"do": "play", "seat": 0, "move": dice.choice(legal)})
        elif legal:
            await http.post(path, json={"do": "play", "seat": 0, "move": legal[0]})
        else:
            await asyncio.sleep(0.02)
    return took, refused


async def named(http: httpx.AsyncClient) -> None:
    """Give somebody a name."""
    me = await http.post("/api/me", json={"name": "Guest"})
    http.cookies.set(COOKIE, me.cookies[COOKIE])


async def hints(url: str) -> None:
    """Measure hints while bots think at another table."""
    async with (
        httpx.AsyncClient(base_url=url, timeout=60) as mine,
        httpx.AsyncClient(base_url=url, timeout=60) as others,
    ):
        await named(mine)
        await named(others)
        stop = asyncio.Event()
        other = asyncio.create_task(busy(others, stop))
        for game in keys():
            took, refused = await hinted(mine, game)
            told(f"{game}: hint", took, f"s, {refused} refused")
        stop.set()
        await other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=["jump", "hint"])
    part = parser.parse_args().part
    if part != "hint":
        jumps()
    if part != "jump":
        with tempfile.TemporaryDirectory() as name:
            process, url = start(Path(name), 1.0)
            try:
                wait_until_warm(process)
                assert process.stderr is not None  # a full pipe would stop the house
                threading.Thread(target=process.stderr.read, daemon=True).start()
                uvloop.run(hints(url))
            finally:
                process.terminate()
                process.wait()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
