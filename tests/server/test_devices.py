"""One person on several devices: hand-over links that a visit cannot use, and devices that can be signed out."""

from __future__ import annotations

from pathlib import Path

import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from websockets.exceptions import ConnectionClosed

from registan.server.identity import COOKIE
from registan.server.limits import HANDOVER_SECONDS
from registan.server.storage.sessions import device_name
from tests.server.place import KEY, Guest, Place


def older(place: Place, who: str, name: str) -> Guest:
    """Return a guest with a cookie of an earlier version, which has no session."""
    guest = place.guest(None)
    guest.http.cookies[COOKIE] = str(URLSafeTimedSerializer(KEY, salt="cookie").dumps([who, name, "en"]))
    return guest


def seats(guest: Guest, table: str) -> list[int]:
    found: list[int] = guest.get(f"/api/tables/{table}/seats")["seats"]
    return found


def test_looking_at_a_link_changes_nothing(place: Place) -> None:
    ann, phone = place.guest("Ann"), place.guest("Eve")
    token = ann.post("/api/me/handover")["token"]
    before = phone.cookie
    for _ in range(3):
        assert phone.post("/api/handover/offer", token=token) == {"name": "Ann", "replaces": "Eve"}
    assert phone.cookie == before
    assert ann.post("/api/handover/offer", token=token) == {"name": "Ann", "replaces": None}
    assert place.guest(None).post("/api/handover/offer", token=token) == {"name": "Ann", "replaces": None}
    assert place.guest(None).post("/api/handover", token=token)["name"] == "Ann", "it is not used up either"


def test_a_link_works_once(place: Place) -> None:
    ann, phone, thief = place.guest("Ann"), place.guest(None), place.guest(None)
    table = ann.new_table()
    token = ann.post("/api/me/handover")["token"]
    phone.post("/api/handover", token=token)
    assert seats(phone, table) == [0]
    for again in (thief, phone):
        refused = again.http.post("/api/handover", json={"token": token})
        assert (refused.status_code, refused.json()["error"]) == (422, "error.house.handover")
    assert seats(thief, table) == []


def test_a_link_expires(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = place.guest("Ann")
    token = ann.post("/api/me/handover")["token"]
    now = TimestampSigner.get_timestamp
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: now(self) + HANDOVER_SECONDS - 60)
    assert place.guest(None).post("/api/handover/offer", token=token)["name"] == "Ann"
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: now(self) + HANDOVER_SECONDS + 1)
    for path in ("/api/handover", "/api/handover/offer"):
        assert place.guest(None).http.post(path, json={"token": token}).status_code == 422


def test_another_identity_is_replaced_only_if_one_says_so(place: Place) -> None:
    ann, eve = place.guest("Ann"), place.guest("Eve")
    hers = eve.new_table()
    token = ann.post("/api/me/handover")["token"]
    refused = eve.http.post("/api/handover", json={"token": token})
    assert (refused.status_code, refused.json()["error"]) == (422, "error.house.handover_other")
    assert "Eve" in refused.json()["text"]
    assert seats(eve, hers) == [0]
    assert eve.post("/api/handover", token=token, replace=True)["name"] == "Ann", "a refusal does not use the link up"
    assert seats(eve, hers) == []


@pytest.mark.parametrize("whose", ["Ann", "Eve"])
def test_a_link_ends_the_session_that_it_replaces_with_its_sockets(place: Place, whose: str) -> None:
    """A copy of the cookie, or a page that is still open, is nobody from then on: it sees no hand and makes no move."""
    ann = place.guest("Ann")
    device = place.guest(None)
    if whose == "Ann":
        device.post("/api/handover", token=ann.post("/api/me/handover")["token"])
    else:
        device.post("/api/me", name="Eve")
    table = (ann if whose == "Ann" else device).new_table()
    copy = place.guest(None)
    copy.http.cookies[COOKIE] = device.cookie
    with copy.socket(table) as line:
        assert line.ask(do="watch", seat=0)["type"] == "done"
        device.post("/api/handover", token=ann.post("/api/me/handover")["token"], replace=True)
        with pytest.raises(ConnectionClosed):
            line.until(lambda _: False)
    assert copy.get("/api/me") is None
    assert seats(copy, table) == []
    assert copy.http.get(f"/api/tables/{table}", params={"seat": 0}).status_code == 403
    assert copy.http.post(f"/api/tables/{table}", json={"do": "say", "seat": 0, "phrase": "hello"}).status_code == 401
    assert copy.http.post("/api/me/handover").status_code == 401
    assert device.get("/api/me")["name"] == "Ann"


def test_a_device_is_listed_and_can_be_signed_out(place: Place) -> None:
    ann, phone = place.guest("Ann"), place.guest(None)
    table = ann.new_table()
    phone.http.headers["User-Agent"] = "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"
    phone.post("/api/handover", token=ann.post("/api/me/handover")["token"])
    listed = {each["here"]: each for each in ann.get("/api/me/devices")}
    assert len(listed) == 2
    assert listed[False]["device"] == "Firefox, Android"
    assert listed[False]["since"] > 0
    with phone.socket(table) as line:
        assert line.ask(do="watch", seat=0)["type"] == "done"
        answer = ann.http.delete(f"/api/me/devices/{listed[False]['id']}")
        assert [each["here"] for each in answer.json()] == [True]
        with pytest.raises(ConnectionClosed):
            line.until(lambda _: False)
    assert phone.get("/api/me") is None
    assert phone.http.get("/api/me/tables").status_code == 401
    assert phone.http.get(f"/api/tables/{table}", params={"seat": 0}).status_code == 403
    assert seats(ann, table) == [0]
    phone.post("/api/me", name="Somebody else")
    assert seats(phone, table) == []


def test_an_open_socket_of_a_device_that_was_signed_out_is_granted_nothing(place: Place) -> None:
    ann, phone = place.guest("Ann"), place.guest(None)
    table = ann.new_table()
    phone.post("/api/handover", token=ann.post("/api/me/handover")["token"])
    (other,) = [each["id"] for each in ann.get("/api/me/devices") if not each["here"]]
    with phone.socket(table) as line:  # it watches nothing yet
        ann.http.delete(f"/api/me/devices/{other}")
        assert line.ask(do="watch", seat=0)["error"] == "error.house.not_your_seat"
        assert line.ask(do="say", seat=0, phrase="hello")["error"] == "error.house.who"


def test_one_signs_out_only_ones_own_devices(place: Place) -> None:
    ann, eve = place.guest("Ann"), place.guest("Eve")
    (hers,) = ann.get("/api/me/devices")
    assert eve.http.delete(f"/api/me/devices/{hers['id']}").status_code == 422
    assert ann.get("/api/me")["name"] == "Ann"
    assert ann.http.delete(f"/api/me/devices/{hers['id']}").json() == []
    assert ann.get("/api/me") is None


def test_cookies_of_earlier_versions_stay_valid_and_can_be_signed_out(place: Place) -> None:
    old, second = older(place, "old-ann", "Ann"), older(place, "old-ann", "Ann")
    table = old.new_table()
    assert seats(second, table) == [0]
    assert [(each["id"], each["here"]) for each in second.get("/api/me/devices")] == [("older", True)]
    old.post("/api/me", name="Ann")  # from now on this device has a session
    assert sorted((each["id"] == "older", each["here"]) for each in old.get("/api/me/devices")) == [
        (False, True),
        (True, False),
    ]
    old.http.delete("/api/me/devices/older")
    assert (seats(old, table), seats(second, table)) == ([0], [])


def test_a_device_stays_signed_out_after_a_restart(tmp_path: Path) -> None:
    store = str(tmp_path / "house.db")
    first = Place(store)
    ann = first.guest("Ann")
    cookie = ann.cookie
    (here,) = ann.get("/api/me/devices")
    ann.http.delete(f"/api/me/devices/{here['id']}")
    first.close()
    again = Place(store)
    try:
        guest = again.guest(None)
        guest.http.cookies[COOKIE] = cookie
        assert guest.get("/api/me") is None
    finally:
        again.close()


def test_other_processes_learn_of_it(url: str) -> None:
    east, west = Place(url), Place(url)
    try:
        ann = east.guest("Ann")
        far = west.guest(None)
        far.http.cookies[COOKIE] = ann.cookie
        assert far.get("/api/me")["name"] == "Ann"
        (here,) = ann.get("/api/me/devices")
        token, late = (ann.post("/api/me/handover")["token"] for _ in range(2))
        assert west.guest(None).post("/api/handover", token=token)["name"] == "Ann"
        assert east.guest(None).http.post("/api/handover", json={"token": token}).status_code == 422
        ann.http.delete(f"/api/me/devices/{here['id']}")
        assert west.run(west.house.sessions.refresh())
        assert far.get("/api/me") is None
        for place in (east, west):  # a link is worth no more than the device it comes from
            assert place.guest(None).http.post("/api/handover", json={"token": late}).status_code == 422
    finally:
        east.close()
        west.close()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; x64) Chrome/131.0 Safari/537.36 Edg/131.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1", "Safari, iPhone"),
        ("python-httpx/0.28", ""),
    ],
)  # fmt: skip
def test_a_device_has_a_name_that_people_recognise(agent: str, name: str) -> None:
    assert device_name(agent) == name
