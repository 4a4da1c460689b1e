"""Sockets that behave badly: slow, out of order, again and again. Nobody else notices."""

from __future__ import annotations

import random
import socket as sockets
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registan.server.limits import UNSENT
from registan.server.live.websocket import WebSocketProtocol
from tests.server.place import Guest, Place, until


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


@pytest.fixture(scope="module")
def bo(place: Place) -> Guest:
    return place.guest("Bo")


def new_table(ann: Guest, bo: Guest) -> str:
    table = ann.new_table("khiva", ("",))
    bo.sit(table)
    ann.start(table)
    return table


WORDS, MASK = msgspec.json.encode({"do": "watch"}), b"\1\2\3\4"
WATCH = bytes([0x81, 0x80 | len(WORDS)]) + MASK + bytes(c ^ MASK[i % 4] for i, c in enumerate(WORDS))
"""A frame that asks for the whole view."""


def deaf(url: str, table: str) -> sockets.socket:
    """Return a socket that watches a table and never reads."""
    port = int(url.rpartition(":")[2])
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.settimeout(1)
    raw.connect(("127.0.0.1", port))
    head = (
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    raw.sendall(head.encode())
    assert raw.recv(12) == b"HTTP/1.1 101"
    raw.sendall(WATCH)
    return raw


def test_who_does_not_read_is_dropped_and_holds_nobody_up(place: Place, ann: Guest, bo: Guest) -> None:
    table = new_table(ann, bo)
    live = place.house._tables[table]
    with closing(deaf(place.url, table)) as raw, bo.socket(table) as other:
        other.ask(do="watch", seat=1)
        until(lambda: len(live.watchers) == 2)
        most = 0
        for i in range(1000):
            with suppress(OSError):  # it is dropped, perhaps
                raw.sendall(WATCH * 40)
            ann.ask(table, do="say", seat=0, text=f"{i} " + "x" * 480)
            other.until_said(f"{i} ")
            most = max(most, *(watcher.outbox.size for watcher in list(live.watchers)))
            if len(live.watchers) == 1:
                break
        assert most <= UNSENT
        assert len(live.watchers) == 1
        until(lambda: sum(isinstance(c, WebSocketProtocol) for c in place.server.server_state.connections) == 1)
        assert other.ask(do="say", seat=1, phrase="hello")["type"] == "done"


def test_messages_may_come_in_any_order_and_again(place: Place, ann: Guest, bo: Guest) -> None:
    """A whole game's messages, shuffled and doubled: the table is that of those that were granted, once each."""
    table = new_table(ann, bo)
    rng = random.Random(5)
    said: list[dict[str, Any]] = []
    with ann.socket(table) as one, bo.socket(table) as two:
        one.ask(do="watch", seat=0)
        two.ask(do="watch", seat=1)
        for i in range(30):
            for seat, line in ((0, one), (1, two)):
                line.catch_up()
                legal = line.views[seat]["view"]["legal"]
                if legal:
                    said.append({"do": "play", "seat": seat, "move": rng.choice(legal), "key": f"{i} {seat}"})
                    assert line.ask(**said[-1])["type"] == "done"
                if said and rng.random() < 0.5:  # an old one comes again, from either side
                    old = rng.choice(said)
                    answer = line.ask(**old)
                    assert answer["type"] == ("done" if old["seat"] == seat else "refused")
        before = ann.view(table)
        for old in rng.sample(said, len(said)):
            for seat, line in ((0, one), (1, two)):
                line.ask(**old | ({} if old["seat"] == seat else {"seat": old["seat"]}))
        assert ann.view(table) == before


watching = st.fixed_dictionaries(
    {"do": st.just("watch"), "seat": st.none() | st.integers(-3, 7), "seq": st.none() | st.integers(-5, 2**63)}
)
playing = st.fixed_dictionaries({"do": st.just("play"), "seat": st.integers(0, 4), "move": st.dictionaries(
    st.sampled_from(["do", "play", "give", "camel", "gems", "what"]),
    st.sampled_from(["choose", "move", "take", "salt", 0, -1, None]) | st.lists(st.text(max_size=9), max_size=3),
    max_size=4,
)})  # fmt: skip
ordering = st.fixed_dictionaries({"do": st.just("order"), "seat": st.integers(0, 1), "orders": st.dictionaries(
    st.sampled_from(["next", "do", "12", "x"]),
    st.none() | st.text(max_size=5) | st.lists(st.dictionaries(
        st.sampled_from(["if", "moves"]), st.none() | st.lists(st.none() | st.dictionaries(
            st.sampled_from(["do", "seat", "what"]), st.sampled_from(["take", "salt", 0, 1]), max_size=3), max_size=3),
        max_size=2), max_size=3),
    max_size=2,
)})  # fmt: skip


@given(messages=st.lists(watching | playing | ordering, max_size=8))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nearly_right_messages_are_answered_each(place: Place, ann: Guest, bo: Guest, messages: list[Any]) -> None:
    tables: list[str] = place.__dict__.setdefault("_nearly", [])
    if not tables:
        tables.append(new_table(ann, bo))
    with ann.socket(tables[0]) as line:
        for message in messages:
            assert line.ask(**message, key="k")["key"] in ("k", "")
    with ann.socket(tables[0]) as line:
        assert line.ask(do="watch", seat=0)["type"] == "done"
        assert line.views[0] == ann.view(tables[0])


def test_a_socket_that_is_cut_off_leaves_nothing_behind(place: Place, ann: Guest, bo: Guest) -> None:
    table = new_table(ann, bo)
    live = place.house._tables[table]
    raw = deaf(place.url, table)
    until(lambda: len(live.watchers) == 1)
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    raw.close()  # a reset, without good-bye
    until(lambda: not live.watchers)


def test_who_does_not_answer_a_ping_is_dropped(tmp_path: Path) -> None:
    place = Place(str(tmp_path / "house.db"))
    place.server.config.ws_ping_interval = place.server.config.ws_ping_timeout = 1
    try:
        table = place.guest("Ann").new_table("khiva", ("",))
        with closing(deaf(place.url, table)):
            until(lambda: place.house.metrics.registry.get_sample_value("registan_sockets") == 0)
            until(lambda: not any(isinstance(c, WebSocketProtocol) for c in place.server.server_state.connections))
    finally:
        place.close()
