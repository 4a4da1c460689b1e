"""Measure how much a rude crowd costs everybody else, against a house with its default limits, on loopback.

    python -m bench.crowd               # chat to 60 watchers, 60 sockets that repeat `watch`, 1,000 half requests

Somebody at another table meanwhile asks for something five times a second; that must stay fast.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from registan.server.identity import COOKIE

WATCHERS, LINES, SECONDS, HALF = 60, 200, 8, 1000


def start(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a house in another process, and return it with its address."""
    command = [sys.executable, "-m", "registan", "serve", "--interpret", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    return process, json.loads(process.stderr.readline())["url"]


class Guest:
    """A person, or nobody, with a socket whose bytes are counted but not read."""

    def __init__(self, url: str, name: str | None) -> None:
        self.url, self.received, self.closed = url, 0, False
        self.http = httpx.Client(base_url=url, timeout=60)
        if name is not None:
            self.http.post("/api/me", json={"name": name}).raise_for_status()
        self.answers: asyncio.Queue[bytes] = asyncio.Queue()

    def post(self, path: str, **data: Any) -> Any:
        """Post a request that must be granted."""
        return self.http.post(path, json=data).raise_for_status().json()

    async def dial(self, table: str) -> None:
        """Open a socket as a browser does, with compression."""
        at = urlsplit(self.url)
        self.reader, self.writer = await asyncio.open_connection(at.hostname, at.port, limit=2**24)
        cookie = f"Cookie: {COOKIE}={self.http.cookies[COOKIE]}\r\n" if COOKIE in self.http.cookies else ""
        head = (
            f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: {at.netloc}\r\nUpgrade: websocket\r\n{cookie}"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
        )
        self.writer.write(head.encode())
        await self.reader.readuntil(b"\r\n\r\n")
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while True:
                first, size = await self.reader.readexactly(2)
                if size >= 126:
                    size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
                data = await self.reader.readexactly(size)
                self.received += 2 + size
                if first == 0x81 and b'"type":"done"' in data[:20]:
                    self.answers.put_nowait(data)
                if first & 15 == 8:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        self.closed = True
        self.writer.close()

    def send(self, **message: Any) -> None:
        """Send a message, unless the house has hung up."""
        data, mask = json.dumps(message).encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        if not self.closed:
            self.writer.write(b"\x81" + size + mask + bytes(c ^ mask[i % 4] for i, c in enumerate(data)))

    async def ask(self, **message: Any) -> float:
        """Send a request, and return how long the answer took in milliseconds."""
        start = time.perf_counter()
        self.send(**message)
        await self.answers.get()
        return 1000 * (time.perf_counter() - start)


class Other:
    """Somebody at another table, and how long each request takes there."""

    def __init__(self, url: str) -> None:
        self.guest = Guest(url, "Other")
        seats = [{"kind": "me"}, {"kind": "open"}]
        self.table = self.guest.post("/api/tables", game="khiva", seats=seats)["table"]

    async def during(self, work: Any) -> dict[str, float]:
        """Measure while something else goes on."""
        took: list[float] = []
        task = asyncio.ensure_future(work)
        while not task.done():
            try:
                took.append(
                    await asyncio.wait_for(self.guest.ask(do="mute", seat=0, whom=1, on=len(took) % 2 == 0), 20)
                )
            except TimeoutError:
                took.append(20_000)
            await asyncio.sleep(0.2)
        await task
        return {"others_p50_ms": round(statistics.median(took), 1), "others_max_ms": round(max(took), 1)}


def words(rng: random.Random) -> str:
    """Return a line as long as a line may be."""
    return "".join(chr(rng.randrange(0x4E00, 0x9F00)) for _ in range(490))


async def chat(url: str, other: Other, seconds: int) -> dict[str, Any]:
    """One guest talks to many watchers, at a table where much has been said already."""
    rng = random.Random(1)
    hosts = [Guest(url, f"Host {i}") for i in range(5)]
    table = hosts[0].post("/api/tables", game="khiva", seats=[{"kind": "me"}] + [{"kind": "open"}] * 4)["table"]
    for host in hosts[1:]:
        host.post(f"/api/tables/{table}", do="sit")
    for i in range(LINES):
        hosts[i % 5].post(f"/api/tables/{table}", do="say", seat=i % 5, text=words(rng))
    people = [Guest(url, f"Watcher {i}") for i in range(3)]
    watchers = []
    for i in range(WATCHERS):
        watcher = Guest(url, None)
        watcher.http.cookies = people[i % 3].http.cookies
        await watcher.dial(table)
        await watcher.ask(do="watch")
        watchers.append(watcher)
    await hosts[0].dial(table)
    before = [watcher.received for watcher in watchers]
    told = []

    async def talk() -> None:
        for _ in range(seconds * 5):
            told.append(await hosts[0].ask(do="say", seat=0, text=words(rng)))
            await asyncio.sleep(0.1)

    figures: dict[str, Any] = await other.during(talk())
    await asyncio.sleep(1)
    got = [watcher.received - had for watcher, had in zip(watchers, before)]
    for guest in (*watchers, hosts[0]):
        guest.writer.close()
    return {
        "bytes_per_line": round(statistics.mean(got) / len(told)),
        "line_p50_ms": round(statistics.median(told), 1),
    } | figures


async def watch(url: str, other: Other, seconds: int) -> dict[str, Any]:
    """Many sockets without a name ask for the whole view again and again."""
    host = Guest(url, "Host")
    seats = [{"kind": "me"}] + [{"kind": "bot", "level": "random"}] * 3
    table = host.post("/api/tables", game="samarkand", seats=seats)["table"]
    host.post(f"/api/tables/{table}", do="start")
    crowd = [Guest(url, None) for _ in range(WATCHERS)]
    for guest in crowd:
        await guest.dial(table)

    async def repeat() -> None:
        for _ in range(seconds * 10):
            for guest in crowd:
                guest.send(do="watch")
                guest.send(do="watch")
            await asyncio.sleep(0.1)

    figures: dict[str, Any] = await other.during(repeat())
    left = sum(not guest.closed for guest in crowd)
    for guest in crowd:
        guest.writer.close()
    return {"sent_kb": sum(guest.received for guest in crowd) // 1024, "sockets_left": left} | figures


async def half(url: str, other: Other, seconds: int) -> dict[str, Any]:
    """Many connections send half of a request and wait."""
    at = urlsplit(url)
    held = []

    async def hold() -> None:
        for _ in range(HALF):
            reader, writer = await asyncio.open_connection(at.hostname, at.port)
            writer.write(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ")
            held.append((reader, writer))
        await asyncio.sleep(seconds + 7)

    figures: dict[str, Any] = await other.during(hold())
    left = sum(not (reader.at_eof() or reader._buffer) for reader, _ in held)  # type: ignore[attr-defined]
    for _, writer in held:
        writer.close()
    return {"still_open": left} | figures


async def main() -> None:
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=["chat", "watch", "half"])
    parser.add_argument("--seconds", type=int, default=SECONDS)
    chosen = parser.parse_args()
    for what in chosen.what:
        with tempfile.TemporaryDirectory() as folder:
            process, url = start(Path(folder))
            try:
                other = Other(url)
                await other.guest.dial(other.table)
                figures = await {"chat": chat, "watch": watch, "half": half}[what](url, other, chosen.seconds)
                print(json.dumps({"crowd": what, **figures, "load": round(os.getloadavg()[0], 1)}), flush=True)
            finally:
                process.kill()
                process.wait()


if __name__ == "__main__":
    asyncio.run(main())
