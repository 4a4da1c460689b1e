"""WebSockets of uvicorn, for many tables: they keep no compressor each, and a small message goes out as it is, at once.

A compressor that remembers takes 32 KB a socket. So what is long, a whole view, is compressed for itself, and an
update, a few hundred bytes, is not.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from registan.server.limits import UNCOMPRESSED

TEXT, COMPRESSED = 0x81, 0xC1
"""The first byte of a frame that is a whole message."""
WINDOW = 12
AT_ONCE = "registan.at_once"
"""The extension of ASGI by which an application sends without awaiting it."""


class Sockets(WebSocketsSansIOProtocol):
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

    def handle_connect(self, event: Any) -> None:
        """Let the application send texts without awaiting it."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][AT_ONCE] = {"send": self.at_once}

    def at_once(self, text: bytes) -> bool:
        """Send a text if it can go out now; False if not."""
        if self.close_sent or self.disconnected or not self.handshake_complete or not self.writable.is_set():
            return False
        if self.transport.is_closing():
            return False
        self.transport.write(frame(text, bool(self.conn.extensions)))
        return True

    async def send(self, message: Any) -> None:
        """Send what the application says."""
        text = message.get("text") if message["type"] == "websocket.send" else None
        await self.writable.wait()
        if text is None or not self.at_once(text.encode()):
            await super().send(message)
        if message["type"] == "websocket.accept":
            del self.request, self.response  # a few kilobytes of headers that nobody reads any more


def sender(scope: Mapping[str, Any]) -> Callable[[bytes], bool] | None:
    """Return what sends a text at once over the socket of a scope, if the server has it: `Sockets.at_once`."""
    send: Callable[[bytes], bool] | None = (scope.get("extensions") or {}).get(AT_ONCE, {}).get("send")
    return send


def frame(payload: bytes, may_compress: bool) -> bytes:
    """Return a text as it goes over the wire (RFC 6455, and 7692 where it is compressed)."""
    first = TEXT
    if may_compress and len(payload) > UNCOMPRESSED:
        compressor = zlib.compressobj(level=6, wbits=-WINDOW, memLevel=5)
        payload = (compressor.compress(payload) + compressor.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\0\0\xff\xff")
        first = COMPRESSED
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 65536:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload
