"""The web app as the house sends it, and the words it uses."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from registan.core.messages import LANGUAGES, catalogue
from registan.server.http import web_app
from tests.server.place import Place

SOURCES = Path(__file__).resolve().parents[2] / "web" / "src"
KEY = re.compile(r"""\bt\(\s*(?:"([\w.-]+)"|`([\w.-]+)\$\{)""")


def test_every_word_of_the_app_is_in_both_catalogues() -> None:
    used = 0
    for path in sorted([*SOURCES.rglob("*.svelte"), *SOURCES.rglob("*.ts")]):
        for whole, beginning in KEY.findall(path.read_text("utf-8")):
            used += 1
            for lang in LANGUAGES:
                known = catalogue(lang)
                good = whole in known if whole else any(key.startswith(beginning) for key in known)
                assert good, (path.name, whole or beginning, lang)
    assert used > 100


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
