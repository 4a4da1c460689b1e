"""The addresses of the web app's pages, as the house knows them."""

from __future__ import annotations

import re
from pathlib import Path

from registan.server.http.web_app import PAGES

APP = Path(__file__).resolve().parents[2] / "web" / "src" / "App.svelte"


def test_the_house_knows_every_page_of_the_app() -> None:
    pages = re.findall(r'\["(\w+)", \(\) => import\(', APP.read_text("utf-8"))
    assert len(pages) > 5
    assert sorted(pages) == sorted(PAGES)
