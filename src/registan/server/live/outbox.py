"""Messages on their way to a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from registan.server.limits import UNSENT


class Outbox:
    """Messages that wait for a socket; `slow` is done when there are too many. Usually none wait, so this is small."""

    __slots__ = ("_arrived", "_send_now", "_waiting", "sending", "slow")

    def __init__(self, send_now: Callable[[bytes], bool] | None = None) -> None:
        self.slow: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sending = False
        """Whether a message that was taken out is still being sent."""
        self._send_now = send_now or (lambda message: False)
        self._waiting: list[bytes | None] = []
        self._arrived: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def send(self, message: bytes | None) -> None:
        """Send a message now if the socket takes it, else queue it. None, or too long a queue, ends the connection."""
        if message is not None and not self.sending and not self._waiting and self._send_now(message):
            return
        if len(self._waiting) < UNSENT:
            self._waiting.append(message)
            if self._arrived is not None and not self._arrived.done():
                self._arrived.set_result(None)
        elif not self.slow.done():
            self.slow.set_result(None)

    async def get(self) -> bytes | None:
        """Wait for a message and take it out."""
        while not self._waiting:
            self._arrived = asyncio.get_running_loop().create_future()
            await self._arrived
        return self._waiting.pop(0)
