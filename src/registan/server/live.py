"""WebSocket: what happens. One socket a table; see docs/protocol.md."""

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
from registan.server import protocol as p
from registan.server.answers import TooFast, Unknown, refusal
from registan.server.granting import grant
from registan.server.house import House, NoTable, audience_of
from registan.server.identity import COOKIE, Person, Signer
from registan.server.limits import MESSAGE, SOCKETS_OF_ONE
from registan.server.room import Messages, Watcher
from registan.server.sockets import sender

_decode = msgspec.json.Decoder(p.Spoken).decode
_encode = msgspec.json.Encoder().encode
GOING_AWAY, POLICY, TRY_LATER = 1001, 1008, 1013


def same_origin(origin: str | None, host: str | None, public_url: str) -> bool:
    """Whether a page of this house asks, or no page at all: other pages must not use the cookie of their visitors."""
    return origin is None or origin == public_url or origin.partition("://")[2] == host


class Line:
    """One open socket: it reads what the client says, and sends what the rooms and answers have for it."""

    def __init__(self, socket: WebSocket[Any, Any, Any], house: House, table: str, person: Person | None) -> None:
        self.socket, self.house, self.table, self.person = socket, house, table, person
        self.lang = person.lang if person else "en"
        self.watchers: dict[int, Watcher] = {}
        self.outbox = Messages(sender(socket.scope))  # all goes through one line, in order
        self._hearing = self._ended = False

    async def run(self) -> None:
        """Serve the socket until either side has had enough."""
        self.outbox.send(_encode(p.Hello(self.house.now())))
        reading = asyncio.create_task(self._read())
        others: set[asyncio.Future[None]] = {asyncio.create_task(self._send()), self.outbox.slow}
        try:
            await asyncio.wait({reading, *others}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._ended = True
            # A request that is being granted is granted to its end.
            for task in others if self._hearing else {reading, *others}:
                task.cancel()
            results = await asyncio.gather(reading, *others, return_exceptions=True)
            await self._leave()
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                raise result

    async def _read(self) -> None:
        while not self._ended:
            data = await self.socket.receive_data(mode="text")
            self._hearing = True
            await self._heard(data)
            self._hearing = False

    async def _leave(self) -> None:
        room = await self.house.room(self.table)
        for watcher in self.watchers.values():
            room.leave(watcher)
        self.house.rest(self.table)

    async def _send(self) -> None:
        while (message := await self.outbox.get()) is not None:
            self.outbox.under_way = True
            await self.socket.send_data(message.decode(), mode="text")
            self.outbox.under_way = False
        await self.socket.close(code=GOING_AWAY if not self.house.open else TRY_LATER)

    async def _heard(self, data: str | bytes) -> None:
        key = ""
        try:
            self._not_too_fast()
            if len(data) > MESSAGE:
                raise BadInput("error.house.too_large")
            request = _decode(data)
            key = request.key
            if isinstance(request, p.Watch):
                await self._watch(request)
            elif self.person is None:
                raise Unknown("error.house.who")
            else:
                await self.house.act(self.table, grant(request, self.person))
            self.outbox.send(_encode(p.Done(key)))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            self._refuse(BadInput("error.house.request"), key)
        except RegistanError as error:
            self._refuse(error, key)

    def _not_too_fast(self) -> None:
        who = self.person.who if self.person else f"socket {id(self)}"
        if not self.house.buckets.take("act", who, time.monotonic()):
            raise TooFast("error.house.too_fast")

    def _refuse(self, error: RegistanError, key: str) -> None:
        told = refusal(error, self.lang, key)
        self.house.metrics.refused.labels(told.error).inc()
        self.outbox.send(_encode(told))

    async def _watch(self, request: p.Watch) -> None:
        room = await self.house.room(self.table)
        async with room.lock:
            audience = audience_of(room.table, self.person.who if self.person else "", request.seat)
            old = self.watchers.pop(audience, None)
            if old is not None:
                room.leave(old)
            watcher = Watcher(audience, self.outbox)
            room.watch(watcher, request.seq)
            self.watchers[audience] = watcher


_open: Counter[str] = Counter()


@websocket("/api/tables/{table:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Watch a table, and play."""
    house: House = socket.app.state.house
    signer: Signer = socket.app.state.signer
    headers = socket.headers
    if not same_origin(headers.get("origin"), headers.get("host"), socket.app.state.public_url):
        await socket.close(code=POLICY)
        return
    person = signer.person(socket.cookies.get(COOKIE))
    who = person.who if person else (socket.client.host if socket.client else "")
    if _open[who] >= SOCKETS_OF_ONE * (1 if person else 50):
        await socket.close(code=TRY_LATER)
        return
    try:
        await house.room(table)
    except NoTable:
        await socket.close(code=POLICY)
        return
    _open[who] += 1
    house.metrics.sockets.inc()
    try:
        await socket.accept()
        await Line(socket, house, table, person).run()
    finally:
        house.metrics.sockets.dec()
        _open[who] -= 1
        if not _open[who]:
            del _open[who]
