"""Nobody takes the whole lobby: a person has only so many tables, and everybody gets a turn in the public list."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from registan.server.limits import FORGOTTEN_SECONDS, LISTED, Buckets, Caps, Rate
from tests.server.place import PATIENT, Guest, Place

CAPS = Caps(tables_of_person=4, listed_of_person=3)
TABLE: dict[str, Any] = {"game": "khiva", "seats": [{"kind": "me"}, {"kind": "open"}]}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    opened = Place(str(tmp_path / "house.db"), caps=CAPS)
    yield opened
    opened.close()


def refusal(guest: Guest, path: str = "/api/tables", **data: Any) -> tuple[int, str]:
    answer = guest.http.post(path, json=data)
    return answer.status_code, answer.json().get("error", "")


def test_a_person_has_only_so_many_tables_even_if_they_are_created_at_once(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: refusal(ann, **TABLE), range(12)))
    assert sorted(answers) == [(201, "")] * 4 + [(429, "error.house.tables_person")] * 8
    assert refusal(bo, **TABLE) == (201, "")


def test_a_host_without_a_seat_is_still_the_host(place: Place) -> None:
    ann = place.guest("Ann")
    bots: dict[str, Any] = {"game": "khiva", "seats": [{"kind": "open"}, {"kind": "open"}]}
    assert [refusal(ann, **bots)[0] for _ in range(5)] == [201] * 4 + [429]
    assert len(ann.get("/api/me/tables")) == 4


def test_a_table_that_is_over_makes_room_and_a_rematch_takes_it(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("random",))
    for _ in range(3):
        ann.post("/api/tables", **TABLE)
    assert refusal(ann, **TABLE)[0] == 429
    ann.ask(table, do="propose", seat=0, what="abandon")
    assert refusal(ann, f"/api/tables/{table}/rematch") == (201, "")
    assert refusal(ann, f"/api/tables/{table}/rematch") == (201, "")  # the same one


def test_the_same_request_again_returns_the_same_table_though_there_is_no_room(place: Place) -> None:
    ann = place.guest("Ann")
    made = [ann.post("/api/tables", **TABLE, key=f"{i}")["table"] for i in range(4)]
    assert ann.post("/api/tables", **TABLE, key="2")["table"] == made[2]
    assert refusal(ann, **TABLE, key="new")[0] == 429


def test_forgotten_tables_that_never_began_count_no_more(place: Place) -> None:
    ann = place.guest("Ann")
    for _ in range(4):
        ann.post("/api/tables", **TABLE)
    assert refusal(ann, **TABLE)[0] == 429
    now = place.house.now
    place.house.lobby._now = lambda: now() + (FORGOTTEN_SECONDS + 1) * 1000
    assert refusal(ann, **TABLE)[0] == 201


def test_a_person_lists_only_so_many_tables(place: Place) -> None:
    ann = place.guest("Ann")
    answers = [refusal(ann, **TABLE, listed=True) for _ in range(4)]
    assert answers == [(201, "")] * 3 + [(429, "error.house.listed_person")]
    assert refusal(ann, **TABLE) == (201, "")


def test_an_address_creates_only_so_many_tables_whoever_asks(place: Place) -> None:
    guests = [place.guest(f"Guest {i}") for i in range(6)]
    place.house.buckets = Buckets({**PATIENT.rates, "create_here": Rate(3, 0)})
    assert [refusal(guest, **TABLE) for guest in guests] == [(201, "")] * 3 + [(429, "error.house.too_fast")] * 3


def flood(place: Place, address: str, count: int) -> None:
    """Create public tables as guests without end would, from one address."""
    for i in range(count):
        rude = place.guest(f"Rude {i}")
        for _ in range(CAPS.listed_of_person):
            place.house.lobby.came_from(rude.post("/api/tables", **TABLE, listed=True)["table"], address)


def test_a_flood_does_not_displace_the_lobby(place: Place) -> None:
    ann, bo, cy = (place.guest(name) for name in ("Ann", "Bo", "Cy"))
    hers = ann.post("/api/tables", **TABLE, listed=True)["table"]
    place.house.lobby.came_from(hers, "192.0.2.1")
    two = cy.post("/api/tables", **TABLE, listed=True)["table"]
    place.house.lobby.came_from(two, "192.0.2.2")
    bo.sit(two)
    flood(place, "198.51.100.7", LISTED // 2)  # later, so that these are the latest
    shown = [table["table"] for table in place.guest(None).get("/api/tables")]
    assert len(shown) == LISTED
    assert shown[0] == two, "tables with people come first"
    assert hers in shown[:3]
    assert ann.get("/api/tables")[0]["table"] == hers, "your own come first"


def test_one_host_alone_may_fill_the_list(place: Place) -> None:
    ann = place.guest("Ann")
    made = {ann.post("/api/tables", **TABLE, listed=True)["table"] for _ in range(3)}
    assert {table["table"] for table in place.guest(None).get("/api/tables")} == made
