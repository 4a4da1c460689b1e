"""Odd bytes in frames, paths, ids and names: a clean refusal with either database, and nothing in the logs."""

from __future__ import annotations

import logging
import socket as sockets
from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode

from tests.server.place import Guest, Place

ODD = [
    "%00", "t%00", "%ff", "%ed%a0%80", "%C0%80", "..%2f..%2fetc", "%25", "%22%27;--", "%F0%9F%90%AB", "a%0Ab", "%0A",
    "%5C", "~", "t.t", "%E2%80%AE", "x" * 41, "x" * 4000,
]  # fmt: skip
PATHS = [
    "/api/tables/{}", "/api/tables/{}/seats", "/api/tables/{}/record", "/api/tables/{}/verify",
    "/api/tables/{}/moments/0", "/api/tables/{}/notifications", "/api/games/{}/rules", "/api/games/khiva/boxes/{}",
    "/api/games/{}/messages/en", "/assets/{}",
]  # fmt: skip
PAGES = ["/t/{}", "/t/{}/replay", "/{}", "/rules/{}"]
"""The app shows these, and says itself that there is nothing; 503 if it is not built."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Yield a house with each kind of database."""
    from tests.server.conftest import fresh_database

    if request.param == "sqlite":
        opened = Place(str(tmp_path_factory.mktemp("odd") / "house.db"))
    else:
        opened = Place(fresh_database(request.getfixturevalue("postgres")))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ann(house: Place) -> Guest:
    return house.guest()


def test_no_path_is_too_odd(house: Place, ann: Guest, capfd: pytest.CaptureFixture[str]) -> None:
    for odd in ODD:
        for path in [*PATHS, *PAGES]:
            status = ann.http.get(path.format(odd)).status_code
            assert status < 500 or (status == 503 and path in PAGES), (path, odd)
            assert status != 200 or path in PAGES, (path, odd)
        for path in ("/api/tables/{}", "/api/tables/{}/rematch"):
            assert ann.http.post(path.format(odd), json={"do": "start"}).status_code in (400, 404, 405), (path, odd)
        assert ann.http.delete(f"/api/me/devices/{odd}").status_code in (400, 404, 405, 422), odd
        assert ann.http.put(f"/api/tables/{odd}/notifications", json={"on": True}).status_code in (400, 404), odd
    written = capfd.readouterr().err
    assert "Traceback" not in written
    assert "failed" not in written


@pytest.mark.parametrize("odd", ["%00", "%ff", "t%00", "x" * 300, "%0A"])
def test_no_socket_opens_at_an_odd_table(house: Place, odd: str, capfd: pytest.CaptureFixture[str]) -> None:
    host, port = "127.0.0.1", house.sock.getsockname()[1]
    with sockets.create_connection((host, port), 20) as raw:
        raw.sendall(
            f"GET /api/tables/{odd}/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert raw.recv(12) in (b"HTTP/1.1 403", b"HTTP/1.1 404", b"HTTP/1.1 400")
    assert "Traceback" not in capfd.readouterr().err


FRAMES: list[tuple[Opcode, bytes, int | None]] = [
    (Opcode.TEXT, b"\xff\xfe", 1007),
    (Opcode.TEXT, b'{"do":"say","seat":0,"text":"\xed\xa0\x80"}', 1007),
    (Opcode.TEXT, b'{"do":"say","seat":0,"text":"\\ud800"}', None),
    (Opcode.TEXT, b'{"do":"say","seat":0,"text":"a\\ud800b", "key":"\\udfff"}', None),
    (Opcode.TEXT, b'{"do":"say","seat":0,"text":"\\u0000"}', None),
    (Opcode.TEXT, b'{"do":"say","seat":0,"text":"hello","key":"\\u0000"}', None),
    (Opcode.BINARY, b'{"do":"say","seat":0,"text":"hello"}', None),
    (Opcode.BINARY, b"\xff\x00", None),
    (Opcode.TEXT, b"", None),
    (Opcode.TEXT, b"[" * 4000, None),
    (Opcode.TEXT, b'{"do":"play","seat":0,"move":' + b'{"a":' * 700 + b"1" + b"}" * 701, None),
    (Opcode.TEXT, b'{"do":"play","seat":0,"move":{"do":"take","what":' + b"9" * 3000 + b"}}", None),
    (Opcode.TEXT, b'{"do":"watch","seat":0,"seq":' + b"9" * 3000 + b"}", None),
    (Opcode.TEXT, b'{"do":"watch","seat":0,"seq":1e400}', None),
    (Opcode.TEXT, b'{"do":"play","seat":' + b"1" * 30 + b',"move":{}}', None),
    (Opcode.TEXT, b'{"do":"order","seat":0,"orders":{"' + b"9" * 3000 + b'":"sell"}}', None),
]


@pytest.mark.parametrize("number", range(len(FRAMES)))
def test_an_odd_frame_is_answered_or_ends_the_socket(
    house: Place, ann: Guest, number: int, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    kind, data, code = FRAMES[number]
    tables: list[str] = house.__dict__.setdefault("_odd", [])
    if not tables:
        tables.append(ann.post("/api/tables", game="samarkand", seats=[{"kind": "me"}] * 3)["table"])
        ann.ask(tables[0], do="start")
    with ann.socket(tables[0]) as line:
        with line.ws.send_context():  # as it is: the client would not send this
            protocol = line.ws.protocol
            (protocol.send_text if kind is Opcode.TEXT else protocol.send_binary)(data)
        if code is None:
            while (answer := line.next())["type"] not in ("refused", "done"):
                pass
            assert line.ask(do="watch", seat=0)["type"] == "done"
            assert answer["type"] == "refused" or b"text" in data or b"seq" in data
        else:
            with pytest.raises(ConnectionClosed) as closed:
                line.next()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == code
    assert house.guest(None).http.get("/ready").text == "ready"
    written = capfd.readouterr().err
    assert "Traceback" not in written
    assert "failed" not in written
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("name", ["\0", "a\0b", "\u202e", "\ud800", "a\udfffb", "\uffff", "\n\n"])
def test_no_name_is_too_odd(house: Place, name: str) -> None:
    body = ('{"name":"' + "".join(f"\\u{ord(c):04x}" for c in name) + '"}').encode()
    with httpx.Client(base_url=house.url) as http:
        kind = {"Content-Type": "application/json"}
        assert http.post("/api/me", content=body, headers=kind).status_code in (200, 400, 422)
        http.post("/api/me", json={"name": "Bo"})
        seats = b'[{"kind":"me",' + body[1:] + b',{"kind":"bot","level":"random"}]'
        for key in (b'""', b'"' + body[9:]):
            made = http.post(
                "/api/tables", content=b'{"game":"khiva","seats":' + seats + b',"key":' + key.rstrip(b"}") + b"}",
                headers=kind,
            )  # fmt: skip
            assert made.status_code in (201, 400, 422), made.text


BODIES = [
    b"[" * 16_000,
    b'{"do":"play","seat":0,"move":' + b'{"a":' * 2_500 + b"1" + b"}" * 2_501,
    b'{"name":"\xed\xa0\x80"}',
    b"\xff\xfe{\0",
]


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_no_body_is_too_odd(house: Place, ann: Guest, number: int, capfd: pytest.CaptureFixture[str]) -> None:
    for path in ("/api/me", "/api/tables", "/api/tables/x", "/api/tables/x/rematch", "/api/handover"):
        kind = {"Content-Type": "application/json"}
        assert ann.http.post(path, content=BODIES[number], headers=kind).status_code == 400, path
    assert ann.http.put("/api/me/notifications", content=BODIES[number]).status_code == 400
    assert "failed" not in capfd.readouterr().err


def test_a_port_that_does_not_exist_is_no_fault_of_the_house(house: Place, ann: Guest) -> None:
    for path, status in (("/api/me", 200), ("/health", 200), ("/api/nowhere", 404)):
        assert ann.http.get(path, headers={"Host": "localhost:99999"}).status_code == status
