"""`registan serve`: a real process, its settings, its shutdown, and SIGKILL under load."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from registan.core.errors import BadInput
from registan.server.serving import bind
from registan.server.settings import Settings, settings
from registan.server.storage.store import open_store
from registan.tables import events as e
from registan.tables.table import replay


@contextmanager
def served(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `registan serve`; yield the process and its address."""
    command = [sys.executable, "-m", "registan", "serve", "--interpret", "--port", "0", "--data", str(folder), *more]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "LANG": "C"})
    assert process.stderr is not None
    try:
        line = json.loads(process.stderr.readline())
        yield process, line["url"]
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stderr.close()


def ready(url: str) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/ready").status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.02)
    pytest.fail("the house did not open")


class Player(threading.Thread):
    """Plays all seats of a table, and notes the key of every move that was acknowledged."""

    def __init__(self, url: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.url, self.rng = url, random.Random(seed)
        self.table = ""
        self.acknowledged: list[str] = []

    def run(self) -> None:
        try:
            with httpx.Client(base_url=self.url, timeout=10) as http:
                http.post("/api/me", json={"name": "Ann"}).raise_for_status()
                seats = [{"kind": "me"}] * 3
                created = http.post("/api/tables", json={"game": "khiva", "seats": seats}).raise_for_status()
                self.table = created.json()["table"]
                http.post(f"/api/tables/{self.table}", json={"do": "start"}).raise_for_status()
                while True:
                    self.move(http)
        except httpx.HTTPError:
            pass  # the plug was pulled

    def move(self, http: httpx.Client) -> None:
        seat = self.rng.randrange(3)
        view = http.get(f"/api/tables/{self.table}", params={"seat": seat})
        legal = view.json()["view"]["legal"] if view.status_code == 200 else []
        if not legal:
            return
        key = f"{self.rng.random()}"
        move = {"do": "play", "seat": seat, "move": self.rng.choice(legal), "key": key}
        for _ in range(2):  # a double click
            if http.post(f"/api/tables/{self.table}", json=move).status_code == 200:
                self.acknowledged.append(key)


def test_no_acknowledged_move_is_lost_when_the_plug_is_pulled(tmp_path: Path) -> None:
    rng = random.Random(7)
    known: dict[str, set[str]] = {}
    for round_ in range(3):
        with served(tmp_path) as (process, url):
            ready(url)
            players = [Player(url, 10 * round_ + i) for i in range(3)]
            for player in players:
                player.start()
            patience = time.monotonic() + 60
            while sum(len(player.acknowledged) for player in players) < 6 and time.monotonic() < patience:
                time.sleep(0.01)
            time.sleep(rng.random())
            process.send_signal(signal.SIGKILL)
            for player in players:
                player.join(10)
                known[player.table] = set(player.acknowledged)
        asyncio.run(_check(str(tmp_path / "house.db"), known))
    assert sum(map(len, known.values())) > 10
    with served(tmp_path) as (_, url):  # and every table opens
        ready(url)
        for table in known:
            assert not table or httpx.get(f"{url}/api/tables/{table}").status_code == 200


async def _check(path: str, known: dict[str, set[str]]) -> None:
    store = await open_store(path)
    for table, acknowledged in known.items():
        if not table:
            continue
        log = [e.loads(data) for data in await store.log(table)]
        keys = [event.key.rpartition(" ")[2] for event in log if event.key]
        assert len(keys) == len(set(keys))
        assert acknowledged <= set(keys)
        assert replay(log).seq == len(log)
    await store.close()


def test_the_house_closes_in_an_orderly_way(tmp_path: Path) -> None:
    with served(tmp_path) as (process, url):
        ready(url)
        assert httpx.get(f"{url}/health").text == "ok"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, -signal.SIGTERM)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--port", "70000"), "port must be from 0 to 65535"),
        (("--store", "mysql://x"), "not a store"),
        (("--store", "postgresql://127.0.0.1:1/x"), "PostgreSQL cannot be used"),
        (("--data", "/proc/nowhere"), "cannot be used"),
        (("--bus", "nats://x"), "begins with redis://"),
        (("--bus", "redis://127.0.0.1:1"), "The bus cannot be used"),
        (("--log-level", "loud"), "loud"),
        (("--public-url", "somewhere"), "public_url"),
        (("--allowed-hosts", "house.example, *"), "allowed_hosts"),
        (("--trusted-proxies", "10.0.0.0/8, proxy"), "trusted_proxies"),
        (("--config", "/nowhere.toml"), "cannot be read"),
        (("--prot", "1"), "--prot"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(more: tuple[str, ...], said: str, tmp_path: Path) -> None:
    options = {"--port": "0", "--data": str(tmp_path)} | {more[0]: more[1]}
    words = [word for option in options.items() for word in option]
    command = [sys.executable, "-m", "registan", "serve", "--interpret", *words]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LANG": "C"}, timeout=60)
    assert done.returncode == 2
    words = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert len(words) == 1, done.stderr
    assert said in words[0]


def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f"port {port}"):
            bind("127.0.0.1", port)


def test_settings_come_from_flag_environment_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "house.toml"
    file.write_text('port = 1111\nhost = "127.0.0.2"\nworkers = 3\n')
    monkeypatch.setenv("REGISTAN_PORT", "2222")
    monkeypatch.setenv("REGISTAN_WORKERS", "4")
    monkeypatch.setenv("REGISTAN_NOTIFY_PRIVATE", "true")
    given: dict[str, Any] = {"workers": 5, "host": None}
    chosen = settings(given, file)
    assert (chosen.host, chosen.port, chosen.workers) == ("127.0.0.2", 2222, 5)
    assert chosen.notify_private
    file.write_text("surprise = 1\n")
    with pytest.raises(BadInput, match="surprise"):
        settings({}, file)
    file.write_text("= 1\n")
    with pytest.raises(BadInput, match="not TOML"):
        settings({}, file)
    with pytest.raises(BadInput, match="workers"):
        Settings(workers=0).checked()
    with pytest.raises(BadInput, match="from 0 to 65535"):
        Settings(port=99999999).checked()
