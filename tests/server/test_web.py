"""The web app as the house sends it, and what the house tells it about games."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from registan.server.http import web_app
from tests.server.place import Place


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built app of three files."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<html>the app</html>")
    (tmp_path / "assets" / "a-1.js").write_text("let a = 1;")
    (tmp_path / "assets" / "a-1.js.br").write_bytes(b"packed")
    monkeypatch.setattr(web_app, "BUILT", tmp_path)
    return tmp_path


def test_pages_files_and_what_is_neither(place: Place, app: Path) -> None:
    with httpx.Client(base_url=place.url) as http:
        for path, status in (("/", 200), ("/t/abc", 200), ("/rules/khiva", 200), ("/elsewhere", 404)):
            answer = http.get(path)
            assert (answer.status_code, answer.text) == (status, "<html>the app</html>"), path
            assert answer.headers["cache-control"] == "no-cache"
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        for path in ("/assets/none.js", "/assets/../index.html.txt", "/api/elsewhere", "/assets/%2e%2e/secret.txt"):
            assert http.get(path).status_code == 404, path


def test_a_file_is_sent_packed_and_once(place: Place, app: Path) -> None:
    with httpx.Client(base_url=place.url) as http:
        plain = http.get("/assets/a-1.js", headers={"accept-encoding": "identity"})
        assert plain.text == "let a = 1;"
        assert plain.headers["content-type"].startswith("text/javascript")
        assert "immutable" in plain.headers["cache-control"]
        with http.stream("GET", "/assets/a-1.js", headers={"accept-encoding": "gzip, br"}) as answer:
            assert answer.headers["content-encoding"] == "br"
            assert b"".join(answer.iter_raw()) == b"packed"
        again = http.get("/assets/a-1.js", headers={"if-none-match": plain.headers["etag"]})
        assert again.status_code == 304
        assert not again.content


def test_without_a_built_app_the_house_says_so(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_app, "BUILT", tmp_path)
    monkeypatch.setattr(web_app, "PACKED", tmp_path)
    with httpx.Client(base_url=place.url, headers={"accept-language": "fr"}) as http:
        answer = http.get("/")
        assert answer.status_code == 503
        assert "make play" in answer.text
        assert http.get("/api/games").status_code == 200


def test_rules_and_seats_are_there_for_the_app(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.post("/api/tables", game="khiva", seats=[{"kind": "open"}, {"kind": "me"}])["table"]
    assert ann.http.get(f"/api/tables/{table}/seats").json() == {"seats": [1]}
    with httpx.Client(base_url=place.url) as http:
        assert http.get(f"/api/tables/{table}/seats").json() == {"seats": []}
        assert "**K3.**" in http.get("/api/games/khiva/rules", params={"lang": "fr"}).text
        assert http.get("/api/games/chess/rules").status_code == 422


def test_the_house_tells_what_the_app_must_know_of_a_game(place: Place) -> None:
    with httpx.Client(base_url=place.url) as http:
        cards = {card["game"]: card for card in http.get("/api/games").json()}
    khiva = cards["khiva"]
    assert khiva["name"] == {"en": "Khiva", "fr": "Khiva"}
    assert khiva["about"]["en"].startswith("Five lazy camels")
    assert khiva["about"]["fr"].startswith("Cinq chameaux")
    assert (khiva["players"], khiva["usual"], khiva["minutes"]) == ([2, 5], 4, 30)
    assert "Johannes Goupy" in khiva["credits"]
    assert khiva["options"]["open_scores"] == {"default": False, "values": [False, True]}
    assert khiva["ticks"] == []
    assert cards["souk"]["ticks"][0] > cards["souk"]["ticks"][-1] > 0  # beginners have more time
    assert cards["souk"]["options"]["harmony"] == {"default": "table", "values": ["table", "example"]}
    assert cards["samarkand"]["boxes"] == ["silk-road", "oasis"]


def test_the_words_of_a_game_are_there_for_an_app_that_does_not_know_it(place: Place) -> None:
    with httpx.Client(base_url=place.url) as http:
        answer = http.get("/api/games/khiva/messages/fr")
        assert answer.json()["khiva.colour.white"] == "blanc"
        assert all(key.startswith("khiva.") for key in answer.json())
        assert "max-age" in answer.headers["cache-control"]
        assert http.get("/api/games/chess/messages/fr").status_code == 422
        assert http.get("/api/games/khiva/messages/de").status_code in (400, 404, 422)
