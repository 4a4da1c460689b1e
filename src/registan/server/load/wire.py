"""A cheap WebSocket client, so that a load test measures the server: the necessary parts of RFC 6455 and 7692."""

from __future__ import annotations

import asyncio
import base64
import os
import zlib
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Wire(asyncio.Protocol):
    """One connection; calls `heard` with every text message."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = asyncio.Event()
        self.received = 0
        self._data = b""
        self._inflate = zlib.decompressobj(-15)
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake up whoever waits."""
        self.closed.set()
        if not self.open.done():
            self.open.set_exception(exc or ConnectionError("refused"))

    def send(self, text: bytes, opcode: int = TEXT) -> None:
        """Send a message, with the mask 0, which leaves it as it is."""
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(bytes([0x80 | opcode]) + length + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Read incoming frames."""
        self.received += len(data)
        self._data += data
        if not self.open.done():
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.open.set_exception(ConnectionError(head.decode("latin-1")))
                return
            self._data = rest
            self.open.set_result(None)
        at = 0
        while (frame := self._frame(at)) is not None:
            opcode, payload, at = frame
            if opcode == TEXT:
                self.heard(payload)
            elif opcode == PING:
                self.send(payload, PONG)
            elif opcode == CLOSE:
                self.close()
        self._data = self._data[at:]

    def _frame(self, at: int) -> tuple[int, bytes, int] | None:
        """Return the frame at an offset and its end, None if it is incomplete."""
        data = self._data
        if len(data) < at + 2:
            return None
        first, size, start = data[at], data[at + 1], at + 2
        if size > 125:
            wide = 2 if size == 126 else 8
            if len(data) < start + wide:
                return None
            size, start = int.from_bytes(data[start : start + wide], "big"), start + wide
        end = start + size
        if len(data) < end:
            return None
        payload = data[start:end]
        if first & 0x40:
            payload = self._inflate.decompress(payload + b"\0\0\xff\xff")
        return first & 15, payload, end


async def dial(url: str, path: str, heard: Callable[[bytes], None], cookie: str = "") -> Wire:
    """Open a connection that, like browsers, accepts compressed messages."""
    at = urlsplit(url)
    secure = at.scheme == "https"
    port = at.port or (443 if secure else 80)
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(lambda: Wire(heard), at.hostname or "", port, ssl=secure or None)
    lines = [
        f"GET {at.path.rstrip('/')}{path} HTTP/1.1",
        f"Host: {at.netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    wire._transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    await wire.open
    return wire
