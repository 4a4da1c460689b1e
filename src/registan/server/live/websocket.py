"""WebSockets for many tables: uvicorn's protocol, without a compressor per socket and with sending that never waits.

A compressor with a shared context takes 32 KB per socket. So a long message (a whole view) is compressed on its own,
and a short one (an update of a few hundred bytes) is sent as it is.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from registan.server.limits import (
    FRAGMENTS,
    LINGER_BYTES,
    LINGER_SECONDS,
    RATES,
    SILENT_SECONDS,
    SLICE,
    UNCOMPRESSED,
    UNREAD_SECONDS,
    Bucket,
)
from registan.server.live.framing import TEXT, Framing, is_empty_pong, whole_text
from registan.server.live.outbox import SendNow, Silence

COMPRESSED = 0xC1
"""The first byte of a frame that holds a whole compressed text."""
PING = b"\x89\x00"
NOT_UTF8, POLICY, TOO_BIG = 1007, 1008, 1009
WINDOW = 12
SEND_NOW = "registan.send_now"
"""The ASGI extension with which the application sends and hears without awaiting, and learns who is still there."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=WINDOW,
                client_max_window_bits=WINDOW,
            )
        ]
        self._frames = Bucket(RATES["frame"], self.loop.time())
        self._heard = self.loop.time()
        self._hear: Callable[[bytes], bool] | None = None
        self._asked: float | None = None
        """Since when a ping for the application is not answered."""
        self._dropped: int | None = None
        """How many more bytes of somebody who was dropped are taken in; None if nobody was."""
        self._framing: Framing | None = None
        """Where frames end, once the request for the WebSocket is read."""
        self._counted = 0
        """How many of the frames that are parsed next were counted already."""

    def data_received(self, data: bytes) -> None:
        """Read on; what is not simply a move or a sign of life is parsed."""
        self._heard, self._asked = self.loop.time(), None
        if self._framing is None:
            self._parse(data)
            if self.handshake_initiated:
                self._framing = Framing(data.endswith(b"\r\n\r\n"))
            return
        simple = self._framing.at_end and self._dropped is None and not self.close_sent
        if not (simple and self._take_in(data)):
            self._parse(data)
            self._framing.feed(data)

    def _take_in(self, data: bytes) -> bool:
        """Deal with a sign of life, or with a text that the application hears at once; return False for the rest."""
        alive = is_empty_pong(data)
        text = None if alive else whole_text(data)
        if not alive and (text is None or self._hear is None or self.frames or not self.queue.empty()):
            return False
        if not self._frames.take(self._heard, 1):
            self._drop(POLICY, "error.house.too_fast")
            return True
        self._counted = 1
        if text is None or self._is_heard(text):
            self._counted = 0
            return True
        return False

    def _is_heard(self, text: bytes) -> bool:
        """Whether the application deals with a text at once, or the socket is closed for it."""
        try:
            text.decode()
        except UnicodeDecodeError:
            self._drop(NOT_UTF8)
            return True
        ready = self._hear is not None and self.queue.empty() and not self.close_sent
        return ready and self._hear is not None and self._hear(text)

    def _parse(self, data: bytes) -> None:
        """Parse slice by slice: a flood of tiny frames is noticed before all of it is parsed."""
        for start in range(0, len(data), SLICE):
            if self._dropped is not None:
                self._dropped -= len(data) - start
                if self._dropped < 0:
                    self.transport.abort()
                return
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])

    def handle_events(self) -> None:
        """Count the frames that have arrived, pings and fragments too, which the application never sees."""
        counted, self._counted = self._counted, 0
        if self._frames.take(self.loop.time(), len(self.conn.events) - counted):
            super().handle_events()
        else:
            self._drop(POLICY, "error.house.too_fast")

    def handle_cont(self, event: Any) -> None:
        """Add a fragment to a message, which cannot go on for ever."""
        if len(self.frames) < FRAGMENTS:
            super().handle_cont(event)
        else:
            self._drop(TOO_BIG)

    def _drop(self, code: int, reason: str = "") -> None:
        """Close the socket for something that its protocol allows and we do not.

        What still arrives is taken in and forgotten for a while: if the connection were closed with something unread,
        the system would reset it, and the reason be lost.
        """
        if self.close_sent or not self.handshake_complete:
            self.transport.abort()
            return
        self.frames, self._dropped = [], LINGER_BYTES
        self.conn.send_close(code, reason)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def handle_connect(self, event: Any) -> None:
        """Let the application send texts without awaiting."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][SEND_NOW] = {
                "send": self.send_now, "silence": self.silence, "listen": self.listen,
            }  # fmt: skip

    def silence(self, patience: float | None) -> float:
        """Return for how many seconds the peer has been silent although it was pinged; ping it after `patience`.

        It answers by itself, also while its page is hidden and its timers sleep. One ping is enough: if the network
        comes back, so does the answer.
        """
        now = self.loop.time()
        if self._asked is not None:
            return 0.0 if self.read_paused else now - self._asked  # it may have answered, but we are not reading
        if patience is not None and now - self._heard >= patience and not self.close_sent and self.handshake_complete:
            # However long it was left alone: it has as much time to answer.
            self._asked = now - min(patience, SILENT_SECONDS)
            self.transport.write(PING)
        return 0.0

    def send_now(self, *texts: bytes) -> bool:
        """Send texts and return True if the socket can take them now."""
        if self.close_sent or self.disconnected or not self.handshake_complete or not self.writable.is_set():
            return False
        if self.transport.is_closing():
            return False
        may_compress = bool(self.conn.extensions)
        self.transport.write(b"".join([frame(text, may_compress) for text in texts]))
        return True

    def listen(self, hear: Callable[[bytes], bool]) -> None:
        """Let the application hear each text at once, if none waits; it returns whether it has dealt with it."""
        self._hear = hear

    def send_receive_event_to_app(self) -> None:
        """Close the socket if a text is not UTF-8 (RFC 6455, 8.1); a message of bytes is left to the application."""
        if self.curr_msg_data_type == "text":
            text = b"".join(self.frames)
            if self._is_heard(text):
                self.frames = []
                return
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Drop a peer that does not answer: what it has not read would wait forever."""
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """After the application has closed the socket, let the peer read for a while, but not forever."""
        super().on_task_complete(task)
        if not self.writable.is_set():
            self.transport.abort()
        elif not self.disconnected:
            self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    async def send(self, message: Any) -> None:
        """Send an ASGI message of the application."""
        text = message.get("text") if message["type"] == "websocket.send" else None
        await self.writable.wait()
        if text is None or not self.send_now(text.encode()):
            await super().send(message)
        if message["type"] == "websocket.accept":
            del self.request, self.response  # a few kilobytes of headers that are no longer needed


def sender(scope: Mapping[str, Any]) -> SendNow | None:
    """Return `send_now` of the socket of an ASGI scope, if the server has it."""
    send: SendNow | None = _extension(scope).get("send")
    return send


def silence(scope: Mapping[str, Any]) -> Silence | None:
    """Return `silence` of the socket of an ASGI scope, if the server has it."""
    found: Silence | None = _extension(scope).get("silence")
    return found


def listen(scope: Mapping[str, Any], hear: Callable[[bytes], bool]) -> None:
    """Let `hear` be called with each text of the socket of an ASGI scope at once, if the server can."""
    if "listen" in _extension(scope):
        _extension(scope)["listen"](hear)


def _extension(scope: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (scope.get("extensions") or {}).get(SEND_NOW, {})
    return found


def frame(payload: bytes, may_compress: bool) -> bytes:
    """Return a text as a WebSocket frame (RFC 6455; compressed: RFC 7692)."""
    first = TEXT
    if may_compress and len(payload) > UNCOMPRESSED:
        first, payload = COMPRESSED, _compressed(payload)
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 65536:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload


@lru_cache(maxsize=16)
def _compressed(payload: bytes) -> bytes:
    """Compress a message, once for all who are sent the same one at the same time."""
    compressor = zlib.compressobj(level=6, wbits=-WINDOW, memLevel=5)
    return (compressor.compress(payload) + compressor.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\0\0\xff\xff")
