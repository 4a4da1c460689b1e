"""Messages on their way to a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from registan.server.limits import UNSENT

Silence = Callable[[float | None], float]
"""Returns for how long a connection has not given a sign of life that it was asked for, and asks for one if it has
said nothing for as many seconds as given (None: it is not asked)."""


SendNow = Callable[..., bool]
"""Sends messages if the socket takes them now, and returns whether it does."""


class Outbox:
    """Messages that wait for a socket; `slow` is done when they are too long. Usually none wait, so this is small."""

    __slots__ = ("_arrived", "_held", "_send_now", "_waiting", "line", "sending", "silence", "size", "slow")

    def __init__(self, send_now: SendNow | None = None, silence: Silence | None = None) -> None:
        self.slow: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sending = False
        """Whether a message that was taken out is still being sent."""
        self.line: int | None = None
        """The number of the last line of chat that was sent, None before the first watch."""
        self.silence: Silence = silence or (lambda patience: 0.0)
        self._send_now = send_now or (lambda *messages: False)
        self._held: list[bytes] | None = None
        """Messages that are sent together with the next ones (`hold`)."""
        self._waiting: list[bytes | None] = []
        self.size = 0
        """How many bytes wait."""
        self._arrived: asyncio.Future[None] | None = None

    def send(self, message: bytes | None) -> None:
        """Send a message now if the socket takes it, else queue it. None, or too long a queue, ends the connection."""
        if self.slow.done():
            return
        if self._held is not None:
            if message is not None:
                self._held.append(message)
                return
            self.release()
        if message is not None and not self.sending and not self._waiting and self._send_now(message):
            return
        size = len(message or b"")
        if self._waiting and self.size + size > UNSENT:
            self._waiting.clear()
            self.size = 0
            self.slow.set_result(None)
            return
        self._waiting.append(message)
        self.size += size
        if self._arrived is not None and not self._arrived.done():
            self._arrived.set_result(None)

    def hold(self) -> None:
        """Let messages wait for `release`: one write to a socket takes less than two."""
        self._held = []

    def release(self) -> None:
        """Send what was held, together."""
        held, self._held = self._held, None
        if held and not (self.slow.done() or self.sending or self._waiting) and self._send_now(*held):
            return
        for message in held or ():
            self.send(message)

    async def get(self) -> bytes | None:
        """Wait for a message and take it out."""
        while not self._waiting:
            self._arrived = asyncio.get_running_loop().create_future()
            await self._arrived
        message = self._waiting.pop(0)
        self.size -= len(message or b"")
        return message
