"""A real house in another process, and guests with real browsers, for tests and screenshots."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from registan.bots.search import simulate
from registan.core.engine import is_cached
from registan.core.registry import find, keys
from registan.server.limits import RATES

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
AXE = Path(__file__).resolve().parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAUSE = 1.5 / RATES["ask"].per_second
"""Seconds between two looks at a table, so that whoever waits for something can do so for ever."""
LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 640}


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class House:
    """A house that can be stopped and restarted at the same address."""

    def __init__(self, data: Path, env: dict[str, str] | None = None, root: Path | None = None) -> None:
        self.python = sys.executable if root is None else str(root / ".venv" / "bin" / "python")
        self.env = {**(os.environ if env is None else env), "LANG": "C"}
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = data
        self.process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Start it and wait until it answers."""
        command = [self.python, "-m", "registan", "serve", "--port", str(self.port), "--data", str(self.data)]
        if not all(is_cached(find(key), simulate) for key in keys()):
            command.append("--interpret")  # no compiling beside the browser
        with (self.data / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stderr=log, env=self.env)
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{self.url}/ready"):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError((self.data / "log").read_text())

    def close(self) -> None:
        """Stop it, as Ctrl-C does."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
            self.process = None


@contextmanager
def launched() -> Iterator[Browser]:
    """Start the browser: the one named in CHROMIUM, else one on PATH, else Playwright's."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


class Guest:
    """A person with a browser."""

    def __init__(
        self, browser: Browser, house: House, lang: str, size: dict[str, int], calm: bool = True, **more: Any
    ) -> None:
        touch = size["width"] < 500
        self.house = house
        self.context: BrowserContext = browser.new_context(
            base_url=house.url,
            locale="fr-FR" if lang == "fr" else "en-GB",
            viewport={"width": size["width"], "height": size["height"]},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce" if calm else "no-preference",
            service_workers="block",
            **more,
        )
        if calm:
            self.context.add_init_script("localStorage['registan.speed'] ??= JSON.stringify('instant')")
        self.context.set_default_timeout(15_000)
        self.errors: list[str] = []
        self._next_look = 0.0
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        # Refusals are shown to the player; the browser's message about them is not an error.
        expected = ("Failed to load resource", "WebSocket connection")
        if message.type == "error" and not message.text.startswith(expected):
            self.errors.append(message.text)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request as this guest, like the page does."""
        answer = self.context.request.fetch(
            f"{self.house.url}{path}", method=method, data=None if body is None else json.dumps(body),
            headers={"content-type": "application/json", "origin": self.house.url},
        )  # fmt: skip
        assert answer.ok, (method, path, answer.status, answer.text())
        return answer.json()

    def named(self, name: str, lang: str = "en") -> Guest:
        """Set this guest's name."""
        self.ask("POST", "/api/me", {"name": name, "lang": lang})
        return self

    def new_table(self, game: str, seats: list[dict[str, Any]], start: bool = True, **more: Any) -> str:
        """Create a table and return its id."""
        created = self.ask("POST", "/api/tables", {"game": game, "seats": seats, **more})
        if start:
            self.ask("POST", f"/api/tables/{created['table']}", {"do": "start"})
        return str(created["table"])

    def start_with(self, friend: Guest, table: str) -> None:
        """Let a friend take the open seat and contribute to chance, as pages do, and start the game."""
        path, own = f"/api/tables/{table}", secrets.token_bytes(32)
        friend.ask("POST", path, {"do": "sit"})
        (seat,) = friend.ask("GET", f"{path}/seats")["seats"]
        sealed = hashlib.sha256(own).hexdigest()
        friend.ask("POST", path, {"do": "contribute", "seat": seat, "commitment": sealed})
        self.ask("POST", path, {"do": "start"})
        friend.ask("POST", path, {"do": "reveal", "seat": seat, "contribution": own.hex()})

    def view(self, table: str, seat: int | None = None) -> Any:
        """The table as the house shows it to this guest, no more often than the house lets one person ask."""
        self.page.wait_for_timeout(max(0, self._next_look - time.monotonic()) * 1000)
        self._next_look = time.monotonic() + PAUSE
        return self.ask("GET", f"/api/tables/{table}" + ("" if seat is None else f"?seat={seat}"))

    def faults(self) -> list[str]:
        """The accessibility problems that axe-core finds on the page."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("async () => (await axe.run({resultTypes: ['violations']})).violations")
        return [f"{v['id']}: {v['help']} {[node['html'][:160] for node in v['nodes'][:3]]}" for v in found]


def wait(guest: Guest, table: str) -> Any:
    """Return the table when it is this guest's turn, or the game is over."""
    for _ in range(600):
        view = guest.view(table, 0)
        if view["status"] != "running" or view["view"]["legal"]:
            return view
        time.sleep(0.05)
    raise AssertionError(f"nobody asks at table {table}")
