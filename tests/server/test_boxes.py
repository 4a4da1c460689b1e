"""What browsers get of a box: complete, cacheable, and only for games that have something to tell."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from registan.core.box import find_box
from registan.core.registry import find
from registan.games.samarkand import web
from registan.games.samarkand.web import board
from registan.server.http import games
from tests.server.place import Place

OASIS = "/api/games/samarkand/boxes/oasis"


def test_a_browser_gets_what_the_game_says(place: Place) -> None:
    box = find_box(find("samarkand"), "oasis")
    assert place.guest(None).get(OASIS, lang="fr") == board(box, "fr")


def test_a_browser_that_has_the_box_need_not_load_it_again(place: Place) -> None:
    guest = place.guest(None)
    first = guest.http.get(OASIS)
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["cache-control"] == "public, max-age=600"
    again = guest.http.get(OASIS, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    french = guest.http.get(f"{OASIS}?lang=fr", headers={"If-None-Match": first.headers["etag"]})
    assert french.status_code == 200
    plain = guest.http.get(OASIS, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == first.json()


def test_those_who_ask_at_once_wait_for_one_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def draw(*asked: Any) -> dict[str, Any]:
        drawn.append(asked)
        return board(*asked)

    monkeypatch.setattr(web, "board", draw)
    games._packed.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: games.packed_box("samarkand", "oasis", "en"), range(4)))
    assert len(drawn) == 1
    assert len(set(answers)) == 1


@pytest.mark.parametrize("path", ["samarkand/boxes/atlantis", "samarkand/boxes/..", "khiva/boxes/khiva"])
def test_an_unknown_box_and_a_game_that_tells_nothing_are_not_found(place: Place, path: str) -> None:
    answer = place.guest(None).http.get(f"/api/games/{path}")
    assert (answer.status_code, answer.json()["error"]) == (404, "error.house.no_page")


def test_an_unknown_game_is_refused(place: Place) -> None:
    answer = place.guest(None).http.get("/api/games/chess/boxes/chess")
    assert (answer.status_code, answer.json()["error"]) == (422, "error.no_game")
