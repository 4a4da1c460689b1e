"""WebSocket connections, one per table and page; docs/protocol.md describes the messages."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from registan.core.errors import BadInput, RegistanError
from registan.core.messages import language
from registan.server.errors import Broken, NoTable, TooManyRequests, Unavailable, UnknownPerson
from registan.server.identity import COOKIE, Person, Signer
from registan.server.limits import MESSAGE, SLOW_SECONDS
from registan.server.live import protocol as p
from registan.server.live.house import House
from registan.server.live.outbox import Outbox
from registan.server.live.table import Watcher
from registan.server.live.websocket import listen, sender, silence
from registan.server.logs import log
from registan.server.origin import Origins, client_address
from registan.tables.requests import Play

_decode = msgspec.json.Decoder(p.FromClient).decode
_encode = msgspec.json.Encoder().encode
GOING_AWAY, POLICY, TRY_LATER = 1001, 1008, 1013


class Connection:
    """One open WebSocket: it reads the client's requests, and sends answers and updates."""

    def __init__(self, socket: WebSocket[Any, Any, Any], house: House, table: str, person: Person | None) -> None:
        self.socket, self.house, self.table, self.person = socket, house, table, person
        self.address = client_address(socket)
        self.lang = _lang(socket, person)
        self.watchers: dict[int | None, Watcher] = {}
        """By the seat that is watched, None for a spectator's view."""
        self.outbox = Outbox(sender(socket.scope), silence(socket.scope))
        """Answers and updates share it, so that they stay in order."""
        self._granting = self._ended = False
        self._begun: asyncio.Future[None] | None = None
        """A move that is being granted without a task; the next message waits for it."""
        self._counted = False
        """Whether the rate of the message that `_read` gets next was limited already."""
        self._closing = TRY_LATER, ""
        now = time.monotonic()
        self._acts, self._watches, self._too_fast = (
            house.buckets.bucket(what, now) for what in ("act", "watch", "too_fast")
        )

    async def run(self) -> None:
        """Serve the socket until either side closes it."""
        self.outbox.send(_encode(p.Hello(self.house.now())))
        listen(self.socket.scope, self._hear)
        reading = asyncio.create_task(self._read())
        others: set[asyncio.Future[None]] = {asyncio.create_task(self._send()), self.outbox.slow}
        try:
            await asyncio.wait({reading, *others}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._ended, slow = True, self.outbox.slow.done()
            # A request that is being granted is not interrupted.
            for task in others if self._granting else {reading, *others}:
                task.cancel()
            results = await asyncio.gather(reading, *others, return_exceptions=True)
            await self._leave()
        if slow:
            with suppress(TimeoutError):
                async with asyncio.timeout(SLOW_SECONDS):
                    await self.socket.close(code=TRY_LATER, reason="error.house.slow")
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                raise result

    async def _read(self) -> None:
        while not self._ended:
            data = await self.socket.receive_data(mode="text")
            if self._begun is not None:
                await self._begun
            self._granting = True
            await self._received(data)
            self._granting = False

    async def _leave(self) -> None:
        if not self.watchers:
            return
        live = self.house.in_memory(self.table)
        if live is not None:
            for watcher in self.watchers.values():
                live.leave(watcher)
        self.house.unload(self.table)

    async def _send(self) -> None:
        while (message := await self.outbox.get()) is not None:
            self.outbox.sending = True
            await self.socket.send_data(message.decode(), mode="text")
            self.outbox.sending = False
        code, reason = self._closing if self.house.open else (GOING_AWAY, "")
        await self.socket.close(code=code, reason=reason)

    def _hear(self, data: bytes) -> bool:
        """Begin to grant a move if nothing stands in its way, and return True; otherwise leave it to `_read`."""
        if self._granting or self._begun is not None or self._ended or self.person is None or len(data) > MESSAGE:
            return False
        try:
            request = _decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return False
        if type(request) is not Play or not self.house.sessions.valid(self.person):
            return False
        try:
            self._limit_rate()
        except TooManyRequests as error:
            self._answer(error, request.key)
            return True
        self._counted = not self.house.begin(self.table, request, self.person, partial(self._granted, request.key))
        if not self._counted:
            self._begun = asyncio.get_running_loop().create_future()
            self.outbox.hold()  # what the move has changed goes out with the answer to it
        return not self._counted

    def _granted(self, key: str, error: Exception | None) -> None:
        assert self._begun is not None
        begun, self._begun = self._begun, None
        if error is None:
            self.outbox.send(_encode(p.Done(key)))
        else:
            self._answer(error, key)
        self.outbox.release()
        begun.set_result(None)

    async def _received(self, data: str | bytes) -> None:
        key = ""
        try:
            if not self._counted:
                self._limit_rate()
            self._counted = False
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
            self._answer(BadInput("error.house.request"), key)
        except Exception as error:
            self._answer(error, key)

    def _answer(self, error: Exception, key: str) -> None:
        """Say that a request is not granted, and why; close the connection of somebody who is always too fast."""
        if not isinstance(error, RegistanError):
            log.error("request failed", table=self.table, why=repr(error))
            error = Broken("error.house.broken")
        self._refuse(error, key)
        if isinstance(error, TooManyRequests) and not self._too_fast.take(time.monotonic()):
            self._closing = POLICY, error.key
            self.outbox.send(None)

    def _limit_rate(self) -> None:
        now = time.monotonic()
        buckets = self.house.buckets
        mine = buckets.take("act", self.person.who, now) if self.person else self._acts.take(now)
        if not (mine and buckets.take("here", self.address, now)):
            raise TooManyRequests("error.house.too_fast")

    def _refuse(self, error: RegistanError, key: str) -> None:
        refused = p.refusal(error, self.lang, key)
        self.house.metrics.refused.labels(refused.error).inc()
        self.outbox.send(_encode(refused))

    async def _watch(self, request: p.Watch) -> None:
        if not self._watches.take(time.monotonic()):
            raise TooManyRequests("error.house.too_fast")
        live = await self.house.table(self.table)
        person = self.person if self.person and self.house.sessions.valid(self.person) else None
        who, session = (person.who, person.session) if person else ("", "")
        watcher = Watcher(who, request.seat, self.outbox, self.lang, session, request.whole)
        live.watch(watcher, request.seq, request.line)
        old = self.watchers.get(request.seat)
        if old is not None:
            live.leave(old)
        self.watchers[request.seat] = watcher


def _lang(socket: WebSocket[Any, Any, Any], person: Person | None) -> str:
    return person.lang if person else language(socket.headers.get("accept-language", "en"))


@websocket("/api/tables/{table:str}/live")
async def watch_table(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Watch a table, and play at it."""
    house: House = socket.app.state.house
    signer: Signer = socket.app.state.signer
    origins: Origins = socket.app.state.origins
    if not (origins.allows_host(socket) and origins.allows_page(socket)):
        await socket.close(code=POLICY)
        return
    address = client_address(socket)
    if not house.buckets.take("socket", address, time.monotonic()):
        await socket.close(code=TRY_LATER)
        return
    person = house.sessions.person(signer, socket.cookies.get(COOKIE))
    who = person.who if person else ""
    try:
        found = (await house.table(table)).table
        with house.sockets.one_more(address, who, table, seated=bool(found.seats_of(who))):
            house.metrics.sockets.inc()
            try:
                await socket.accept()
                await Connection(socket, house, table, person).run()
            finally:
                house.metrics.sockets.dec()
    except NoTable:
        await socket.close(code=POLICY)
    except RegistanError as error:
        await socket.accept()
        await socket.send_data(_encode(p.refusal(error, _lang(socket, person))).decode(), mode="text")
        later = isinstance(error, (TooManyRequests, Unavailable))
        await socket.close(code=TRY_LATER if later else POLICY, reason=error.key)
