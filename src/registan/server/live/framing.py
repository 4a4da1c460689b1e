"""Frames of a WebSocket that arrive whole: most messages do, and then a few bytes tell all there is to know."""

from __future__ import annotations

from websockets.utils import apply_mask

TEXT, PONG = 0x81, 0x8A
"""The first byte of a frame with a whole text, and of an answer to a ping."""
MASKED, LENGTH, WIDE, WIDEST = 0x80, 0x7F, 126, 127
EMPTY_PONG = 6
"""The bytes of an answer to an empty ping: two, and a mask."""


class Framing:
    """Follows where the frames in a stream of bytes end, by their heads alone."""

    __slots__ = ("_left",)

    def __init__(self, begins_here: bool = True) -> None:
        self._left = 0 if begins_here else None
        """How many bytes of a frame are missing; None if that is not known, and never will be."""

    @property
    def at_end(self) -> bool:
        """Whether the next byte begins a frame."""
        return self._left == 0

    def feed(self, data: bytes) -> None:
        """Go on with these bytes. A head that is cut in two is not put together: from then on nothing is known."""
        if self._left is None:
            return
        at, size = self._left, len(data)
        while at < size:
            if at + 2 > size:
                self._left = None
                return
            length, head = data[at + 1] & LENGTH, 2
            if length >= WIDE:
                head = 4 if length == WIDE else 10
                length = int.from_bytes(data[at + 2 : at + head], "big")
            if at + head > size:
                self._left = None
                return
            at += head + length + (4 if data[at + 1] & MASKED else 0)
        self._left = at - size


def is_empty_pong(data: bytes) -> bool:
    """Whether these bytes are the answer of a client to an empty ping, and nothing else."""
    return len(data) == EMPTY_PONG and data[0] == PONG and data[1] == MASKED


def whole_text(data: bytes) -> bytes | None:
    """Return the text in the frame of a client if these bytes are one, uncompressed, whole and nothing else."""
    if len(data) < EMPTY_PONG or data[0] != TEXT or not data[1] & MASKED:
        return None
    length, at = data[1] & LENGTH, 2
    if length == WIDE:
        length, at = int.from_bytes(data[2:4], "big"), 4
    if length == WIDEST or len(data) != at + 4 + length:
        return None
    return apply_mask(data[at + 4 :], data[at : at + 4])
