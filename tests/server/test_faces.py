"""Faces: chosen once, stored with the identity, and shown at every table."""

from __future__ import annotations

import msgspec

from registan.server.identity import Person, Signer
from registan.tables import events as e
from registan.tables.seats import Seat
from registan.tables.texts import FACES, face_of
from tests.server.place import Place


def test_a_face_is_chosen_and_seen_by_others(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    assert ann.get("/api/me")["face"] in FACES  # before any is chosen
    assert ann.post("/api/me", name="Ann", face="fur")["face"] == "fur"
    assert ann.post("/api/me", name="Anna", lang="fr") == {"name": "Anna", "lang": "fr", "face": "fur"}
    assert ann.http.post("/api/me", json={"name": "Ann", "face": "nose"}).status_code == 422
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "me", "name": "Cy"}, {"kind": "bot", "level": "novice"}]
    table = ann.post("/api/tables", game="khiva", seats=seats)["table"]
    bo.post("/api/me", name="Bo", face="crown")
    bo.sit(table)
    faces = [seat["face"] for seat in bo.view(table, None)["seats"]]
    assert (faces[0], faces[1], faces[3]) == ("fur", "crown", "")
    assert faces[2] in FACES
    ann.contribute(table)
    ann.start(table)
    ann.ask(table, do="propose", seat=0, what="abandon")
    bo.ask(table, do="answer", seat=1, yes=True)
    again = ann.post(f"/api/tables/{table}/rematch")["table"]
    assert [seat["face"] for seat in bo.view(again, None)["seats"]] == [faces[1], faces[2], "", faces[0]]


def test_cookies_hand_overs_and_logs_without_a_face_stay_valid() -> None:
    signer = Signer(b"a key for tests")
    old = signer._cookies.dumps(["ann", "Ann", "fr", "s1"])
    assert signer.person(str(old)) == Person("ann", "Ann", "fr", "s1")
    new = Person("ann", "Ann", "fr", "s1", "fur")
    assert signer.person(signer.cookie(new)) == new
    handed = signer.handed_over(signer.handover(new))
    assert handed is not None
    assert [person.face for person in handed] == ["fur", "fur"]
    before = signer.handed_over(str(signer._handovers.dumps(["ann", "Ann", "fr", "s2", "s1"])))
    assert before is not None
    assert before[0].face == ""
    assert b"face" not in e.dumps(e.Sat(at=1, seat=0, who="ann", name="Ann"))
    assert b"face" not in msgspec.json.encode(Seat("person", "ann", "Ann"))
    assert face_of("ann") == face_of("ann")
    assert len({face_of(f"p{i}") for i in range(200)}) == len(FACES)
