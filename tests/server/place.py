"""A house on loopback for tests, and guests who use it over real HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import httpx
import msgspec
import uvicorn
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from registan.server.app import make_app
from registan.server.http.protocol import limited
from registan.server.identity import COOKIE, Signer
from registan.server.limits import BODY_SECONDS, HEADER_SECONDS, RATES, UNREAD_SECONDS, Buckets, Caps, Rate
from registan.server.live.house import House
from registan.server.notices.delivery import Delivery
from registan.server.serving import bind, configuration
from registan.server.storage.store import open_store
from registan.tables.patch import apply

T = TypeVar("T")
KEY = b"a key for tests"
PLEDGES: dict[str, dict[int, tuple[Guest, bytes]]] = {}
"""By table and seat: who has committed to which contribution to chance."""
PATIENCE = 60
"""How many seconds anything may take: tests run compiled, and what is not compiled yet is so while the house waits."""
PATIENT = Buckets(dict.fromkeys(RATES, Rate(1e9, 1e9)))


def until(met: Callable[[], bool]) -> None:
    """Wait for something that happens in another thread or process; fail if it does not."""
    deadline = time.monotonic() + 90  # reviews, for example, take their time on a busy machine
    while not met():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


class Guest:
    """A person with a browser."""

    def __init__(self, url: str, name: str | None) -> None:
        self.url, self.name = url, name
        self.http = httpx.Client(base_url=url, timeout=PATIENCE)
        if name is not None:
            self.post("/api/me", name=name)

    def post(self, path: str, **data: Any) -> Any:
        answer = self.http.post(path, json=data)
        assert answer.status_code < 300, (answer.status_code, answer.text)
        return answer.json()

    def put(self, path: str, **data: Any) -> Any:
        answer = self.http.put(path, json=data)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        return answer.json()

    def get(self, path: str, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        return answer.json()

    def new_table(self, game: str = "khiva", others: tuple[str, ...] = ("random", "random"), **more: Any) -> str:
        """Create a table where the guest, bots and open seats ("") sit; start it if no seat is open."""
        seats = [{"kind": "me"}, *({"kind": "bot", "level": o} if o else {"kind": "open"} for o in others)]
        table: str = self.post("/api/tables", game=game, seats=seats, **{"stand_in": "random"} | more)["table"]
        if "" not in others:
            self.ask(table, do="start")
        return table

    def sit(self, table: str, seat: int | None = None) -> None:
        """Take a seat, and commit to a contribution as a page does."""
        self.ask(table, do="sit", **({} if seat is None else {"seat": seat}))
        self.contribute(table)

    def contribute(self, table: str) -> None:
        """Commit to a contribution for each seat that the guest has."""
        for seat in self.get(f"/api/tables/{table}/seats")["seats"]:
            own = secrets.token_bytes(32)
            self.ask(table, do="contribute", seat=seat, commitment=hashlib.sha256(own).hexdigest())
            PLEDGES.setdefault(table, {})[seat] = (self, own)

    def start(self, table: str) -> None:
        """Start the game as its host; everybody who has committed reveals."""
        self.ask(table, do="start")
        mine = self.get(f"/api/tables/{table}/seats")["seats"][0]
        for seat in self.view(table, mine)["awaited"]:
            guest, own = PLEDGES[table][seat]
            guest.ask(table, do="reveal", seat=seat, contribution=own.hex())

    def ask(self, table: str, **request: Any) -> Any:
        return self.post(f"/api/tables/{table}", **request)

    def view(self, table: str, seat: int | None = 0) -> Any:
        return self.get(f"/api/tables/{table}", **({} if seat is None else {"seat": seat}))

    def chat(self, table: str, **query: Any) -> Any:
        return self.get(f"/api/tables/{table}/chat", **query)

    @property
    def cookie(self) -> str:
        return str(self.http.cookies[COOKIE])

    @contextmanager
    def socket(self, table: str, **headers: str) -> Iterator[Socket]:
        sent = dict(headers)
        if COOKIE in self.http.cookies:
            sent["Cookie"] = f"{COOKIE}={self.cookie}"
        url = self.url.replace("http", "ws", 1) + f"/api/tables/{table}/live"
        with connect(url, additional_headers=sent, proxy=None, open_timeout=PATIENCE, ping_interval=None) as ws:
            yield Socket(ws)


class Socket:
    """A WebSocket, and the views that its messages add up to."""

    def __init__(self, ws: Connection) -> None:
        self.ws = ws
        self.views: dict[int | None, Any] = {}
        self.heard: list[Any] = []
        self.chat: list[Any] = []
        self.gone: list[int] = []
        assert self.next()["type"] == "hello"

    def send(self, **message: Any) -> None:
        self.ws.send(msgspec.json.encode(message).decode())

    def next(self, timeout: float = PATIENCE) -> Any:
        """Return the next message. Who is gone depends on the time a test takes, so that comes beside the others."""
        while (message := self._next(timeout))["type"] == "gone":
            pass
        return message

    def catch_up(self) -> None:
        """Read what has arrived, and what comes within a moment."""
        # Not `recv` with a short time: in CPython 3.11 the queue below it may then wait forever.
        time.sleep(0.02)
        with suppress(TimeoutError):
            while True:
                self.next(timeout=0)

    def until_gone(self, *seats: int) -> None:
        """Read on until these seats are gone, and no others."""
        while self.gone != [*seats]:
            self._next(PATIENCE)

    def _next(self, timeout: float) -> Any:
        message = msgspec.json.decode(self.ws.recv(timeout=timeout))
        if message["type"] != "gone":
            self.heard.append(message)
        if message["type"] == "view":
            self.views[message["seat"]] = message["view"]
        elif message["type"] == "chat":
            self.chat += message["lines"]
        elif message["type"] == "gone":
            self.gone = message["seats"]
        elif message["type"] == "update":
            old = self.views[message["seat"]]
            assert old["seq"] == message["after"]
            self.views[message["seat"]] = apply(old, message["patch"])
        return message

    def ask(self, **message: Any) -> Any:
        """Send a request, and return the answer; updates that arrive before it are applied."""
        self.send(**message)
        while (answer := self.next())["type"] not in ("done", "refused"):
            pass
        return answer

    def until_said(self, text: str) -> None:
        """Read on until somebody has said something."""
        while not self.chat or not self.chat[-1].get("text", "").startswith(text):
            self.next()

    def until(self, met: Any, seat: int | None = 0) -> Any:
        """Read on until the view of a seat meets a condition."""
        while not met(self.views[seat]):
            self.next()
        return self.views[seat]


class Place:
    """A house in its own thread."""

    def __init__(
        self,
        store: str,
        trusted_proxies: tuple[str, ...] = (),
        seconds: tuple[float, float, float] = (HEADER_SECONDS, BODY_SECONDS, UNREAD_SECONDS),
        key: bytes = KEY,
        **more: Any,
    ) -> None:
        more.setdefault("bot_pace", 0)
        self.sock = bind("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.sock.getsockname()[1]}"
        self.signer = Signer(key)
        self.guests: list[Guest] = []
        opened: list[House] = []
        more = {"public_url": self.url} | more
        app = make_app(lambda: open_store(store), self.signer, house=opened, **more)
        self.http = limited(more.get("caps") or Caps(), seconds)
        config = configuration(app, self.http, trusted_proxies)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        until(lambda: self.server.started or not self.thread.is_alive())
        (self.house,) = opened
        self.delivery: Delivery = app.state.delivery
        self.house.buckets = PATIENT
        self.house.journal.seconds = PATIENCE

    def _run(self) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self.server.serve(sockets=[self.sock])

        asyncio.run(serve())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the event loop of the house, and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def guest(self, name: str | None = "Ann") -> Guest:
        guest = Guest(self.url, name)
        self.guests.append(guest)
        return guest

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)
        for guest in self.guests:
            guest.http.close()
        self.sock.close()
