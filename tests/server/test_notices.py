"""Notices of turns: a real web server receives the webhooks and pushes, and a browser's keys decrypt the latter."""

from __future__ import annotations

import asyncio
import datetime
import json
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from registan.core.errors import BadInput
from registan.server.notices.outbound import post, public
from registan.server.notices.preferences import QuietHours
from registan.server.notices.push import bare, unbare
from registan.server.storage.store import open_store
from tests.server.conftest import fresh_database
from tests.server.place import Guest, Place, until

DAYS = {"kind": "days", "days": 3}


class Mailbox:
    """A web server that collects what is posted to it, with the answers a test wants."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        box = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = box.answers.pop(0) if box.answers else 201
                box.got.append((self.path, dict(self.headers), body))
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """A browser's subscription, and the keys only it has."""

    def __init__(self, endpoint: str) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {
            "endpoint": endpoint,
            "expirationTime": None,
            "keys": {"p256dh": bare(point), "auth": bare(self.auth)},
        }

    def read(self, body: bytes) -> Any:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture
def open_house(url: str) -> Iterator[Place]:
    """Yield a house with each kind of store that may send to loopback and delivers only when a test says so."""
    place = Place(url, notify_private=True)
    hurry(place)
    by_hand(place)
    yield place
    place.close()


def hurry(place: Place) -> None:
    """Let notices be due at once, and again at once after a failure."""
    place.delivery.delay = 0
    place.delivery.backoff = (0, 0, 0)


def by_hand(place: Place) -> None:
    """Stop delivering in the background."""
    place.loop.call_soon_threadsafe(place.delivery._loop.cancel)
    until(place.delivery._loop.done)


def deliver(place: Place) -> None:
    """Deliver everything that is due, further attempts included."""

    async def work() -> None:
        await asyncio.gather(*place.delivery._tasks)
        while await place.delivery.deliver_due():
            pass

    place.run(work())


def turns(place: Place, **more: Any) -> tuple[Guest, Guest, str]:
    """Return Ann and Bo at a table of Khiva where a turn has days; all are asked at once."""
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",), pace=DAYS, **more)
    bo.sit(table)
    return ann, bo, table


def move(guest: Guest, table: str, seat: int) -> None:
    guest.ask(table, do="play", seat=seat, move=guest.view(table, seat)["view"]["legal"][0])


def test_a_webhook_and_a_browser_are_told_once_a_turn(open_house: Place, mailbox: Mailbox) -> None:
    ann, bo, table = turns(open_house)
    bo.post("/api/me", name="Bo", lang="fr")
    browser = Browser(f"{mailbox.url}/push/1")
    preferences = {"webhook": f"{mailbox.url}/hook?of=bo", "push": [browser.subscription], "quiet": None}
    bo.put("/api/me/notifications", **preferences)
    assert bo.get("/api/me/notifications")["webhook"] == preferences["webhook"]
    ann.start(table)
    deliver(open_house)
    posted = {path: (headers, body) for path, headers, body in mailbox.got}
    said = json.loads(posted["/hook?of=bo"][1])
    assert said["text"] == "Khiva\u00a0: c’est à vous, Bo. Vous jouez avec Ann."
    assert said["link"] == f"{open_house.url}/t/{table}"
    headers, body = posted["/push/1"]
    assert browser.read(body) == said
    assert said["text"].encode() not in body
    assert len(unbare(headers["Topic"])) == 18
    assert table not in str(headers)
    _check_vapid(headers["Authorization"], mailbox.url, ann.get("/api/push/key")["key"])
    # Talking is no turn; nothing more is sent until it is Bo's turn again.
    ann.ask(table, do="say", seat=0, text="well?")
    move(ann, table, 0)
    deliver(open_house)
    assert len(mailbox.got) == 2
    asked_again(ann, bo, table)
    deliver(open_house)
    assert len(mailbox.got) == 4


def test_whom_the_deal_waits_for_is_told(open_house: Place, mailbox: Mailbox) -> None:
    ann, bo, table = turns(open_house)
    bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook")
    ann.ask(table, do="start")
    deliver(open_house)
    (said,) = [json.loads(body) for _, _, body in mailbox.got]
    assert said["text"].startswith("Khiva: the cards are about to be dealt, Bo. Open the table")


def asked_again(ann: Guest, bo: Guest, table: str) -> None:
    """Let Bo move as often as it is his turn, and then Ann, until it is his again."""
    while bo.view(table, 1)["view"]["legal"]:
        move(bo, table, 1)
    while not bo.view(table, 1)["view"]["legal"]:
        move(ann, table, 0)


def _check_vapid(header: str, audience: str, key: str) -> None:
    parts = dict(part.strip().split("=", 1) for part in header.removeprefix("vapid ").split(","))
    assert parts["k"] == key
    head, claims, signature = parts["t"].split(".")
    raw = unbare(signature)
    public_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbare(key))
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public_key.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    told = json.loads(unbare(claims))
    assert told["aud"] == audience
    assert time.time() < told["exp"] < time.time() + 86_400


def test_who_is_at_the_table_is_not_told(open_house: Place, mailbox: Mailbox) -> None:
    ann, bo, table = turns(open_house)
    bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook")
    with bo.socket(table) as socket:
        socket.ask(do="watch", seat=1)
        ann.start(table)
        deliver(open_house)
    assert mailbox.got == []
    until(lambda: not open_house.house._tables[table].watchers)  # now the page is closed
    asked_again(ann, bo, table)
    deliver(open_house)
    assert len(mailbox.got) == 1


def test_each_table_is_switched_by_each_person(open_house: Place, mailbox: Mailbox) -> None:
    ann, bo, table = turns(open_house)
    for guest in (ann, bo):
        guest.put("/api/me/notifications", webhook=f"{mailbox.url}/{guest.name}")
    assert bo.get(f"/api/tables/{table}/notifications") == {"on": True}
    assert bo.put(f"/api/tables/{table}/notifications", on=False) == {"on": False}
    assert bo.get(f"/api/tables/{table}/notifications") == {"on": False}
    ann.start(table)
    deliver(open_house)
    assert [path for path, *_ in mailbox.got] == ["/Ann"]
    # Without days nobody is told who has not asked for it.
    free = ann.new_table("khiva", ("",))
    assert ann.get(f"/api/tables/{free}/notifications") == {"on": False}
    ann.put(f"/api/tables/{free}/notifications", on=True)
    bo.sit(free)
    ann.start(free)
    deliver(open_house)
    assert [path for path, *_ in mailbox.got] == ["/Ann", "/Ann"]


def test_what_does_not_arrive_is_sent_again_and_only_there(open_house: Place, mailbox: Mailbox) -> None:
    ann, bo, table = turns(open_house)
    other = Mailbox()
    try:
        browser = Browser(f"{other.url}/push")
        bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook", push=[browser.subscription])
        mailbox.answers = [503, 500]
        ann.start(table)
        deliver(open_house)
        assert len(mailbox.got) == 3
        assert len(other.got) == 1
    finally:
        other.close()


def test_what_never_arrives_is_given_up(open_house: Place, mailbox: Mailbox) -> None:
    ann, bo, table = turns(open_house)
    bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook")
    mailbox.answers = [500] * 20
    ann.start(table)
    deliver(open_house)
    assert len(mailbox.got) == 4  # the first, and three more


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_has_ended_is_dropped(open_house: Place, mailbox: Mailbox, status: int) -> None:
    ann, bo, table = turns(open_house)
    browser = Browser(f"{mailbox.url}/push")
    bo.put("/api/me/notifications", webhook=None, push=[browser.subscription])
    mailbox.answers = [status]
    ann.start(table)
    deliver(open_house)
    assert bo.get("/api/me/notifications")["push"] == []
    asked_again(ann, bo, table)
    deliver(open_house)
    assert len(mailbox.got) == 1


def test_in_quiet_hours_it_waits(open_house: Place, mailbox: Mailbox) -> None:
    ann, bo, table = turns(open_house)
    open_house.house.now = lambda: at("2026-03-01T23:00:00")
    bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook", quiet={"from": "22:00", "to": "07:30"})
    ann.start(table)
    deliver(open_house)
    open_house.house.now = lambda: at("2026-03-02T07:29:59")
    deliver(open_house)
    assert mailbox.got == []
    open_house.house.now = lambda: at("2026-03-02T07:30:00")
    deliver(open_house)
    assert len(mailbox.got) == 1


def at(time_of_day: str) -> int:
    """Return a time in UTC in milliseconds."""
    return round(datetime.datetime.fromisoformat(time_of_day + "+00:00").timestamp() * 1000)


def test_a_notice_outlives_a_restart_and_is_not_sent_twice(url: str, mailbox: Mailbox) -> None:
    first = Place(url, notify_private=True)
    first.delivery.delay = 3_600_000
    ann, bo, table = turns(first)
    bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook")
    ann.start(table)
    deliver(first)
    first.close()
    assert mailbox.got == []

    async def now_due() -> None:
        store = await open_store(url)
        assert await store.execute("UPDATE notices SET due = 1 WHERE due IS NOT NULL AND seat = 1") == 1
        await store.close()

    asyncio.run(now_due())
    for _ in range(2):
        again = Place(url, notify_private=True)
        until(lambda: asyncio.run(due_times(url)) == [None])  # in the background
        again.close()
    assert len(mailbox.got) == 1


def test_two_processes_send_one_notice(postgres: str, mailbox: Mailbox) -> None:
    url = fresh_database(postgres)
    east, west = Place(url, notify_private=True), Place(url, notify_private=True)
    try:
        hurry(east)
        hurry(west)
        ann, bo, table = turns(east)
        far = west.guest(None)
        far.http.cookies.update(bo.http.cookies)
        far.view(table, 1)  # both have the table in memory
        bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook")
        ann.start(table)
        until(lambda: 1 in west.house._tables[table].noticed)  # in both processes it is Bo's turn
        deliver(east)
        deliver(west)
        until(lambda: asyncio.run(due_times(url)) == [None])
        texts = [json.loads(body)["text"] for _, _, body in mailbox.got]
        assert sum("your turn" in text for text in texts) == 1
        assert sum("about to be dealt" in text for text in texts) <= 1  # before it was dealt, unless Bo was faster
    finally:
        east.close()
        west.close()


def test_who_is_at_the_table_through_another_process_is_not_told(postgres: str, mailbox: Mailbox) -> None:
    url = fresh_database(postgres)
    east, west = Place(url, notify_private=True), Place(url, notify_private=True)
    try:
        hurry(west)
        by_hand(east)
        east.delivery.delay = 3000
        ann, bo, table = turns(east)
        bo.put("/api/me/notifications", webhook=f"{mailbox.url}/hook")
        far = west.guest(None)
        far.http.cookies.update(bo.http.cookies)
        with far.socket(table) as socket:
            socket.ask(do="watch", seat=1)
            ann.start(table)
            socket.until(lambda view: view["status"] == "running", 1)
            until(lambda: asyncio.run(due_times(url)) == [None])
        now = east.house.now()
        east.house.now = lambda: now + 3500
        deliver(east)
        assert mailbox.got == []
    finally:
        east.close()
        west.close()


async def due_times(url: str) -> list[int | None]:
    """Return when Bo's notices are due, None for those that are delivered."""
    store = await open_store(url)
    rows = await store.fetch("SELECT due FROM notices WHERE seat = 1")
    await store.close()
    return [row[0] for row in rows]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/x", "file:///etc/passwd", "http://127.0.0.1:1/", "http://localhost/x", "http://[::1]/",
        "http://10.0.0.1/", "http://169.254.169.254/latest", "https://[::ffff:192.168.0.1]/", "http://me:pw@example.org",
        "http://[64:ff9b::7f00:1]/", "http://0/", "javascript:alert(1)", "http://", "http://x:99999/", "https://printer.local/",
    ],
)  # fmt: skip
def test_nothing_is_sent_into_the_own_network(place: Place, url: str) -> None:
    ann = place.guest()
    for preferences in ({"webhook": url}, {"push": [Browser(url).subscription]}):
        answer = ann.http.put("/api/me/notifications", json=preferences)
        assert answer.status_code == 422, answer.text
    with pytest.raises((BadInput, OSError)):
        asyncio.run(post(url, b"", {}, seconds=2))


def test_a_name_that_stands_for_an_address_of_ours_is_refused_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked up once, and what was found is checked and used."""

    async def run(mailbox: Mailbox) -> None:
        loop = asyncio.get_running_loop()

        async def lookup(host: str, port: int, **_: Any) -> Any:
            assert host == "innocent.example"
            return [(2, 1, 6, "", ("93.184.216.34", port)), (2, 1, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(loop, "getaddrinfo", lookup)
        with pytest.raises(BadInput, match="own network"):
            await post("http://innocent.example/", b"x", {})

    box = Mailbox()
    asyncio.run(run(box))
    box.close()
    assert box.got == []


def test_addresses_of_the_wide_world() -> None:
    good = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"]
    bad = ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.0.1", "100.64.0.1", "224.0.0.1", "0.0.0.0",
           "::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1"]  # fmt: skip
    assert [public(a) for a in good] == [True] * len(good)
    assert [public(a) for a in bad] == [False] * len(bad)


@pytest.mark.parametrize(
    "preferences",
    [
        {"webhook": "https://example.org/" + "x" * 2000},
        {"quiet": {"from": "25:00", "to": "07:00"}},
        {"quiet": {"from": "22:00", "to": "07:00", "zone": "../../etc/passwd"}},
        {"quiet": {"from": "22:00", "to": "07:00", "zone": "Mars/Olympus"}},
        {"push": [{"endpoint": "https://example.org", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}]},
        {"push": [{"endpoint": "https://example.org", "keys": {"p256dh": "§", "auth": "AAAA"}}]},
        {"push": [{"endpoint": "http://example.org", "keys": Browser("x").subscription["keys"]}]},
        {"push": [Browser("https://example.org").subscription] * 11},
        {"surprise": 1},
    ],
)
def test_preferences_that_cannot_work_are_refused(place: Place, preferences: Any) -> None:
    ann = place.guest()
    answer = ann.http.put("/api/me/notifications", json=preferences)
    assert answer.status_code in (400, 422)
    assert answer.json()["text"]
    assert ann.get("/api/me/notifications") == {"webhook": None, "push": [], "quiet": None}


def test_preferences_are_private(place: Place) -> None:
    ann, bo, eve = place.guest("Ann"), place.guest("Bo"), place.guest(None)
    table = ann.new_table("khiva", ("",), pace=DAYS)
    ann.put("/api/me/notifications", webhook="https://example.org/ann")
    assert bo.get("/api/me/notifications")["webhook"] is None
    for guest, status in ((bo, 403), (eve, 401)):
        assert guest.http.get(f"/api/tables/{table}/notifications").status_code == status
        assert guest.http.put(f"/api/tables/{table}/notifications", json={"on": True}).status_code == status
    assert eve.http.get("/api/me/notifications").status_code == 401
    assert eve.http.put("/api/me/notifications", json={}).status_code == 401


@pytest.mark.parametrize(
    ("hours", "at", "then"),
    [
        (("22:00", "07:00"), "2026-01-10T21:59", "2026-01-10T21:59"),
        (("22:00", "07:00"), "2026-01-10T22:00", "2026-01-11T07:00"),
        (("22:00", "07:00"), "2026-01-11T06:59", "2026-01-11T07:00"),
        (("22:00", "07:00"), "2026-01-11T07:00", "2026-01-11T07:00"),
        (("12:00", "14:00"), "2026-01-11T13:00", "2026-01-11T14:00"),
        (("12:00", "14:00"), "2026-01-11T11:59", "2026-01-11T11:59"),
        (("12:00", "12:00"), "2026-01-11T12:00", "2026-01-11T12:00"),
        (("22:00", "07:00"), "2026-03-28T23:00", "2026-03-29T07:00"),  # the night in which summer time begins
    ],
)
def test_quiet_hours_are_those_of_ones_own_clock(hours: tuple[str, str], at: str, then: str) -> None:
    import datetime
    import zoneinfo

    zone = zoneinfo.ZoneInfo("Europe/Paris")

    def stamp(text: str) -> int:
        return int(datetime.datetime.fromisoformat(text).replace(tzinfo=zone).timestamp() * 1000)

    assert QuietHours(*hours, "Europe/Paris").until(stamp(at)) == stamp(then)


def test_the_key_of_web_push_follows_from_the_key_of_the_house(place: Place, tmp_path: Path) -> None:
    other = Place(str(tmp_path / "other.db"))
    try:
        assert other.guest(None).get("/api/push/key") == place.guest(None).get("/api/push/key")
    finally:
        other.close()
