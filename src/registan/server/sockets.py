"""WebSockets of uvicorn, for many tables: they keep no compressor each, and a small message goes out as it is.

A compressor that remembers takes 32 KB a socket. So what is long, a whole view, is compressed for itself, and an
update, a few hundred bytes, is not.
"""

from __future__ import annotations

import zlib
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from registan.server.limits import UNCOMPRESSED

TEXT, COMPRESSED = 0x81, 0xC1
"""The first byte of a frame that is a whole message."""
WINDOW = 12


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

    async def send(self, message: Any) -> None:
        """Send what the application says; a text that can go out at once does so without further ado."""
        text = message.get("text") if message["type"] == "websocket.send" else None
        if text is None or self.close_sent or self.disconnected or not self.handshake_complete:
            await super().send(message)
            return
        await self.writable.wait()
        if not self.transport.is_closing():
            self.transport.write(frame(text.encode(), bool(self.conn.extensions)))


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
