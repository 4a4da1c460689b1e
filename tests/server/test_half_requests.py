"""Connections that send half a request, nothing at all, or never read: each has its time, and nobody waits for them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from registan.server.http.protocol import HttpProtocol
from registan.server.limits import HALF_REQUESTS, Caps
from tests.server.place import Place, until

CAPS = Caps(connections=150)
SOON, NEVER = 0.05, 1e6


def open_house(tmp_path: Path, seconds: tuple[float, float, float]) -> Iterator[Place]:
    opened = Place(str(tmp_path / "house.db"), seconds=seconds, caps=CAPS)
    yield opened
    opened.close()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    yield from open_house(tmp_path, (SOON, SOON, SOON))


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Place]:
    yield from open_house(tmp_path, (NEVER, NEVER, NEVER))


def half(place: Place, sent: bytes) -> socket.socket:
    raw = socket.create_connection(place.sock.getsockname(), timeout=20)
    raw.sendall(sent)
    return raw


def answer(raw: socket.socket) -> bytes:
    """Read until the house hangs up."""
    data = b""
    try:
        while part := raw.recv(4096):
            data += part
    except ConnectionError:
        pass
    return data


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow",
        b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{",
        b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
        b"GET /api/tables/x/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
    ],
)
def test_half_a_request_times_out(place: Place, sent: bytes) -> None:
    with closing(half(place, sent)) as raw:
        assert answer(raw).startswith(b"HTTP/1.1 408 ")
    until(lambda: not place.http.half)
    assert place.guest("Ann").get("/api/me")["name"] == "Ann"


def test_a_second_request_on_a_connection_has_its_time_too(place: Place) -> None:
    whole = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with closing(half(place, whole)) as raw:
        assert raw.recv(4096).startswith(b"HTTP/1.1 200 ")
        raw.sendall(whole[:20])
        answer(raw)
    until(lambda: not place.http.half)


def test_a_socket_that_is_open_is_no_half_request(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("",))
    with ann.socket(table) as line:
        until(lambda: not place.http.half)
        assert line.ask(do="watch", seat=0)["type"] == "done"
        with closing(half(place, b"GET")) as raw:
            answer(raw)  # by now the time of a half request is over
        assert line.ask(do="say", seat=0, phrase="hello")["type"] == "done"


def test_an_address_may_send_only_so_many_requests_at_once(patient: Place) -> None:
    with ExitStack() as stack:
        for _ in range(HALF_REQUESTS):
            stack.enter_context(closing(half(patient, b"GET / HTTP/1.1\r\n")))
        until(lambda: patient.http.half["127.0.0.1"] == HALF_REQUESTS)
        with closing(half(patient, b"")) as raw:
            assert answer(raw).startswith(b"HTTP/1.1 429 ")
    until(lambda: not patient.http.half)
    assert patient.guest("Ann").get("/api/me")["name"] == "Ann"


def test_there_are_only_so_many_connections(patient: Place) -> None:
    with ExitStack() as stack:
        for _ in range(CAPS.connections):
            raw = stack.enter_context(closing(half(patient, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")))
            assert raw.recv(4096).startswith(b"HTTP/1.1 200 ")
            patient.loop.call_soon_threadsafe(keep, patient)
        with closing(half(patient, b"")) as raw:
            assert answer(raw).startswith(b"HTTP/1.1 503 ")


def keep(place: Place) -> None:
    """Let idle connections stay, however slow this machine is."""
    for protocol in place.server.server_state.connections:
        assert isinstance(protocol, HttpProtocol)
        protocol._unset_keepalive_if_required()


def test_who_never_reads_a_response_is_dropped(place: Place) -> None:
    raw = socket.socket()
    with closing(raw):
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        raw.connect(place.sock.getsockname())
        want = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        raw.sendall(want * 60)
        until(lambda: place.server.server_state.total_requests > 0)
        until(lambda: not place.server.server_state.connections)


def test_half_a_request_that_came_together_with_a_whole_one_times_out(place: Place) -> None:
    whole = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    body = b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"
    with closing(half(place, whole + body)) as raw:
        read = answer(raw)
    assert read.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in read
    until(lambda: not place.http.half)


@pytest.mark.parametrize("method", [b"GET", b"POST"])
def test_a_body_that_is_not_http_only_ends_the_connection(
    patient: Place, method: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    head = method + b" /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with closing(half(patient, head)) as raw:
        if method == b"GET":  # it is answered before its body has arrived
            assert raw.recv(4096).startswith(b"HTTP/1.1 200 ")
        raw.sendall(b"nonsense\r\n")
        answer(raw)
    until(lambda: not patient.server.server_state.connections)
    until(lambda: not patient.server.server_state.tasks)
    assert not [record for record in caplog.records if record.exc_info]
