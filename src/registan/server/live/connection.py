"""WebSocket connections, one per table and page; docs/protocol.md describes the messages."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from registan.core.errors import BadInput, RegistanError
from registan.server.errors import NoTable, TooManyRequests, UnknownPerson
from registan.server.identity import COOKIE, Person, Signer, same_origin
from registan.server.limits import MESSAGE, SOCKETS_OF_ONE
from registan.server.live import protocol as p
from registan.server.live.house import House
from registan.server.live.outbox import Outbox
from registan.server.live.table import Watcher
from registan.server.live.websocket import sender

_decode = msgspec.json.Decoder(p.FromClient).decode
_encode = msgspec.json.Encoder().encode
GOING_AWAY, POLICY, TRY_LATER = 1001, 1008, 1013


class Connection:
    """One open WebSocket: it reads the client's requests, and sends answers and updates."""

    def __init__(self, socket: WebSocket[Any, Any, Any], house: House, table: str, person: Person | None) -> None:
        self.socket, self.house, self.table, self.person = socket, house, table, person
        self.lang = person.lang if person else "en"
        self.watchers: dict[int | None, Watcher] = {}
        """By the seat that is watched, None for a spectator's view."""
        self.outbox = Outbox(sender(socket.scope))  # answers and updates share it, so that they stay in order
        self._granting = self._ended = False

    async def run(self) -> None:
        """Serve the socket until either side closes it."""
        self.outbox.send(_encode(p.Hello(self.house.now())))
        reading = asyncio.create_task(self._read())
        others: set[asyncio.Future[None]] = {asyncio.create_task(self._send()), self.outbox.slow}
        try:
            await asyncio.wait({reading, *others}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._ended = True
            # A request that is being granted is not interrupted.
            for task in others if self._granting else {reading, *others}:
                task.cancel()
            results = await asyncio.gather(reading, *others, return_exceptions=True)
            await self._leave()
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                raise result

    async def _read(self) -> None:
        while not self._ended:
            data = await self.socket.receive_data(mode="text")
            self._granting = True
            await self._received(data)
            self._granting = False

    async def _leave(self) -> None:
        live = await self.house.table(self.table)
        for watcher in self.watchers.values():
            live.leave(watcher)
        self.house.unload(self.table)

    async def _send(self) -> None:
        while (message := await self.outbox.get()) is not None:
            self.outbox.sending = True
            await self.socket.send_data(message.decode(), mode="text")
            self.outbox.sending = False
        await self.socket.close(code=GOING_AWAY if not self.house.open else TRY_LATER)

    async def _received(self, data: str | bytes) -> None:
        key = ""
        try:
            self._limit_rate()
            if len(data) > MESSAGE:
                raise BadInput("error.house.too_large")
            request = _decode(data)
            key = request.key
            if isinstance(request, p.Watch):
                await self._watch(request)
            elif self.person is None or not self.house.sessions.valid(self.person):
                raise UnknownPerson("error.house.who")
            else:
                await self.house.carry_out(self.table, request, self.person)
            self.outbox.send(_encode(p.Done(key)))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            self._refuse(BadInput("error.house.request"), key)
        except RegistanError as error:
            self._refuse(error, key)

    def _limit_rate(self) -> None:
        who = self.person.who if self.person else f"socket {id(self)}"
        if not self.house.buckets.take("act", who, time.monotonic()):
            raise TooManyRequests("error.house.too_fast")

    def _refuse(self, error: RegistanError, key: str) -> None:
        refused = p.refusal(error, self.lang, key)
        self.house.metrics.refused.labels(refused.error).inc()
        self.outbox.send(_encode(refused))

    async def _watch(self, request: p.Watch) -> None:
        live = await self.house.table(self.table)
        async with live.lock:
            person = self.person if self.person and self.house.sessions.valid(self.person) else None
            watcher = Watcher(
                person.who if person else "", request.seat, self.outbox, self.lang, person.session if person else ""
            )
            live.watch(watcher, request.seq)
            old = self.watchers.get(request.seat)
            if old is not None:
                live.leave(old)
            self.watchers[request.seat] = watcher


_open: Counter[str] = Counter()


@websocket("/api/tables/{table:str}/live")
async def watch_table(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Watch a table, and play at it."""
    house: House = socket.app.state.house
    signer: Signer = socket.app.state.signer
    headers = socket.headers
    if not same_origin(headers.get("origin"), headers.get("host"), socket.app.state.public_url):
        await socket.close(code=POLICY)
        return
    person = house.sessions.person(signer, socket.cookies.get(COOKIE))
    who = person.who if person else (socket.client.host if socket.client else "")
    if _open[who] >= SOCKETS_OF_ONE * (1 if person else 50):
        await socket.close(code=TRY_LATER)
        return
    try:
        await house.table(table)
    except NoTable:
        await socket.close(code=POLICY)
        return
    _open[who] += 1
    house.metrics.sockets.inc()
    try:
        await socket.accept()
        await Connection(socket, house, table, person).run()
    finally:
        house.metrics.sockets.dec()
        _open[who] -= 1
        if not _open[who]:
            del _open[who]
