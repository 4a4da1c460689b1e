"""Take the screenshots of the README in the real app: `make screenshots`."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.browsing import PHONE, Guest, House, launched

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
DESK = {"width": 1440, "height": 900}
MOVES = {"samarkand": 8, "khiva": 12, "souk": 14}
NAMES = ("Zarina", "Timur", "Nodira", "Bek")


def played(guest: Guest, game: str, moves: int) -> str:
    """Create a hot-seat table for four, play some random moves, and return its id."""
    seats: list[dict[str, Any]] = [{"kind": "me", "name": NAMES[0], "salt": "1"}]
    seats += [{"kind": "bot", "level": "greedy"}] * (3 if game != "samarkand" else 2)
    table = guest.new_table(game, seats)
    dice = random.Random(7)
    for _ in range(moves):
        view = wait(guest, table)
        if view["status"] != "running":
            break
        move = dice.choice(view["view"]["legal"])
        guest.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": move})
    wait(guest, table)
    return table


def wait(guest: Guest, table: str) -> Any:
    """Return the table when it is this guest's turn, or the game is over."""
    for _ in range(600):
        view = guest.view(table, 0)
        if view["status"] != "running" or view["view"]["legal"]:
            return view
        time.sleep(0.05)
    raise AssertionError(f"nobody asks at table {table}")


def shoot(guest: Guest, path: str, name: str, pause: int = 1500) -> None:
    """Open a page and save a screenshot."""
    guest.page.goto(path)
    guest.page.locator("main h1, main h2, .stage").first.wait_for()
    guest.page.wait_for_timeout(pause)
    guest.page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)
    print(PICTURES / f"{name}.jpg", flush=True)


def take(browser: Browser, house: House, games: list[str]) -> None:
    """Take all pictures."""
    desk = Guest(browser, house, "en", DESK, color_scheme="light").named(NAMES[0])
    phone = Guest(browser, house, "fr", PHONE, color_scheme="dark", device_scale_factor=2).named(NAMES[0], "fr")
    for guest, size in ((desk, ""), (phone, "-phone")):
        for game in games:
            shoot(guest, f"/t/{played(guest, game, MOVES[game])}", f"web-{game}{size}")
        shoot(guest, "/", f"web-home{size}")
    shoot(desk, "/new/khiva", "web-new")


def main() -> None:
    """Open a house and take the screenshots; games can be named on the command line."""
    PICTURES.mkdir(exist_ok=True)
    os.environ.setdefault("LANG", "C")
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        house = House(Path(folder))
        house.open()
        try:
            take(browser, house, sys.argv[1:] or list(MOVES))
        finally:
            house.close()


if __name__ == "__main__":
    main()
