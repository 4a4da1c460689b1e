"""My page in a real browser: figures, finished games, taking everything along, and deleting it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP, PHONE, Guest, Guests

Json = dict[str, Any]


def rating(value: int, reach: int = 80) -> Json:
    return {"value": value, "low": value - reach, "high": value + reach}


PROFILE: Json = {
    "games": 24,
    "wins": [
        {"game": "khiva", "level": None, "games": 20, "wins": 8.5, "par": 6.0},
        {"game": "khiva", "level": "", "games": 6, "wins": 2.0, "par": 1.5},
        {"game": "khiva", "level": "merchant", "games": 14, "wins": 6.5, "par": 4.5},
        {"game": "samarkand", "level": None, "games": 4, "wins": 1.0, "par": 1.0},
    ],
    "ratings": [
        {"game": "khiva", "rating": rating(1585), "games": 12, "history": [rating(1500 + 7 * i) for i in range(12)]}
    ],
    "bots": [
        {"game": "khiva", "level": "novice", "rating": rating(1320), "games": 9},
        {"game": "khiva", "level": "master", "rating": rating(1710, 60), "games": 12},
    ],
    "accuracy": [{"game": "khiva", "games": 3, "accuracy": 0.914}],
    "mistakes": [
        {"game": "khiva", "do": "choose", "phase": 1, "moves": 23, "mistakes": 5, "cost": 0.31},
        {"game": "khiva", "do": "move", "phase": 2, "moves": 11, "mistakes": 1, "cost": 0.04},
    ],
    "solved": [{"puzzle": "khiva-1", "at": 1, "game": "khiva", "right": True, "rating": 1300, "daily": False}],
}


def finished(guest: Guest, **more: Any) -> str:
    """Return a table whose game the guest has played to the end at both seats."""
    table = guest.new_table("khiva", [{"kind": "me"}, {"kind": "me", "name": "Bo"}], **more)
    while (shown := guest.view(table, 0))["status"] != "over":
        for seat in shown["view"]["waiting"]:
            legal = guest.view(table, seat)["view"]["legal"]
            if legal:
                guest.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": seat, "move": legal[0]})
            guest.page.wait_for_timeout(120)  # the house limits how often one person asks
    return table


@pytest.mark.parametrize(("lang", "size"), [("en", LAPTOP), ("fr", PHONE)], ids=["en", "fr"])
def test_figures_ratings_and_mistakes(guests: Guests, lang: str, size: dict[str, int]) -> None:
    ann = guests("Ann", lang=lang, size=size)
    page = ann.page
    page.route("**/api/me/profile", lambda route: route.fulfill(json=PROFILE))
    page.goto("/")
    page.get_by_role("link", name="Ma page" if lang == "fr" else "My page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann")
    card = page.locator("article").first
    expect(card).to_contain_text("1585")
    expect(card.locator("dt")).to_have_count(3)
    expect(card.locator("dt").nth(1)).to_have_text("Ann")
    expect(card.get_by_role("img")).to_have_attribute("aria-label", re.compile("1500.*1577"))
    expect(card.locator("tbody tr").first).to_contain_text(re.compile(r"4[23].*8[.,]5"))
    rows = page.get_by_role("table").filter(has_text="Erreurs" if lang == "fr" else "Mistakes").locator("tbody tr")
    expect(rows.first).to_contain_text("Choisir ses cartes" if lang == "fr" else "Choosing cards")
    expect(rows.first).to_contain_text("milieu" if lang == "fr" else "middle")
    assert ann.faults() == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing sticks out"


def test_finished_games_export_and_deletion(guests: Guests) -> None:
    ann = guests("Ann")
    table = finished(ann)
    page = ann.page
    page.goto("/me")
    game = page.locator("main ol li")
    expect(game).to_have_count(2)  # both seats were hers
    expect(game.first).to_contain_text("Bo")
    expect(game.first.get_by_role("link", name="Khiva")).to_have_attribute("href", f"/t/{table}/replay")
    expect(game.first.get_by_role("link", name="Review")).to_have_attribute("href", f"/t/{table}/replay?review")
    expect(page.get_by_role("link", name="Use it on another device").first).to_have_attribute("href", "/handover")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download everything").click()
    told = json.loads(download.value.path().read_text("utf-8"))
    assert (told["name"], len(told["games"])) == ("Ann", 2)
    page.get_by_role("button", name="Delete my data").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Former player")
    expect(page.get_by_role("alertdialog")).to_be_focused()
    assert ann.faults() == []
    page.get_by_role("button", name="Delete everything").click()
    page.wait_for_url("**/")
    assert ann.ask("GET", "/api/me") is None
    page.goto(f"/t/{table}/replay")
    expect(page.locator(".stage")).to_contain_text("Former player")


def test_a_rated_table_says_so(guests: Guests) -> None:
    ann = guests("Ann")
    page = ann.page
    page.goto("/new/khiva")
    page.get_by_text("More options").click()
    page.get_by_label(re.compile("^Rated")).check()
    for seat in (1, 2):
        chosen = page.locator(f"#seat-{seat}")
        if chosen.count():
            chosen.select_option("novice")
    page.locator("form .go .button").click()
    expect(page.locator(".bar .state")).to_have_text("Rated")
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
