"""Which hosts the house answers for, whose pages may use its cookies, and who may say where a request comes from."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from registan.server.identity import COOKIE
from registan.server.limits import RATES, Buckets, Rate
from registan.server.origin import Origins, client_address, proxies
from tests.server.place import PATIENT, Guest, Place, Socket

PUBLIC = "https://house.example"


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Yield a house behind a proxy on this machine."""
    store = str(tmp_path_factory.mktemp("house") / "house.db")
    opened = Place(store, ("127.0.0.0/8",), public_url=PUBLIC, allowed_hosts=["spiel.example"])
    yield opened
    opened.close()


def status(guest: Guest, path: str = "/api/games", **headers: str) -> int:
    return guest.http.get(path, headers=headers).status_code


OURS = [
    "127.0.0.1:8137", "192.168.1.7:8137", "192.168.1.7", "[::1]:8137", "[fe80::1]", "localhost", "LOCALHOST",
    "play.localhost:8137", "house.example", "House.Example:443", "house.example.", "spiel.example",
    socket.gethostname(),
]  # fmt: skip
OTHERS = [
    "evil.example", "house.example.evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil-localhost",
    "1.2.3", "0x7f.1", "2130706433", "::1", "[::1", "house.example@evil.example", "house.example, evil.example",
    "house.example:1:2", "house.example/", "",
]  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_the_house_answers_for_addresses_and_for_its_own_names(public: Place, host: str) -> None:
    assert status(public.guest(None), Host=host) == 200


@pytest.mark.parametrize("host", OTHERS)
def test_a_name_that_somebody_else_may_point_at_this_machine_is_refused(public: Place, host: str) -> None:
    guest = public.guest(None)
    for path in ("/", "/api/games", "/api/tables", "/health", "/metrics", "/api/schema/openapi.json"):
        assert status(guest, path, Host=host) in (421, 400), path  # the server itself refuses some with 400


def test_the_refusal_says_what_the_operator_can_do(public: Place) -> None:
    guest = public.guest(None)
    for lang, word in (("en", "operator"), ("fr", "exploite")):
        answer = guest.http.get("/", headers={"Host": "evil.example", "Accept-Language": lang})
        assert answer.json()["error"] == "error.house.host"
        assert word in answer.json()["text"]
        assert "--allowed-hosts" in answer.json()["text"]


def test_a_request_with_two_hosts_is_refused(public: Place) -> None:
    where = public.sock.getsockname()
    for hosts in ("", "Host: house.example\r\nHost: house.example\r\n"):
        with socket.create_connection(where, timeout=20) as line:
            line.sendall(f"GET /health HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
            assert line.makefile("rb").readline().split()[1] in (b"400", b"421")


def test_a_rebound_name_gets_no_socket(public: Place) -> None:
    ann = public.guest("Ann")
    ann.http.headers["Cookie"] = f"{COOKIE}={ann.cookie}"  # the client is without TLS, and the cookie is for TLS only
    table = ann.new_table()

    def watched(host: str, origin: str | None) -> bool:
        line = socket.create_connection(public.sock.getsockname(), timeout=20)
        url = f"ws://{host}/api/tables/{table}/live"
        cookie = {"Cookie": f"{COOKIE}={ann.cookie}"}
        try:
            with connect(url, sock=line, origin=cast(Any, origin), additional_headers=cookie, proxy=None) as ws:
                return bool(Socket(ws).ask(do="watch", seat=0)["type"] == "done")
        except InvalidStatus:
            return False

    assert watched("house.example", PUBLIC)
    assert watched("house.example", None)
    # Once the name evil.example resolves to the house, its page has the same host and origin.
    assert not watched("evil.example", "http://evil.example")
    assert not watched("evil.example", None)
    assert not watched("house.example", "http://evil.example")
    assert not watched("house.example", "null")


@pytest.mark.parametrize(
    ("host", "scheme", "origin", "allowed"),
    [
        ("house.example", "https", PUBLIC, True),
        ("house.example", "http", PUBLIC, True),  # a proxy that is not trusted
        ("house.example", "https", "http://house.example", False),  # somebody on the way, without TLS
        ("house.example", "http", "http://house.example", False),
        ("house.example", "https", "https://house.example:8443", False),
        ("spiel.example", "https", "https://spiel.example", True),
        ("spiel.example:443", "https", "https://spiel.example", True),
        ("spiel.example", "https", "http://spiel.example", False),
        ("spiel.example", "http", "http://spiel.example", True),
        ("192.168.1.7:8137", "http", "http://192.168.1.7:8137", True),
        ("192.168.1.7:8137", "http", "http://192.168.1.7:9000", False),
        ("192.168.1.7:8137", "http", "http://192.168.1.8:8137", False),
        ("127.0.0.1:8137", "http", "http://localhost:8137", False),
        ("house.example", "https", "null", False),
        ("house.example", "https", "", False),
    ],
)
def test_only_pages_of_the_house_change_anything(
    public: Place, host: str, scheme: str, origin: str, allowed: bool
) -> None:
    guest = public.guest(None)
    headers = {"Host": host, "Origin": origin, "X-Forwarded-Proto": scheme}
    answer = guest.http.post("/api/me", json={"name": "Ann"}, headers=headers)
    assert answer.status_code == (200 if allowed else 401)
    assert status(guest, Host=host, Origin=origin) == 200, "reading needs no cookie, and other pages cannot see it"


@pytest.mark.parametrize("url", ["https://house.example:443", "https://HOUSE.example/", "https://house.example/games/"])
def test_a_public_url_may_be_written_in_several_ways(url: str) -> None:
    assert Origins(url).public == PUBLIC
    assert "house.example" in Origins(url).names


def statuses(guest: Guest, *forwarded: str) -> list[int]:
    return [
        guest.http.get("/api/games", headers={"X-Forwarded-For": each}).status_code
        for each in forwarded
    ]  # fmt: skip


def test_a_trusted_proxy_says_who_the_client_is(public: Place) -> None:
    public.house.buckets = Buckets(dict.fromkeys(RATES, Rate(2, 1e-6)))
    guest = public.guest(None)
    try:
        assert statuses(guest, *["203.0.113.1"] * 3) == [200, 200, 429]
        assert statuses(guest, "203.0.113.2") == [200], "another client has its own limit"
        # What a client itself writes stands before what the proxies add.
        assert statuses(guest, "198.51.100.1, 203.0.113.1", "198.51.100.2, 203.0.113.1, 127.0.0.9") == [429, 429]
        assert statuses(guest, "2001:db8::1", "2001:db8::2:1", "2001:db8:0:0:ffff::1") == [200, 200, 429]
        assert statuses(guest, "2001:db8:0:1::1") == [200]
        assert statuses(guest, "unknown", "_hidden", "x" * 300) == [200, 200, 429], "no address: all count as one"
    finally:
        public.house.buckets = PATIENT


def test_nobody_else_is_believed(place: Place) -> None:
    place.house.buckets = Buckets(dict.fromkeys(RATES, Rate(2, 1e-6)))
    guest = place.guest(None)
    try:
        assert statuses(guest, "203.0.113.3", "203.0.113.4", "203.0.113.5") == [200, 200, 429]
    finally:
        place.house.buckets = PATIENT


class Connected:
    """A connection from an address."""

    def __init__(self, address: str | None) -> None:
        self.scope = {"client": None if address is None else (address, 1)}


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.1", "203.0.113.1"),
        ("::ffff:203.0.113.1", "203.0.113.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("garbage", ""),
        (None, ""),
    ],
)
def test_limits_count_by_address_and_by_the_network_of_a_household(address: str | None, counted: str) -> None:
    connected: Any = Connected(address)
    assert client_address(connected) == counted


def test_a_proxy_is_known_on_a_socket_for_both_kinds_of_address_too() -> None:
    from uvicorn.middleware.proxy_headers import _TrustedHosts

    trusted = _TrustedHosts(proxies(["10.1.2.3/8", "2001:db8::1"]))
    for address in ("10.200.0.1", "::ffff:10.200.0.1", "2001:db8::1"):
        assert address in trusted
    for address in ("11.0.0.1", "::ffff:11.0.0.1", "2001:db8::2", "127.0.0.1"):
        assert address not in trusted


def test_without_settings_nobody_is_trusted(tmp_path: Path) -> None:
    from registan.server.settings import Settings, listed

    chosen = Settings(data=str(tmp_path)).checked()
    assert (listed(chosen.allowed_hosts), proxies(listed(chosen.trusted_proxies))) == ([], [])
