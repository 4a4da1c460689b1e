"""A crowd at the door: sockets are counted, and whoever asks too often or reads too slowly is dropped alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from registan.core.messages import LANGUAGES, say
from registan.server.identity import COOKIE
from registan.server.limits import FRAGMENTS, RATES, UNSENT, Bucket, Buckets, Caps, Rate
from registan.server.live.outbox import Outbox
from tests.server.place import PATIENT, Guest, Place, Socket

CAPS = Caps(sockets_of_person=3, sockets_of_address=8, anonymous_sockets=2, spectators_of_table=4)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    opened = Place(str(tmp_path / "house.db"), caps=CAPS)
    yield opened
    opened.close()


def turned_away(guest: Guest, table: str, **headers: str) -> tuple[Any, int, str]:
    """Open a socket that is refused; return the message, the close code and the reason."""
    sent = dict(headers)
    if COOKIE in guest.http.cookies:
        sent["Cookie"] = f"{COOKIE}={guest.cookie}"
    url = guest.url.replace("http", "ws", 1) + f"/api/tables/{table}/live"
    with connect(url, additional_headers=sent, proxy=None) as ws:
        message = msgspec.json.decode(ws.recv(timeout=20))
        with pytest.raises(ConnectionClosed) as closed:
            ws.recv(timeout=20)
    assert closed.value.rcvd is not None
    return message, closed.value.rcvd.code, closed.value.rcvd.reason


def test_a_person_opens_only_so_many_sockets(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    with ExitStack() as stack:
        for _ in range(CAPS.sockets_of_person):
            stack.enter_context(ann.socket(table))
        message, code, reason = turned_away(ann, table)
        assert (message["type"], message["error"], code) == ("refused", "error.house.sockets_person", 1013)
        assert reason == message["error"]
        with bo.socket(table) as other:
            assert other.ask(do="watch")["type"] == "done"
    with ann.socket(table) as again:  # closed sockets count no more
        assert again.ask(do="watch", seat=0)["type"] == "done"


def test_an_address_opens_only_so_many_without_a_name(place: Place) -> None:
    ann, nobody = place.guest("Ann"), place.guest(None)
    tables = [ann.new_table("khiva", ("",)) for _ in range(2)]
    with ExitStack() as stack:
        for table in tables:
            stack.enter_context(nobody.socket(table))
        message, code, _ = turned_away(nobody, tables[0], **{"Accept-Language": "fr"})
        assert (message["error"], code) == ("error.house.sockets_anonymous", 1013)
        assert message["text"] == say("fr", "error.house.sockets_anonymous")
        assert stack.enter_context(ann.socket(tables[0])).ask(do="watch", seat=0)["type"] == "done"


def test_an_address_opens_only_so_many_whoever_they_are(place: Place) -> None:
    guests = [place.guest(f"Guest {i}") for i in range(4)]
    tables = [guest.new_table("khiva", ("",)) for guest in guests]
    with ExitStack() as stack:
        for i in range(CAPS.sockets_of_address):
            stack.enter_context(guests[i // 3].socket(tables[i // 3]))
        assert turned_away(guests[3], tables[3])[0]["error"] == "error.house.sockets_address"


def test_spectators_never_lock_out_those_who_play(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    crowd = [place.guest(f"Guest {i}") for i in range(3)]
    table = ann.new_table("khiva", ("",))
    with ExitStack() as stack:
        for i in range(CAPS.spectators_of_table):
            stack.enter_context(crowd[i // 2].socket(table))
        assert turned_away(bo, table)[0]["error"] == "error.house.sockets_table"
        assert stack.enter_context(ann.socket(table)).ask(do="watch", seat=0)["type"] == "done"


def test_new_sockets_of_an_address_have_a_rate(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("",))
    place.house.buckets = Buckets({**PATIENT.rates, "socket": Rate(2, 0)})
    for _ in range(2):
        with ann.socket(table):
            pass
    with pytest.raises(Exception, match="403"), ann.socket(table):
        pass


def test_every_refusal_has_a_text() -> None:
    for kind in ("person", "anonymous", "address", "table"):
        assert len({say(lang, f"error.house.sockets_{kind}") for lang in LANGUAGES}) == len(LANGUAGES)


def test_whoever_repeats_watch_gets_few_views_and_is_dropped_in_the_end(place: Place) -> None:
    ann, nobody = place.guest("Ann"), place.guest(None)
    table = ann.new_table("khiva", ("random",))
    place.house.buckets = Buckets({**PATIENT.rates, "watch": Rate(5, 0), "too_fast": Rate(20, 0)})
    with nobody.socket(table) as line:
        answers = [line.ask(do="watch") for _ in range(25)]
        assert [answer["type"] for answer in answers] == ["done"] * 5 + ["refused"] * 20
        assert {answer["error"] for answer in answers[5:]} == {"error.house.too_fast"}
        assert sum(message["type"] == "view" for message in line.heard) == 5
        with pytest.raises(ConnectionClosed) as closed:
            all(line.ask(do="watch") for _ in range(1000))
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "error.house.too_fast")


def test_spectators_share_one_encoded_view(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    live = place.house._tables[table]
    with ann.socket(table) as one, bo.socket(table) as two:
        one.ask(do="watch")
        made = live._for_all
        assert made is not None
        two.ask(do="watch")
        assert live._for_all is made
        assert one.views == two.views
        bo.sit(table)
        two.until(lambda view: view["seats"][1]["name"] == "Bo", None)
        assert two.ask(do="watch")["type"] == "done"
        assert two.views[None] == ann.view(table, None)


def outboxes(check: Callable[[Outbox], None]) -> None:
    async def run() -> None:
        check(Outbox())

    asyncio.run(run())


def test_what_waits_for_a_slow_reader_is_bounded_in_bytes() -> None:
    def check(outbox: Outbox) -> None:
        sent = 0
        while not outbox.slow.done():
            outbox.send(bytes(50_000))
            sent += 50_000
            assert outbox.size <= UNSENT
        assert sent > UNSENT
        outbox.send(bytes(50_000))
        assert outbox.size == 0, "nothing is kept for a connection that is being dropped"

    outboxes(check)


def test_one_long_message_is_never_too_long() -> None:
    def check(outbox: Outbox) -> None:
        outbox.send(bytes(2 * UNSENT))
        assert not outbox.slow.done()
        outbox.send(b"1")
        assert outbox.slow.done()

    outboxes(check)


def test_a_bucket_fills_up_again() -> None:
    bucket = Bucket(Rate(2, 0.5), now=10)
    assert [bucket.take(10), bucket.take(10), bucket.take(10)] == [True, True, False]
    assert [bucket.take(11), bucket.take(12), bucket.take(12)] == [False, True, False]
    assert not bucket.full(15)
    assert bucket.full(16)


def test_many_names_do_not_empty_the_memory_of_the_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registan.server.limits.MOST_BUCKETS", 100)
    buckets = Buckets({"ask": Rate(1, 0.001), "guest": RATES["guest"]})
    for i in range(99):
        buckets.take("ask", f"old {i}", 0)
    assert buckets.take("ask", "rude", 1)
    for i in range(40):
        buckets.take("ask", f"name {i}", 1)
        assert len(buckets._buckets) <= 100
    assert not buckets.take("ask", "rude", 1)


def closed_with(line: Socket) -> tuple[int, str]:
    """Read until the house hangs up, and return the close code and the reason."""
    with suppress(ConnectionClosed):
        while True:
            line.next()
    return line.ws.close_code or 0, line.ws.close_reason or ""


@pytest.mark.parametrize("kind", ["ping", "pong", "text"])
def test_who_sends_too_many_frames_of_any_kind_is_dropped(place: Place, kind: str) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("",))
    with ann.socket(table) as line:
        with line.ws.send_context():
            for _ in range(2 * int(RATES["frame"].burst)):
                getattr(line.ws.protocol, f"send_{kind}")(b"{}")
        assert closed_with(line) == (1008, "error.house.too_fast")
    assert ann.get("/api/me")["name"] == "Ann"


def test_a_message_has_only_so_many_fragments(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("",))
    with ann.socket(table) as line:
        with line.ws.send_context():
            line.ws.protocol.send_text(b"{", fin=False)
            for _ in range(FRAGMENTS):
                line.ws.protocol.send_continuation(b"", fin=False)
        assert closed_with(line)[0] == 1009
