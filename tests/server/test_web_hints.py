"""The page of a table tells the browser which files it needs, so that they load in parallel."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from registan.server.http import web_app
from tests.server.place import Place

HINTS = {
    "Table": ["assets/table-1.js", "assets/table-1.css"],
    "khiva": ["assets/khiva-1.js", "assets/table-1.css"],
    "souk": ["assets/souk-1.js"],
    "en/khiva": ["assets/words-en.js"],
    "fr/khiva": ["assets/words-fr.js"],
}


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built app that says what its tables need."""
    (tmp_path / "index.html").write_text("<html>the app</html>")
    (tmp_path / "hints.json").write_text(json.dumps(HINTS))
    monkeypatch.setattr(web_app, "BUILT", tmp_path)
    return tmp_path


def hinted(http: httpx.Client, path: str, lang: str) -> list[str]:
    """Return what is hinted at with a page."""
    link = http.get(path, headers={"accept-language": lang}).headers.get("link", "")
    return [part for part in link.split(", ") if part]


def test_a_table_hints_at_its_page_its_game_and_the_words_of_the_reader(place: Place, app: Path) -> None:
    table = place.guest("Ann").post("/api/tables", game="khiva", seats=[{"kind": "open"}, {"kind": "me"}])["table"]
    with httpx.Client(base_url=place.url) as http:
        assert hinted(http, f"/t/{table}", "fr") == [
            "</assets/table-1.js>; rel=modulepreload",
            "</assets/table-1.css>; rel=preload; as=style",
            "</assets/khiva-1.js>; rel=modulepreload",
            "</assets/words-fr.js>; rel=modulepreload",
            "</api/me>; rel=preload; as=fetch; crossorigin",
            f"</api/tables/{table}/seats>; rel=preload; as=fetch; crossorigin",
        ]
        assert "</assets/words-en.js>; rel=modulepreload" in hinted(http, f"/t/{table}", "en-GB")


def test_an_unknown_table_hints_at_no_game_and_other_pages_at_nothing(place: Place, app: Path) -> None:
    with httpx.Client(base_url=place.url) as http:
        assert hinted(http, "/t/nowhere", "en") == [
            "</assets/table-1.js>; rel=modulepreload",
            "</assets/table-1.css>; rel=preload; as=style",
            "</api/me>; rel=preload; as=fetch; crossorigin",
        ]
        assert hinted(http, "/", "en") == hinted(http, "/rules/khiva", "en") == []
