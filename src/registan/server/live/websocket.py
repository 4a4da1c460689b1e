"""WebSockets for many tables: uvicorn's protocol, without a compressor per socket and with sending that never waits.

A compressor with a shared context takes 32 KB per socket. So a long message (a whole view) is compressed on its own,
and a short one (an update of a few hundred bytes) is sent as it is.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from registan.server.limits import UNCOMPRESSED

TEXT, COMPRESSED = 0x81, 0xC1
"""The first byte of a frame that holds a whole message."""
WINDOW = 12
SEND_NOW = "registan.send_now"
"""The ASGI extension with which the application sends without awaiting."""


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

    def handle_connect(self, event: Any) -> None:
        """Let the application send texts without awaiting."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][SEND_NOW] = {"send": self.send_now}

    def send_now(self, text: bytes) -> bool:
        """Send a text and return True if the socket can take it now."""
        if self.close_sent or self.disconnected or not self.handshake_complete or not self.writable.is_set():
            return False
        if self.transport.is_closing():
            return False
        self.transport.write(frame(text, bool(self.conn.extensions)))
        return True

    async def send(self, message: Any) -> None:
        """Send an ASGI message of the application."""
        text = message.get("text") if message["type"] == "websocket.send" else None
        await self.writable.wait()
        if text is None or not self.send_now(text.encode()):
            await super().send(message)
        if message["type"] == "websocket.accept":
            del self.request, self.response  # a few kilobytes of headers that are no longer needed


def sender(scope: Mapping[str, Any]) -> Callable[[bytes], bool] | None:
    """Return `send_now` of the socket of an ASGI scope, if the server has it."""
    send: Callable[[bytes], bool] | None = (scope.get("extensions") or {}).get(SEND_NOW, {}).get("send")
    return send


def frame(payload: bytes, may_compress: bool) -> bytes:
    """Return a text as a WebSocket frame (RFC 6455; compressed: RFC 7692)."""
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
