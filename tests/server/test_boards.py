"""Boards as browsers get them: complete, cacheable, and with room for two camels on every space."""

from __future__ import annotations

import pytest

from registan.core.registry import find
from registan.games.samarkand.map.board import load
from registan.games.samarkand.map.outline import holds
from registan.server.boards import shown
from tests.server.place import Place

BOXES = find("samarkand").boxes


@pytest.mark.parametrize("key", BOXES)
def test_a_board_is_told_whole(place: Place, key: str) -> None:
    told = place.guest(None).get(f"/api/boards/{key}", lang="fr")
    board = load(BOXES[key])
    assert [space["key"] for space in told["spaces"]] == [space.key for space in board.spaces]
    for said, space in zip(told["spaces"], board.spaces, strict=True):
        assert said["neighbours"] == list(space.neighbours)
        assert said["kind"] == space.kind
        assert said["name"] == {"en": space.name.en, "fr": space.name.fr}
    assert [(good["number"], good["space"]) for good in told["goods"]] == [(g.number, g.space) for g in board.goods]
    assert [(family["key"], family["dowry"]) for family in told["families"]] == [
        (family.key, family.dowry) for family in board.families
    ]
    assert all(told["symbols"][family.symbol] for family in board.families)
    assert told["drawing"].startswith("<svg")
    assert board.name.fr in told["drawing"]


@pytest.mark.parametrize("key", BOXES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_space_has_room_for_two_camels(key: str, lang: str) -> None:
    board = load(BOXES[key])
    for said, space in zip(shown(board, lang)["spaces"], board.spaces, strict=True):
        (x, y), (other_x, other_y) = said["spots"]
        assert (x, y) != (other_x, other_y)
        assert holds(space.outline, (x, y)), space.key
        assert holds(space.outline, (other_x, other_y)), space.key


def test_a_browser_that_has_the_board_is_told_so(place: Place) -> None:
    guest = place.guest(None)
    first = guest.http.get("/api/boards/oasis")
    assert first.headers["content-encoding"] == "gzip"
    again = guest.http.get("/api/boards/oasis", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    french = guest.http.get("/api/boards/oasis?lang=fr", headers={"If-None-Match": first.headers["etag"]})
    assert french.status_code == 200
    plain = guest.http.get("/api/boards/oasis", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == first.json()


def test_what_is_no_board_is_not_found(place: Place) -> None:
    answer = place.guest(None).http.get("/api/boards/atlantis")
    assert (answer.status_code, answer.json()["error"]) == (404, "error.house.no_page")
