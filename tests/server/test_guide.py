"""The guide and the lessons over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from registan.core.game import Game
from registan.server.http import games
from registan.tables.hints import HintQuestion
from registan.tables.lessons import BadLesson, LessonInfo
from tests.server.place import Place
from tests.server.test_hints import think


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is compiled, and thinks the first legal move is best."""
    monkeypatch.setattr(HintQuestion, "ready", True)
    monkeypatch.setattr(HintQuestion, "think", think)


def test_the_guide_speaks_where_hints_are_allowed_and_counts_as_one(ready: None, place: Place) -> None:
    ann, bob = place.guest("Ann"), place.guest("Bob")
    table = ann.new_table("khiva")
    said = ann.post(f"/api/tables/{table}/guide", seat=0)
    assert said["situation"]["en"][0].startswith("You play one card")
    assert said["situation"]["fr"][0].startswith("Vous jouez une carte")
    assert [row["move"] in ann.view(table)["view"]["legal"] for row in said["moves"]] == [True]
    assert set(said["moves"][0]["brings"]) == {"en", "fr"}
    assert ann.view(table)["seats"][0]["hints"] == 1
    refused = bob.http.post(f"/api/tables/{table}/guide", json={"seat": 0})
    assert (refused.status_code, refused.json()["error"]) == (403, "error.house.not_your_seat")


def test_among_people_the_guide_needs_consent(ready: None, place: Place) -> None:
    ann, bob = place.guest("Ann"), place.guest("Bob")
    table = ann.new_table("khiva", ("", "random"))
    bob.sit(table)
    ann.start(table)
    refused = ann.http.post(f"/api/tables/{table}/guide", json={"seat": 0})
    assert (refused.status_code, refused.json()["error"]) == (422, "error.house.hints_agreed")


def test_without_the_search_the_guide_still_says_what_matters(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HintQuestion, "ready", False)
    ann = place.guest("Ann")
    table = ann.new_table("samarkand", ("random",), first=0)
    said = ann.post(f"/api/tables/{table}/guide", seat=0)
    assert len(said["situation"]["en"]) == len(said["situation"]["fr"]) > 0
    assert said["moves"] == []
    assert ann.view(table)["seats"][0].get("hints", 0) == 0  # what everybody can see is no hint


def lesson_of(place: Place, game: str) -> Any:
    guest = place.guest(None)
    (card,) = [card for card in guest.get("/api/games") if card["game"] == game]
    (listed,) = card["lessons"]
    assert 5 <= listed["minutes"] <= 8
    return guest.get(f"/api/games/{game}/lessons/{listed['lesson']}")


def test_a_lesson_is_sent_whole_and_its_short_game_is_guided(ready: None, place: Place) -> None:
    lesson = lesson_of(place, "khiva")
    scene = lesson["scenes"][-1]
    assert scene["first"]["view"]["seat"] == scene["seat"]
    at, guest = len(scene["record"]["moves"]), place.guest(None)
    study = {"record": scene["record"], "at": at, "seat": 0, "moves": []}
    said = guest.post("/api/study/guide", **study)
    assert said["situation"]["en"]
    assert said["moves"][0]["move"] in scene["first"]["view"]["legal"]
    nobody = guest.http.post("/api/study/guide", json={**study, "seat": None})
    assert (nobody.status_code, nobody.json()["error"]) == (422, "error.house.no_hint_now")


def test_a_lesson_says_nothing_of_what_others_hold(place: Place) -> None:
    lesson = lesson_of(place, "khiva")
    view = lesson["scenes"][0]["first"]["view"]
    assert [isinstance(seat["teapots"], list) for seat in view["seats"]] == [True, False, False]
    assert "hands" not in str(lesson["scenes"][0]["first"])


def test_a_lesson_that_cannot_be_read_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(game: Game, name: str) -> LessonInfo:
        raise BadLesson(name, "", "not TOML")

    monkeypatch.setattr(games, "info", spoilt)
    games._lessons.cache_clear()
    assert games._lessons("khiva") == []
    games._lessons.cache_clear()


def test_there_is_no_such_lesson(place: Place) -> None:
    guest = place.guest(None)
    assert guest.http.get("/api/games/khiva/lessons/none").status_code == 404
    assert guest.http.get("/api/games/khiva/lessons/..%2f..%2frules").status_code == 404
    first = guest.http.get("/api/games/khiva/lessons/first")
    again = guest.http.get("/api/games/khiva/lessons/first", headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
