"""Messages on their way to a socket stay in order, also those that are held to go out together."""

from __future__ import annotations

import asyncio

from registan.server.live.outbox import Outbox


class Line:
    """A socket that takes messages, or does not."""

    def __init__(self) -> None:
        self.open, self.writes = True, list[tuple[bytes, ...]]()

    def send(self, *messages: bytes) -> bool:
        """Take messages in one write."""
        if self.open:
            self.writes.append(messages)
        return self.open


def test_what_is_held_goes_out_in_one_write() -> None:
    async def play() -> None:
        line = Line()
        outbox = Outbox(line.send)
        outbox.send(b"a")
        outbox.hold()
        outbox.send(b"b")
        outbox.send(b"c")
        assert line.writes == [(b"a",)]
        outbox.release()
        outbox.send(b"d")
        assert line.writes == [(b"a",), (b"b", b"c"), (b"d",)]

    asyncio.run(play())


def test_what_is_held_waits_in_order_for_a_socket_that_does_not_take_it() -> None:
    async def play() -> None:
        line = Line()
        outbox = Outbox(line.send)
        outbox.hold()
        outbox.send(b"a")
        outbox.send(b"b")
        line.open = False
        outbox.release()
        line.open = True
        outbox.send(b"c")
        assert line.writes == []
        assert [await outbox.get() for _ in range(3)] == [b"a", b"b", b"c"]

    asyncio.run(play())


def test_a_connection_that_ends_gets_what_was_held_first() -> None:
    async def play() -> None:
        line = Line()
        outbox = Outbox(line.send)
        outbox.hold()
        outbox.send(b"a")
        outbox.send(None)
        assert line.writes == [(b"a",)]
        assert await outbox.get() is None
        outbox.release()

    asyncio.run(play())
