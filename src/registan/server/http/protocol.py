"""HTTP connections that cannot be held open: uvicorn's protocol with time-outs, and a cap on connections."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from registan.server.limits import BODY_SECONDS, HALF_REQUESTS, HEADER_SECONDS, UNREAD_SECONDS, Caps
from registan.server.siblings import Siblings

CLOSED = "connection: close\r\ncontent-length: 0\r\n\r\n"
TIMED_OUT = f"HTTP/1.1 408 Request Timeout\r\n{CLOSED}".encode()
TOO_MANY = f"HTTP/1.1 429 Too Many Requests\r\n{CLOSED}".encode()
FULL = f"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\n{CLOSED}".encode()


class HttpProtocol(H11Protocol):
    """One HTTP connection. `limited` gives it the limits of a house."""

    most: ClassVar[int]
    seconds: ClassVar[tuple[float, float, float]]
    """For the head of a request, for its body, and for reading what was sent."""
    half: ClassVar[Counter[str]]
    """By address: the requests that are arriving."""
    siblings: ClassVar[Siblings | None]
    """The other processes of the house, which may get the connection."""
    _fresh = True
    _arriving: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, if there is a place for one more connection."""
        super().connection_made(transport)
        self._peer = self.client[0] if self.client else ""
        if len(self.connections) > self.most:
            self._refuse(FULL)
        elif self.half[self._peer] >= HALF_REQUESTS:
            self._refuse(TOO_MANY)
        else:
            self._arrives(self.seconds[0])

    def data_received(self, data: bytes) -> None:
        """Read on; another request may begin after the last one was answered."""
        if self.transport.is_closing():
            return
        fresh, self._fresh = self._fresh, False
        if fresh and self.siblings is not None and self.siblings.hand_over(data, self.transport):
            self.transport.abort()  # this process's end of it: the other one has its own
            return
        if self._arriving is None:
            self._arrives(self.seconds[0])
        had_head = self._has_head()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._arrived()
        elif not had_head and self._has_head() and self._arriving is not None:
            self._arriving.cancel()
            self._arriving = self.loop.call_later(self.seconds[1], self._refuse, TIMED_OUT)

    def adopted(self, head: bytes) -> None:
        """Go on with a request that another process has read."""
        self._fresh = False
        self.data_received(head)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, if no response has begun, and let nothing else be sent after that."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        self.transport.close()
        begun: Any = self.cycle  # None before the first request
        if begun is not None:
            begun.disconnected = True
            begun.message_event.set()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a WebSocket."""
        self._arrived()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks."""
        self._arrived()
        self._read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client some time to read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.seconds[2], self.transport.abort)

    def resume_writing(self) -> None:
        """It has read."""
        super().resume_writing()
        self._read()

    def on_response_complete(self) -> None:
        """A client that leaves the end of a response unread does not keep the connection either."""
        super().on_response_complete()
        if self._arriving is None and self.conn.their_state is h11.SEND_BODY:
            self._arrives(self.seconds[1])  # the head of the next request came together with this one
        if self._unread is None and self.transport.get_write_buffer_size():
            self._unread = self.loop.call_later(self.seconds[2], self._drop_unread)

    def _has_head(self) -> bool:
        return self.conn.their_state is not h11.IDLE

    def _arrives(self, seconds: float) -> None:
        self.half[self._peer] += 1
        self._arriving = self.loop.call_later(seconds, self._refuse, TIMED_OUT)

    def _arrived(self) -> None:
        if self._arriving is None:
            return
        self._arriving.cancel()
        self._arriving = None
        self.half[self._peer] -= 1
        if not self.half[self._peer]:
            del self.half[self._peer]

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _drop_unread(self) -> None:
        self._unread = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _refuse(self, response: bytes) -> None:
        begun: Any = self.cycle  # None before the first request
        if begun is None or not begun.response_started:
            self.transport.write(response)
        self.transport.close()
        self.loop.call_later(self.seconds[2], self.transport.abort)


def limited(
    caps: Caps,
    seconds: tuple[float, float, float] = (HEADER_SECONDS, BODY_SECONDS, UNREAD_SECONDS),
    siblings: Siblings | None = None,
) -> type[HttpProtocol]:
    """Return the protocol with the limits of a house, whose connections are counted together."""
    shared: dict[str, Any] = {"most": caps.connections, "seconds": seconds, "half": Counter(), "siblings": siblings}
    return type("LimitedHttpProtocol", (HttpProtocol,), shared)
