"""Frames on the wire: short messages as they are, long ones compressed one by one."""

from __future__ import annotations

import random
import zlib

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import CLIENT, OPEN, Protocol

from registan.server.limits import UNCOMPRESSED
from registan.server.live.framing import TEXT, Framing, is_empty_pong, whole_text
from registan.server.live.websocket import COMPRESSED, frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, UNCOMPRESSED, 65535, 65536])
def test_a_frame_is_read_as_it_was_written(size: int) -> None:
    text = b"a" * size
    client = Protocol(CLIENT, state=OPEN, max_size=None)
    client.receive_data(frame(text, may_compress=False))
    (got,) = client.events_received()
    assert (got.opcode, got.fin, bytes(got.data)) == (Opcode.TEXT, True, text)  # type: ignore[union-attr]


def test_only_what_is_long_is_compressed() -> None:
    short, long = b'{"type": "update"}' * 200, b'{"type": "view"}' * 300
    assert frame(short, may_compress=True)[0] == TEXT
    sent = frame(long, may_compress=True)
    assert sent[0] == COMPRESSED
    assert len(sent) < len(long) / 4
    start = 2 if sent[1] < 126 else 4
    assert zlib.decompressobj(-12).decompress(sent[start:] + b"\0\0\xff\xff") == long


def sent(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    """Return a frame as a client sends it."""
    return Frame(opcode, data, fin).serialize(mask=True)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 4000, 65535])
def test_a_whole_text_is_read_from_its_bytes(size: int) -> None:
    text = random.Random(size).randbytes(size)
    data = sent(Opcode.TEXT, text)
    assert whole_text(data) == text
    assert not is_empty_pong(data)
    for other in (data[:-1], data + b"x", data + data, data[1:], b"\xc1" + data[1:], sent(Opcode.BINARY, text)):
        assert whole_text(other) is None
    assert whole_text(sent(Opcode.TEXT, text, fin=False)) is None
    assert whole_text(frame(text, may_compress=False)) is None, "a client masks what it sends"


def test_a_sign_of_life_is_an_empty_pong_alone() -> None:
    pong = sent(Opcode.PONG, b"")
    assert is_empty_pong(pong)
    assert not any(map(is_empty_pong, (sent(Opcode.PONG, b"x"), sent(Opcode.PING, b""), pong[:5], pong + pong, b"")))


@pytest.mark.parametrize("seed", range(8))
def test_where_frames_end_is_known_or_said_to_be_unknown(seed: int) -> None:
    dice = random.Random(seed)
    frames = [sent(Opcode.TEXT, dice.randbytes(dice.choice([0, 3, 125, 126, 700, 66000]))) for _ in range(30)]
    data, ends, at = b"".join(frames), {0}, 0
    for one in frames:
        at += len(one)
        ends.add(at)
    framing, at = Framing(), 0
    while at < len(data):
        size = dice.choice([2, 6, 131, 5000, 70000])
        framing.feed(data[at : at + size])
        at = min(at + size, len(data))
        assert not framing.at_end or at in ends
    assert not Framing(begins_here=False).at_end
    whole = Framing()
    for one in frames:
        whole.feed(one[:20])
        whole.feed(one[20:])
        assert whole.at_end
