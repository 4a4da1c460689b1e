"""Nobody gets what is not theirs, and nothing that is sent can break the house."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from itsdangerous import TimestampSigner
from websockets.exceptions import ConnectionClosed, InvalidStatus

from registan.server.http.security import HEADERS
from registan.server.identity import COOKIE, Person, Signer
from registan.server.limits import BODY, RATES, Buckets, Rate
from tests.server.place import PATIENT, Guest, Place, Socket

ASKS: list[dict[str, Any]] = [
    {"do": "play", "seat": 0, "move": {"do": "choose"}},
    {"do": "undo", "seat": 0},
    {"do": "propose", "seat": 0, "what": "abandon"},
    {"do": "answer", "seat": 0, "yes": True},
    {"do": "resume", "seat": 0},
    {"do": "resign", "seat": 0},
    {"do": "back", "seat": 0},
    {"do": "order", "seat": 0, "orders": {}},
    {"do": "order", "seat": 0, "orders": {"next": []}},
    {"do": "say", "seat": 0, "text": "it is me"},
    {"do": "mute", "seat": 0, "whom": 1},
    {"do": "stand", "seat": 0},
    {"do": "place", "seat": 1, "level": "random"},
    {"do": "contribute", "seat": 0, "commitment": "0" * 64},
    {"do": "reveal", "seat": 0, "contribution": "0" * 64},
    {"do": "call_off"},
    {"do": "start"},
]


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


@pytest.fixture(scope="module")
def table(ann: Guest, place: Place) -> str:
    created = ann.new_table("khiva", ("",), watch="open")
    place.guest("Bo").sit(created)
    ann.start(created)
    return created


def strangers(place: Place, ann: Guest) -> dict[str, str]:
    """Return cookies that are not Ann's, though some try to look so."""
    known = place.signer.person(ann.cookie)
    assert known is not None
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(TimestampSigner, "get_timestamp", lambda _: 1_000_000_000)
        expired = place.signer.cookie(known)
    head, stamp, _ = ann.cookie.split(".")
    forger = Signer(b"another key").cookie(known)
    return {
        "none": "",
        "another seat's": place.signer.cookie(Person("bo", "Bo")),
        "forged": forger,
        "expired": expired,
        "tampered": f"{head}.{stamp}.{'A' * 27}",
        "a hand-over": place.signer.handover(known),
        "garbage": "x.y.z",
    }


def test_no_request_is_granted_to_a_stranger(place: Place, ann: Guest, table: str) -> None:
    before = ann.view(table)
    for kind, cookie in strangers(place, ann).items():
        expected = 403 if kind == "another seat's" else 401
        with httpx.Client(base_url=place.url, cookies={COOKIE: cookie} if cookie else {}) as http:
            for request in ASKS:
                status = http.post(f"/api/tables/{table}", json=request).status_code
                assert status == expected or (status == 422 and expected == 403), (kind, request, status)
            assert http.get(f"/api/tables/{table}", params={"seat": 0}).status_code == 403
            assert http.get(f"/api/tables/{table}/moments/0", params={"seat": 0}).status_code == 403
            assert http.get("/api/me/tables").status_code == (401 if expected == 401 else 200)
            assert (http.get("/api/me").json() is None) == (expected == 401)
            if expected == 401:
                assert http.post("/api/tables", json={"game": "khiva", "seats": [{}, {}]}).status_code == 401
                assert http.post("/api/me/handover", json={}).status_code == 401
                assert http.post(f"/api/tables/{table}/rematch").status_code == 401
    assert ann.view(table) == before


PUBLIC = {
    "get /api/games", "get /api/games/{game}/rules", "get /api/games/{game}/messages/{lang}", "post /api/me",
    "post /api/handover", "post /api/handover/offer", "get /api/tables",
    "get /api/tables/{table}", "get /api/tables/{table}/seats",
    "get /api/tables/{table}/points",
    "get /api/tables/{table}/record", "get /api/tables/{table}/chat",
    "get /api/tables/{table}/verify", "get /api/tables/{table}/moments/{line}", "get /health", "get /ready",
    "get /api/push/key", "get /api/games/{game}/boxes/{box}", "get /api/me",
    "get /api/tables/{table}/moments", "post /api/study", "post /api/review", "get /api/reviews/{review}",
    "get /api/games/{game}/lessons/{lesson}", "post /api/study/guide",
    "get /api/puzzles", "get /api/puzzles/{game}/{puzzle}", "post /api/puzzles/{game}/{puzzle}",
    "get /api/tables/{table}/box", "get /api/tables/{table}/box/file",
    "post /api/games/{game}/boxes/balance", "post /api/games/{game}/boxes/check",
    "post /api/games/{game}/boxes/drawn", "post /api/games/{game}/boxes/parsed",
}  # fmt: skip
"""The routes that are public, for spectators, or about the guest itself."""
PERSONAL: dict[str, Any] = {
    "get /api/me/tables": None,
    "delete /api/me": None,
    "get /api/me/profile": None,
    "get /api/me/puzzles": None,
    "get /api/me/games": None,
    "get /api/me/export": None,
    "get /api/me/devices": None,
    "delete /api/me/devices/{device}": None,
    "post /api/me/handover": {},
    "get /api/me/notifications": None,
    "put /api/me/notifications": {},
    "post /api/tables": {"game": "khiva", "seats": [{}, {}]},
    "post /api/tables/{table}": {"do": "start"},
    "delete /api/tables/{table}": None,
    "post /api/tables/{table}/hint": {"seat": 0},
    "post /api/tables/{table}/guide": {"seat": 0},
    "post /api/tables/{table}/rematch": {},
    "get /api/tables/{table}/notifications": None,
    "put /api/tables/{table}/notifications": {"on": True},
}


def test_every_route_is_known_to_be_public_or_somebodys_own(place: Place, ann: Guest, table: str) -> None:
    described = ann.get("/api/schema/openapi.json")["paths"]
    routes = {f"{method} {path}" for path, methods in described.items() for method in methods}
    assert routes == PUBLIC | set(PERSONAL)
    before = ann.view(table)
    for kind, cookie in strangers(place, ann).items():
        with httpx.Client(base_url=place.url, cookies={COOKIE: cookie} if cookie else {}) as http:
            for route, body in PERSONAL.items():
                if route == "delete /api/me" and kind == "another seat's":
                    continue  # they may delete themselves
                method, path = route.split()
                status = http.request(method, path.format(table=table, device="x", puzzle="x"), json=body).status_code
                if kind != "another seat's":
                    assert status == 401, (kind, route, status)
                elif "{table}" in path:
                    assert status in (403, 422), (kind, route, status)
    assert ann.view(table) == before


def test_no_message_over_a_socket_is_granted_to_a_stranger(place: Place, ann: Guest, table: str) -> None:
    before = ann.view(table)
    for cookie in strangers(place, ann).values():
        eve = place.guest(None)
        if cookie:
            eve.http.cookies.set(COOKIE, cookie)
        with eve.socket(table) as socket:
            for request in ASKS:
                assert socket.ask(**request)["type"] == "refused"
            assert socket.ask(do="watch", seat=0)["error"] == "error.house.not_your_seat"
            assert socket.ask(do="watch", seat=1)["type"] == "refused"
            assert socket.views == {}
    assert ann.view(table) == before


def test_spectators_know_nothing_but_what_is_open(place: Place, ann: Guest, table: str) -> None:
    eve = place.guest(None)
    seen = eve.view(table, None)
    assert seen["view"]["hand"] is None
    assert seen["fairness"]["secret"] is None
    assert "orders" not in seen
    closed = ann.new_table("khiva", ("random",), watch="none")
    assert eve.http.get(f"/api/tables/{closed}").status_code == 403
    assert eve.http.get(f"/api/tables/{closed}/moments/0").status_code == 403
    assert eve.http.get(f"/api/tables/{closed}/chat").status_code == 403
    assert eve.http.get(f"/api/tables/{closed}/record").status_code == 422
    assert eve.http.get(f"/api/tables/{closed}/points").status_code == 422
    with eve.socket(closed) as socket:
        assert socket.ask(do="watch")["error"] == "error.house.no_spectators"


def test_nobody_learns_who_others_are(place: Place, ann: Guest, table: str) -> None:
    person = place.signer.person(ann.cookie)
    assert person is not None
    sent = [ann.http.get(path).text for path in (f"/api/tables/{table}", "/api/tables", "/api/me", "/api/me/tables")]
    assert not any(person.who in text for text in sent)


def test_another_site_cannot_use_the_cookie(place: Place, ann: Guest, table: str) -> None:
    evil = {"Origin": "https://evil.example"}
    assert ann.http.post(f"/api/tables/{table}", json={"do": "undo", "seat": 0}, headers=evil).status_code == 401
    with pytest.raises(InvalidStatus), ann.socket(table, **evil):
        pass
    with ann.socket(table, Origin=place.url) as socket:
        assert socket.ask(do="watch", seat=0)["type"] == "done"
    cookie = ann.http.post("/api/me", json={"name": "Ann"}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_every_answer_carries_the_security_headers(ann: Guest, table: str) -> None:
    for path in ("/health", "/api/games", f"/api/tables/{table}", "/api/me"):
        headers = ann.http.get(path).headers
        for name, value in HEADERS.items():
            assert headers[name] == value


@pytest.mark.parametrize(
    ("path", "data", "status"),
    [
        ("/api/tables", b"{", 400),
        ("/api/tables", b"[]", 400),
        ("/api/tables", b'{"game":"chess","seats":[{},{}]}', 422),
        ("/api/tables", b'{"game":"khiva","seats":[{}]}', 400),
        ("/api/tables", b'{"game":"khiva","seats":[{},{}],"box":"/etc/passwd"}', 422),
        ("/api/tables", b'{"game":"khiva","seats":[{},{}],"options":{"x":true}}', 422),
        ("/api/tables", b'{"game":"khiva","seats":[{},{}],"surprise":1}', 400),
        ("/api/tables/nowhere", b'{"do":"start"}', 404),
        ("/api/me", b'{"name":""}', 422),
        ("/api/me", b'{"name":"x","lang":"de"}', 400),
        ("/api/me", b"x" * (BODY + 1), 413),
        ("/nowhere", b"", 405),
    ],
)
def test_a_wrong_request_is_refused_in_words(ann: Guest, path: str, data: bytes, status: int) -> None:
    answer = ann.http.post(path, content=data, headers={"Content-Type": "application/json"})
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert told["type"] == "refused"
    assert told["text"]
    assert "Traceback" not in answer.text


words = st.text(max_size=20) | st.sampled_from(["khiva", "play", "sit", "watch", "undo", "order", "say", "mute"])
leaf = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | words
anything = st.recursive(leaf, lambda x: st.lists(x, max_size=4) | st.dictionaries(words, x, max_size=4), max_leaves=8)
requests = st.fixed_dictionaries(
    {"do": words}, optional={"seat": anything, "move": anything, "key": anything, "orders": anything, "seq": anything}
)
QUIET = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(data=anything | requests)
@QUIET
def test_whatever_is_posted_brings_no_error_of_ours(ann: Guest, table: str, data: Any) -> None:
    body = msgspec.json.encode(data)
    for path in ("/api/me/handover", "/api/handover", "/api/tables", f"/api/tables/{table}"):
        answer = ann.http.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code < 500, (path, body, answer.text)


@given(messages=st.lists(st.binary(max_size=80) | words | (anything | requests).map(msgspec.json.encode), max_size=6))
@QUIET
def test_whatever_is_said_to_a_socket_is_answered_or_ends_it(place: Place, table: str, messages: list[Any]) -> None:
    eve = place.guest(None)
    ended = None
    try:
        with eve.socket(table) as socket:
            for message in messages:
                socket.ws.send(message)
                answer = _answer(socket)
                assert answer["type"] in ("refused", "done")
    except ConnectionClosed as closed:
        ended = closed.rcvd.code if closed.rcvd else 1006
    assert ended not in (1006, 1011)
    eve.http.close()
    assert place.guest(None).http.get("/health").text == "ok"


def _answer(socket: Socket) -> Any:
    while (answer := socket.next())["type"] not in ("refused", "done"):
        pass
    return answer


def test_a_message_of_any_size_does_no_harm(place: Place, ann: Guest, table: str) -> None:
    with ann.socket(table) as socket:
        socket.ws.send("x" * 5000)
        assert socket.next()["error"] == "error.house.too_large"
        socket.ws.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            socket.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    deep = "[" * 4000
    with ann.socket(table) as socket:
        socket.ws.send(deep)
        assert socket.next()["type"] == "refused"
    assert place.guest(None).http.get("/ready").text == "ready"


def test_who_asks_too_often_must_wait(place: Place, ann: Guest, table: str) -> None:
    place.house.buckets = Buckets(dict.fromkeys(RATES, Rate(5, 0.001)))
    try:
        back = {"do": "back", "seat": 0}
        statuses = [ann.http.post(f"/api/tables/{table}", json=back).status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        with ann.socket(table) as socket:
            assert socket.ask(**back)["error"] == "error.house.too_fast"
    finally:
        place.house.buckets = PATIENT


def test_figures_are_counted(place: Place, ann: Guest, table: str) -> None:
    ann.ask(table, do="say", seat=0, phrase="hello")
    text = ann.http.get("/metrics").text
    count = next(line for line in text.splitlines() if line.startswith("registan_move_seconds_count"))
    assert float(count.split()[1]) > 0
    assert "registan_sockets" in text
