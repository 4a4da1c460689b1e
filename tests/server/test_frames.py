"""Frames on the wire: short messages as they are, long ones compressed one by one."""

from __future__ import annotations

import zlib

import pytest
from websockets.frames import Opcode
from websockets.protocol import CLIENT, OPEN, Protocol

from registan.server.limits import UNCOMPRESSED
from registan.server.live.websocket import COMPRESSED, TEXT, frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, UNCOMPRESSED, 65535, 65536])
def test_a_frame_is_read_as_it_was_written(size: int) -> None:
    text = b"a" * size
    client = Protocol(CLIENT, state=OPEN, max_size=None)
    client.receive_data(frame(text, may_compress=False))
    (got,) = client.events_received()
    assert (got.opcode, got.fin, bytes(got.data)) == (Opcode.TEXT, True, text)  # type: ignore[union-attr]


def test_only_what_is_long_is_compressed() -> None:
    short, long = b'{"type": "update"}', b'{"type": "view"}' * 200
    assert frame(short, may_compress=True)[0] == TEXT
    sent = frame(long, may_compress=True)
    assert sent[0] == COMPRESSED
    assert len(sent) < len(long) / 4
    start = 2 if sent[1] < 126 else 4
    assert zlib.decompressobj(-12).decompress(sent[start:] + b"\0\0\xff\xff") == long
