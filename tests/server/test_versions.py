"""A house whose rules have changed: its old tables go on, and those of a version that it lacks say so."""

from __future__ import annotations

from pathlib import Path

from tests.server.place import Guest, Place
from tests.well_versions import NEW, OLD, installed, make_newer


def play(guest: Guest, table: str, moves: int) -> None:
    """Play all three seats, always the most thirsty camel."""
    for _ in range(moves):
        view = guest.view(table)
        if view["status"] == "over":
            return
        seat = view["view"]["waiting"][0]
        move = guest.view(table, seat)["view"]["legal"][-1]
        guest.ask(table, do="play", seat=seat, move=move)


def begin(folder: Path) -> tuple[Guest, str]:
    """Let a house with the old rules have a running table, and close it."""
    with installed(OLD):
        place = Place(str(folder / "house.db"))
        ann = place.guest()
        table: str = ann.post("/api/tables", game="well", seats=[{"kind": "me"}] * 3)["table"]
        ann.ask(table, do="start")
        play(ann, table, 10)
        place.close()
    return ann, table


def back(place: Place, ann: Guest) -> Guest:
    guest = place.guest(None)
    guest.http.cookies.update(ann.http.cookies)
    return guest


def test_a_table_goes_on_by_the_rules_with_which_it_began(tmp_path: Path) -> None:
    ann, table = begin(tmp_path)
    site = tmp_path / "site"
    make_newer(site)
    with installed(NEW, site):
        place = Place(str(tmp_path / "house.db"))
        try:
            guest = back(place, ann)
            play(guest, table, 100)
            record = guest.get(f"/api/tables/{table}/record")
            assert (record["status"], record["engine"]) == ("finished", 1)
            assert guest.get(f"/api/tables/{table}/verify")["good"]
            last = len(guest.view(table)["log"])
            assert guest.get(f"/api/tables/{table}/moments/{last}")["asked"] == "over"
            again = guest.post(f"/api/tables/{table}/rematch")["table"]
            guest.ask(again, do="start")
            play(guest, again, 100)
            assert guest.get(f"/api/tables/{again}/record")["engine"] == 2
        finally:
            place.close()


def test_a_table_of_a_version_that_is_missing_says_so_and_the_rest_works(tmp_path: Path) -> None:
    ann, table = begin(tmp_path)
    site = tmp_path / "site"
    make_newer(site, keep_old=False)
    with installed(NEW, site):
        place = Place(str(tmp_path / "house.db"))
        try:
            guest = back(place, ann)
            guest.post("/api/me", name="Ann", lang="fr")
            refused = guest.http.get(f"/api/tables/{table}")
            assert 400 <= refused.status_code < 500
            assert refused.json()["error"] == "error.version"
            assert "version 1" in refused.json()["text"]
            assert "Rien n’est perdu" in refused.json()["text"]
            assert [card["table"] for card in guest.get("/api/me/tables")] == [table]
            guest.new_table("well", ("random", "random"))
        finally:
            place.close()
