"""Clients that play at their own tables without a pause and keep a ledger, and what must be true of it in the end."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import httpx
import msgspec
import websockets
from bench.parts import Patience

from registan.server.identity import COOKIE
from registan.server.storage.store import Store
from registan.tables import events as e
from registan.tables.patch import apply
from registan.tables.table import replay

SEATS = 2
"""Seats of the client at each table; bots have the others."""
AGAIN = (408, 429, 500, 502, 503, 504)
"""Answers after which a request may be sent again, with the same key."""
PATIENCE = 15.0


class Client:
    """Plays its seats at a table with a bot, and at another table when the game is over."""

    def __init__(self, url: str, number: int, bots: tuple[str, ...] = ("merchant",), rest: float = 0.0) -> None:
        self.url, self.bots, self.rest = url, bots, rest
        self.rng = random.Random(number)
        self.table = ""
        self.cookie = ""
        self.unanswered: dict[str, Any] | None = None
        self.acknowledged: dict[str, set[str]] = {}
        """By table: the keys of the acknowledged moves."""
        self.asked = 0
        self.repeated = 0
        self.closed = False

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    async def play(self) -> None:
        """Play until told to stop, whatever happens to the house."""
        while not self.closed:
            cookies = {COOKIE: self.cookie} if self.cookie else {}
            try:
                async with httpx.AsyncClient(base_url=self.url, timeout=PATIENCE, cookies=cookies) as http:
                    while not self.closed:
                        await self._go_on(http)
                        await asyncio.sleep(self.rest)
            except (httpx.HTTPError, Unavailable):
                await asyncio.sleep(0.05)

    async def _go_on(self, http: httpx.AsyncClient) -> None:
        if self.unanswered is not None:
            self.repeated += 1
            await self._ask(http, self.unanswered)
        if not self.table:
            await self._sit_down(http)
        seat = self.rng.randrange(SEATS)
        view = _checked(await http.get(f"/api/tables/{self.table}", params={"seat": seat})).json()
        if view["status"] in ("over", "abandoned"):
            self.table = ""
        elif view["status"] == "open":  # the answer to starting it was lost
            await self._start(http)
        elif view["view"]["legal"]:
            self.asked += 1
            move = {"do": "play", "seat": seat, "move": self.rng.choice(view["view"]["legal"])}
            await self._ask(http, {**move, "key": f"{self.asked}-{self.rng.random()}"})
        else:
            await asyncio.sleep(0.02)  # a bot thinks

    async def _sit_down(self, http: httpx.AsyncClient) -> None:
        if not self.cookie:
            _checked(await http.post("/api/me", json={"name": "Ann"}))
            self.cookie = str(http.cookies[COOKIE])
        seats = [{"kind": "me"}] * SEATS + [{"kind": "bot", "level": level} for level in self.bots]
        made = _checked(await http.post("/api/tables", json={"game": "khiva", "seats": seats}))
        self.table = made.json()["table"]
        self.acknowledged[self.table] = set()
        await self._start(http)

    async def _start(self, http: httpx.AsyncClient) -> None:
        _checked(await http.post(f"/api/tables/{self.table}", json={"do": "start", "key": "start"}))

    async def _ask(self, http: httpx.AsyncClient, move: dict[str, Any]) -> None:
        self.unanswered = move
        answer = await http.post(f"/api/tables/{self.table}", json=move)
        if answer.status_code in AGAIN:
            raise Unavailable
        if answer.status_code < 300:
            self.acknowledged[self.table].add(move["key"])
        self.unanswered = None


class Unavailable(Exception):
    """The house cannot now."""


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.status_code in AGAIN:
        raise Unavailable
    answer.raise_for_status()
    return answer


class Watcher:
    """Watches the table of a client over a WebSocket, and comes back whenever that is lost."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.table = ""
        self.view: Any = None
        self.came_back = 0

    async def watch(self) -> None:
        """Watch until cancelled."""
        while True:
            if not self.client.table or not self.client.cookie:
                await asyncio.sleep(0.05)
                continue
            if self.table != self.client.table:
                self.table, self.view = self.client.table, None
            with contextlib.suppress(OSError, TimeoutError, websockets.WebSocketException):
                await self._follow(self.client.url.replace("http", "ws", 1) + f"/api/tables/{self.table}/live")
            self.came_back += 1
            await asyncio.sleep(0.1)

    async def _follow(self, url: str) -> None:
        headers = {"Cookie": f"{COOKIE}={self.client.cookie}"}
        async with websockets.connect(url, additional_headers=headers, proxy=None, open_timeout=PATIENCE) as ws:
            since = {} if self.view is None else {"seq": self.view["seq"]}
            await ws.send(msgspec.json.encode({"do": "watch", "seat": 0, **since}).decode())
            while self.table == self.client.table:
                with contextlib.suppress(TimeoutError):
                    message = msgspec.json.decode(await asyncio.wait_for(ws.recv(), 1))
                    if message["type"] == "view":
                        self.view = message["view"]
                    elif message["type"] == "update":
                        assert self.view["seq"] == message["after"], "an update was left out"
                        self.view = apply(self.view, message["patch"])

    async def converges(self, seconds: float = 60.0) -> bool:
        """Whether the watcher comes to see what the house shows to whoever asks."""
        patience = Patience(seconds)
        while patience.lasts():
            with contextlib.suppress(httpx.HTTPError):
                cookies = {COOKIE: self.client.cookie}
                async with httpx.AsyncClient(base_url=self.client.url, timeout=PATIENCE, cookies=cookies) as http:
                    shown = (await http.get(f"/api/tables/{self.table}", params={"seat": 0})).json()
                if self.view is not None and shown == self.view:
                    return True
            await asyncio.sleep(0.2)
        return False


async def faults(store: Store, clients: list[Client]) -> dict[str, int]:
    """Count acknowledged moves that are missing, moves that are there twice, and tables that do not open."""
    missing = twice = shut = bots = 0
    for table, acknowledged in ((t, keys) for client in clients for t, keys in client.acknowledged.items()):
        try:
            log = [e.loads(data) for data in await store.log(table)]
            shut += replay(log).seq != len(log)
        except Exception:
            shut += 1
            continue
        keys = [event.key.rpartition(" ")[2] for event in log if event.key]
        missing += len(acknowledged - set(keys))
        twice += len(keys) - len(set(keys))
        bots += sum(isinstance(event, e.Moved) and event.by == "bot" for event in log)
    return {"missing": missing, "twice": twice, "not_opening": shut, "moves_of_bots": bots}
